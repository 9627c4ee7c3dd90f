/* Timer workloads, of what a contestant's timers are. They are compiled into each
 * contestant, so that nothing is called through a pointer here.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_TIMING_H
#define WORKER_TIMING_H

#include "lateness.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct timing {
  /* One that calls lateness_fired() when it is due; NULL: there is none. */
  void *(*schedule)(void *state, due *d);
  /* Takes it back and lets go of it. Whether it was in time. */
  bool (*cancel)(void *state, void *timer);
  /* Lets go of it while it waits. */
  void (*leave)(void *timer);
} timing;

#define TIMING_INLINE static inline __attribute__((always_inline))

TIMING_INLINE void *timing_schedule(const timing *t, void *state, due *d) {
  void *timer = t->schedule(state, d);
  if (timer == NULL) worker_fail("no timer");
  return timer;
}

/* Schedules n timers that are due too late to fire, and cancels them all. */
TIMING_INLINE void timing_run_both(const timing *t, void *state, size_t n,
                                   outcome *out, bool times_the_cancels) {
  lateness *l = lateness_create(n, 100, 100);
  void **timers = worker_allocate(n * sizeof *timers);
  uint64_t start = worker_now(), scheduled, cancelled;
  size_t i;
  for (i = 0; i < n; i++)
    timers[i] = timing_schedule(t, state, lateness_due(l, i));
  scheduled = worker_now();
  for (i = 0; i < n; i++)
    if (t->cancel(state, timers[i])) out->sum++;
  cancelled = worker_now();
  out->ns = times_the_cancels ? cancelled - scheduled : scheduled - start;
  out->n = n;
  free(timers);
  lateness_free(l);
}

/* Schedules n timers that fire within a few seconds; its time is the processor's. */
TIMING_INLINE void timing_run_fire(const timing *t, void *state, size_t n,
                                   outcome *out) {
  lateness *l = lateness_create(n, WORKER_TIMER_LEAD(n), WORKER_TIMER_SPAN(n));
  uint64_t start = worker_cpu_time();
  size_t i;
  for (i = 0; i < n; i++)
    t->leave(timing_schedule(t, state, lateness_due(l, i)));
  lateness_wait(l, out);
  out->cpu_ns = out->ns = out->cpu_ns - start;
  out->n = n;
  lateness_free(l);
}

#endif /* WORKER_TIMING_H */
