/* There and back between two threads, whose processors are given: so plain C
 * knows whether it pays to look for a moment before it sleeps.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/placing.h"
#include "post.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct rally {
  floor_post there, back;
  floor_call ping, pong;
  size_t processors;
  pthread_t thread;
  /* What one side writes: not on a line that the other one reads. */
  _Alignas(64) size_t left;
  int64_t sum;
} rally;

/* The value that ends the other thread. */
enum { NOTHING = 0 };

static void ping(void *context, floor_value value) {
  floor_post_send(&((rally *)context)->back, value);
}
static floor_next volatile ping_leaf = ping;

static void pong(void *context, floor_value value) {
  rally *r = context;
  r->sum += value.bits;
  if (--r->left > 0) floor_post_send(&r->there, value);
}
static floor_next volatile pong_leaf = pong;

static void *serve(void *state) {
  rally *r = state;
  for (;;) {
    floor_value value = floor_post_read(&r->there);
    if (value.kind == NOTHING) return NULL;
    r->ping.function(r->ping.context, value);
  }
}

static void *open_rally(size_t processors) {
  rally *r = aligned_alloc(64, sizeof *r);
  if (r == NULL) worker_fail("out of memory");
  floor_post_open(&r->there, processors > 1);
  floor_post_open(&r->back, processors > 1);
  r->ping = (floor_call){ping_leaf, r};
  r->pong = (floor_call){pong_leaf, r};
  r->processors = processors;
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
  floor_post_send(&r->there, floor_int64(1));
  while (r->left > 0)
    r->pong.function(r->pong.context, floor_post_read(&r->back));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = r->sum;
}

static void close_rally(void *state) {
  rally *r = state;
  floor_value end = {NOTHING, 0};
  floor_post_send(&r->there, end);
  pthread_join(r->thread, NULL);
  placing_anywhere();
  floor_post_close(&r->there);
  floor_post_close(&r->back);
  free(r);
}

const workload floor_rally_workloads[] = {
    {"ping-pong-threads", open_rally, run_rally, close_rally},
    {NULL, NULL, NULL, NULL}};
