/* Queues with a mutex and a condition: the floor under what crosses threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

#include "../worker/racing.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { CAPACITY = 1024 };

/* A thread that calls a function with what is put into its queue. */
typedef struct lane {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  floor_value values[CAPACITY];
  size_t head, tail;
  int stopped;
  floor_call call;
  pthread_t thread;
} lane;

static int take(lane *l, floor_value *out) {
  int taken;
  pthread_mutex_lock(&l->lock);
  while (l->head == l->tail && !l->stopped)
    pthread_cond_wait(&l->changed, &l->lock);
  taken = l->head != l->tail;
  if (taken) {
    *out = l->values[l->head++ % CAPACITY];
    if (l->tail - l->head == CAPACITY - 1) pthread_cond_broadcast(&l->changed);
  }
  pthread_mutex_unlock(&l->lock);
  return taken;
}

static void put(lane *l, floor_value value) {
  pthread_mutex_lock(&l->lock);
  while (l->tail - l->head == CAPACITY)
    pthread_cond_wait(&l->changed, &l->lock);
  l->values[l->tail++ % CAPACITY] = value;
  if (l->tail - l->head == 1) pthread_cond_broadcast(&l->changed);
  pthread_mutex_unlock(&l->lock);
}

static void *serve(void *state) {
  lane *l = state;
  floor_value value;
  while (take(l, &value)) l->call.function(l->call.context, value);
  return NULL;
}

static void open_lane(lane *l, floor_next function, void *context) {
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->changed, NULL);
  l->call.function = function;
  l->call.context = context;
  if (pthread_create(&l->thread, NULL, serve, l) != 0) worker_fail("no thread");
}

static void close_lane(lane *l) {
  pthread_mutex_lock(&l->lock);
  l->stopped = 1;
  pthread_cond_broadcast(&l->changed);
  pthread_mutex_unlock(&l->lock);
  pthread_join(l->thread, NULL);
  pthread_mutex_destroy(&l->lock);
  pthread_cond_destroy(&l->changed);
}

typedef struct crossing {
  lane there, back;
  sem_t done;
  size_t left;
  int64_t sum;
} crossing;

static void arrive(void *context, floor_value value) {
  crossing *c = context;
  c->sum += value.bits;
  if (--c->left == 0) sem_post(&c->done);
}

static void ping(void *context, floor_value value) {
  put(&((crossing *)context)->back, value);
}

static void pong(void *context, floor_value value) {
  crossing *c = context;
  size_t left = c->left;
  arrive(c, value);
  if (left > 1) put(&c->there, value);
}

static crossing *open_crossing(floor_next there) {
  crossing *c = worker_allocate(sizeof *c);
  sem_init(&c->done, 0, 0);
  open_lane(&c->there, there, c);
  open_lane(&c->back, pong, c);
  return c;
}

static void *open_delivery(size_t argument) {
  (void)argument;
  return open_crossing(arrive);
}
static void *open_rally(size_t argument) {
  (void)argument;
  return open_crossing(ping);
}

static void close_crossing(void *state) {
  crossing *c = state;
  close_lane(&c->there);
  close_lane(&c->back);
  sem_destroy(&c->done);
  free(c);
}

static void start_crossing(crossing *c, size_t n) {
  c->sum = 0;
  c->left = n;
}

static void end_crossing(crossing *c, size_t n, uint64_t start, outcome *out) {
  while (sem_wait(&c->done) != 0) continue;
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

static void run_delivery(void *state, size_t n, outcome *out) {
  crossing *c = state;
  uint64_t start = worker_now();
  size_t i;
  start_crossing(c, n);
  for (i = 0; i < n; i++) put(&c->there, floor_int64(worker_value(i)));
  end_crossing(c, n, start, out);
}

static void run_rally(void *state, size_t n, outcome *out) {
  uint64_t start = worker_now();
  start_crossing(state, n);
  put(&((crossing *)state)->there, floor_int64(1));
  end_crossing(state, n, start, out);
}

/* ---- Two senders and a lock ----------------------------------------------- */

typedef struct contention {
  pthread_mutex_t lock;
  racing *race;
  floor_call call;
} contention;

static void hear(void *context, floor_value value) {
  racing_add(context, value.bits);
}
static floor_next volatile hear_leaf = hear;

static void *open_contention(size_t argument) {
  contention *c = worker_allocate(sizeof *c);
  (void)argument;
  pthread_mutex_init(&c->lock, NULL);
  c->race = racing_create();
  c->call.function = hear_leaf;
  c->call.context = c->race;
  return c;
}

static void send_locked(void *state, int64_t value) {
  contention *c = state;
  pthread_mutex_lock(&c->lock);
  c->call.function(c->call.context, floor_int64(value));
  pthread_mutex_unlock(&c->lock);
}

static void run_contention(void *state, size_t n, outcome *out) {
  racing_run(((contention *)state)->race, n, send_locked, state, out);
}

static void close_contention(void *state) {
  contention *c = state;
  pthread_mutex_destroy(&c->lock);
  racing_free(c->race);
  free(c);
}

const workload floor_thread_workloads[] = {
    {"deliver-on", open_delivery, run_delivery, close_crossing},
    {"ping-pong", open_rally, run_rally, close_crossing},
    {"ping-pong-threads", open_rally, run_rally, close_crossing},
    {"two-threads", open_contention, run_contention, close_contention},
    {NULL, NULL, NULL, NULL}};
