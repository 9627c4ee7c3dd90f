/* rac_signal_expand: values of values. */
#include "stage.h"

static rac_scheduler *clock_;

/* Half of it, a second later; nothing of 1, and a failure of 5. */
static rac_status half(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  if (value.bits == 5) return -55;
  if (value.bits <= 1) return RAC_OK;
  *out = rac_signal_return(I(value.bits / 2));
  if (clock_ != NULL) APPLY(*out, delay, 1, clock_);
  return RAC_OK;
}

static rac_status one_more(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  *out = rac_signal_return(I(value.bits + 1));
  return RAC_OK;
}

TEST(what_comes_of_a_value_is_expanded_too) {
  clock_ = rac_scheduler_virtual();
  recorder r = {.clock = clock_};
  rac_signal *s = cold("8 3 |", NULL);
  APPLY(s, expand, CALLBACK(half));
  record(s, &r);
  rac_virtual_advance_to(clock_, 100);
  CHECK_EVENTS(&r, "8@0 3@0 4@1 1@1 2@2 1@3 |@3");
  await_end(&r);
  rac_release(s);
  rac_release(clock_);
  clock_ = NULL;
}

TEST(a_failure_and_an_error_end_it) {
  rac_signal *s = cold("2 10 2 |", NULL);
  APPLY(s, expand, CALLBACK(half));
  CHECK_SIGNAL(s, "2 1 10 5 #-55");
  s = cold("2 #4", NULL);
  APPLY(s, expand, CALLBACK(half));
  CHECK_SIGNAL(s, "2 1 #4");
  s = cold("|", NULL);
  APPLY(s, expand, CALLBACK(half));
  CHECK_SIGNAL(s, "|");
}

TEST(a_million_that_come_at_once_need_no_stack) {
  int64_t many = check_scaled(1000000);
  rac_signal *s = rac_signal_return(I(1));
  APPLY(s, expand, CALLBACK(one_more));
  APPLY(s, take, (size_t)many);
  APPLY(s, take_last, 1);
  char expected[40];
  snprintf(expected, sizeof expected, "%lld |", (long long)many);
  CHECK_SIGNAL(s, expected);
}
