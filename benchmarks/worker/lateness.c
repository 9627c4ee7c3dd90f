/* SPDX-License-Identifier: MIT */
#include "lateness.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct due {
  lateness *all;
  uint64_t deadline;
  uint64_t late;
};

struct lateness {
  size_t count;
  uint64_t last;
  _Atomic size_t fired;
  due each[];
};

/* The same order in every contestant and in every run. */
static void shuffle(lateness *l) {
  uint64_t seed = 88172645463325252u;
  size_t i;
  for (i = l->count; i > 1; i--) {
    size_t j;
    uint64_t deadline = l->each[i - 1].deadline;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    j = (size_t)(seed % i);
    l->each[i - 1].deadline = l->each[j].deadline;
    l->each[j].deadline = deadline;
  }
}

lateness *lateness_create(size_t count, double lead, double span) {
  lateness *l = worker_allocate(sizeof *l + count * sizeof l->each[0]);
  uint64_t first;
  size_t i;
  l->count = count;
  for (i = 0; i < count; i++) l->each[i].all = l;
  first = worker_now() + (uint64_t)(lead * 1e9);
  for (i = 0; i < count; i++)
    l->each[i].deadline =
        first + (uint64_t)(span * 1e9 * (double)i / (double)count);
  l->last = first + (uint64_t)(span * 1e9);
  shuffle(l);
  return l;
}

void lateness_free(lateness *l) { free(l); }

due *lateness_due(lateness *l, size_t i) { return &l->each[i]; }
uint64_t lateness_deadline(const due *d) { return d->deadline; }

double lateness_delay(const due *d) {
  uint64_t now = worker_now();
  return now < d->deadline ? (double)(d->deadline - now) * 1e-9 : 0;
}

/* Timers of one scheduler fire one at a time, so nothing races to be counted. */
void lateness_fired(due *d) {
  lateness *l = d->all;
  uint64_t now = worker_now();
  uint64_t late = now > d->deadline ? now - d->deadline : 0;
  d->late = late;
  atomic_store_explicit(
      &l->fired, atomic_load_explicit(&l->fired, memory_order_relaxed) + 1,
      memory_order_release);
}

static int compare(const void *a, const void *b) {
  const due *x = a, *y = b;
  return (x->late > y->late) - (x->late < y->late);
}

void lateness_wait(lateness *l, outcome *out) {
  const struct timespec nap = {0, 20000000};
  uint64_t give_up = l->last + 120000000000u;
  while (atomic_load(&l->fired) < l->count && worker_now() < give_up)
    nanosleep(&nap, NULL);
  out->sum = (int64_t)atomic_load(&l->fired);
  out->cpu_ns = worker_cpu_time();
  qsort(l->each, l->count, sizeof l->each[0], compare);
  out->late_median_ns = l->each[l->count / 2].late;
  out->late_p99_ns = l->each[l->count * 99 / 100].late;
  out->late_ns = l->each[l->count - 1].late;
}
