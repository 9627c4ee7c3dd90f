/* rac_signal_empty, …_never, …_return, …_error and …_from_values: signals that send
 * what they were made with. */
#include "operators.h"
#include "shared_callbacks.h"

/* Law 1: values, then at most one end. */
TEST(constant_signals) {
  CHECK_SIGNAL(rac_signal_empty(), "|");
  CHECK_SIGNAL(rac_signal_never(), "");
  CHECK_SIGNAL(rac_signal_return(I(5)), "5 |");
  CHECK_SIGNAL(rac_signal_return(rac_value_nil()), "nil |");
  rac_value error = test_error(3);
  CHECK_SIGNAL(rac_signal_error(error), "#3");
  rac_value_release(error);
  CHECK_SIGNAL(rac_signal_error(rac_value_nil()), "#nil");
}

TEST(constant_signals_serve_any_number_of_subscribers) {
  owned rac_signal *signal = rac_signal_return(I(1));
  recorder r[3] = {{0}, {0}, {0}};
  for (int i = 0; i < 3; i++) {
    record(signal, &r[i]);
    CHECK_EVENTS(&r[i], "1 |");
  }
  for (int i = 0; i < 3; i++) await_end(&r[i]);
}

TEST(from_values_sends_each_and_completes) {
  rac_value text = rac_value_string_copy("two", 3);
  rac_value values[] = {I(1), text, rac_value_nil()};
  owned rac_signal *signal = rac_signal_from_values(values, 3);
  rac_value_release(text);
  values[0] = I(9);
  for (int i = 0; i < 2; i++) {
    rac_retain(signal);
    CHECK_SIGNAL(signal, "1 two nil |");
  }
}

static rac_status later(void *context, rac_subscriber *subscriber,
                        rac_disposable **out) {
  (void)out;
  rac_subscriber **keep = context_target(context);
  *keep = rac_retain(subscriber);
  return RAC_OK;
}

TEST(from_values_stops_at_a_disposal) {
  /* The disposal needs the subscription, so the values wait for a start. */
  owned rac_subscriber *start = NULL;
  owned rac_signal *gate =
      rac_signal_create(context_new(&start, NULL), later, context_destroy);
  rac_value values[] = {I(1), I(2), I(3)};
  owned rac_signal *signal = rac_signal_from_values(values, 3);
  RAC_ASSIGN(signal, rac_signal_concat(gate, signal));
  recorder r = {.on_next = dispose_at_two};
  record(signal, &r);
  rac_subscriber_send_completed(start);
  CHECK_EVENTS(&r, "1 2");
  await_end(&r);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-001 */
TEST(empty_sends_nothing_and_completes) {
  CHECK_SIGNAL(rac_signal_empty(), "|");
}

/* signal-002: whatever the value is */
TEST(return_sends_its_value_and_completes) {
  CHECK_SIGNAL(rac_signal_return(I(7)), "7 |");
  CHECK_SIGNAL(rac_signal_return(rac_value_nil()), "nil |");
  CHECK_SIGNAL(rac_signal_return(S("text")), "text |");
}
