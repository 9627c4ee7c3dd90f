/* rac_signal_take_until_inclusive: to the value that a predicate names. */
#include "stage.h"

static rac_status is_three(void *context, rac_value value, bool *out) {
  (void)context_target(context);
  *out = value.bits == 3;
  return value.bits == 9 ? -9 : RAC_OK;
}

static void check_taken(int line, const char *script, const char *expected) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s =
      rac_signal_take_until_inclusive(as_signal(subject), CALLBACK(is_three));
  RECORDER(r, s);
  play(subject, script);
  check_text(__FILE__, line, script, r.text, expected);
}

TEST(take_until_inclusive_ends_after_that_value) {
  check_taken(__LINE__, "1 2 3 1", "1 2 3 |");
  check_taken(__LINE__, "3", "3 |");
  check_taken(__LINE__, "1 |", "1 |");
  check_taken(__LINE__, "1 #2", "1 #2");
  check_taken(__LINE__, "1 9 3", "1 #-9");
}

/* The delivery of the last value sends one more. */
static void send_another(recorder *self, rac_value value) {
  if (value.bits == 3) rac_subject_send(self->user, I(4));
}

TEST(what_comes_during_the_last_value_is_dropped) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s =
      rac_signal_take_until_inclusive(as_signal(subject), CALLBACK(is_three));
  finished recorder r = {.user = subject, .on_next = send_another};
  record(s, &r);
  play(subject, "1 3");
  CHECK_EVENTS(&r, "1 3 |");
}
