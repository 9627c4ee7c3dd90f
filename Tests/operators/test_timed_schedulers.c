/* Where operators let time pass: on the scheduler they are given, or where they
 * are. */
#include "stage.h"

#define OF_SECONDS(ROW)                                                        \
  ROW(delay)                                                                   \
  ROW(throttle)                                                                \
  ROW(throttle_latest)                                                         \
  ROW(throttle_first)                                                          \
  ROW(buffer_with_time)                                                        \
  ROW(timeout)                                                                 \
  ROW(idle_timeout)                                                            \
  ROW(audit)                                                                   \
  ROW(delay_subscription)

typedef rac_signal *(*timed)(rac_signal *, double, rac_scheduler *);
#define ROW(name) {#name, rac_signal_##name},
static const struct {
  const char *name;
  timed make;
} operators[] = {OF_SECONDS(ROW)};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* What comes of "1 2" at once, and a minute later. */
static void check_given(timed make, const char *at_once, const char *later) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = make(as_signal(subject), 10, v);
  RECORDER(r, s);
  play(subject, "1 2");
  rac_main_drain(0);
  CHECK_EVENTS(&r, at_once);
  rac_virtual_advance_by(v, 60);
  CHECK_EVENTS(&r, later);
}

TEST(time_passes_on_the_scheduler_that_is_given) {
  check_given(rac_signal_delay, "", "1 2");
  check_given(rac_signal_throttle, "", "2");
  check_given(rac_signal_throttle_latest, "1", "1 2");
  check_given(rac_signal_throttle_first, "1", "1");
  check_given(rac_signal_buffer_with_time, "", "(1,2)");
  check_given(rac_signal_timeout, "1 2", "1 2 #1");
  check_given(rac_signal_idle_timeout, "1 2", "1 2 #1");
  check_given(rac_signal_audit, "", "2");
}

/* Its clock is that scheduler's, too. */
TEST(throttle_first_goes_by_the_clock_that_it_is_given) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = rac_signal_throttle_first(as_signal(subject), 10, v);
  RECORDER(r, s);
  for (int i = 0; i < 5; i++) {
    rac_subject_send(subject, I(i));
    rac_virtual_advance_by(v, 5);
  }
  CHECK_EVENTS(&r, "0 2 4");
}

/* ---- NULL: the one that is current ---------------------------------------- */

typedef struct here {
  rac_signal *signal;
  recorder heard;
} here;

static void subscribe_here(void *context) {
  here *self = context;
  record(self->signal, &self->heard);
}

static void check_here(rac_signal *signal, const char *expected) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  here h = {.signal = signal};
  rac_release(rac_schedule(v, &h, subscribe_here, NULL));
  rac_virtual_advance_by(v, 3.5);
  CHECK_EVENTS(&h.heard, expected);
  finish(&h.heard);
  rac_release(signal);
}

TEST(without_one_it_is_the_scheduler_of_the_subscription) {
  owned rac_signal *never = rac_signal_never(), *one = cold("1", NULL);
  check_here(rac_signal_interval(1, NULL), "0 1 2");
  check_here(rac_signal_interval_with_leeway(1, 0.1, NULL), "0 1 2");
  check_here(rac_signal_timeout(one, 2, NULL), "1 #1");
  check_here(rac_signal_buffer_with_time(one, 2, NULL), "(1)");
}

static void *run_interval(void *unused) {
  (void)unused;
  recorder r = {0};
  owned rac_signal *s = rac_signal_interval(0.001, NULL);
  APPLY(s, take, 2);
  record(s, &r);
  await_end(&r);
  CHECK_EVENTS(&r, "0 1 |");
  return NULL;
}
TEST(on_a_thread_without_one_it_is_a_background_scheduler) {
  check_join(check_spawn(run_interval, NULL));
}

/* ---- What cannot wait ------------------------------------------------------ */

TEST(the_immediate_scheduler_lets_no_time_pass) {
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  owned rac_signal *never = rac_signal_never();
  for (int i = 0; i < OPERATORS; i++) {
    rac_clear_last_error();
    CHECK(operators[i].make(never, 1, immediate) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    CHECK(operators[i].make(never, -1, NULL) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    CHECK(operators[i].make(never, 0.0 / 0.0, NULL) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    rac_release(operators[i].make(never, 1.0 / 0.0, NULL));
    CHECK(operators[i].make(never, 1, (rac_scheduler *)never) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  }
}
