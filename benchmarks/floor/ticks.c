/* A thread that sleeps until its next tick: the floor under repeating timers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

#include "../worker/ticking.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef struct metronome {
  ticking *ticks;
  atomic_int stopped;
} metronome;

static void tick(void *context, floor_value value) {
  (void)value;
  ticking_tick(context);
}
static floor_next volatile tick_leaf = tick;

static void *serve(void *state) {
  metronome *m = state;
  floor_next leaf = tick_leaf;
  uint64_t next = worker_now();
  while (!atomic_load_explicit(&m->stopped, memory_order_relaxed)) {
    struct timespec until;
    next += WORKER_TICK_NS;
    until.tv_sec = (time_t)(next / 1000000000u);
    until.tv_nsec = (long)(next % 1000000000u);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
      continue;
    leaf(m->ticks, floor_int64(0));
  }
  return NULL;
}

static void *open_metronome(size_t argument) {
  (void)argument;
  return worker_allocate(sizeof(metronome));
}

static void run_ticks(void *state, size_t n, outcome *out) {
  metronome *m = state;
  pthread_t thread;
  m->ticks = ticking_create(n);
  atomic_store(&m->stopped, 0);
  if (pthread_create(&thread, NULL, serve, m) != 0) worker_fail("no thread");
  ticking_wait(m->ticks, out);
  atomic_store(&m->stopped, 1);
  pthread_join(thread, NULL);
  ticking_free(m->ticks);
}

const workload floor_tick_workloads[] = {
    {"timer-repeating", open_metronome, run_ticks, free},
    {NULL, NULL, NULL, NULL}};
