/* rac_signal_skip_until: a signal that lets another through. */
#include "diagrams.h"
#include "stage.h"

TEST(skip_until_passes_what_comes_after_the_trigger) {
  CHECK_DIAGRAM(rac_signal_skip_until(a, b), "-1-2-3|", "--9", "---2-3|");
  CHECK_DIAGRAM(rac_signal_skip_until(a, b), "-1-2-3|", "--9-9#", "---2-3|");
  CHECK_DIAGRAM(rac_signal_skip_until(a, b), "-1-#4", "----9", "---#4");
}

TEST(a_trigger_without_a_value_lets_nothing_through) {
  CHECK_DIAGRAM(rac_signal_skip_until(a, b), "-1-2-3|", "--|", "------|");
  CHECK_DIAGRAM(rac_signal_skip_until(a, b), "-1-2-3|", "--#7", "--#7");
}

TEST(a_trigger_that_fires_at_once_lets_everything_through) {
  rac_signal *one = cold("1 |", NULL), *s = cold("1 2 |", NULL);
  APPLY(s, skip_until, one);
  CHECK_SIGNAL(s, "1 2 |");
  rac_release(one);
}

TEST(the_trigger_is_left_once_it_has_sent) {
  owned rac_subject *subject = rac_subject_create(),
                    *trigger = rac_subject_create();
  owned rac_signal *s =
      rac_signal_skip_until(as_signal(subject), as_signal(trigger));
  RECORDER(r, s);
  CHECK_INT(rac_subject_subscriber_count(trigger), 1);
  play(trigger, "1");
  CHECK_INT(rac_subject_subscriber_count(trigger), 0);
  play(subject, "5 |");
  CHECK_EVENTS(&r, "5 |");
}
