/* Many timers outstanding. n counts timers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/lateness.h"
#include "../worker/ticking.h"
#include "rac_bench.h"

#include <stdlib.h>

typedef struct timers {
  rac_scheduler *scheduler;
  rac_disposable **each;
  size_t count;
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

static rac_disposable *schedule(timers *t, due *d) {
  return rac_schedule_after(t->scheduler, lateness_delay(d), d, fired, NULL);
}

/* Schedules n timers that are due too late to fire, and cancels them all. */
static void run_both(timers *t, size_t n, outcome *out, int time_the_cancels) {
  lateness *l = lateness_create(n, 100, 100);
  uint64_t start, scheduled, cancelled;
  size_t i;
  t->each = worker_allocate(n * sizeof *t->each);
  start = worker_now();
  for (i = 0; i < n; i++) t->each[i] = schedule(t, lateness_due(l, i));
  scheduled = worker_now();
  for (i = 0; i < n; i++) {
    if (rac_dispose(t->each[i]) == RAC_OK) out->sum++;
    rac_release(t->each[i]);
  }
  cancelled = worker_now();
  out->ns = time_the_cancels ? cancelled - scheduled : scheduled - start;
  out->n = n;
  free(t->each);
  lateness_free(l);
}

static void run_schedule(void *state, size_t n, outcome *out) {
  run_both(state, n, out, 0);
}
static void run_cancel(void *state, size_t n, outcome *out) {
  run_both(state, n, out, 1);
}

/* Schedules n timers that fire within a few seconds; its time is the processor's. */
static void run_fire(void *state, size_t n, outcome *out) {
  timers *t = state;
  lateness *l = lateness_create(n, WORKER_TIMER_LEAD(n), WORKER_TIMER_SPAN(n));
  uint64_t start = worker_cpu_time();
  size_t i;
  for (i = 0; i < n; i++)
    rac_release(rac_bench_handle(schedule(t, lateness_due(l, i))));
  lateness_wait(l, out);
  out->cpu_ns = out->ns = out->cpu_ns - start;
  out->n = n;
  lateness_free(l);
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
