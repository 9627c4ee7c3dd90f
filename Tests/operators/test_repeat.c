/* rac_signal_repeat and rac_signal_retry: subscribing again at the end. */
#include "operators.h"

typedef struct attempt {
  int number;
  int last; /* how many times before the other end */
  bool fails;
} attempt;

/* Sends its number; ends one way `last` times and then the other way. */
static rac_status try_again(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  (void)out;
  attempt *self = context_target(context);
  rac_subscriber_send(subscriber, I(++self->number));
  bool fails = (self->number > self->last) != self->fails;
  if (fails) {
    rac_value error = test_error(self->number);
    rac_subscriber_send_error(subscriber, error);
    rac_value_release(error);
  } else {
    rac_subscriber_send_completed(subscriber);
  }
  return RAC_OK;
}

static rac_signal *attempts(attempt *self) {
  return rac_signal_create(CALLBACK_FOR(self, try_again));
}

TEST(repeat_goes_on_until_an_error) {
  attempt a = {.last = 3};
  rac_signal *s = attempts(&a);
  APPLY0(s, repeat);
  CHECK_SIGNAL(s, "1 2 3 4 #4");
}

TEST(repeat_stops_when_somebody_below_has_enough) {
  attempt a = {.last = 1000};
  rac_signal *s = attempts(&a);
  APPLY0(s, repeat);
  APPLY(s, take, 2);
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_INT(a.number, 2);
}

static void dispose_at_three(recorder *self, rac_value value) {
  if (value.bits == 3) rac_dispose(self->subscription);
}

TEST(repeat_stops_at_a_disposal) {
  attempt a = {.last = 1000};
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *s = attempts(&a);
  APPLY0(s, repeat);
  APPLY(s, subscribe_on, v);
  recorder r = {.on_next = dispose_at_three};
  record(s, &r);
  rac_virtual_step_n(v, 100);
  CHECK_EVENTS(&r, "1 2 3");
  CHECK_INT(a.number, 3);
  await_end(&r);
  rac_release(s);
  rac_release(v);
}

TEST(retry_subscribes_again_after_an_error) {
  static const struct {
    int last;
    size_t count;
    const char *expected;
  } cases[] = {{2, 5, "1 2 3 |"},  {2, 2, "1 2 3 |"}, {2, 1, "1 2 #2"},
               {3, 2, "1 2 3 #3"}, {0, 1, "1 |"},     {5, 0, "1 2 3 4 5 6 |"}};
  for (int i = 0; i < 6; i++) {
    attempt a = {.last = cases[i].last, .fails = true};
    rac_signal *s = attempts(&a);
    APPLY(s, retry, cases[i].count);
    CHECK_SIGNAL(s, cases[i].expected);
  }
}

TEST(each_subscription_of_a_retry_counts_for_itself) {
  rac_signal *s = cold("1 #2", NULL);
  APPLY(s, retry, 1);
  rac_retain(s);
  CHECK_SIGNAL(s, "1 1 #2");
  CHECK_SIGNAL(s, "1 1 #2");
}

TEST(disposing_a_repeat_or_retry_disposes_the_current_subscription) {
  source counts = {0};
  rac_signal *s = cold("1", &counts);
  APPLY0(s, repeat);
  APPLY(s, retry, 3);
  CHECK_SIGNAL(s, "1");
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 1);
}

TEST(repeat_and_retry_of_a_hot_signal) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_repeat(as_signal(subject));
  APPLY(s, retry, 1);
  recorder r = {0};
  record(s, &r);
  play(subject, "1 |");
  play(subject, "2 |");
  play(subject, "3 #1");
  play(subject, "4 |");
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  play(subject, "5 #2");
  CHECK_EVENTS(&r, "1 2 3 4 5 #2");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  await_end(&r);
  rac_release(s);
  rac_release(subject);
}
