/* The wall clock is moved, back and forth by a day with every look at it:
 * nothing that keeps time in the library notices. The program has the clocks
 * instead of the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "operators.h"

/* ---- The clocks ----------------------------------------------------------- */

/* Looks at the wall clock. */
static atomic_int looks;

static time_t moved(time_t seconds) {
  return seconds + (atomic_fetch_add(&looks, 1) % 2 ? 86400 : -86400);
}

static bool is_wall_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
         clock == CLOCK_TAI;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (is_wall_clock(clock)) time->tv_sec = moved(time->tv_sec);
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  int result = (int)syscall(SYS_gettimeofday, time, zone);
  time->tv_sec = moved(time->tv_sec);
  return result;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

/* Waits until a time of the wall clock count as looks, too. */

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                    struct timespec *left) {
  if (is_wall_clock(clock)) moved(0);
  return syscall(SYS_clock_nanosleep, clock, flags, time, left) < 0 ? errno : 0;
}

int timerfd_create(clockid_t clock, int flags) {
  if (is_wall_clock(clock)) moved(0);
  return (int)syscall(SYS_timerfd_create, clock, flags);
}

/* The library sleeps on words of its own, by the kernel's own call. */
long syscall(long number, ...) {
  static long (*system)(long, ...);
  if (!system) *(void **)(void *)&system = dlsym(RTLD_NEXT, "syscall");
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_futex && a[1] & FUTEX_CLOCK_REALTIME) moved(0);
  return system(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

TEST(the_wall_clock_moves) {
  struct timespec a, b;
  clock_gettime(CLOCK_REALTIME, &a);
  clock_gettime(CLOCK_REALTIME, &b);
  CHECK(a.tv_sec - b.tv_sec > 86400 || b.tv_sec - a.tv_sec > 86400);
}

/* ---- What keeps time ------------------------------------------------------ */

/* After `least` seconds, and not after a day. */
static void check_takes(double least, rac_signal *signal) {
  atomic_store(&looks, 0);
  double began = check_clock();
  rac_value value;
  CHECK_STATUS(rac_signal_first(signal, -1, &value), RAC_OK);
  CHECK(check_clock() - began >= least);
  CHECK(check_clock() - began < 3600);
  CHECK_INT(atomic_load(&looks), 0);
  rac_value_release(value);
  rac_release(signal);
}

static void *use_operators(void *nothing) {
  owned rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
  owned rac_signal *one = rac_signal_return(I(1)), *never = rac_signal_never();
  owned rac_signal *open = rac_signal_merge_with(one, never);
  check_takes(0.01, rac_signal_delay(one, 0.01, NULL));
  check_takes(0.01, rac_signal_throttle(open, 0.01, NULL));
  check_takes(0.01, rac_signal_buffer_with_time(open, 0.01, scheduler));
  check_takes(0.01, rac_signal_interval(0.01, scheduler));
  owned rac_signal *late = rac_signal_timeout(never, 0.01, scheduler);
  check_takes(0.01, rac_signal_materialize(late));
  return nothing;
}

/* On a thread without a current scheduler: on this one a delay would wait for
 * the main scheduler to run. */
TEST(operators_keep_time) { check_join(check_spawn(use_operators, NULL)); }

static void tick(void *count) { atomic_fetch_add((atomic_int *)count, 1); }

/* Once after 10 ms, and every 5 ms: neither early, nor a day late. */
static void check_timers(rac_scheduler *scheduler, bool runs_here) {
  enum { TIMES = 8 };
  atomic_int once = 0, often = 0;
  atomic_store(&looks, 0);
  double began = check_clock();
  owned rac_disposable *one =
      rac_schedule_after(scheduler, 0.01, &once, tick, NULL);
  owned rac_disposable *many =
      rac_schedule_repeating(scheduler, 0.005, 0.005, 0, &often, tick, NULL);
  while (atomic_load(&once) < 1 || atomic_load(&often) < TIMES) {
    if (runs_here)
      CHECK_STATUS(rac_main_run_for(0.005), RAC_OK);
    else
      usleep(1000);
    /* First what has run, then until when. */
    int so_far = atomic_load(&often);
    bool has_run = atomic_load(&once);
    double passed = check_clock() - began;
    if (has_run) CHECK(passed >= 0.01);
    if (so_far > 0) CHECK(passed >= 0.005);
    if (so_far >= TIMES) CHECK(passed >= TIMES * 0.005);
    if (passed > 3600) break;
  }
  CHECK_INT(atomic_load(&once), 1);
  CHECK_INT(atomic_load(&looks), 0);
  CHECK_STATUS(rac_dispose_and_wait(many, -1), RAC_OK);
}

TEST(timers_keep_time) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_scheduler *main = rac_scheduler_main();
  check_timers(background, false);
  check_timers(main, true);
}

TEST(waits_and_runs_keep_time) {
  owned rac_signal *never = rac_signal_never();
  rac_value value;
  atomic_store(&looks, 0);
  double began = check_clock();
  CHECK_STATUS(rac_signal_first(never, 0.01, &value), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_main_run_for(0.01), RAC_OK);
  CHECK(rac_main_fd() >= 0);
  CHECK(check_clock() - began >= 0.02);
  CHECK(check_clock() - began < 3600);
  CHECK_INT(atomic_load(&looks), 0);
}
