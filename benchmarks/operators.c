/* Chains and combinations below a subject.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <semaphore.h>
#include <stdlib.h>

enum { MAX_INPUTS = 10 };

typedef struct chain {
  rac_subject *inputs[MAX_INPUTS];
  size_t count;
  rac_signal *signal;
  rac_disposable *subscription;
  int64_t sum;
} chain;

static chain *open_inputs(size_t count) {
  chain *c = calloc(1, sizeof *c);
  if (c == NULL) exit(1);
  for (c->count = 0; c->count < count; c->count++)
    c->inputs[c->count] = bench_handle(rac_subject_create());
  c->signal = rac_retain(rac_subject_as_signal(c->inputs[0]));
  return c;
}

static chain *listen(chain *c) {
  bench_handle(c->signal);
  c->subscription =
      bench_handle(rac_subscribe_next(c->signal, &c->sum, bench_add, NULL));
  return c;
}

static void close_chain(void *state) {
  chain *c = state;
  size_t i;
  bench_status(rac_dispose(c->subscription));
  rac_release(c->subscription);
  rac_release(c->signal);
  for (i = 0; i < c->count; i++) rac_release(c->inputs[i]);
  free(c);
}

/* Sends into the inputs in turn. */
static uint64_t run_send(void *state, size_t n) {
  chain *c = state;
  uint64_t start = bench_now();
  size_t i, input = 0;
  for (i = 0; i < n; i++) {
    rac_subject_send(c->inputs[input], rac_value_int64((int64_t)i));
    if (++input == c->count) input = 0;
  }
  return bench_now() - start;
}

/* ---- One input ----------------------------------------------------------- */

static rac_status plus_one(void *context, rac_value value, rac_value *out) {
  (void)context;
  out->kind = RAC_INT64;
  out->bits = value.bits + 1;
  return RAC_OK;
}

static rac_status keep_all(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.kind == RAC_INT64;
  return RAC_OK;
}

static rac_status add(void *context, rac_value running, rac_value next,
                      rac_value *out) {
  (void)context;
  out->kind = RAC_INT64;
  out->bits = running.bits + next.bits;
  return RAC_OK;
}

static rac_status returned(void *context, rac_value value, rac_signal **out) {
  (void)context;
  *out = rac_signal_return(value);
  return *out == NULL ? RAC_EUSER : RAC_OK;
}

static void *open_map_filter_scan(void) {
  chain *c = open_inputs(1);
  void **s = (void **)&c->signal;
  rac_assign(s, rac_signal_map(c->signal, NULL, plus_one, NULL));
  rac_assign(s, rac_signal_filter(c->signal, NULL, keep_all, NULL));
  rac_assign(s,
             rac_signal_scan(c->signal, rac_value_int64(0), NULL, add, NULL));
  return listen(c);
}

static void *open_10_maps(void) {
  chain *c = open_inputs(1);
  int i;
  for (i = 0; i < 10; i++)
    rac_assign((void **)&c->signal,
               rac_signal_map(c->signal, NULL, plus_one, NULL));
  return listen(c);
}

static void *open_flatten_map(void) {
  chain *c = open_inputs(1);
  rac_assign((void **)&c->signal,
             rac_signal_flatten_map(c->signal, NULL, returned, NULL));
  return listen(c);
}

/* ---- Several inputs ------------------------------------------------------ */

static void *open_several(size_t count,
                          rac_signal *(*combine)(rac_signal *const *, size_t)) {
  chain *c = open_inputs(count);
  rac_signal *signals[MAX_INPUTS];
  size_t i;
  for (i = 0; i < count; i++) signals[i] = rac_subject_as_signal(c->inputs[i]);
  rac_assign((void **)&c->signal, combine(signals, count));
  return listen(c);
}

static void *open_merge(void) { return open_several(10, rac_signal_merge); }
static void *open_combine(void) {
  return open_several(2, rac_signal_combine_latest);
}
static void *open_zip(void) { return open_several(2, rac_signal_zip); }

/* ---- To another thread --------------------------------------------------- */

typedef struct delivery {
  rac_scheduler *scheduler;
  sem_t arrived;
  int64_t last;
} delivery;

static void arrive(void *context, rac_value value) {
  delivery *d = context;
  if (value.bits == d->last) sem_post(&d->arrived);
}

static void *open_delivery(void) {
  delivery *d = calloc(1, sizeof *d);
  if (d == NULL) exit(1);
  sem_init(&d->arrived, 0, 0);
  d->scheduler =
      bench_handle(rac_scheduler_background(RAC_PRIORITY_DEFAULT, "bench"));
  return d;
}

static uint64_t run_delivery(void *state, size_t n) {
  delivery *d = state;
  rac_subject *subject = bench_handle(rac_subject_create());
  rac_signal *signal = bench_handle(
      rac_signal_deliver_on(rac_subject_as_signal(subject), d->scheduler));
  uint64_t start, taken;
  rac_disposable *subscription;
  size_t i;
  d->last = (int64_t)n - 1;
  subscription = bench_handle(rac_subscribe_next(signal, d, arrive, NULL));
  start = bench_now();
  for (i = 0; i < n; i++)
    rac_subject_send(subject, rac_value_int64((int64_t)i));
  while (sem_wait(&d->arrived) != 0) continue;
  taken = bench_now() - start;
  bench_status(rac_dispose_and_wait(subscription, -1));
  rac_release(subscription);
  rac_release(signal);
  rac_release(subject);
  return taken;
}

static void close_delivery(void *state) {
  delivery *d = state;
  rac_release(d->scheduler);
  sem_destroy(&d->arrived);
  free(d);
}

const workload operator_workloads[] = {
    {"send through map, filter, scan", "C loop: 4 calls in a row",
     open_map_filter_scan, run_send, close_chain, 0},
    {"send through 10 maps", "C loop: 11 calls in a row", open_10_maps,
     run_send, close_chain, 0},
    {"send through flatten_map to return", "C: the same with a call",
     open_flatten_map, run_send, close_chain, 0},
    {"send through merge of 10", "C loop: 1 call", open_merge, run_send,
     close_chain, 0},
    {"send through combine_latest of 2", "C loop: 1 call", open_combine,
     run_send, close_chain, 0},
    {"send through zip of 2", "C loop: 1 call", open_zip, run_send, close_chain,
     0},
    {"send + arrive through deliver_on", "C: queue to a thread", open_delivery,
     run_delivery, close_delivery, 1000000},
    {NULL, NULL, NULL, NULL, NULL, 0}};
