/* rac_signal_take_while and its kin: predicates that begin or end a stream. */
#include "callbacks.h"
#include "streams.h"

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
                                         {"1 #5", "1 #5"},
                                         {"1 99 2 |", "1 #-99"}};
  for (int i = 0; i < 5; i++) {
    source counts = {0};
    rac_signal *s = cold(cases[i][0], &counts), *t = rac_retain(s);
    APPLY(s, take_until_predicate, CALLBACK(above_two));
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_INT(counts.disposed, 1);
    APPLY(t, take_while, CALLBACK(up_to_two));
    CHECK_SIGNAL(t, cases[i][1]);
    CHECK_INT(counts.disposed, 2);
  }
}

TEST(a_stream_skipped_until_and_while) {
  static const char *const cases[][2] = {{"1 2 3 1 |", "3 1 |"},
                                         {"1 2 |", "|"},
                                         {"3 0 99 |", "3 0 99 |"},
                                         {"1 #5", "#5"},
                                         {"1 99 2 |", "#-99"}};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = cold(cases[i][0], NULL), *t = rac_retain(s);
    APPLY(s, skip_until_predicate, CALLBACK(above_two));
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
    APPLY(t, skip_while, CALLBACK(up_to_two));
    CHECK_SIGNAL(t, cases[i][1]);
  }
}

TEST(skip_asks_no_more_once_it_has_begun) {
  int calls = 0;
  rac_signal *s = cold("1 3 1 5 |", NULL);
  APPLY(s, skip_until_predicate, CALLBACK_FOR(&calls, above_two));
  CHECK_SIGNAL(s, "3 1 5 |");
  CHECK_INT(calls, 2);
}

static void send_three(recorder *self, rac_value value) {
  if (value.bits < 2) play(self->user, "3 1");
}

TEST(nothing_passes_after_the_value_that_ended_a_take) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s =
      rac_signal_take_while(as_signal(subject), CALLBACK(up_to_two));
  finished recorder r = {.on_next = send_three, .user = subject};
  record(s, &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "1 |");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

TEST(a_predicate_may_dispose_its_own_subscription) {
  owned rac_subject *subject = rac_subject_create();
  for (int i = 0; i < 3; i++) {
    recorder r = {0};
    rac_signal *from = as_signal(subject);
    owned rac_signal *s =
        i == 0 ? rac_signal_take_until_predicate(
                     from, CALLBACK_FOR(&r, dispose_and_say_yes))
        : i == 1
            ? rac_signal_take_while(from, CALLBACK_FOR(&r, dispose_and_say_yes))
            : rac_signal_skip_until_predicate(
                  from, CALLBACK_FOR(&r, dispose_and_say_yes));
    record(s, &r);
    play(subject, "1 2");
    CHECK_EVENTS(&r, "");
    await_end(&r);
  }
}

/* ---- What RAC's specs demand --------------------------------------------- */

static rac_status up_to(void *context, rac_value value, bool *out) {
  *out = value.bits <= *(int64_t *)context_target(context);
  return RAC_OK;
}

typedef rac_signal *(*predicated)(rac_signal *, void *, rac_predicate_fn,
                                  rac_destroy_fn);

static void check_predicate(int line, predicated operator,
                            rac_predicate_fn predicate, int64_t limit,
                            const char *script, const char *expected) {
  rac_signal *source = cold(script, NULL);
  rac_signal *s = operator(source, CALLBACK_FOR(&limit, predicate));
  rac_release(source);
  rac_retain(s);
  check_signal(__FILE__, line, script, s, expected);
  check_signal(__FILE__, line, script, s, expected);
}

/* signal-049, signal-050: some, all, none; what comes after the first that
 * fails is not asked about */
TEST(take_while_passes_values_until_one_fails) {
  predicated take_while = rac_signal_take_while;
  check_predicate(__LINE__, take_while, up_to, 1, "0 1 2 3 0 |", "0 1 |");
  check_predicate(__LINE__, take_while, up_to, 10, "0 1 2 3 0 |",
                  "0 1 2 3 0 |");
  check_predicate(__LINE__, take_while, up_to, -1, "0 1 |", "|");
  check_predicate(__LINE__, take_while, up_to, 1, "0 #4", "0 #4");
}

static rac_status beyond(void *context, rac_value value, bool *out) {
  *out = value.bits > *(int64_t *)context_target(context);
  return RAC_OK;
}

TEST(take_until_passes_values_until_one_matches) {
  predicated take_until = rac_signal_take_until_predicate;
  check_predicate(__LINE__, take_until, beyond, 1, "0 1 2 0 |", "0 1 |");
  check_predicate(__LINE__, take_until, beyond, 10, "0 1 2 0 |", "0 1 2 0 |");
  check_predicate(__LINE__, take_until, beyond, -1, "0 1 |", "|");
}

/* signal-052 */
TEST(take_while_ends_an_endless_stream) {
  progression numbers = {1, 1, {0}};
  int64_t limit = 5;
  rac_signal *s = endless(&numbers);
  APPLY(s, take_while, CALLBACK_FOR(&limit, up_to));
  CHECK_SIGNAL(s, "1 2 3 4 5 |");
  CHECK_INT(numbers.counts.disposed, 1);
}

TEST(take_until_ends_an_endless_stream) {
  progression numbers = {1, 1, {0}};
  int64_t limit = 3;
  rac_signal *s = endless(&numbers);
  APPLY(s, take_until_predicate, CALLBACK_FOR(&limit, beyond));
  CHECK_SIGNAL(s, "1 2 3 |");
  CHECK_INT(numbers.counts.disposed, 1);
}

/* signal-054, signal-056: some; all pass where the first one fails already */
TEST(skip_while_drops_values_until_one_fails) {
  predicated skip_while = rac_signal_skip_while;
  check_predicate(__LINE__, skip_while, up_to, 1, "0 1 2 3 0 2 4 |",
                  "2 3 0 2 4 |");
  check_predicate(__LINE__, skip_while, up_to, -1, "0 1 2 |", "0 1 2 |");
  check_predicate(__LINE__, skip_while, up_to, 9, "0 1 2 |", "|");
  check_predicate(__LINE__, skip_while, up_to, 9, "0 #4", "#4");
}

TEST(skip_until_drops_values_until_one_matches) {
  predicated skip_until = rac_signal_skip_until_predicate;
  check_predicate(__LINE__, skip_until, beyond, 1, "0 1 2 3 0 2 |",
                  "2 3 0 2 |");
  check_predicate(__LINE__, skip_until, beyond, -1, "0 1 |", "0 1 |");
  check_predicate(__LINE__, skip_until, beyond, 9, "0 1 |", "|");
}
