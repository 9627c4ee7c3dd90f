/* rac_liftSelector:withSignals: and its kin. A selector with a receiver is a
 * function with a context here; what the rows set and read is this. */
#include "operators.h"

typedef struct receiver {
  int64_t number;
  int64_t other;
  int calls;
} receiver;

/* A setter: no result. */
static rac_status set_number(void *context, const rac_value *arguments,
                             size_t count, rac_value *out) {
  receiver *self = context_target(context);
  (void)out;
  CHECK_INT(count, 1);
  self->calls++;
  return rac_value_to_int64(arguments[0], &self->number);
}

static rac_status set_both(void *context, const rac_value *arguments,
                           size_t count, rac_value *out) {
  receiver *self = context_target(context);
  CHECK_INT(count, 2);
  self->calls++;
  self->number = arguments[0].bits;
  self->other = arguments[1].bits;
  *out = I(self->number + self->other);
  return RAC_OK;
}

/* lifting-001, lifting-002, lifting-003: a setter gets each value, as a number
 * of its own */
TEST(a_setter_gets_each_value) {
  receiver self = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {as_signal(subject)};
  rac_release(rac_lift(signals, 1, NULL, CALLBACK_FOR(&self, set_number)));
  CHECK_INT(self.calls, 0);
  rac_subject_send(subject, I(1));
  CHECK_INT(self.number, 1);
  rac_subject_send(subject, I(42));
  CHECK_INT(self.number, 42);
}

/* lifting-004: nothing is called before all have sent */
TEST(two_signals_are_waited_for) {
  receiver self = {0};
  owned rac_subject *a = rac_subject_create(), *b = rac_subject_create();
  rac_signal *signals[] = {as_signal(a), as_signal(b)};
  rac_release(rac_lift(signals, 2, NULL, CALLBACK_FOR(&self, set_both)));
  rac_subject_send(a, I(42));
  CHECK_INT(self.calls, 0);
  rac_subject_send(b, I(7));
  CHECK_INT(self.calls, 1);
  CHECK(self.number == 42 && self.other == 7);
}

/* lifting-005: a signal that has a value calls while lifting */
TEST(a_starting_value_calls_at_once) {
  receiver self = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {rac_signal_start_with(as_signal(subject), I(42))};
  rac_release(rac_lift(signals, 1, NULL, CALLBACK_FOR(&self, set_number)));
  CHECK_INT(self.number, 42);
  rac_subject_send(subject, I(1));
  CHECK_INT(self.number, 1);
  rac_release(signals[0]);
}

/* lifting-008: 1.0 is 1 for a function that wants an integer and asks so */
TEST(a_number_of_another_kind_is_converted) {
  receiver self = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {as_signal(subject)};
  rac_release(rac_lift(signals, 1, NULL, CALLBACK_FOR(&self, set_number)));
  rac_subject_send(subject, rac_value_double(1.0));
  CHECK_INT(self.number, 1);
  rac_subject_send(subject, rac_value_double(-2.75));
  CHECK_INT(self.number, -2);
}

/* lifting-009: each argument in the place of its signal */
TEST(a_constant_and_a_subject) {
  receiver self = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {rac_signal_return(I(100)), as_signal(subject)};
  rac_release(rac_lift(signals, 2, NULL, CALLBACK_FOR(&self, set_both)));
  rac_subject_send(subject, I(1));
  CHECK(self.number == 100 && self.other == 1);
  rac_subject_send(subject, I(2));
  CHECK(self.number == 100 && self.other == 2);
  rac_release(signals[0]);
}

/* lifting-011: without a result the unit is sent */
TEST(a_function_without_a_result_gives_the_unit) {
  receiver self = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {as_signal(subject)};
  owned rac_signal *results =
      rac_lift(signals, 1, NULL, CALLBACK_FOR(&self, set_number));
  RECORDER(r, results);
  rac_subject_send(subject, I(1));
  rac_subject_send(subject, I(2));
  CHECK_EVENTS(&r, "unit unit");
}

/* lifting-013: called without a subscriber; a late one gets the last result */
TEST(the_last_result_is_replayed) {
  receiver self = {0};
  owned rac_subject *a = rac_subject_create(), *b = rac_subject_create();
  rac_signal *signals[] = {as_signal(a), as_signal(b)};
  owned rac_signal *results =
      rac_lift(signals, 2, NULL, CALLBACK_FOR(&self, set_both));
  rac_subject_send(a, I(1));
  rac_subject_send(b, I(2));
  rac_subject_send(a, I(3));
  CHECK_INT(self.calls, 2);
  RECORDER(r, results);
  CHECK_EVENTS(&r, "5");
  rac_subject_send(b, I(4));
  CHECK_EVENTS(&r, "5 7");
  CHECK_INT(self.calls, 3);
}
