/* Several subjects, one subscriber.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <stdlib.h>

typedef struct junction {
  rac_subject **inputs;
  size_t count;
  rac_signal *signal;
  rac_disposable *subscription;
  int64_t sum;
  rac_value kept; /* the last tuple, where the subscriber keeps one */
} junction;

static void *open_inputs(size_t count, rac_next_fn leaf,
                         rac_signal *(*combine)(rac_signal *const *, size_t)) {
  junction *j = worker_allocate(sizeof *j);
  rac_signal **signals = worker_allocate(count * sizeof *signals);
  size_t i;
  j->inputs = worker_allocate(count * sizeof *j->inputs);
  j->count = count;
  for (i = 0; i < count; i++) {
    j->inputs[i] = rac_bench_handle(rac_subject_create());
    signals[i] = rac_subject_as_signal(j->inputs[i]);
  }
  j->signal = rac_bench_handle(combine(signals, count));
  free(signals);
  j->subscription =
      rac_bench_handle(rac_subscribe_next(j->signal, j, leaf, NULL));
  return j;
}

static void close_inputs(void *state) {
  junction *j = state;
  size_t i;
  rac_bench_status(rac_dispose(j->subscription));
  rac_release(j->subscription);
  rac_release(j->signal);
  rac_value_release(j->kept);
  for (i = 0; i < j->count; i++) rac_release(j->inputs[i]);
  free(j->inputs);
  free(j);
}

static void add_value(void *context, rac_value value) {
  ((junction *)context)->sum += value.bits;
}

/* Adds up a tuple, element by element. */
static void add_tuple(void *context, rac_value tuple) {
  size_t count = rac_tuple_count(tuple), i;
  for (i = 0; i < count; i++)
    ((junction *)context)->sum += rac_tuple_get(tuple, i).bits;
}

/* Keeps the tuple until the next one comes, so that none can be used again. */
static void keep_tuple(void *context, rac_value tuple) {
  junction *j = context;
  rac_value_release(j->kept);
  j->kept = rac_value_retain(tuple);
  add_tuple(context, tuple);
}

/* Sends into the inputs in turn. */
static void run_inputs(void *state, size_t n, outcome *out) {
  junction *j = state;
  uint64_t start;
  size_t i, input = 0;
  out->n = worker_round_up(n, j->count);
  j->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i++) {
    rac_subject_send(j->inputs[input], rac_int64(worker_value(i)));
    if (++input == j->count) input = 0;
  }
  out->ns = worker_now() - start;
  out->sum = j->sum;
}

/* What the inputs sent last belongs to the run before: nothing, to begin with. */
static void run_combine(void *state, size_t n, outcome *out) {
  junction *j = state;
  size_t i;
  for (i = 0; i < j->count; i++) rac_subject_send(j->inputs[i], rac_int64(0));
  run_inputs(state, n, out);
}

static void *open_merge(size_t count) {
  return open_inputs(count, add_value, rac_signal_merge);
}
static void *open_combine(size_t count) {
  return open_inputs(count, add_tuple, rac_signal_combine_latest);
}
static void *open_zip(size_t count) {
  return open_inputs(count, add_tuple, rac_signal_zip);
}
static void *open_combine_kept(size_t count) {
  return open_inputs(count, keep_tuple, rac_signal_combine_latest);
}
static void *open_zip_kept(size_t count) {
  return open_inputs(count, keep_tuple, rac_signal_zip);
}

const workload rac_combine_workloads[] = {
    {"merge", open_merge, run_inputs, close_inputs},
    {"combine-latest", open_combine, run_combine, close_inputs},
    {"zip", open_zip, run_inputs, close_inputs},
    {"combine-latest-kept", open_combine_kept, run_combine, close_inputs},
    {"zip-kept", open_zip_kept, run_inputs, close_inputs},
    {NULL, NULL, NULL, NULL}};
