/* A value in a struct and whom to tell: the floor under properties.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

#include <stdlib.h>

typedef struct cell {
  floor_value volatile value, other;
  floor_call observer;
  int64_t sum;
} cell;

static void *open_cell(size_t is_bound) {
  cell *c = worker_allocate(sizeof *c);
  (void)is_bound;
  c->observer.function = floor_add;
  c->observer.context = &c->sum;
  return c;
}

static void run_set(void *state, size_t n, outcome *out) {
  cell *c = state;
  uint64_t start;
  size_t i;
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    floor_value value = floor_int64(worker_value(i));
    c->value = value;
    c->other = value;
    c->observer.function(c->observer.context, value);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

static void run_get(void *state, size_t n, outcome *out) {
  cell *c = state;
  uint64_t start;
  size_t i;
  int64_t sum = 0;
  c->value = floor_int64(1);
  start = worker_now();
  for (i = 0; i < n; i++) {
    floor_value value = c->value;
    sum += value.bits;
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = sum;
}

const workload floor_cell_workloads[] = {
    {"property-set", open_cell, run_set, free},
    {"property-get", open_cell, run_get, free},
    {NULL, NULL, NULL, NULL}};
