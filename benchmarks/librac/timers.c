/* Many timers outstanding. n counts timers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/ticking.h"
#include "../worker/timing.h"
#include "rac_bench.h"

#include <stdlib.h>

typedef struct timers {
  rac_scheduler *scheduler;
} timers;

static void *open_timers(size_t argument) {
  timers *t = worker_allocate(sizeof *t);
  (void)argument;
  t->scheduler =
      rac_bench_handle(rac_scheduler_background(RAC_PRIORITY_DEFAULT, "bench"));
  return t;
}

static void close_timers(void *state) {
  timers *t = state;
  rac_release(t->scheduler);
  free(t);
}

static void fired(void *context) { lateness_fired(context); }

static void *schedule(void *state, due *d) {
  timers *t = state;
  return rac_schedule_after(t->scheduler, lateness_delay(d), d, fired, NULL);
}

static void leave(void *timer) { rac_release(timer); }

static bool cancel(void *state, void *timer) {
  bool was_in_time = rac_dispose(timer) == RAC_OK;
  (void)state;
  leave(timer);
  return was_in_time;
}

static const timing rac_timing = {schedule, cancel, leave};

static void run_schedule(void *state, size_t n, outcome *out) {
  timing_run_both(&rac_timing, state, n, out, false);
}
static void run_cancel(void *state, size_t n, outcome *out) {
  timing_run_both(&rac_timing, state, n, out, true);
}
static void run_fire(void *state, size_t n, outcome *out) {
  timing_run_fire(&rac_timing, state, n, out);
}

static void tick(void *context) { ticking_tick(context); }

/* n ticks of a repeating timer. */
static void run_repeating(void *state, size_t n, outcome *out) {
  timers *t = state;
  ticking *ticks = ticking_create(n);
  double every = WORKER_TICK_NS * 1e-9;
  rac_disposable *timer = rac_bench_handle(
      rac_schedule_repeating(t->scheduler, every, every, 0, ticks, tick, NULL));
  ticking_wait(ticks, out);
  rac_bench_status(rac_dispose_and_wait(timer, -1));
  rac_release(timer);
  ticking_free(ticks);
}

const workload rac_timer_workloads[] = {
    {"timer-schedule", open_timers, run_schedule, close_timers},
    {"timer-cancel", open_timers, run_cancel, close_timers},
    {"timer-fire", open_timers, run_fire, close_timers},
    {"timer-repeating", open_timers, run_repeating, close_timers},
    {NULL, NULL, NULL, NULL}};
