/* Properties: setting one that somebody observes, reading one, and setting one
 * of two that are bound to each other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <stdlib.h>

typedef struct cell {
  rac_property *set, *observed;
  rac_disposable *binding;
  int64_t sum;
} cell;

static void *open_cell(size_t is_bound) {
  cell *c = worker_allocate(sizeof *c);
  c->set = c->observed =
      rac_bench_handle(rac_property_create(rac_int64(0), RAC_PROPERTY_PLAIN));
  if (is_bound) {
    c->observed =
        rac_bench_handle(rac_property_create(rac_int64(0), RAC_PROPERTY_PLAIN));
    c->binding =
        rac_bench_handle(rac_property_bind_two_way(c->observed, c->set));
  }
  rac_bench_listen(rac_property_as_signal(c->observed), &c->sum);
  return c;
}

static void close_cell(void *state) {
  cell *c = state;
  if (c->observed != c->set) rac_bench_status(rac_release(c->observed));
  rac_bench_status(rac_release(c->set));
  rac_release(c->binding);
  free(c);
}

static void run_set(void *state, size_t n, outcome *out) {
  cell *c = state;
  uint64_t start;
  size_t i;
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) rac_property_set(c->set, rac_int64(worker_value(i)));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

/* Reads the same 1 again and again. */
static void run_get(void *state, size_t n, outcome *out) {
  cell *c = state;
  uint64_t start;
  size_t i;
  int64_t sum = 0;
  rac_property_set(c->set, rac_int64(1));
  start = worker_now();
  for (i = 0; i < n; i++) {
    rac_value value;
    rac_property_get(c->set, &value);
    sum += value.bits;
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = sum;
}

const workload rac_property_workloads[] = {
    {"property-set", open_cell, run_set, close_cell},
    {"property-get", open_cell, run_get, close_cell},
    {NULL, NULL, NULL, NULL}};
