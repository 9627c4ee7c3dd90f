/* A binary heap that a thread sleeps on: the floor under timers. Deadlines lie
 * in the heap itself, and the thread wakes at most every 500 microseconds and
 * fires all that is due then: a program that has many timers wants it so.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"
#include "line.h"

#include "../worker/timing.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { GATHER_NS = 500000, MOST_AT_ONCE = 256 };

typedef struct timer {
  line_item item;
  floor_call call;
} timer;

typedef struct heap {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_t thread;
  int stopped;
  line line;
  uint64_t woke; /* when the thread last fired something */
  timer *due[MOST_AT_ONCE];
} heap;

static timer *schedule(heap *h, uint64_t deadline, floor_call call) {
  timer *t = malloc(sizeof *t);
  if (t == NULL) worker_fail("out of memory");
  t->call = call;
  pthread_mutex_lock(&h->lock);
  if (!line_insert(&h->line, deadline, &t->item)) worker_fail("out of memory");
  if (t->item.place == 1) pthread_cond_signal(&h->changed);
  pthread_mutex_unlock(&h->lock);
  return t;
}

static void cancel(heap *h, timer *t) {
  pthread_mutex_lock(&h->lock);
  line_take_out(&h->line, &t->item);
  pthread_mutex_unlock(&h->lock);
  free(t);
}

static void sleep_until(heap *h, uint64_t deadline) {
  struct timespec until = {(time_t)(deadline / 1000000000u),
                           (long)(deadline % 1000000000u)};
  pthread_cond_timedwait(&h->changed, &h->lock, &until);
}

/* Without the lock while they run. */
static void fire(heap *h, uint64_t now) {
  size_t count = 0, i;
  while (count < MOST_AT_ONCE && line_first(&h->line) <= now) {
    h->due[count] = (timer *)h->line.each[1].item;
    line_take_out(&h->line, &h->due[count++]->item);
  }
  pthread_mutex_unlock(&h->lock);
  for (i = 0; i < count; i++) {
    h->due[i]->call.function(h->due[i]->call.context, floor_int64(0));
    free(h->due[i]);
  }
  pthread_mutex_lock(&h->lock);
}

static void *serve(void *state) {
  heap *h = state;
  pthread_mutex_lock(&h->lock);
  while (!h->stopped) {
    uint64_t now, next;
    if (h->line.count == 0) {
      pthread_cond_wait(&h->changed, &h->lock);
      continue;
    }
    now = worker_now();
    next = line_first(&h->line);
    if (next <= now) {
      h->woke = now;
      fire(h, now);
    } else {
      sleep_until(h, next < h->woke + GATHER_NS ? h->woke + GATHER_NS : next);
    }
  }
  pthread_mutex_unlock(&h->lock);
  return NULL;
}

static void *open_heap(size_t argument) {
  heap *h = worker_allocate(sizeof *h);
  pthread_condattr_t monotonic;
  (void)argument;
  pthread_mutex_init(&h->lock, NULL);
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&h->changed, &monotonic);
  pthread_condattr_destroy(&monotonic);
  if (pthread_create(&h->thread, NULL, serve, h) != 0) worker_fail("no thread");
  return h;
}

static void close_heap(void *state) {
  heap *h = state;
  pthread_mutex_lock(&h->lock);
  h->stopped = 1;
  pthread_cond_signal(&h->changed);
  pthread_mutex_unlock(&h->lock);
  pthread_join(h->thread, NULL);
  pthread_mutex_destroy(&h->lock);
  pthread_cond_destroy(&h->changed);
  free(h->line.each);
  free(h);
}

/* ---- The workloads ------------------------------------------------------- */

static void fired(void *context, floor_value value) {
  (void)value;
  lateness_fired(context);
}
static floor_next volatile fired_leaf = fired;

/* The delay is asked for as librac is asked: it costs a look at the clock. */
static void *schedule_due(void *state, due *d) {
  floor_call call = {fired_leaf, d};
  uint64_t delay = (uint64_t)(lateness_delay(d) * 1e9);
  return schedule(state, worker_now() + delay, call);
}

static bool cancel_due(void *state, void *timer) {
  cancel(state, timer);
  return true;
}

/* There is no handle. */
static void leave_due(void *timer) { (void)timer; }

static const timing heap_timing = {schedule_due, cancel_due, leave_due};

static void run_schedule(void *state, size_t n, outcome *out) {
  timing_run_both(&heap_timing, state, n, out, false);
}
static void run_cancel(void *state, size_t n, outcome *out) {
  timing_run_both(&heap_timing, state, n, out, true);
}
static void run_fire(void *state, size_t n, outcome *out) {
  timing_run_fire(&heap_timing, state, n, out);
}

const workload floor_timer_workloads[] = {
    {"timer-schedule", open_heap, run_schedule, close_heap},
    {"timer-cancel", open_heap, run_cancel, close_heap},
    {"timer-fire", open_heap, run_fire, close_heap},
    {NULL, NULL, NULL, NULL}};
