/* Arrays of values in one call, and callbacks that get arrays.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <math.h>
#include <stdlib.h>

typedef struct batches {
  rac_subject *subject;
  size_t size;
  int64_t sum;
  int64_t numbers[];
} batches;

static void add_all(void *context, const int64_t *numbers, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) *(int64_t *)context += numbers[i];
}

static void listen(batches *b, rac_signal *signal) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = &b->sum;
  observer.next_int64s = add_all;
  rac_release(rac_bench_handle(
      rac_subscribe_batches(signal, b->size, INFINITY, NULL, &observer)));
}

static void *open_batches(size_t size) {
  batches *b = worker_allocate(sizeof *b + size * sizeof b->numbers[0]);
  size_t i;
  b->size = size;
  b->subject = rac_bench_handle(rac_subject_create());
  for (i = 0; i < size; i++) b->numbers[i] = worker_value(i);
  return b;
}

static void *open_listening(size_t size) {
  batches *b = open_batches(size);
  listen(b, rac_subject_as_signal(b->subject));
  return b;
}

static void close_batches(void *state) {
  batches *b = state;
  rac_release(b->subject);
  free(b);
}

/* n counts values. */
static void run_send(void *state, size_t n, outcome *out) {
  batches *b = state;
  uint64_t start;
  size_t i;
  out->n = worker_round_up(n, b->size);
  b->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i += b->size)
    rac_subject_send_array(b->subject, RAC_ARRAY_INT64S, b->numbers, b->size);
  out->ns = worker_now() - start;
  out->sum = b->sum;
}

/* The values one by one, to a subscriber that takes many at a time. */
static void run_gathering(void *state, size_t n, outcome *out) {
  batches *b = state;
  uint64_t start;
  size_t i, k;
  out->n = worker_round_up(n, b->size);
  b->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i += b->size)
    for (k = 0; k < b->size; k++)
      rac_subject_send(b->subject, rac_int64(b->numbers[k]));
  out->ns = worker_now() - start;
  out->sum = b->sum;
}

static rac_status send_all(void *context, rac_subscriber *subscriber,
                           rac_disposable **out) {
  batches *b = context;
  (void)out;
  rac_subscriber_send_array(subscriber, RAC_ARRAY_INT64S, b->numbers, b->size);
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static void run_create(void *state, size_t n, outcome *out) {
  batches *b = state;
  uint64_t start;
  size_t i;
  out->n = worker_round_up(n, b->size);
  b->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i += b->size) {
    rac_signal *signal = rac_signal_create(b, send_all, NULL);
    listen(b, signal);
    rac_release(signal);
  }
  out->ns = worker_now() - start;
  out->sum = b->sum;
}

const workload rac_batch_workloads[] = {
    {"batch", open_listening, run_send, close_batches},
    {"gather", open_listening, run_gathering, close_batches},
    {"create-batch", open_batches, run_create, close_batches},
    {NULL, NULL, NULL, NULL}};
