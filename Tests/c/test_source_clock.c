/* Times of the clock on the wall, also when somebody sets it: this program has a
 * clock of its own that it can set. */
#define _DEFAULT_SOURCE
#include "descriptors.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* ---- A clock that can be set ----------------------------------------------------- */

/* Nanoseconds that it is ahead of the system's; the system's own is not touched. */
static _Atomic int64_t ahead;
/* The next read of a timer says that the clock was set. */
static atomic_int is_set;
static atomic_int timer;
static atomic_bool cancels_on_set;

static int64_t total(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
static struct timespec parts(int64_t time) {
  return (struct timespec){time / 1000000000, time % 1000000000};
}

/* In place of the C library's, for the library as well. */
int clock_gettime(clockid_t clock, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME)
    *time = parts(total(*time) + ahead);
  return (int)result;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *spec,
                    struct itimerspec *old) {
  struct itimerspec shifted = *spec;
  if (flags & TFD_TIMER_CANCEL_ON_SET) {
    int64_t time = total(spec->it_value) - ahead;
    shifted.it_value = parts(time > 0 ? time : 1);
    timer = fd;
    cancels_on_set = true;
  }
  return (int)syscall(SYS_timerfd_settime, fd, flags, &shifted, old);
}

ssize_t read(int fd, void *buffer, size_t size) {
  ssize_t got = syscall(SYS_read, fd, buffer, size);
  if (fd == timer && atomic_exchange(&is_set, 0)) {
    errno = ECANCELED;
    return -1;
  }
  return got;
}

/* As the kernel does it: who waits is woken, and his read says why. */
static void set_clock(int64_t seconds) {
  struct itimerspec now = {.it_value = {0, 1}};
  ahead += seconds * 1000000000;
  is_set = 1;
  CHECK(cancels_on_set);
  syscall(SYS_timerfd_settime, timer, 0, &now, NULL);
}

static double clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (double)total(time) / 1e9;
}

/* ---- Times that are heard ---------------------------------------------------------- */

static void note_time(recorder *self, rac_value value) {
  double *times = self->user;
  double time = 0;
  CHECK_STATUS(rac_value_get_double(value, &time), RAC_OK);
  if (self->nexts <= 8) times[self->nexts - 1] = time;
}

static void start(recorder *self, rac_signal *signal) {
  record(signal, self);
  rac_release(signal);
}

static bool is_about(double time, double expected) {
  double difference = time - expected;
  return difference < 1e-5 && difference > -1e-5;
}

TEST(a_time_comes_once) {
  int before = open_descriptors();
  double times[8] = {0}, time = clock_now() + 0.05;
  recorder r = {.on_next = note_time, .user = times};
  start(&r, rac_signal_at_time(time, NULL));
  RUN_UNTIL(r.ends == 1);
  CHECK(clock_now() >= time);
  CHECK(is_about(times[0], time));
  CHECK_INT(r.nexts, 1);
  await_end(&r);
  CHECK_INT(open_descriptors(), before);
}

TEST(a_time_that_has_passed_comes_at_once) {
  double times[8] = {0};
  recorder r = {.on_next = note_time, .user = times};
  start(&r, rac_signal_at_time(0, NULL));
  CHECK_INT(r.nexts, 0);
  RUN_UNTIL(r.ends == 1);
  CHECK(is_about(times[0], 0));
  await_end(&r);
}

TEST(a_far_time_comes_when_the_clock_is_set) {
  double times[8] = {0}, time = clock_now() + 86400;
  recorder r = {.on_next = note_time, .user = times};
  start(&r, rac_signal_at_time(time, NULL));
  run_a_little();
  set_clock(-3600);
  run_a_little();
  CHECK_INT(r.nexts, 0);
  set_clock(2 * 86400);
  RUN_UNTIL(r.ends == 1);
  CHECK(is_about(times[0], time));
  await_end(&r);
}

TEST(times_are_multiples) {
  double times[8] = {0};
  recorder r = {.on_next = note_time, .user = times};
  start(&r, rac_signal_at_times(0.02, 0.005, RAC_CLOCK_UTC, NULL));
  RUN_UNTIL(r.nexts >= 4);
  finish(&r);
  for (int i = 0; i < 4; i++) {
    double multiples = (times[i] - 0.005) / 0.02;
    double whole = (double)(int64_t)(multiples + 0.5);
    CHECK(multiples - whole < 1e-3 && multiples - whole > -1e-3);
    CHECK(i == 0 || times[i] > times[i - 1] + 0.01);
  }
}

/* The multiple of an hour that is next. */
static double next_hour(void) {
  return (double)(((int64_t)clock_now() / 3600 + 1) * 3600);
}

TEST(times_follow_a_clock_that_is_set) {
  double times[8] = {0};
  finished recorder r = {.on_next = note_time, .user = times};
  start(&r, rac_signal_at_times(3600, 0, RAC_CLOCK_UTC, NULL));
  double first = next_hour();
  /* Over several: the one that it waited for comes, the others are left out. */
  set_clock(3 * 3600);
  RUN_UNTIL(r.nexts == 1);
  CHECK(is_about(times[0], first));
  /* Back to just before one that is next: nothing comes yet. */
  double next = next_hour();
  set_clock((int64_t)(next - clock_now()) - 10);
  run_a_little();
  CHECK_INT(r.nexts, 1);
  set_clock(11);
  RUN_UNTIL(r.nexts == 2);
  CHECK(is_about(times[1], next));
  /* A little back: it was there already. */
  set_clock(-5);
  run_a_little();
  set_clock(5);
  run_a_little();
  CHECK_INT(r.nexts, 2);
  /* A day back: the hours come again. */
  set_clock(-86400);
  run_a_little();
  double again = next_hour();
  set_clock((int64_t)(again - clock_now()) + 1);
  RUN_UNTIL(r.nexts == 3);
  CHECK(is_about(times[2], again));
}

/* ---- Local time --------------------------------------------------------------------- */

static double local_time(int year, int month, int day, int hour, int minute) {
  struct tm time = {.tm_year = year - 1900,
                    .tm_mon = month - 1,
                    .tm_mday = day,
                    .tm_hour = hour,
                    .tm_min = minute,
                    .tm_isdst = -1};
  return (double)mktime(&time);
}

static void set_zone(const char *zone) {
  setenv("TZ", zone, 1);
  tzset();
}

/* Has the clock show this, and hears when it is 02:30 next, as the day's hours. */
static void check_next(int line, double start_time, double expected) {
  ahead += (int64_t)((start_time - clock_now()) * 1e9);
  double times[8] = {0};
  finished recorder r = {.on_next = note_time, .user = times};
  start(&r, rac_signal_at_times(86400, 9000, RAC_CLOCK_LOCAL, NULL));
  set_clock((int64_t)(expected - clock_now()) - 10);
  run_a_little();
  check_int(__FILE__, line, "before it is time", r.nexts, 0);
  set_clock(11);
  RUN_UNTIL(r.nexts == 1);
  check_int(__FILE__, line, "the time", (int64_t)times[0], (int64_t)expected);
}

/* Summer time from the last Sunday of March 2:00 to that of October 3:00. */
TEST(days_of_local_time) {
  set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
  check_next(__LINE__, local_time(2025, 1, 10, 12, 0),
             local_time(2025, 1, 11, 2, 30));
  check_next(__LINE__, local_time(2025, 7, 10, 1, 0),
             local_time(2025, 7, 10, 2, 30));
  /* 2:30 is left out: it comes that much later. */
  check_next(__LINE__, local_time(2025, 3, 29, 12, 0),
             local_time(2025, 3, 30, 3, 30));
  check_next(__LINE__, local_time(2025, 3, 30, 12, 0),
             local_time(2025, 3, 31, 2, 30));
  /* 2:30 comes twice: the first time. */
  check_next(__LINE__, local_time(2025, 10, 25, 12, 0),
             local_time(2025, 10, 26, 1, 30) + 3600);
  check_next(__LINE__, local_time(2025, 10, 26, 12, 0),
             local_time(2025, 10, 27, 2, 30));
  set_zone("UTC");
}

/* ---- Bad input ------------------------------------------------------------------------ */

TEST(times_that_are_none) {
  double nothing = 0;
  const struct {
    rac_signal *signal;
  } calls[] = {
      {rac_signal_at_time(-1, NULL)},
      {rac_signal_at_time(nothing / nothing, NULL)},
      {rac_signal_at_times(0, 0, 0, NULL)},
      {rac_signal_at_times(-1, 0, 0, NULL)},
      {rac_signal_at_times(1, 1, 0, NULL)},
      {rac_signal_at_times(1, -1, 0, NULL)},
      {rac_signal_at_times(1e10, 0, 0, NULL)},
      {rac_signal_at_times(1 / nothing, 0, 0, NULL)},
      {rac_signal_at_times(nothing / nothing, 0, 0, NULL)},
      {rac_signal_at_times(1, 0, 2, NULL)},
      {rac_signal_at_time(1, rac_scheduler_immediate())},
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    CHECK(calls[i].signal == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  /* Never: it can be disposed. */
  finished recorder r = {0};
  start(&r, rac_signal_at_time(1e300, NULL));
  run_a_little();
  CHECK_INT(r.nexts, 0);
}
