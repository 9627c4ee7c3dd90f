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

static void run_unheard(void *state, size_t n, outcome *out) {
  cell *c = state;
  uint64_t start = worker_now();
  size_t i;
  for (i = 0; i < n; i++) c->value = floor_int64(worker_value(i));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->value.bits;
}

/* ---- Many as one change: all are stored before anybody is told -------------- */

typedef struct sheet {
  size_t count;
  floor_value *cells;
  floor_call observer;
  int64_t sum;
} sheet;

static void *open_sheet(size_t count) {
  sheet *s = worker_allocate(sizeof *s);
  s->count = count;
  s->cells = worker_allocate(count * sizeof *s->cells);
  s->observer.function = floor_add;
  s->observer.context = &s->sum;
  return s;
}

static void close_sheet(void *state) {
  free(((sheet *)state)->cells);
  free(state);
}

static void run_batches(void *state, size_t n, outcome *out) {
  sheet *s = state;
  uint64_t start;
  size_t i, each;
  s->sum = 0;
  out->n = worker_round_up(n, s->count);
  start = worker_now();
  for (i = 0; i < out->n; i += s->count) {
    for (each = 0; each < s->count; each++)
      s->cells[each] = floor_int64(worker_value(i + each));
    for (each = 0; each < s->count; each++)
      s->observer.function(s->observer.context, s->cells[each]);
  }
  out->ns = worker_now() - start;
  out->sum = s->sum;
}

const workload floor_cell_workloads[] = {
    {"property-set", open_cell, run_set, free},
    {"property-unheard", open_cell, run_unheard, free},
    {"property-batch", open_sheet, run_batches, close_sheet},
    {"property-get", open_cell, run_get, free},
    {NULL, NULL, NULL, NULL}};
