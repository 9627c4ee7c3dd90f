/* Operators that look at one value at a time, and side effects. */
#include "operators.h"

TEST(map_sends_what_the_callback_makes) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, map, CALLBACK(times_ten));
  CHECK_SIGNAL(s, "10 20 |");
  s = cold("1 !3", NULL);
  APPLY(s, map, CALLBACK(times_ten));
  CHECK_SIGNAL(s, "10 !3");
}

TEST(a_failing_map_ends_the_stream_and_disposes_the_source) {
  source counts = {0};
  rac_signal *s = cold("1 2 3", &counts);
  APPLY(s, map, CALLBACK(map_not_two));
  CHECK_SIGNAL(s, "1 !-22");
  CHECK_INT(counts.disposed, 1);
}

static rac_status make_text(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  char text[20];
  int length = snprintf(text, sizeof text, "<%d>", (int)value.bits);
  *out = rac_value_string_copy(text, (size_t)length);
  return RAC_OK;
}

static rac_status pass_through(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  *out = rac_value_retain(value);
  return RAC_OK;
}

TEST(map_takes_over_what_the_callback_writes) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, map, CALLBACK(make_text));
  APPLY(s, map, CALLBACK(pass_through));
  APPLY(s, map, CALLBACK(pass_through));
  CHECK_SIGNAL(s, "<1> <2> |");
}

static rac_status text_and_failure(void *context, rac_value value,
                                   rac_value *out) {
  make_text(context, value, out);
  return -3;
}

TEST(what_a_failing_callback_wrote_is_released) {
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, map, CALLBACK(text_and_failure));
  CHECK_SIGNAL(s, "!-3");
  s = cold("1 |", NULL);
  APPLY(s, group_by, context_new(NULL, NULL), text_and_failure, NULL,
        context_destroy);
  CHECK_SIGNAL(s, "!-3");
}

TEST(map_replace_sends_one_value_for_each) {
  rac_value text = rac_value_string_copy("x", 1);
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, map_replace, text);
  rac_value_release(text);
  CHECK_SIGNAL(s, "x x |");
}

TEST(filter_keeps_what_the_callback_likes) {
  rac_signal *s = cold("0 1 2 3 4 5 6 |", NULL);
  APPLY(s, filter, CALLBACK(is_even));
  CHECK_SIGNAL(s, "0 2 4 6 |");
  s = cold("1 3 !1", NULL);
  APPLY(s, filter, CALLBACK(is_even));
  CHECK_SIGNAL(s, "!1");
}

TEST(a_failing_filter_ends_the_stream) {
  source counts = {0};
  rac_signal *s = cold("1 2 3", &counts);
  APPLY(s, filter, CALLBACK(predicate_not_two));
  CHECK_SIGNAL(s, "1 !-22");
  CHECK_INT(counts.disposed, 1);
}

TEST(ignore_values_passes_the_end) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY0(s, ignore_values);
  CHECK_SIGNAL(s, "|");
  s = cold("1 2 !5", NULL);
  APPLY0(s, ignore_values);
  CHECK_SIGNAL(s, "!5");
}

TEST(scan_sends_the_running_value_not_the_start) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan, I(0), CALLBACK(add));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 3 6 10 |");
  /* Each subscription starts afresh. */
  CHECK_SIGNAL(s, "1 3 6 10 |");
  s = cold("|", NULL);
  APPLY(s, scan, I(7), CALLBACK(add));
  CHECK_SIGNAL(s, "|");
  s = cold("1 !9", NULL);
  APPLY(s, scan, I(7), CALLBACK(add));
  CHECK_SIGNAL(s, "8 !9");
}

static rac_status add_until_three(void *context, rac_value running,
                                  rac_value next, rac_value *out) {
  add(context, running, next, out);
  return next.bits == 3 ? -33 : RAC_OK;
}

TEST(a_failing_scan_ends_the_stream) {
  rac_signal *s = cold("1 2 3 4", NULL);
  APPLY(s, scan, I(0), CALLBACK(add_until_three));
  CHECK_SIGNAL(s, "1 3 !-33");
}

static rac_status append(void *context, rac_value running, rac_value next,
                         rac_value *out) {
  (void)context_target(context);
  const char *text = NULL;
  char buffer[64];
  rac_value_get_string(running, &text, NULL);
  int length = snprintf(buffer, sizeof buffer, "%s%d", text, (int)next.bits);
  *out = rac_value_string_copy(buffer, (size_t)length);
  return RAC_OK;
}

TEST(scan_over_values_that_own_memory) {
  rac_value start = rac_value_string_copy("s", 1);
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, scan, start, CALLBACK(append));
  rac_value_release(start);
  CHECK_SIGNAL(s, "s1 s12 s123 |");
}

TEST(take_completes_without_waiting_for_the_source) {
  const char *const expected[] = {"|", "1 |", "1 2 |", "1 2 3 |"};
  for (size_t count = 0; count < 4; count++) {
    source counts = {0};
    rac_signal *s = cold("1 2 3 4", &counts);
    APPLY(s, take, count);
    CHECK_SIGNAL(s, expected[count]);
    CHECK_INT(counts.subscribed, count == 0 ? 0 : 1);
    CHECK_INT(counts.disposed, count == 0 ? 0 : 1);
  }
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, take, 4);
  CHECK_SIGNAL(s, "1 2 3 |");
  s = cold("1 !2", NULL);
  APPLY(s, take, 2);
  CHECK_SIGNAL(s, "1 !2");
}

static void send_next(recorder *self, rac_value value) {
  rac_subject_send(self->user, I(value.bits + 1));
}

TEST(take_drops_what_is_sent_while_its_last_value_is_delivered) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_take(as_signal(subject), 3);
  recorder r = {.on_next = send_next, .user = subject}, other = {0};
  record(s, &r);
  record(as_signal(subject), &other);
  play(subject, "0");
  CHECK_EVENTS(&r, "0 1 2 |");
  CHECK_EVENTS(&other, "0 1 2 3");
  await_end(&r);
  finish(&other);
  rac_release(s);
  rac_release(subject);
}

TEST(skip_drops_the_first_values_of_each_subscription) {
  const char *const expected[] = {"1 2 3 |", "2 3 |", "3 |", "|", "|"};
  for (size_t count = 0; count < 5; count++) {
    rac_signal *s = cold("1 2 3 |", NULL);
    APPLY(s, skip, count);
    rac_retain(s);
    CHECK_SIGNAL(s, expected[count]);
    CHECK_SIGNAL(s, expected[count]);
  }
  rac_signal *s = cold("1 !2", NULL);
  APPLY(s, skip, 5);
  CHECK_SIGNAL(s, "!2");
}

TEST(distinct_until_changed_drops_repetitions) {
  static const char *const cases[][2] = {{"1 2 2 1 1 |", "1 2 1 |"},
                                         {"1 nil nil nil 1 |", "1 nil 1 |"},
                                         {"nil nil 1 |", "nil 1 |"},
                                         {"1 1 !2", "1 !2"},
                                         {"|", "|"}};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, distinct_until_changed);
    CHECK_SIGNAL(s, cases[i][1]);
  }
  rac_value values[] = {S("a"), S("a"), S("b")};
  rac_signal *s = rac_signal_from_values(values, 3);
  APPLY0(s, distinct_until_changed);
  CHECK_SIGNAL(s, "a b |");
}

TEST(collect_sends_one_tuple_at_the_completion) {
  rac_signal *s = cold("1 nil 3 |", NULL);
  APPLY0(s, collect);
  rac_retain(s);
  CHECK_SIGNAL(s, "(1,nil,3) |");
  CHECK_SIGNAL(s, "(1,nil,3) |");
  s = cold("|", NULL);
  APPLY0(s, collect);
  CHECK_SIGNAL(s, "() |");
  s = cold("1 2 !3", NULL);
  APPLY0(s, collect);
  CHECK_SIGNAL(s, "!3");
}

/* ---- Side effects ------------------------------------------------------- */

typedef struct diary {
  char text[200];
} diary;

static void write_in(diary *self, const char *what) {
  size_t used = strlen(self->text);
  snprintf(self->text + used, sizeof self->text - used, "%s%s", used ? " " : "",
           what);
}

static void note_next(void *context, rac_value value) {
  char text[40] = "n";
  format_value(value, text + 1, sizeof text - 1);
  write_in(context_target(context), text);
}
static void note_error(void *context, rac_value error) {
  char text[40] = "e";
  format_value(error, text + 1, sizeof text - 1);
  write_in(context_target(context), text);
}
static void note_completed(void *context) {
  write_in(context_target(context), "c");
}
static void note_initially(void *context) {
  write_in(context_target(context), "initially");
}
static void note_outer(void *context) {
  write_in(context_target(context), "outer");
}
static void note_finally(void *context) {
  write_in(context_target(context), "finally");
}

static rac_signal *noting(const char *script, diary *d) {
  rac_signal *s = cold(script, NULL);
  APPLY(s, do_next, CALLBACK_FOR(d, note_next));
  APPLY(s, do_error, CALLBACK_FOR(d, note_error));
  APPLY(s, do_completed, CALLBACK_FOR(d, note_completed));
  APPLY(s, initially, CALLBACK_FOR(d, note_initially));
  APPLY(s, finally, CALLBACK_FOR(d, note_finally));
  return s;
}

TEST(side_effects_run_for_their_event) {
  diary d = {""};
  rac_signal *s = noting("1 2 |", &d);
  CHECK_TEXT(d.text, "");
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_TEXT(d.text, "initially n1 n2 c finally");
  d.text[0] = 0;
  CHECK_SIGNAL(noting("1 !2", &d), "1 !2");
  CHECK_TEXT(d.text, "initially n1 e!2 finally");
  d.text[0] = 0;
  /* Disposal is not an event. */
  CHECK_SIGNAL(noting("1", &d), "1");
  CHECK_TEXT(d.text, "initially n1");
}

static void note_in_recorder(recorder *self, rac_value value) {
  (void)value;
  write_in(self->user, "heard");
}
static void note_end_in_recorder(recorder *self) {
  write_in(self->user, "ended");
}

TEST(side_effects_run_before_the_subscriber_hears_of_it) {
  diary d = {""};
  rac_signal *s = noting("1 |", &d);
  recorder r = {
      .on_next = note_in_recorder, .on_end = note_end_in_recorder, .user = &d};
  record(s, &r);
  CHECK_TEXT(d.text, "initially n1 heard c finally ended");
  await_end(&r);
  rac_release(s);
}

TEST(the_outermost_initially_runs_first) {
  diary d = {""};
  rac_signal *s = cold("|", NULL);
  APPLY(s, initially, CALLBACK_FOR(&d, note_initially));
  APPLY(s, initially, CALLBACK_FOR(&d, note_outer));
  rac_retain(s);
  CHECK_SIGNAL(s, "|");
  CHECK_SIGNAL(s, "|");
  CHECK_TEXT(d.text, "outer initially outer initially");
}
