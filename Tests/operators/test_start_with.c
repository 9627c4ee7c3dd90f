/* rac_signal_start_with: a value before all others. */
#include "operators.h"

TEST(start_with_sends_its_value_before_it_subscribes) {
  source counts = {0};
  owned rac_signal *s = cold("1 2 |", &counts);
  APPLY(s, start_with, I(0));
  rac_retain(s);
  CHECK_SIGNAL(s, "0 1 2 |");
  APPLY(s, take, 1);
  CHECK_SIGNAL(s, "0 |");
  CHECK_INT(counts.subscribed, 1);
  owned rac_subject *subject = rac_subject_create();
  s = rac_signal_start_with(as_signal(subject), I(0));
  recorder r = {0};
  record(s, &r);
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-024 */
TEST(start_with_sends_its_value_first) {
  rac_signal *s = rac_signal_return(I(1));
  APPLY(s, start_with, I(0));
  CHECK_SIGNAL(s, "0 1 |");
}

static void note_subscribed(recorder *self, rac_value value) {
  source *counts = self->user;
  if (value.bits == 0) CHECK_INT(counts->subscribed, 0);
}

/* The value has been heard before the source begins. */
TEST(start_with_subscribes_afterwards) {
  source counts = {0};
  owned rac_signal *s = cold("1 |", &counts);
  APPLY(s, start_with, I(0));
  finished recorder r = {.on_next = note_subscribed, .user = &counts};
  record(s, &r);
  CHECK_EVENTS(&r, "0 1 |");
}
