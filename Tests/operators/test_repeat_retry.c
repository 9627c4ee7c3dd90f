/* rac_signal_repeat and rac_signal_retry: subscribing again at the end. */
#include "operators.h"
#include "shared_callbacks.h"

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
    owned_value error = test_error(self->number);
    rac_subscriber_send_error(subscriber, error);
  } else {
    rac_subscriber_send_completed(subscriber);
  }
  return RAC_OK;
}

static rac_signal *attempts(attempt *self) {
  return rac_signal_create(CALLBACK_FOR(self, try_again));
}

static void dispose_at_three(recorder *self, rac_value value) {
  if (value.bits == 3) rac_dispose(self->subscription);
}

TEST(repeat_stops_at_a_disposal) {
  attempt a = {.last = 1000};
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = attempts(&a);
  APPLY0(s, repeat);
  APPLY(s, subscribe_on, v);
  recorder r = {.on_next = dispose_at_three};
  record(s, &r);
  rac_virtual_step_n(v, 100);
  CHECK_EVENTS(&r, "1 2 3");
  CHECK_INT(a.number, 3);
  await_end(&r);
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
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_repeat(as_signal(subject));
  APPLY(s, retry, 1);
  RECORDER(r, s);
  play(subject, "1 |");
  play(subject, "2 |");
  play(subject, "3 #1");
  play(subject, "4 |");
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  play(subject, "5 #2");
  CHECK_EVENTS(&r, "1 2 3 4 5 #2");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* Sends a value and completes, `rounds` times, and then only fails; or sends a
 * value and fails so many times, and then completes. */
typedef struct moody {
  rac_scheduler *scheduler;
  int rounds;
  bool fails_first;
  source counts;
} moody;

typedef struct round_of {
  moody *owner;
  rac_subscriber *subscriber;
  bool fails;
} round_of;

static void play_round(void *context) {
  round_of *self = context_target(context);
  owned_value error = test_error(4);
  if (!self->fails || self->owner->fails_first)
    rac_subscriber_send(self->subscriber, I(1));
  if (!self->fails) rac_subscriber_send_completed(self->subscriber);
  /* Of no account after a completion. */
  rac_subscriber_send_error(self->subscriber, error);
  rac_subscriber_send_completed(self->subscriber);
}

static void round_destroy(void *context) {
  round_of *self = context_target(context);
  rac_release(self->subscriber);
  free(self);
  context_destroy(context);
}

static rac_status begin_round(void *context, rac_subscriber *subscriber,
                              rac_disposable **out) {
  moody *self = context_target(context);
  bool is_late = atomic_fetch_add(&self->counts.subscribed, 1) >= self->rounds;
  round_of *this_one = malloc(sizeof *this_one);
  if (!this_one) abort();
  *this_one =
      (round_of){self, rac_retain(subscriber), is_late != self->fails_first};
  *out = rac_schedule(self->scheduler, context_new(this_one, NULL), play_round,
                      round_destroy);
  return RAC_OK;
}

static rac_signal *moody_signal(moody *self) {
  return rac_signal_create(context_new(self, NULL), begin_round,
                           context_destroy);
}

/* signal-096: three rounds, and what is sent after their completion is not
 * heard; the error of the fourth is the end */
TEST(repeat_subscribes_again_until_an_error) {
  moody t = {.scheduler = rac_scheduler_virtual(), .rounds = 3};
  rac_signal *s = moody_signal(&t);
  APPLY0(s, repeat);
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(t.scheduler);
  CHECK_EVENTS(&r, "1 1 1 #4");
  CHECK_INT(t.counts.subscribed, 4);
  await_end(&r);
  rac_release(s);
  rac_release(t.scheduler);
}

/* signal-097: subscribed on the main scheduler, so that the subscription is
 * known by the first value */
TEST(repeat_stops_when_it_is_disposed_by_its_subscriber) {
  source counts = {0};
  owned rac_scheduler *main = rac_scheduler_main();
  owned rac_signal *s = cold("1 |", &counts);
  APPLY0(s, repeat);
  APPLY(s, subscribe_on, main);
  recorder r = {.on_next = dispose_self};
  record(s, &r);
  CHECK_EVENTS(&r, "");
  rac_main_run_for(0);
  CHECK_EVENTS(&r, "1");
  CHECK_INT(counts.subscribed, 1);
  await_end(&r);
  rac_main_run_for(0);
  CHECK_INT(counts.subscribed, 1);
}

/* signal-098: one value, or as many as are wanted, of a source that is over
 * before subscribing returns */
TEST(repeat_stops_when_enough_was_taken) {
  source counts = {0};
  owned rac_signal *repeated = cold("1 |", &counts);
  APPLY0(repeated, repeat);
  CHECK_SIGNAL(rac_signal_take(repeated, 1), "1 |");
  CHECK_INT(counts.subscribed, 1);
  CHECK_SIGNAL(rac_signal_take(repeated, 3), "1 1 1 |");
  CHECK_INT(counts.subscribed, 4);
  CHECK_INT(counts.disposed, 4);
}

/* Disposed between two rounds it does not begin the next. */
TEST(repeat_stops_when_it_is_disposed_meanwhile) {
  moody t = {.scheduler = rac_scheduler_virtual(), .rounds = 1000};
  rac_signal *s = moody_signal(&t);
  APPLY0(s, repeat);
  recorder r = {0};
  record(s, &r);
  rac_virtual_step_n(t.scheduler, 2);
  CHECK_EVENTS(&r, "1 1");
  finish(&r);
  rac_virtual_step_all(t.scheduler);
  CHECK_EVENTS(&r, "1 1");
  CHECK_INT(t.counts.subscribed, 3);
  rac_release(s);
  rac_release(t.scheduler);
}

static void check_retry(int line, int failures, size_t count,
                        const char *expected, int subscriptions) {
  moody t = {.scheduler = rac_scheduler_virtual(),
             .rounds = failures,
             .fails_first = true};
  rac_signal *s = moody_signal(&t);
  APPLY(s, retry, count);
  recorder r = {0};
  record(s, &r);
  rac_virtual_step_all(t.scheduler);
  check_text(__FILE__, line, "retry", r.text, expected);
  check_int(__FILE__, line, "subscribed", t.counts.subscribed, subscriptions);
  await_end(&r);
  rac_release(s);
  rac_release(t.scheduler);
}

/* As many times as it is told after the first one; 0 stands for as often as
 * it takes. A completion is passed on. */
TEST(retry_subscribes_again_until_a_completion) {
  check_retry(__LINE__, 0, 0, "1 |", 1);
  check_retry(__LINE__, 2, 0, "1 1 1 |", 3);
  check_retry(__LINE__, 2, 2, "1 1 1 |", 3);
  check_retry(__LINE__, 2, 1, "1 1 #4", 2);
  check_retry(__LINE__, 9, 3, "1 1 1 1 #4", 4);
}
