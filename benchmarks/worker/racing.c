/* SPDX-License-Identifier: MIT */
#include "racing.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct racing {
  _Atomic int inside;
  _Atomic int64_t sum;
  _Atomic uint64_t arrived, overlaps;
  _Atomic int ready;
  size_t n;
  void (*send)(void *state, int64_t value);
  void *state;
};

typedef struct runner {
  racing *race;
  size_t first;
} runner;

racing *racing_create(void) { return worker_allocate(sizeof(racing)); }
void racing_free(racing *r) { free(r); }

/* Sums must come out right also where leaves do overlap, so they are atomic. */
void racing_add(racing *r, int64_t value) {
  if (atomic_fetch_add_explicit(&r->inside, 1, memory_order_relaxed) != 0)
    atomic_fetch_add_explicit(&r->overlaps, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&r->sum, value, memory_order_relaxed);
  atomic_fetch_add_explicit(&r->arrived, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&r->inside, 1, memory_order_relaxed);
}

static void *run(void *argument) {
  runner *me = argument;
  racing *r = me->race;
  size_t i;
  atomic_fetch_add(&r->ready, 1);
  while (atomic_load(&r->ready) < 3) sched_yield();
  for (i = me->first; i < r->n; i += 2) r->send(r->state, worker_value(i));
  return NULL;
}

/* An accepted event may arrive after its sender has returned. */
static void wait_for_all(racing *r, uint64_t deadline) {
  while (atomic_load(&r->arrived) < r->n && worker_now() < deadline)
    sched_yield();
}

void racing_run(racing *r, size_t n, void (*send)(void *state, int64_t value),
                void *state, outcome *out) {
  runner runners[2] = {{r, 0}, {r, 1}};
  pthread_t threads[2];
  uint64_t start;
  int i;
  r->n = n;
  r->send = send;
  r->state = state;
  r->ready = 0;
  r->sum = 0;
  r->arrived = r->overlaps = 0;
  for (i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, run, &runners[i]) != 0)
      worker_fail("no thread");
  while (atomic_load(&r->ready) < 2) sched_yield();
  start = worker_now();
  atomic_store(&r->ready, 3);
  for (i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  wait_for_all(r, start + 60000000000u);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = r->sum;
  out->overlaps = r->overlaps;
}
