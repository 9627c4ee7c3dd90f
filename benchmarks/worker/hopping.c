/* SPDX-License-Identifier: MIT */
#include "hopping.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Things that wait for their next thread together: so few that they stay in a
 * processor's cache. */
enum { TOGETHER = 256, PLACES = 2 };

typedef struct thing {
  void *places[PLACES];
} thing;

/* A thread that does a part when told. */
typedef struct hand {
  hopping *owner;
  void (*part)(hopping *h);
  sem_t told, done;
  pthread_t thread;
} hand;

struct hopping {
  const hopping_kind *kind;
  hopping_step step;
  hand second, third;
  int beside;
  atomic_int runs_beside, is_over;
  thing things[TOGETHER];
  size_t first, count; /* the events of this time */
  uint64_t ns;
  int64_t sum;
};

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) continue;
}

static void *work(void *argument) {
  hand *me = argument;
  for (;;) {
    wait_for(&me->told);
    if (atomic_load(&me->owner->is_over)) return NULL;
    me->part(me->owner);
    sem_post(&me->done);
  }
}

static void *run_beside(void *argument) {
  hopping *h = argument;
  while (atomic_load_explicit(&h->runs_beside, memory_order_relaxed)) continue;
  return NULL;
}

static void begin(hopping *h, hand *hand) {
  hand->owner = h;
  sem_init(&hand->told, 0, 0);
  sem_init(&hand->done, 0, 0);
  if (pthread_create(&hand->thread, NULL, work, hand) != 0)
    worker_fail("no thread");
}

static void ask(hand *hand, void (*part)(hopping *h)) {
  hand->part = part;
  sem_post(&hand->told);
  wait_for(&hand->done);
}

static void finish(hand *hand) {
  sem_post(&hand->told);
  pthread_join(hand->thread, NULL);
  sem_destroy(&hand->told);
  sem_destroy(&hand->done);
}

/* ---- The parts ----------------------------------------------------------- */

static void make_all(hopping *h) {
  size_t i;
  for (i = 0; i < h->count; i++) h->kind->make(h->things[i].places, &h->sum);
}

static void send_all(hopping *h) {
  size_t i;
  for (i = 0; i < h->count; i++)
    h->kind->send(h->things[i].places, worker_value(h->first + i));
}

static void send_zeros(hopping *h) {
  size_t i;
  for (i = 0; i < h->count; i++) h->kind->send(h->things[i].places, 0);
}

static void end_all(hopping *h) {
  size_t i;
  for (i = 0; i < h->count; i++) h->kind->end(h->things[i].places);
}

static void timed(hopping *h, void (*part)(hopping *h)) {
  uint64_t start = worker_now();
  part(h);
  h->ns += worker_now() - start;
}

static void send_timed(hopping *h) { timed(h, send_all); }
static void end_timed(hopping *h) { timed(h, end_all); }

static void go_round(hopping *h) {
  size_t i;
  make_all(h);
  if (h->step == HOP_FIRST_SEND) {
    send_zeros(h);
    ask(&h->second, send_timed);
    end_all(h);
  } else {
    ask(&h->second, send_all);
    if (h->step == HOP_END)
      end_timed(h);
    else
      ask(&h->third, end_timed);
  }
  for (i = 0; i < h->count; i++) h->kind->clear(h->things[i].places);
}

hopping *hopping_open(const hopping_kind *kind, hopping_step step, int beside) {
  hopping *h = worker_allocate(sizeof *h);
  h->kind = kind;
  h->step = step;
  begin(h, &h->second);
  begin(h, &h->third);
  h->beside = beside;
  return h;
}

void hopping_run(hopping *h, size_t n, outcome *out) {
  pthread_t beside;
  atomic_store(&h->runs_beside, h->beside);
  if (h->beside && pthread_create(&beside, NULL, run_beside, h) != 0)
    worker_fail("no thread");
  h->ns = 0;
  h->sum = 0;
  for (h->first = 0; h->first < n; h->first += h->count) {
    h->count = n - h->first < TOGETHER ? n - h->first : TOGETHER;
    go_round(h);
  }
  atomic_store(&h->runs_beside, 0);
  if (h->beside) pthread_join(beside, NULL);
  out->ns = h->ns;
  out->n = n;
  out->sum = h->sum;
}

void hopping_close(hopping *h) {
  atomic_store(&h->is_over, 1);
  finish(&h->second);
  finish(&h->third);
  free(h);
}
