/* Running results, predicates that begin or end a stream, and its last values. */
#include "operators.h"

/* ---- scan and aggregate ------------------------------------------------- */

static rac_status add_index(void *context, rac_value running, rac_value next,
                            size_t index, rac_value *out) {
  (void)context_target(context);
  *out = I(running.bits + next.bits + (int64_t)index);
  return next.bits == 9 ? -99 : RAC_OK;
}

TEST(scan_with_index_counts_from_zero_in_each_subscription) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan_with_index, I(0), CALLBACK(add_index));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 4 9 16 |");
  CHECK_SIGNAL(s, "1 4 9 16 |");
  source counts = {0};
  s = cold("1 9 1", &counts);
  APPLY(s, scan_with_index, I(0), CALLBACK(add_index));
  CHECK_SIGNAL(s, "1 !-99");
  CHECK_INT(counts.disposed, 1);
}

TEST(aggregate_sends_the_last_result_at_the_completion) {
  static const char *const cases[][2] = {
      {"1 2 3 |", "16 |"}, {"|", "10 |"}, {"1 2 !3", "!3"}, {"1 2", ""}};
  for (int i = 0; i < 4; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY(s, aggregate, I(10), CALLBACK(add));
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
  }
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, aggregate_with_index, I(0), CALLBACK(add_index));
  CHECK_SIGNAL(s, "9 |");
  s = cold("1 9 3 |", NULL);
  APPLY(s, aggregate_with_index, I(0), CALLBACK(add_index));
  CHECK_SIGNAL(s, "!-99");
}

/* Counts its calls; the second one fails. */
static rac_status make_start(void *context, rac_value *out) {
  int *calls = context_target(context);
  *out = rac_value_string_copy("start", 5);
  return ++*calls == 2 ? -7 : RAC_OK;
}

static rac_status append(void *context, rac_value running, rac_value next,
                         rac_value *out) {
  (void)context_target(context);
  char buffer[100], number[20];
  size_t length = format_value(running, buffer, sizeof buffer);
  size_t more = format_value(next, number, sizeof number);
  memcpy(buffer + length, number, more);
  *out = rac_value_string_copy(buffer, length + more);
  return RAC_OK;
}

TEST(the_factory_of_an_aggregate_runs_for_each_subscription) {
  int calls = 0;
  source counts = {0};
  rac_signal *s = cold("1 2 |", &counts);
  APPLY(s, aggregate_with_factory, context_new(&calls, NULL), make_start,
        append, context_destroy);
  CHECK_INT(calls, 0);
  rac_retain(s);
  rac_retain(s);
  CHECK_SIGNAL(s, "start12 |");
  /* A failing factory: the source is left alone. */
  CHECK_SIGNAL(s, "!-7");
  CHECK_INT(counts.subscribed, 1);
  CHECK_SIGNAL(s, "start12 |");
  CHECK_INT(calls, 3);
}

TEST(aggregate_takes_over_views) {
  /* What reduce writes outlives its call, though its text may not. */
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, aggregate, S(""), CALLBACK(append));
  CHECK_SIGNAL(s, "123 |");
}

TEST(aggregate_below_a_take) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, aggregate, I(0), CALLBACK(add));
  APPLY(s, take, 1);
  CHECK_SIGNAL(s, "3 |");
}

/* ---- combinePrevious ---------------------------------------------------- */

static rac_status pair(void *context, rac_value previous, rac_value next,
                       rac_value *out) {
  (void)context_target(context);
  rac_value both[] = {previous, next};
  *out = rac_value_tuple(both, 2);
  return next.bits == 9 ? -9 : RAC_OK;
}

TEST(combine_previous_hands_over_two_neighbours) {
  rac_signal *s = cold("1 2 4 |", NULL);
  APPLY(s, combine_previous, rac_value_nil(), CALLBACK(pair));
  rac_retain(s);
  CHECK_SIGNAL(s, "(nil,1) (1,2) (2,4) |");
  CHECK_SIGNAL(s, "(nil,1) (1,2) (2,4) |");
  s = cold("1 9 2", NULL);
  APPLY(s, combine_previous, I(0), CALLBACK(pair));
  CHECK_SIGNAL(s, "(0,1) !-9");
  s = cold("!2", NULL);
  APPLY(s, combine_previous, I(0), CALLBACK(pair));
  CHECK_SIGNAL(s, "!2");
}

TEST(combine_previous_keeps_values_that_own_memory) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan, S(""), CALLBACK(append));
  APPLY(s, combine_previous, S("-"), CALLBACK(pair));
  CHECK_SIGNAL(s, "(-,1) (1,12) (12,123) (123,1234) |");
}

/* ---- Predicates that begin and end -------------------------------------- */

static rac_status above_two(void *context, rac_value value, bool *out) {
  int *calls = context_target(context);
  if (calls) ++*calls;
  *out = value.bits > 2;
  return value.bits == 99 ? -99 : RAC_OK;
}
static rac_status up_to_two(void *context, rac_value value, bool *out) {
  rac_status status = above_two(context, value, out);
  *out = !*out;
  return status;
}

TEST(a_stream_taken_until_and_while) {
  static const char *const cases[][2] = {{"1 2 3 1 |", "1 2 |"},
                                         {"1 2 1 |", "1 2 1 |"},
                                         {"3 |", "|"},
                                         {"1 !5", "1 !5"},
                                         {"1 99 2 |", "1 !-99"}};
  for (int i = 0; i < 5; i++) {
    source counts = {0};
    rac_signal *s = cold(cases[i][0], &counts), *t = rac_retain(s);
    APPLY(s, take_until_block, CALLBACK(above_two));
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_INT(counts.disposed, 1);
    APPLY(t, take_while_block, CALLBACK(up_to_two));
    CHECK_SIGNAL(t, cases[i][1]);
    CHECK_INT(counts.disposed, 2);
  }
}

TEST(a_stream_skipped_until_and_while) {
  static const char *const cases[][2] = {{"1 2 3 1 |", "3 1 |"},
                                         {"1 2 |", "|"},
                                         {"3 0 99 |", "3 0 99 |"},
                                         {"1 !5", "!5"},
                                         {"1 99 2 |", "!-99"}};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = cold(cases[i][0], NULL), *t = rac_retain(s);
    APPLY(s, skip_until_block, CALLBACK(above_two));
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
    APPLY(t, skip_while_block, CALLBACK(up_to_two));
    CHECK_SIGNAL(t, cases[i][1]);
  }
}

TEST(skip_asks_no_more_once_it_has_begun) {
  int calls = 0;
  rac_signal *s = cold("1 3 1 5 |", NULL);
  APPLY(s, skip_until_block, CALLBACK_FOR(&calls, above_two));
  CHECK_SIGNAL(s, "3 1 5 |");
  CHECK_INT(calls, 2);
}

static void send_three(recorder *self, rac_value value) {
  if (value.bits < 2) play(self->user, "3 1");
}

TEST(nothing_passes_after_the_value_that_ended_a_take) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_take_while_block(as_signal(subject), CALLBACK(up_to_two));
  recorder r = {.on_next = send_three, .user = subject};
  record(s, &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "1 |");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  await_end(&r);
  rac_release(s);
  rac_release(subject);
}

static rac_status dispose_and_say_yes(void *context, rac_value value,
                                      bool *out) {
  recorder *r = context_target(context);
  (void)value;
  rac_dispose(r->subscription);
  *out = true;
  return RAC_OK;
}

TEST(a_predicate_may_dispose_its_own_subscription) {
  rac_subject *subject = rac_subject_create();
  for (int i = 0; i < 3; i++) {
    recorder r = {0};
    rac_signal *from = as_signal(subject);
    rac_signal *s = i == 0 ? rac_signal_take_until_block(
                                 from, CALLBACK_FOR(&r, dispose_and_say_yes))
                    : i == 1 ? rac_signal_take_while_block(
                                   from, CALLBACK_FOR(&r, dispose_and_say_yes))
                             : rac_signal_skip_until_block(
                                   from, CALLBACK_FOR(&r, dispose_and_say_yes));
    record(s, &r);
    play(subject, "1 2");
    CHECK_EVENTS(&r, "");
    await_end(&r);
    rac_release(s);
  }
  rac_release(subject);
}

/* ---- takeLast and ignore ------------------------------------------------ */

TEST(take_last_sends_the_last_values_at_the_completion) {
  static const struct {
    size_t count;
    const char *script, *expected;
  } cases[] = {{0, "1 2 3 |", "|"},
               {1, "1 2 3 |", "3 |"},
               {2, "1 2 3 |", "2 3 |"},
               {3, "1 2 3 |", "1 2 3 |"},
               {4, "1 2 3 |", "1 2 3 |"},
               {SIZE_MAX, "1 nil 3 |", "1 nil 3 |"},
               {2, "|", "|"},
               {2, "1 2 !4", "!4"},
               {0, "1 !4", "!4"},
               {2, "1 2 3", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_signal *s = cold(cases[i].script, NULL);
    APPLY(s, take_last, cases[i].count);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i].expected);
    CHECK_SIGNAL(s, cases[i].expected);
  }
}

TEST(take_last_keeps_no_more_than_it_needs) {
  rac_signal *s = cold("1 2 3 4 5 6 7 8 9 |", NULL);
  APPLY(s, scan, S(""), CALLBACK(append));
  APPLY(s, take_last, 8);
  APPLY(s, take_last, 1);
  CHECK_SIGNAL(s, "123456789 |");
}

static void dispose_self(recorder *self, rac_value value) {
  (void)value;
  rac_dispose(self->subscription);
}

TEST(disposal_stops_take_last_between_two_values) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_take_last(as_signal(subject), 3);
  recorder r = {.on_next = dispose_self};
  record(s, &r);
  play(subject, "1 2 3 |");
  CHECK_EVENTS(&r, "1");
  await_end(&r);
  rac_release(s);
  rac_release(subject);
}

TEST(ignore_drops_what_is_equal) {
  rac_signal *s = cold("0 1 2 1 3 |", NULL);
  APPLY(s, ignore, I(1));
  CHECK_SIGNAL(s, "0 2 3 |");
  s = cold("1 nil 3 nil 4 |", NULL);
  APPLY(s, ignore, rac_value_nil());
  CHECK_SIGNAL(s, "1 3 4 |");
  s = cold("1 !1", NULL);
  APPLY(s, ignore, I(1));
  CHECK_SIGNAL(s, "!1");
  /* By content, however the text is held. */
  rac_value values[] = {S("a"), S("b"), S("a")};
  rac_value copy = rac_value_string_copy("a", 1);
  s = rac_signal_from_values(values, 3);
  APPLY(s, ignore, copy);
  rac_value_release(copy);
  CHECK_SIGNAL(s, "b |");
}
