/* The timers of the same job, as a contestant: see peer.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "job.h"

#include "../../worker/timing.h"
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

static void *schedule(void *opened, due *d) {
  state *s = opened;
  return (void *)(uintptr_t)job_after(s->queue, lateness_delay(d), d, leaf,
                                      NULL);
}

static void leave(void *timer) { job_release((job_handle)(uintptr_t)timer); }

static bool cancel(void *opened, void *timer) {
  bool was_in_time = job_dispose((job_handle)(uintptr_t)timer) == JOB_OK;
  (void)opened;
  leave(timer);
  return was_in_time;
}

static const timing job_timing = {schedule, cancel, leave};

static void run_schedule(void *state, size_t n, outcome *out) {
  timing_run_both(&job_timing, state, n, out, false);
}
static void run_cancel(void *state, size_t n, outcome *out) {
  timing_run_both(&job_timing, state, n, out, true);
}
static void run_fire(void *state, size_t n, outcome *out) {
  timing_run_fire(&job_timing, state, n, out);
}

const workload job_timer_workloads[] = {
    {"timer-schedule", open_queue, run_schedule, close_queue},
    {"timer-cancel", open_queue, run_cancel, close_queue},
    {"timer-fire", open_queue, run_fire, close_queue},
    {NULL, NULL, NULL, NULL}};
