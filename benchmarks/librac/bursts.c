/* A burst: very many subjects and subscriptions that are made, and released in
 * random order. What it costs, what it leaves behind, and how fast things are
 * that are made afterwards.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct burst {
  size_t count;
  void **handles; /* a subject, the subscription to it, the next subject ... */
  int64_t sum;
} burst;

static burst *burst_new(size_t count) {
  burst *b = worker_allocate(sizeof *b);
  b->count = worker_round_up(count, 2);
  b->handles = worker_allocate((b->count + 1) * sizeof *b->handles);
  /* Its pages are there from now on. */
  memset(b->handles, 1, b->count * sizeof *b->handles);
  return b;
}

static void burst_free(burst *b) {
  free(b->handles);
  free(b);
}

static void make_all(burst *b) {
  size_t i;
  for (i = 0; i < b->count; i += 2) {
    rac_subject *subject = rac_bench_handle(rac_subject_create());
    b->handles[i] = subject;
    b->handles[i + 1] = rac_bench_handle(rac_subscribe_next(
        rac_subject_as_signal(subject), &b->sum, rac_bench_add, NULL));
  }
}

static void shuffle(burst *b) {
  uint64_t random = 88172645463325252u;
  size_t i;
  for (i = b->count; i > 1; i--) {
    size_t other;
    void *handle = b->handles[i - 1];
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    other = (size_t)(random % i);
    b->handles[i - 1] = b->handles[other];
    b->handles[other] = handle;
  }
}

static void release_all(burst *b) {
  size_t i;
  for (i = 0; i < b->count; i++) rac_release(b->handles[i]);
}

/* ---- The burst itself ------------------------------------------------------ */

static void *open_nothing(size_t argument) {
  (void)argument;
  return NULL;
}

static void finish(burst *b, outcome *out) {
  out->n = b->count;
  out->sum = (int64_t)b->count;
  burst_free(b);
}

static void run_make(void *state, size_t n, outcome *out) {
  burst *b = burst_new(n);
  uint64_t start = worker_now();
  (void)state;
  make_all(b);
  out->ns = worker_now() - start;
  shuffle(b);
  release_all(b);
  finish(b, out);
}

static void run_end(void *state, size_t n, outcome *out) {
  burst *b = burst_new(n);
  uint64_t start;
  (void)state;
  make_all(b);
  shuffle(b);
  start = worker_now();
  release_all(b);
  out->ns = worker_now() - start;
  finish(b, out);
}

static void run_left(void *state, size_t n, outcome *out) {
  burst *b = burst_new(n);
  double before = worker_resident();
  (void)state;
  make_all(b);
  shuffle(b);
  release_all(b);
  out->bytes = (worker_resident() - before) / (double)b->count;
  finish(b, out);
}

static void run_again(void *state, size_t n, outcome *out) {
  burst *b = burst_new(n);
  double before = worker_resident(), peak;
  (void)state;
  make_all(b);
  peak = worker_resident();
  shuffle(b);
  release_all(b);
  make_all(b);
  out->ratio = (worker_resident() - before) / (peak - before);
  release_all(b);
  finish(b, out);
}

/* ---- What comes after a burst of that many --------------------------------- */

enum { WIDTH = 10000, ROUNDS = 50 };

static void let_burst(size_t count) {
  burst *b = burst_new(count);
  make_all(b);
  shuffle(b);
  release_all(b);
  burst_free(b);
}

/* Merge is the workload of that name, with many more inputs. */
static void *open_merge(size_t count) {
  let_burst(count);
  return rac_combine_workloads[RAC_COMBINE_MERGE].open(WIDTH);
}
static void run_merge(void *state, size_t n, outcome *out) {
  rac_combine_workloads[RAC_COMBINE_MERGE].run(
      state, worker_round_up(n, (size_t)WIDTH * ROUNDS), out);
}
static void close_merge(void *state) {
  rac_combine_workloads[RAC_COMBINE_MERGE].close(state);
}

typedef struct grouped {
  rac_subject *source;
  rac_disposable *subscription;
  int64_t next;
  int64_t sum;
} grouped;

static rac_status key_in_turn(void *context, rac_value value, rac_value *out) {
  grouped *g = context;
  (void)value;
  *out = rac_int64(g->next++ % WIDTH);
  return RAC_OK;
}

static void listen_to_group(void *context, rac_value value) {
  rac_signal *group = rac_bench_handle(rac_value_to_signal(value));
  rac_bench_listen(group, &((grouped *)context)->sum);
  rac_release(group);
}

static void *open_groups(size_t count) {
  grouped *g = worker_allocate(sizeof *g);
  rac_signal *signal;
  size_t i;
  let_burst(count);
  g->source = rac_bench_handle(rac_subject_create());
  signal = rac_bench_handle(rac_signal_group_by(
      rac_subject_as_signal(g->source), g, key_in_turn, NULL, NULL));
  g->subscription =
      rac_bench_handle(rac_subscribe_next(signal, g, listen_to_group, NULL));
  rac_release(signal);
  for (i = 0; i < WIDTH; i++) rac_subject_send(g->source, rac_int64(0));
  return g;
}

static void run_groups(void *state, size_t n, outcome *out) {
  grouped *g = state;
  uint64_t start;
  out->n = worker_round_up(n, (size_t)WIDTH * ROUNDS);
  g->sum = 0;
  start = worker_now();
  rac_bench_send(g->source, out->n);
  out->ns = worker_now() - start;
  out->sum = g->sum;
}

static void close_groups(void *state) {
  grouped *g = state;
  rac_bench_status(rac_subject_send_completed(g->source));
  rac_release(g->subscription);
  rac_release(g->source);
  free(g);
}

const workload rac_burst_workloads[] = {
    {"burst-make", open_nothing, run_make, free},
    {"burst-end", open_nothing, run_end, free},
    {"burst-left", open_nothing, run_left, free},
    {"burst-again", open_nothing, run_again, free},
    {"burst-merge", open_merge, run_merge, close_merge},
    {"burst-group-by", open_groups, run_groups, close_groups},
    {NULL, NULL, NULL, NULL}};
