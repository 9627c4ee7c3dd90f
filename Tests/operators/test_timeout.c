/* rac_signal_timeout: an error when a signal takes too long. */
#include <math.h>

#include "stage.h"

#define TIMEOUT(seconds) rac_signal_timeout(a, seconds, v)

TEST(a_timeout_counts_from_the_subscription) {
  CHECK_MARBLES(TIMEOUT(2.5), "-123", "1@1 2@2 #1@2.5");
  CHECK_MARBLES(TIMEOUT(3), "1@1 2@1.5 3@4.5 |@6", "1@1 2@1.5 #1@3");
  CHECK_MARBLES(TIMEOUT(3), "-12-4-|", "-12#1");
  CHECK_MARBLES(TIMEOUT(0), "-1", "#1");
}

TEST(a_source_that_ends_has_no_timeout) {
  CHECK_MARBLES(TIMEOUT(7), "1@1 2@1.5 3@4.5 |@6", "1@1 2@1.5 3@4.5 |@6");
  CHECK_MARBLES(TIMEOUT(10), "-1|", "1@1 |@2");
  CHECK_MARBLES(TIMEOUT(10), "-1#7", "1@1 #7@2");
  CHECK_MARBLES(TIMEOUT(INFINITY), "-1|", "1@1 |@2");
}

TEST(a_timeout_says_so_and_disposes_the_source_first) {
  TIMED_STAGE(t);
  stage_hear(&t, rac_signal_timeout(as_signal(t.a), 1, t.v));
  rac_signal *events = rac_signal_materialize(t.result);
  APPLY(events, take, 1);
  recorder other = {0};
  record(events, &other);
  CHECK_INT(rac_subject_subscriber_count(t.a), 2);
  rac_virtual_advance_to(t.v, 1);
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
  CHECK_EVENTS(&t.heard, "#1@1");
  CHECK_EVENTS(&other, "<#1> |");
  await_end(&other);
  rac_release(events);
}

TEST(a_timeout_races_with_the_end) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  for (int64_t i = check_scaled(2000); i > 0; i--) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *s =
        rac_signal_timeout(as_signal(subject), 0.00001, background);
    recorder r = {0};
    record(s, &r);
    rac_subject_send_completed(subject);
    WAIT_UNTIL(atomic_load(&r.ends) == 1);
    CHECK(strcmp(r.text, "|") == 0 || strcmp(r.text, "#1") == 0);
    await_end(&r);
  }
}

/* ---- What RAC's specs demand --------------------------------------------- */

static void check_timed_out(void *context, rac_value error) {
  rac_subject *subject = context_target(context);
  CHECK_TEXT(rac_error_get_domain(error), "rac.signal");
  CHECK_INT(rac_error_get_code(error), RAC_SIGNAL_TIMED_OUT);
  CHECK_INT(RAC_SIGNAL_TIMED_OUT, 1);
  CHECK_INT(LISTENERS(subject), 0);
}

static void hear_timeout(stage *self, rac_scheduler *v, double seconds) {
  stage_open(self);
  rac_signal *s = rac_signal_timeout(as_signal(self->a), seconds, v);
  APPLY(s, do_error, CALLBACK_FOR(self->a, check_timed_out));
  stage_hear(self, s);
}

/* signal-170: the source is disposed before the error comes */
TEST(a_timeout_is_an_error_when_its_time_has_come) {
  stage t;
  owned rac_scheduler *v = rac_scheduler_virtual();
  hear_timeout(&t, v, 1);
  CHECK_EVENTS(&t.heard, "");
  rac_virtual_step(v);
  CHECK_EVENTS(&t.heard, "#1");
  stage_close(&t);
}

/* signal-171: at once, and an end in time is the end */
TEST(a_timeout_lets_everything_pass_before_its_time) {
  stage t;
  owned rac_scheduler *v = rac_scheduler_virtual();
  hear_timeout(&t, v, 1);
  play(t.a, "1");
  CHECK_EVENTS(&t.heard, "1");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "1 |");
  rac_virtual_step_all(v);
  CHECK_EVENTS(&t.heard, "1 |");
  stage_close(&t);
}

/* signal-170, signal-171: values do not put it off */
TEST(values_do_not_put_a_timeout_off) {
  stage t;
  owned rac_scheduler *v = rac_scheduler_virtual();
  hear_timeout(&t, v, 1);
  for (int i = 1; i <= 3; i++) {
    rac_virtual_advance_to(v, i * 0.3);
    play(t.a, "5");
  }
  rac_virtual_advance_to(v, 1);
  play(t.a, "6");
  CHECK_EVENTS(&t.heard, "5 5 5 #1");
  stage_close(&t);
}

/* signal-172 */
TEST(a_disposed_timeout_says_nothing) {
  stage t;
  owned rac_scheduler *v = rac_scheduler_virtual();
  hear_timeout(&t, v, 1);
  rac_dispose(t.heard.subscription);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&t.heard, "");
  stage_close(&t);
}
