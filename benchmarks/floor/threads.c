/* Queues that are emptied at once: the floor under what crosses threads, and
 * under what goes back and forth on one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/racing.h"
#include "lane.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

typedef struct crossing {
  floor_lane there, back;
  sem_t done;
  size_t left;
  int64_t sum;
} crossing;

static void arrive(void *context, floor_value value) {
  crossing *c = context;
  c->sum += value.bits;
  if (--c->left == 0) sem_post(&c->done);
}

static void pong(void *context, floor_value value) {
  crossing *c = context;
  size_t left = c->left;
  arrive(c, value);
  if (left > 1) floor_lane_put(&c->there, value);
}

/* Two queues whose callbacks run on one thread need but one queue and no
 * waking: what goes back says so in its kind. */
enum { GOING_BACK = 3 };

static void volley(void *context, floor_value value) {
  crossing *c = context;
  if (value.kind == GOING_BACK) {
    pong(context, floor_int64(value.bits));
  } else {
    value.kind = GOING_BACK;
    floor_lane_put(&c->there, value);
  }
}

static crossing *open_crossing(floor_next there) {
  crossing *c = worker_allocate(sizeof *c);
  sem_init(&c->done, 0, 0);
  floor_lane_open(&c->there, there, c);
  floor_lane_open(&c->back, pong, c);
  return c;
}

static void *open_delivery(size_t argument) {
  (void)argument;
  return open_crossing(arrive);
}
static void *open_volley(size_t argument) {
  (void)argument;
  return open_crossing(volley);
}

static void close_crossing(void *state) {
  crossing *c = state;
  floor_lane_close(&c->there);
  floor_lane_close(&c->back);
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
  for (i = 0; i < n; i++)
    floor_lane_put(&c->there, floor_int64(worker_value(i)));
  end_crossing(c, n, start, out);
}

static void run_volley(void *state, size_t n, outcome *out) {
  uint64_t start = worker_now();
  start_crossing(state, n);
  floor_lane_put(&((crossing *)state)->there, floor_int64(1));
  end_crossing(state, n, start, out);
}

/* ---- Senders and a lock ----------------------------------------------- */

typedef struct contention {
  pthread_mutex_t lock;
  racing *race;
  floor_call call;
} contention;

static void hear(void *context, floor_value value) {
  racing_add(context, value.bits);
}
static floor_next volatile hear_leaf = hear;

static void *open_contention(size_t senders) {
  contention *c = worker_allocate(sizeof *c);
  pthread_mutex_init(&c->lock, NULL);
  c->race = racing_create(senders);
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
    {"ping-pong", open_volley, run_volley, close_crossing},
    {"two-threads", open_contention, run_contention, close_contention},
    {"senders", open_contention, run_contention, close_contention},
    {"senders-waiting", open_contention, run_contention, close_contention},
    {NULL, NULL, NULL, NULL}};
