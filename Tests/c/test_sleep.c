/* Sleeping where signals come a thousand times a second: it is not prolonged. */
#include "check.h"
#include "process.h"

#include <signal.h>
#include <sys/time.h>

static atomic_int alarms;

static void on_alarm(int number) {
  (void)number;
  atomic_fetch_add(&alarms, 1);
}

static void set_alarms(long microseconds) {
  struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  if (setitimer(ITIMER_REAL, &timer, NULL) != 0) abort();
}

static void start_alarms(void) {
  struct sigaction action = {.sa_handler = on_alarm};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGALRM, &action, NULL) != 0) abort();
  atomic_store(&alarms, 0);
  set_alarms(1000);
}

static void stop_alarms(void) { set_alarms(0); }

static void do_nothing(void *context) { (void)context; }

/* How much longer than asked for, at best: the machine may be busy. */
static double least_delay(void (*wait_for)(double seconds), double seconds) {
  double least = 1;
  start_alarms();
  for (int i = 0; i < 40 && least > seconds / 100; i++) {
    double start = check_clock();
    wait_for(seconds);
    double delay = check_clock() - start - seconds;
    CHECK(delay > -1e-6);
    if (delay < least) least = delay;
  }
  stop_alarms();
  CHECK(atomic_load(&alarms) > 10 || IS_THREAD_SANITIZED);
  return least;
}

static void sleep_on_immediate(double seconds) {
  rac_release(rac_schedule_after(rac_scheduler_immediate(), seconds, NULL,
                                 do_nothing, NULL));
}

static void run_main(double seconds) {
  CHECK_STATUS(rac_main_run_for(seconds), RAC_OK);
}

static void read_first(double seconds) {
  owned rac_signal *never = as_signal(rac_subject_create());
  CHECK_STATUS(rac_signal_first(never, seconds, NULL), RAC_ETIMEDOUT);
}

static void read_sequence(double seconds) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_sequence *sequence =
      rac_sequence_from_signal(as_signal(subject), seconds, NULL);
  rac_value value;
  CHECK(rac_sequence_head(sequence, &value) < 0);
}

/* At 1 kHz a quarter of a second took 15 milliseconds longer. */
TEST(signals_do_not_prolong_a_sleep_of_the_immediate_scheduler) {
  CHECK(least_delay(sleep_on_immediate, 0.25) < 0.005);
}

TEST(signals_do_not_prolong_a_run) {
  CHECK(least_delay(run_main, 0.25) < 0.005);
}

TEST(signals_do_not_prolong_a_blocking_read) {
  CHECK(least_delay(read_first, 0.25) < 0.005);
  CHECK(least_delay(read_sequence, 0.25) < 0.005);
}
