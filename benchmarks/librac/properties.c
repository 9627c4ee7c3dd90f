/* Properties: setting one that somebody observes, or nobody, reading one,
 * setting one of two that are bound to each other, and setting many as one
 * change.
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

/* Nobody hears of it: what it is in the end is read. */
static void run_unheard(void *state, size_t n, outcome *out) {
  rac_property *property =
      rac_bench_handle(rac_property_create(rac_int64(0), RAC_PROPERTY_PLAIN));
  rac_value last;
  uint64_t start;
  size_t i;
  (void)state;
  start = worker_now();
  for (i = 0; i < n; i++)
    rac_property_set(property, rac_int64(worker_value(i)));
  out->ns = worker_now() - start;
  out->n = n;
  rac_property_get(property, &last);
  out->sum = last.bits;
  rac_release(property);
}

/* ---- Batches -------------------------------------------------------------- */

typedef struct sheet {
  size_t count;
  rac_property **cells;
  int64_t sum;
} sheet;

static void *open_sheet(size_t count) {
  sheet *s = worker_allocate(sizeof *s);
  size_t i;
  s->count = count;
  s->cells = worker_allocate(count * sizeof *s->cells);
  for (i = 0; i < count; i++) {
    s->cells[i] =
        rac_bench_handle(rac_property_create(rac_int64(0), RAC_PROPERTY_PLAIN));
    rac_bench_listen(rac_property_as_signal(s->cells[i]), &s->sum);
  }
  return s;
}

static void close_sheet(void *state) {
  sheet *s = state;
  size_t i;
  for (i = 0; i < s->count; i++) rac_release(s->cells[i]);
  free(s->cells);
  free(s);
}

static void run_batches(void *state, size_t n, outcome *out) {
  sheet *s = state;
  uint64_t start;
  size_t i, each;
  s->sum = 0;
  out->n = worker_round_up(n, s->count);
  start = worker_now();
  for (i = 0; i < out->n; i += s->count) {
    rac_property_batch_begin();
    for (each = 0; each < s->count; each++)
      rac_property_set(s->cells[each], rac_int64(worker_value(i + each)));
    rac_property_batch_end();
  }
  out->ns = worker_now() - start;
  out->sum = s->sum;
}

const workload rac_property_workloads[] = {
    {"property-set", open_cell, run_set, close_cell},
    {"property-unheard", open_cell, run_unheard, close_cell},
    {"property-batch", open_sheet, run_batches, close_sheet},
    {"property-get", open_cell, run_get, close_cell},
    {NULL, NULL, NULL, NULL}};
