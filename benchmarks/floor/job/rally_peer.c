/* There and back between two threads, as the same job: see peer.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "job.h"

#include "../../worker/placing.h"
#include "peer.h"

#include <pthread.h>
#include <stdlib.h>

/* A subject whose values arrive on a runner. */
typedef struct lane {
  job_handle runner, subject, subscription;
} lane;

typedef struct rally {
  lane there, back;
  size_t processors;
  pthread_t thread;
  /* What one side writes: not on a line that the other one reads. */
  _Alignas(64) size_t left;
  int64_t sum;
} rally;

static void open_lane(lane *l, rally *r, floor_next arrive) {
  l->runner = job_runner(r->processors > 1);
  l->subject = job_subject();
  l->subscription = job_subscribe_on(l->subject, l->runner, r, arrive, NULL);
  if (l->subscription == 0) worker_fail("no subscription");
}

static void close_lane(lane *l) {
  job_dispose(l->subscription);
  job_release(l->subscription);
  job_release(l->subject);
  job_release(l->runner);
}

static void ping(void *context, floor_value value) {
  job_send(((rally *)context)->back.subject, value);
}
static floor_next volatile ping_leaf = ping;

static void pong(void *context, floor_value value) {
  rally *r = context;
  r->sum += value.bits;
  if (--r->left > 0)
    job_send(r->there.subject, value);
  else
    job_stop(r->back.runner);
}
static floor_next volatile pong_leaf = pong;

static void *serve(void *state) {
  job_run(((rally *)state)->there.runner);
  return NULL;
}

static void *open_rally(size_t processors) {
  rally *r = aligned_alloc(64, sizeof *r);
  if (r == NULL) worker_fail("out of memory");
  r->processors = processors;
  open_lane(&r->there, r, ping_leaf);
  open_lane(&r->back, r, pong_leaf);
  if (pthread_create(&r->thread, NULL, serve, r) != 0) worker_fail("no thread");
  return r;
}

static void run_rally(void *state, size_t n, outcome *out) {
  rally *r = state;
  uint64_t start;
  placing_on(r->processors);
  r->sum = 0;
  r->left = n;
  start = worker_now();
  job_send(r->there.subject, floor_int64(1));
  job_run(r->back.runner);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = r->sum;
}

static void close_rally(void *state) {
  rally *r = state;
  job_stop(r->there.runner);
  pthread_join(r->thread, NULL);
  placing_anywhere();
  close_lane(&r->there);
  close_lane(&r->back);
  free(r);
}

const workload job_rally_workloads[] = {
    {"ping-pong-threads", open_rally, run_rally, close_rally},
    {NULL, NULL, NULL, NULL}};
