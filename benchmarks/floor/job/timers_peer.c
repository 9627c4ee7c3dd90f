/* The timers of the same job, as a contestant: see peer.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "job.h"

#include "../../worker/lateness.h"
#include "peer.h"

#include <stdlib.h>

typedef struct state {
  job_handle queue;
} state;

static void *open_queue(size_t argument) {
  state *s = worker_allocate(sizeof *s);
  (void)argument;
  s->queue = job_queue();
  return s;
}

static void close_queue(void *opened) {
  state *s = opened;
  job_release(s->queue);
  free(s);
}

static void fired(void *context) { lateness_fired(context); }
static job_action volatile leaf = fired;

static job_handle schedule(state *s, due *d) {
  job_handle made = job_after(s->queue, lateness_delay(d), d, leaf, NULL);
  if (made == 0) worker_fail("no timer");
  return made;
}

static void run_both(state *s, size_t n, outcome *out, int time_the_cancels) {
  lateness *l = lateness_create(n, 100, 100);
  job_handle *timers = worker_allocate(n * sizeof *timers);
  uint64_t start = worker_now(), scheduled, cancelled;
  size_t i;
  for (i = 0; i < n; i++) timers[i] = schedule(s, lateness_due(l, i));
  scheduled = worker_now();
  for (i = 0; i < n; i++) {
    if (job_dispose(timers[i]) == JOB_OK) out->sum++;
    job_release(timers[i]);
  }
  cancelled = worker_now();
  out->ns = time_the_cancels ? cancelled - scheduled : scheduled - start;
  out->n = n;
  free(timers);
  lateness_free(l);
}

static void run_schedule(void *opened, size_t n, outcome *out) {
  run_both(opened, n, out, 0);
}
static void run_cancel(void *opened, size_t n, outcome *out) {
  run_both(opened, n, out, 1);
}

static void run_fire(void *opened, size_t n, outcome *out) {
  state *s = opened;
  lateness *l = lateness_create(n, WORKER_TIMER_LEAD(n), WORKER_TIMER_SPAN(n));
  uint64_t start = worker_cpu_time();
  size_t i;
  for (i = 0; i < n; i++) job_release(schedule(s, lateness_due(l, i)));
  lateness_wait(l, out);
  out->cpu_ns = out->ns = out->cpu_ns - start;
  out->n = n;
  lateness_free(l);
}

const workload job_timer_workloads[] = {
    {"timer-schedule", open_queue, run_schedule, close_queue},
    {"timer-cancel", open_queue, run_cancel, close_queue},
    {"timer-fire", open_queue, run_fire, close_queue},
    {NULL, NULL, NULL, NULL}};
