/* rac_signal_retry with rac_signal_delay and rac_signal_catch: what makes a pause
 * between two tries, and what does not. */
#include "operators.h"

typedef struct attempts {
  rac_scheduler *clock;
  int count;
  char times[100];
} attempts;

static rac_status fail_at_once(void *context, rac_subscriber *subscriber,
                               rac_disposable **out) {
  attempts *self = context_target(context);
  (void)out;
  size_t used = strlen(self->times);
  if (self->count++ < 8)
    snprintf(self->times + used, sizeof self->times - used, "%g ",
             rac_scheduler_now(self->clock));
  rac_value error = test_error(5);
  rac_subscriber_send_error(subscriber, error);
  rac_value_release(error);
  return RAC_OK;
}

/* What the header and docs/Debugging.md recommend. */
static rac_status fail_in_a_second(void *context, rac_value error,
                                   rac_signal **out) {
  (void)context_target(context);
  rac_signal *pause = rac_signal_empty(), *failure = rac_signal_error(error);
  APPLY(pause, delay, 1, NULL);
  *out = rac_signal_concat(pause, failure);
  rac_release(pause);
  rac_release(failure);
  return RAC_OK;
}

static void check_attempts(int line, bool waits, const char *times,
                           const char *events) {
  rac_scheduler *v = rac_scheduler_virtual();
  attempts a = {.clock = v};
  recorder r = {.clock = v};
  rac_signal *s = rac_signal_create(CALLBACK_FOR(&a, fail_at_once));
  if (waits)
    APPLY(s, catch, CALLBACK(fail_in_a_second));
  else
    APPLY(s, delay, 1, NULL);
  APPLY(s, retry, 3);
  APPLY(s, subscribe_on, v);
  record(s, &r);
  rac_virtual_advance_to(v, 100);
  CHECK_INT(a.count, 4);
  check_text(__FILE__, line, "the times", a.times, times);
  check_text(__FILE__, line, "the events", r.text, events);
  await_end(&r);
  rac_release(s);
  rac_release(v);
}

/* Law 16: the error overtakes the delay, so nothing waits. */
TEST(a_delay_makes_no_pause_between_tries) {
  check_attempts(__LINE__, false, "0 0 0 0 ", "#5@0");
}

TEST(an_error_that_waits_makes_a_pause_between_tries) {
  check_attempts(__LINE__, true, "0 1 2 3 ", "#5@4");
}
