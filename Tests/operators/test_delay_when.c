/* rac_signal_delay_when, rac_signal_delay_subscription and _until: what has to
 * wait for something else than a time, and subscriptions that wait. */
#include "diagrams.h"
#include "stage.h"

/* 1 waits for b, 2 for c, 3 for nothing, 4 for ever, 5 fails. */
static rac_status awaited(void *context, rac_value value, rac_signal **out) {
  stage *self = context_target(context);
  if (value.bits == 1) *out = rac_retain(as_signal(self->b));
  if (value.bits == 2) *out = rac_retain(as_signal(self->c));
  if (value.bits == 4) *out = rac_signal_never();
  return value.bits == 5 ? -55 : RAC_OK;
}
#define WHEN rac_signal_delay_when(a, CALLBACK_FOR(&marbles, awaited))

TEST(a_value_waits_for_its_signal) {
  CHECK_MARBLES(WHEN, "-12-3--|", "----7-8", "---9", "2@3 3@4 1@4 |@7");
  CHECK_MARBLES(WHEN, "-12-3|", "------|", "-------|", "3@4 1@6 2@7 |@7");
  CHECK_MARBLES(WHEN, "-3-4|", "-3--");
}

TEST(an_error_drops_what_waits) {
  CHECK_MARBLES(WHEN, "-12#4", "----7", "", "---#4");
  CHECK_MARBLES(WHEN, "-12", "----7", "---#8", "---#8");
  CHECK_MARBLES(WHEN, "-1-5", "----7", "", "---#-55");
}

TEST(it_is_sent_once_and_its_signal_disposed) {
  STAGE(t);
  stage_hear(&t,
             rac_signal_delay_when(as_signal(t.a), CALLBACK_FOR(&t, awaited)));
  play(t.a, "1 1");
  CHECK_INT(LISTENERS(t.b), 2);
  play(t.b, "7 8 |");
  CHECK_EVENTS(&t.heard, "1 1");
  CHECK_INT(LISTENERS(t.b), 0);
}

static void sign_again(recorder *self, rac_value value) {
  (void)value;
  rac_subject_send(self->user, I(0));
}
TEST(a_sign_from_inside_is_not_another_one) {
  STAGE(t);
  t.heard.on_next = sign_again;
  t.heard.user = t.b;
  stage_hear(&t,
             rac_signal_delay_when(as_signal(t.a), CALLBACK_FOR(&t, awaited)));
  play(t.a, "1");
  play(t.b, "7");
  CHECK_EVENTS(&t.heard, "1");
}

/* ---- Subscriptions ----------------------------------------------------------- */

TEST(a_subscription_waits_for_a_time) {
  CHECK_MARBLES(rac_signal_delay_subscription(a, 3, v), "-12-3-4|", "----3-4|");
  CHECK_MARBLES(rac_signal_delay_subscription(a, 4, v), "-12|", "");
}

TEST(a_subscription_waits_for_a_signal) {
  CHECK_DIAGRAM(rac_signal_delay_subscription_until(a, b), "-12-3-4|", "--9-8",
                "----3-4|");
  CHECK_DIAGRAM(rac_signal_delay_subscription_until(a, b), "-12-3-4|", "---|",
                "----3-4|");
  CHECK_DIAGRAM(rac_signal_delay_subscription_until(a, b), "-12-3-4|", "--#5",
                "--#5");
}

TEST(a_subscription_that_waits_can_be_disposed) {
  source counts = {0};
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = cold("1 |", &counts);
  APPLY(s, delay_subscription, 5, v);
  RECORDER(r, s);
  rac_virtual_advance_to(v, 4);
  CHECK_INT(counts.subscribed, 0);
  rac_dispose(r.subscription);
  rac_virtual_advance_to(v, 60);
  CHECK_INT(counts.subscribed, 0);
}

/* The obvious way to retry after a time: docs/Debugging.md. */
TEST(it_makes_a_pause_for_retry) {
  source counts = {0};
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = cold("#1", &counts);
  APPLY(s, delay_subscription, 5, v);
  APPLY(s, retry, 0);
  RECORDER(r, s);
  rac_virtual_advance_to(v, 51);
  CHECK_INT(counts.subscribed, 10);
}
