/* rac_signal_throttle_passing_test: a test says which values wait. */
#include "callbacks.h"
#include "stage.h"

static rac_status below_nine(void *context, rac_value value, bool *out) {
  (void)context_target(context);
  *out = value.bits < 9;
  return value.bits == 99 ? -99 : RAC_OK;
}

static rac_status below_two(void *context, rac_value value, bool *out) {
  (void)context_target(context);
  *out = value.bits < 2;
  return RAC_OK;
}

#define THROTTLE(seconds)                                                      \
  rac_signal_throttle_passing_test(a, seconds, NULL, CALLBACK(below_nine))

TEST(what_fails_the_test_is_sent_at_once) {
  CHECK_MARBLES(THROTTLE(0.5), "-12", "1@1.5 2@2.5");
  CHECK_MARBLES(THROTTLE(2.5), "-123", "3@5.5");
  CHECK_MARBLES(THROTTLE(1.5), "1@1 2@2 10@3 4@4", "10@3 4@5.5");
  CHECK_MARBLES(THROTTLE(5), "10@1 11@1 |@2", "10@1 11@1 |@2");
  CHECK_MARBLES(THROTTLE(5), "-1|", "1@2 |@2");
  CHECK_MARBLES(THROTTLE(5), "-1#3", "#3@2");
  CHECK_MARBLES(
      rac_signal_throttle_passing_test(a, 1, NULL, CALLBACK(below_two)),
      "1@1 2@1.5 3@4.5 |@6", "2@1.5 3@4.5 |@6");
  CHECK_MARBLES(THROTTLE(0.1), "-1-|", "1@1.1 |@3");
}

TEST(a_failing_test_ends_the_stream) {
  CHECK_MARBLES(THROTTLE(5), "1@1 99@2 3@3", "#-99@2");
}

TEST(a_test_may_dispose_its_subscription) {
  TIMED_STAGE(t);
  stage_hear(&t, rac_signal_throttle_passing_test(
                     as_signal(t.a), 1, NULL,
                     CALLBACK_FOR(&t.heard, dispose_and_say_yes)));
  stage_play(&t, t.a, "-(12)");
  rac_virtual_advance_to(t.v, 10);
  CHECK_EVENTS(&t.heard, "");
}

TEST(the_scheduler_stands_before_the_callback) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = rac_signal_throttle_passing_test(as_signal(subject), 10,
                                                         v, CALLBACK(is_even));
  RECORDER(r, s);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "1");
  rac_virtual_advance_by(v, 10);
  CHECK_EVENTS(&r, "1 2");
}
