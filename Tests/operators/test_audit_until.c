/* rac_signal_audit_until: the latest value, when a signal says so. */
#include "diagrams.h"
#include "stage.h"

/* 1 and 4 wait for b, 2 for c, 3 for nothing, 5 fails. */
static rac_status awaited(void *context, rac_value value, rac_signal **out) {
  stage *self = context_target(context);
  if (value.bits == 1 || value.bits == 4) *out = rac_retain(as_signal(self->b));
  if (value.bits == 2) *out = rac_retain(as_signal(self->c));
  return value.bits == 5 ? -55 : RAC_OK;
}
#define UNTIL rac_signal_audit_until(a, CALLBACK_FOR(&marbles, awaited))

TEST(the_latest_is_sent_at_the_sign) {
  CHECK_MARBLES(UNTIL, "-12-3-1-4-", "-----7---8", "", "3@5 4@9");
  CHECK_MARBLES(UNTIL, "-12--2-6-", "---7---8-", "--------9", "2@3 6@8");
  CHECK_MARBLES(UNTIL, "-3-3|", "3@1 3@3 |@4");
}

/* Here, and where the library's own operators wait for a signal. */
TEST(a_completion_is_a_sign_too) {
  CHECK_MARBLES(UNTIL, "-12---", "---|", "", "2@3");
}

TEST(a_completion_sends_what_waits_and_an_error_drops_it) {
  CHECK_MARBLES(UNTIL, "-12-|", "------7", "", "2@4 |@4");
  CHECK_MARBLES(UNTIL, "-12-#4", "------7", "", "#4@4");
  CHECK_MARBLES(UNTIL, "-12---", "----#8", "", "#8@4");
  CHECK_MARBLES(UNTIL, "-3-5--", "3@1 #-55@3");
}

TEST(its_signal_is_disposed_of_at_the_sign) {
  STAGE(t);
  stage_hear(&t,
             rac_signal_audit_until(as_signal(t.a), CALLBACK_FOR(&t, awaited)));
  play(t.a, "1 4");
  CHECK_INT(LISTENERS(t.b), 1);
  play(t.b, "7 8");
  CHECK_EVENTS(&t.heard, "4");
  CHECK_INT(LISTENERS(t.b), 0);
  play(t.a, "2");
  CHECK_INT(LISTENERS(t.c), 1);
  CHECK_INT(LISTENERS(t.b), 0);
}

static void sign_and_send(recorder *self, rac_value value) {
  stage *t = self->user;
  if (value.bits == 1) {
    rac_subject_send(t->b, I(0));
    rac_subject_send(t->a, I(4));
  }
}
TEST(what_is_sent_from_inside_waits_for_a_sign_of_its_own) {
  STAGE(t);
  t.heard.on_next = sign_and_send;
  t.heard.user = &t;
  stage_hear(&t,
             rac_signal_audit_until(as_signal(t.a), CALLBACK_FOR(&t, awaited)));
  play(t.a, "1");
  play(t.b, "7");
  CHECK_EVENTS(&t.heard, "1");
  play(t.b, "7");
  CHECK_EVENTS(&t.heard, "1 4");
}
