/* SPDX-License-Identifier: MIT */
#include "racing.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_SENDERS = 64, WORK_NS = 1000 };

struct racing {
  size_t senders;
  uint64_t work; /* nanoseconds */
  _Atomic int inside;
  _Atomic int64_t sum;
  _Atomic uint64_t arrived, overlaps;
  _Atomic size_t ready;
  size_t n;
  void (*send)(void *state, int64_t value);
  void *state;
};

typedef struct runner {
  racing *race;
  size_t first;
} runner;

racing *racing_create(size_t senders) {
  racing *r = worker_allocate(sizeof *r);
  if (senders > MOST_SENDERS) worker_fail("too many senders");
  r->senders = senders == 0 ? 2 : senders;
  r->work = senders == 0 ? 0 : WORK_NS;
  return r;
}
void racing_free(racing *r) { free(r); }

static void work(uint64_t nanoseconds) {
  uint64_t end = worker_now() + nanoseconds;
  while (worker_now() < end) continue;
}

/* Sums must come out right also where leaves do overlap, so they are atomic. */
void racing_add(racing *r, int64_t value) {
  if (atomic_fetch_add_explicit(&r->inside, 1, memory_order_relaxed) != 0)
    atomic_fetch_add_explicit(&r->overlaps, 1, memory_order_relaxed);
  if (r->work != 0) work(r->work);
  atomic_fetch_add_explicit(&r->sum, value, memory_order_relaxed);
  atomic_fetch_add_explicit(&r->arrived, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&r->inside, 1, memory_order_relaxed);
}

static void *run(void *argument) {
  runner *me = argument;
  racing *r = me->race;
  size_t i;
  atomic_fetch_add(&r->ready, 1);
  while (atomic_load(&r->ready) <= r->senders) sched_yield();
  for (i = me->first; i < r->n; i += r->senders)
    r->send(r->state, worker_value(i));
  return NULL;
}

/* An accepted event may arrive after its sender has returned. */
static void wait_for_all(racing *r, uint64_t deadline) {
  while (atomic_load(&r->arrived) < r->n && worker_now() < deadline)
    sched_yield();
}

static void race(racing *r, size_t n, void (*send)(void *state, int64_t value),
                 void *state, bool waits, outcome *out) {
  runner runners[MOST_SENDERS];
  pthread_t threads[MOST_SENDERS];
  double before = worker_resident();
  uint64_t start;
  size_t i;
  r->n = n;
  r->send = send;
  r->state = state;
  r->ready = 0;
  r->sum = 0;
  r->arrived = r->overlaps = 0;
  for (i = 0; i < r->senders; i++) {
    runners[i] = (runner){r, i};
    if (pthread_create(&threads[i], NULL, run, &runners[i]) != 0)
      worker_fail("no thread");
  }
  while (atomic_load(&r->ready) < r->senders) sched_yield();
  start = worker_now();
  atomic_store(&r->ready, r->senders + 1);
  for (i = 0; i < r->senders; i++) pthread_join(threads[i], NULL);
  if (waits) wait_for_all(r, start + 60000000000u);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = r->sum;
  out->overlaps = r->overlaps;
  out->bytes = worker_resident() - before;
}

void racing_run(racing *r, size_t n, void (*send)(void *state, int64_t value),
                void *state, outcome *out) {
  race(r, n, send, state, true, out);
}

void racing_run_latest(racing *r, size_t n,
                       void (*send)(void *state, int64_t value), void *state,
                       outcome *out) {
  race(r, n, send, state, false, out);
  out->sum = (int64_t)n;
}
