/* SPDX-License-Identifier: MIT */
#include "ticking.h"

#include <semaphore.h>
#include <stdlib.h>

/* Until the threads are there and sleep. */
enum { WARMING = 20 };

struct ticking {
  size_t n, ticks;
  double switches;
  uint64_t cpu;
  sem_t done;
};

ticking *ticking_create(size_t n) {
  ticking *t = worker_allocate(sizeof *t);
  t->n = n;
  sem_init(&t->done, 0, 0);
  return t;
}

void ticking_free(ticking *t) {
  sem_destroy(&t->done);
  free(t);
}

void ticking_tick(ticking *t) {
  size_t tick = t->ticks++;
  if (tick == WARMING) {
    t->switches = worker_switches();
    t->cpu = worker_cpu_time();
  } else if (tick == WARMING + t->n) {
    t->switches = worker_switches() - t->switches;
    t->cpu = worker_cpu_time() - t->cpu;
    sem_post(&t->done);
  }
}

void ticking_wait(ticking *t, outcome *out) {
  while (sem_wait(&t->done) != 0) continue;
  out->n = t->n;
  out->sum = (int64_t)t->n;
  out->ns = out->cpu_ns = t->cpu;
  out->switches = t->switches / (double)t->n;
}
