/* rac_signal_retry_with_backoff: again, after pauses that grow. */
#include <math.h>

#include "stage.h"

/* Fails at once, `failures` times; then sends 7 and completes. */
typedef struct flaky {
  int failures, subscribed;
  bool sends; /* a value before each failure */
  double times[32];
  rac_scheduler *v;
} flaky;

static rac_status fail_or_send(void *context, rac_subscriber *subscriber,
                               rac_disposable **out) {
  flaky *self = context_target(context);
  (void)out;
  if (self->subscribed < 32)
    self->times[self->subscribed] = rac_scheduler_now(self->v);
  if (self->subscribed++ < self->failures) {
    if (self->sends) rac_subscriber_send(subscriber, I(1));
    owned_value error = test_error(3);
    rac_subscriber_send_error(subscriber, error);
  } else {
    rac_subscriber_send(subscriber, I(7));
    rac_subscriber_send_completed(subscriber);
  }
  return RAC_OK;
}

/* Runs a minute of virtual time. */
static void run_flaky(flaky *self, double first, double factor, double most,
                      double jitter, size_t attempts, recorder *r) {
  self->v = rac_scheduler_virtual();
  rac_signal *s = rac_signal_create(CALLBACK_FOR(self, fail_or_send));
  RAC_ASSIGN(s, rac_signal_retry_with_backoff(s, first, factor, most, jitter,
                                              attempts, self->v));
  record(s, r);
  rac_virtual_advance_to(self->v, 60);
  finish(r);
  rac_release(s);
  rac_release(self->v);
}

TEST(the_pause_grows_up_to_its_limit) {
  flaky source = {.failures = 5};
  const double expected[] = {0, 1, 3, 7, 12, 17};
  recorder r = {0};
  run_flaky(&source, 1, 2, 5, 0, 0, &r);
  CHECK_EVENTS(&r, "7 |");
  CHECK_INT(source.subscribed, 6);
  for (int i = 1; i < 6; i++)
    CHECK(fabs(source.times[i] - source.times[0] - expected[i]) < 1e-6);
}

TEST(a_value_starts_the_count_anew) {
  flaky source = {.failures = 4, .sends = true};
  recorder r = {0};
  run_flaky(&source, 1, 10, INFINITY, 0, 1, &r);
  CHECK_EVENTS(&r, "1 1 1 1 7 |");
  for (int i = 1; i < 5; i++)
    CHECK(fabs(source.times[i] - source.times[0] - i) < 1e-6);
}

TEST(after_so_many_attempts_the_error_goes_on) {
  flaky source = {.failures = 100};
  recorder r = {0};
  run_flaky(&source, 1, 1, 1, 0, 3, &r);
  CHECK_EVENTS(&r, "#3");
  CHECK_INT(source.subscribed, 4);
}

TEST(jitter_takes_away_from_the_pause) {
  flaky source = {.failures = 20};
  recorder r = {0};
  bool differ = false;
  run_flaky(&source, 1, 1, 1, 0.5, 0, &r);
  CHECK_EVENTS(&r, "7 |");
  for (int i = 2; i < 21; i++) {
    double pause = source.times[i] - source.times[i - 1];
    CHECK(pause >= 0.5 - 1e-6 && pause <= 1 + 1e-6);
    if (i > 2 && fabs(pause - (source.times[2] - source.times[1])) > 1e-6)
      differ = true;
  }
  CHECK(differ);
}

/* Whatever the pause, the next one is found in no time. */
TEST(no_pause_at_all_is_legal) {
  flaky source = {.failures = 100000};
  recorder r = {0};
  run_flaky(&source, 0, 2, INFINITY, 1, 0, &r);
  CHECK_EVENTS(&r, "7 |");
  CHECK_INT(source.subscribed, 100001);
}

TEST(an_endless_pause_is_a_long_one) {
  flaky source = {.failures = 1};
  recorder r = {0};
  run_flaky(&source, INFINITY, 1e300, INFINITY, 1, 0, &r);
  CHECK_EVENTS(&r, "");
  CHECK_INT(source.subscribed, 1);
}

TEST(disposing_takes_the_pause_back) {
  flaky source = {.failures = 100, .v = rac_scheduler_virtual()};
  rac_signal *s = rac_signal_create(CALLBACK_FOR(&source, fail_or_send));
  RAC_ASSIGN(s, rac_signal_retry_with_backoff(s, 1, 2, 9, 0, 0, source.v));
  recorder r = {0};
  record(s, &r);
  rac_virtual_advance_to(source.v, 0.5);
  finish(&r);
  rac_virtual_advance_to(source.v, 60);
  CHECK_INT(source.subscribed, 1);
  rac_release(s);
  rac_release(source.v);
}

TEST(what_is_no_backoff_is_refused) {
  const double wrong[][4] = {
      {-1, 2, 9, 0},       {NAN, 2, 9, 0}, {1, 0.5, 9, 0}, {1, NAN, 9, 0},
      {1, INFINITY, 9, 0}, {1, 2, 0.5, 0}, {1, 2, NAN, 0}, {1, 2, 9, -0.1},
      {1, 2, 9, 1.1},      {1, 2, 9, NAN}};
  owned rac_signal *never = rac_signal_never();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const double *w = wrong[i];
    CHECK(rac_signal_retry_with_backoff(never, w[0], w[1], w[2], w[3], 0,
                                        NULL) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  }
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  CHECK(rac_signal_retry_with_backoff(never, 1, 2, 9, 0, 0, immediate) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
