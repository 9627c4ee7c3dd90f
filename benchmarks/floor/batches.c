/* A callback that gets an array.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

#include <stdlib.h>

typedef void (*batch_next)(void *context, const int64_t *numbers, size_t count);

static void add_all(void *context, const int64_t *numbers, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) *(int64_t *)context += numbers[i];
}
static batch_next volatile batch_leaf = add_all;

typedef struct batches {
  int64_t sum;
  size_t size;
  int64_t numbers[];
} batches;

static void *open_batches(size_t size) {
  batches *b = worker_allocate(sizeof *b + size * sizeof b->numbers[0]);
  size_t i;
  b->size = size;
  for (i = 0; i < size; i++) b->numbers[i] = worker_value(i);
  return b;
}

/* n counts values. */
static void run_batches(void *state, size_t n, outcome *out) {
  batches *b = state;
  batch_next leaf = batch_leaf;
  uint64_t start;
  size_t i;
  out->n = worker_round_up(n, b->size);
  b->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i += b->size) leaf(&b->sum, b->numbers, b->size);
  out->ns = worker_now() - start;
  out->sum = b->sum;
}

/* The values one by one, side by side in an array until it is full. */
static void run_gathering(void *state, size_t n, outcome *out) {
  batches *b = state;
  batch_next leaf = batch_leaf;
  uint64_t start;
  size_t i, gathered = 0;
  out->n = worker_round_up(n, b->size);
  b->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i++) {
    b->numbers[gathered] = worker_value(gathered);
    gathered++;
    if (gathered == b->size) {
      leaf(&b->sum, b->numbers, gathered);
      gathered = 0;
    }
  }
  out->ns = worker_now() - start;
  out->sum = b->sum;
}

const workload floor_batch_workloads[] = {
    {"gather", open_batches, run_gathering, free},
    {"batch", open_batches, run_batches, free},
    {"create-batch", open_batches, run_batches, free},
    {NULL, NULL, NULL, NULL}};
