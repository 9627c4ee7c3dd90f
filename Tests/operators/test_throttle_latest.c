/* rac_signal_throttle_latest: the first at once, then the latest now and then. */
#include "diagrams.h"
#include "stage.h"

TEST(throttle_latest_sends_the_first_and_then_the_latest) {
  CHECK_DIAGRAM(rac_signal_throttle_latest(a, 5, NULL), "-1-2-3--------4-",
                "-1----3-------4-");
  CHECK_DIAGRAM(rac_signal_throttle_latest(a, 2, NULL), "-12345---|",
                "-1-3-5---|");
  /* One that was sent late keeps the next waiting, too. */
  CHECK_DIAGRAM(rac_signal_throttle_latest(a, 3, NULL), "-12-5-6---",
                "-1--5--6--");
}

TEST(a_completion_sends_what_waits_and_an_error_drops_it) {
  CHECK_MARBLES(rac_signal_throttle_latest(a, 5, NULL), "-12-|", "1@1 2@4 |@4");
  CHECK_DIAGRAM(rac_signal_throttle_latest(a, 5, NULL), "-12-#4", "-1--#4");
  CHECK_DIAGRAM(rac_signal_throttle_latest(a, 5, NULL), "-1|", "-1|");
}

TEST(disposing_a_throttle_latest_drops_its_value) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_throttle_latest(as_signal(subject), 1, NULL);
  recorder r = {0};
  record(s, &r);
  play_marbles(v, subject, "(12)");
  rac_virtual_advance_to(v, 0.5);
  finish(&r);
  rac_virtual_advance_to(v, 10);
  CHECK_EVENTS(&r, "1");
}
