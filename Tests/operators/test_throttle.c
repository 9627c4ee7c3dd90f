/* rac_signal_throttle: values that nothing follows for some time. */
#include "shared_callbacks.h"
#include "stage.h"

TEST(throttle_sends_what_nothing_followed) {
  CHECK_MARBLES(rac_signal_throttle(a, 0.5, NULL), "-12|", "1@1.5 2@2.5 |@3");
  CHECK_MARBLES(rac_signal_throttle(a, 5, NULL), "-123", "3@8");
  CHECK_MARBLES(rac_signal_throttle(a, 0.5, NULL), "1@1 2@1 3@1 |@2",
                "3@1.5 |@2");
}

TEST(throttle_counts_from_the_last_value) {
  CHECK_MARBLES(rac_signal_throttle(a, 3, NULL), "-12----3----|",
                "-----2----3-|");
  CHECK_MARBLES(rac_signal_throttle(a, 0.5, NULL), "1@0.1 2@0.2 3@1 |@2",
                "2@0.7 3@1.5 |@2");
  CHECK_MARBLES(rac_signal_throttle(a, 0.5, NULL), "1@0.1 2@0.7",
                "1@0.6 2@1.2");
  CHECK_MARBLES(rac_signal_throttle(a, 0.5, NULL), "nil@0.1", "nil@0.6");
}

TEST(the_completion_sends_the_value_that_waits) {
  CHECK_MARBLES(rac_signal_throttle(a, 0.5, NULL), "1@0.1 |@0.2",
                "1@0.2 |@0.2");
  CHECK_MARBLES(rac_signal_throttle(a, 5, NULL), "-12|", "2@3 |@3");
  CHECK_MARBLES(rac_signal_throttle(a, 5, NULL), "-|", "|@1");
}

/* Law 16: it is sent at once. */
TEST(an_error_drops_the_value_that_waits) {
  CHECK_MARBLES(rac_signal_throttle(a, 0.5, NULL), "1@0.1 #7@0.3", "#7@0.3");
  CHECK_MARBLES(rac_signal_throttle(a, 5, NULL), "-1#3", "#3@2");
}

TEST(a_value_sent_by_throttle_is_not_sent_again) {
  CHECK_MARBLES(rac_signal_throttle(a, 0.1, NULL), "-1-|", "1@1.1 |@3");
}

TEST(throttles_that_feed_a_take_do_not_deadlock) {
  /* RAC held its lock while it sent from the timer. */
  for (int round = 0; round < 50; round++) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *s = rac_signal_throttle(as_signal(subject), 0.0001, NULL);
    APPLY(s, take, 1);
    recorder r = {0};
    record(s, &r);
    owned rac_scheduler *background = rac_scheduler_background(0, NULL);
    play_marbles(background, subject, "1");
    for (int i = 0; i < 20; i++)
      rac_release(rac_schedule_after(background, 0.0001, NULL, NULL, NULL));
    WAIT_UNTIL(atomic_load(&r.ends) == 1);
    await_end(&r);
    CHECK_EVENTS(&r, "1 |");
  }
}

/* ---- What RAC's specs demand, with and without a test, on the main scheduler  */

/* 30 and above pass at once. */
static rac_status below_thirty(void *context, rac_value value, bool *out) {
  int64_t *last = context_target(context);
  if (last) *last = value.bits;
  *out = value.bits < 30;
  return RAC_OK;
}

/* The plain operator, or the one with a test. */
static void hear_throttled(stage *self, bool with_test, double seconds) {
  stage_open(self);
  rac_signal *s = as_signal(self->a);
  stage_hear(self, with_test ? rac_signal_throttle_passing_test(
                                   s, seconds, NULL, CALLBACK(below_thirty))
                             : rac_signal_throttle(s, seconds, NULL));
}

static void run_until_heard(stage *self, int nexts) {
  RUN_MAIN_UNTIL(atomic_load(&self->heard.nexts) == nexts);
}

/* signal-185, signal-191: of several in a row the last comes, later */
TEST(a_throttle_lets_the_last_of_a_burst_pass) {
  for (int with_test = 0; with_test < 2; with_test++) {
    closed_stage t;
    hear_throttled(&t, with_test, 0);
    play(t.a, "1 2");
    CHECK_EVENTS(&t.heard, "");
    run_until_heard(&t, 1);
    CHECK_EVENTS(&t.heard, "2");
    play(t.a, "3");
    CHECK_EVENTS(&t.heard, "2");
    run_until_heard(&t, 2);
    CHECK_EVENTS(&t.heard, "2 3");
    play(t.a, "4 5 6");
    run_until_heard(&t, 3);
    CHECK_EVENTS(&t.heard, "2 3 6");
  }
}

/* signal-186, signal-194: at once, whether or not a value waits; one that does
 * comes before it */
TEST(a_completion_is_not_throttled) {
  for (int with_test = 0; with_test < 2; with_test++) {
    stage t;
    hear_throttled(&t, with_test, 60);
    play(t.a, "|");
    CHECK_EVENTS(&t.heard, "|");
    stage_close(&t);
    hear_throttled(&t, with_test, 60);
    play(t.a, "1 2 |");
    CHECK_EVENTS(&t.heard, "2 |");
    stage_close(&t);
  }
}

/* signal-187, signal-195: at once; a value that waits is dropped */
TEST(an_error_is_not_throttled) {
  for (int with_test = 0; with_test < 2; with_test++) {
    closed_stage t;
    hear_throttled(&t, with_test, 0);
    play(t.a, "1 #7");
    CHECK_EVENTS(&t.heard, "#7");
    rac_main_run_for(0.002);
    CHECK_EVENTS(&t.heard, "#7");
  }
}

/* signal-190: the test is asked about the value that has just come */
TEST(a_value_that_passes_the_test_waits) {
  int64_t last = 0;
  STAGE(t);
  stage_hear(
      &t, rac_signal_throttle_passing_test(as_signal(t.a), 0, NULL,
                                           CALLBACK_FOR(&last, below_thirty)));
  play(t.a, "1");
  CHECK_INT(last, 1);
  CHECK_EVENTS(&t.heard, "");
  run_until_heard(&t, 1);
  CHECK_EVENTS(&t.heard, "1");
  play(t.a, "2 30");
  CHECK_INT(last, 30);
}

/* signal-192 */
TEST(a_value_that_fails_the_test_replaces_the_one_that_waits) {
  closed_stage t;
  hear_throttled(&t, true, 0);
  play(t.a, "1 2");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "30");
  CHECK_EVENTS(&t.heard, "30");
  play(t.a, "3");
  CHECK_EVENTS(&t.heard, "30");
  run_until_heard(&t, 2);
  CHECK_EVENTS(&t.heard, "30 3");
}

/* signal-193 */
TEST(the_completion_does_not_repeat_what_was_delivered) {
  for (int with_test = 0; with_test < 2; with_test++) {
    closed_stage t;
    hear_throttled(&t, with_test, 0);
    play(t.a, "1");
    run_until_heard(&t, 1);
    play(t.a, "|");
    CHECK_EVENTS(&t.heard, "1 |");
  }
}

/* signal-185: what is sent while a throttled value is delivered waits as any
 * other; RAC held a lock there */
TEST(a_value_sent_from_below_a_throttle_is_throttled) {
  STAGE(t);
  t.heard.on_next = send_next_number;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_throttle(as_signal(t.a), 0, NULL));
  play(t.a, "1");
  run_until_heard(&t, 3);
  CHECK_EVENTS(&t.heard, "1 2 3");
}

/* signal-185, signal-190: a disposal drops what waits */
TEST(a_throttled_value_does_not_come_after_a_disposal) {
  for (int with_test = 0; with_test < 2; with_test++) {
    closed_stage t;
    hear_throttled(&t, with_test, 0.001);
    play(t.a, "1");
    rac_dispose(t.heard.subscription);
    rac_main_run_for(0.005);
    CHECK_EVENTS(&t.heard, "");
  }
}

/* A value that comes while another one waits begins the time anew, in real time
 * as in virtual time. `user`: when the values were sent. */
static void check_time(recorder *self, rac_value value) {
  CHECK(check_clock() - ((double *)self->user)[value.bits] >= 0.02);
}

TEST(a_value_begins_the_time_anew) {
  for (int with_test = 0; with_test < 2; with_test++) {
    enum { VALUES = 5 };
    double sent[VALUES + 1];
    closed_stage t;
    hear_throttled(&t, with_test, 0.02);
    t.heard.on_next = check_time;
    t.heard.user = sent;
    for (int i = 1; i <= VALUES; i++) {
      rac_main_run_for(0.008);
      sent[i] = check_clock();
      rac_subject_send(t.a, I(i));
    }
    /* On a busy machine one may have waited for long enough. */
    RUN_MAIN_UNTIL(strchr(t.heard.text, '5') != NULL);
    rac_main_run_for(0.03);
    CHECK(strchr(t.heard.text, '5') == t.heard.text + strlen(t.heard.text) - 1);
  }
}

static void *send_one(void *subject) {
  play(subject, "1");
  return NULL;
}

/* signal-185: a thread without a scheduler has its values wait on one of the
 * library's */
TEST(a_throttle_of_values_from_a_thread_without_a_scheduler) {
  for (int with_test = 0; with_test < 2; with_test++) {
    closed_stage t;
    hear_throttled(&t, with_test, 0.001);
    check_join(check_spawn(send_one, t.a));
    WAIT_UNTIL(atomic_load(&t.heard.nexts) == 1);
    CHECK_EVENTS(&t.heard, "1");
  }
}
