/* rac_signal_subscribe_on: the subscription on another scheduler. */
#include "operators.h"

TEST(subscribe_on_subscribes_on_the_scheduler) {
  source counts = {0};
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = cold("1 |", &counts);
  APPLY(s, subscribe_on, v);
  RECORDER(r, s);
  CHECK_INT(counts.subscribed, 0);
  rac_virtual_step_all(v);
  CHECK_INT(counts.subscribed, 1);
  CHECK_EVENTS(&r, "1 |");
}

TEST(a_disposal_before_its_turn_cancels_subscribe_on) {
  source counts = {0};
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = cold("1 |", &counts);
  APPLY(s, subscribe_on, v);
  recorder r = {0};
  record(s, &r);
  finish(&r);
  rac_virtual_step_all(v);
  CHECK_INT(counts.subscribed, 0);
  CHECK_EVENTS(&r, "");
}

TEST(subscribe_on_and_deliver_on_together) {
  owned rac_scheduler *a = rac_scheduler_virtual(),
                      *b = rac_scheduler_virtual();
  owned rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, subscribe_on, a);
  APPLY(s, deliver_on, b);
  RECORDER(r, s);
  rac_virtual_step_all(b);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(a);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(b);
  CHECK_EVENTS(&r, "1 2 |");
}
