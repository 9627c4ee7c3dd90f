/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "lane.h"

#include "futex.h"

#include <stdlib.h>

enum { LINGER_NS = 1200, ENOUGH = 128 };

void floor_lane_put(floor_lane *l, floor_value value) {
  floor_batch *w = &l->waiting;
  pthread_mutex_lock(&l->lock);
  if (w->count == w->room) {
    w->room = w->room == 0 ? 64 : w->room * 2;
    w->values = realloc(w->values, w->room * sizeof *w->values);
    if (w->values == NULL) worker_fail("out of memory");
  }
  w->values[w->count++] = value;
  pthread_mutex_unlock(&l->lock);
  /* What was put before it is there for the thread, and what the thread wrote
   * before it slept is seen here. */
  floor_wake(&l->asleep);
}

/* Exchanges what was worked through for what has gathered. False: the end. */
static int take(floor_lane *l) {
  floor_batch empty = l->taken;
  int stopped;
  empty.count = 0;
  pthread_mutex_lock(&l->lock);
  l->taken = l->waiting;
  l->waiting = empty;
  stopped = l->stopped;
  pthread_mutex_unlock(&l->lock);
  return l->taken.count != 0 || !stopped;
}

static int has_something(floor_lane *l) {
  int something;
  pthread_mutex_lock(&l->lock);
  something = l->waiting.count != 0 || l->stopped;
  pthread_mutex_unlock(&l->lock);
  return something;
}

/* Values come in quick succession, and are few: while some gather, the sender
 * has the lock and the lines of the cache to itself. */
static void linger(const floor_lane *l) {
  uint64_t end;
  if (l->taken.count < 2 || l->taken.count >= ENOUGH) return;
  end = worker_now() + LINGER_NS;
  do {
    int pauses = 8;
    while (pauses-- > 0) floor_pause();
  } while (worker_now() < end);
}

static void *serve(void *state) {
  floor_lane *l = state;
  size_t i;
  while (take(l)) {
    for (i = 0; i < l->taken.count; i++)
      l->call.function(l->call.context, l->taken.values[i]);
    if (l->taken.count != 0) {
      linger(l);
      continue;
    }
    atomic_store_explicit(&l->asleep, 1, memory_order_relaxed);
    if (has_something(l))
      atomic_store_explicit(&l->asleep, 0, memory_order_relaxed);
    else
      floor_sleep(&l->asleep);
  }
  return NULL;
}

void floor_lane_open(floor_lane *l, floor_next function, void *context) {
  pthread_mutex_init(&l->lock, NULL);
  l->call.function = function;
  l->call.context = context;
  if (pthread_create(&l->thread, NULL, serve, l) != 0) worker_fail("no thread");
}

void floor_lane_close(floor_lane *l) {
  pthread_mutex_lock(&l->lock);
  l->stopped = 1;
  pthread_mutex_unlock(&l->lock);
  floor_wake(&l->asleep);
  pthread_join(l->thread, NULL);
  pthread_mutex_destroy(&l->lock);
  free(l->waiting.values);
  free(l->taken.values);
}
