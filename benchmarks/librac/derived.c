/* Derived properties: what one set of a root costs until everybody has heard,
 * in graphs of several shapes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/racing.h"
#include "rac_bench.h"

#include <stdlib.h>

typedef struct graph {
  rac_property *roots[2];
  rac_property **derived;
  size_t count;
  int64_t sum;
  racing *race;
} graph;

static rac_property *root(void) {
  return rac_bench_handle(
      rac_property_create(rac_int64(0), RAC_PROPERTY_PLAIN));
}

static graph *open_graph(size_t capacity) {
  graph *g = worker_allocate(sizeof *g);
  g->roots[0] = root();
  g->derived = worker_allocate(capacity * sizeof *g->derived);
  return g;
}

static void close_graph(void *state) {
  graph *g = state;
  size_t i;
  for (i = 0; i < g->count; i++) rac_bench_status(rac_release(g->derived[i]));
  for (i = 0; i < 2; i++) rac_release(g->roots[i]);
  if (g->race != NULL) racing_free(g->race);
  free(g->derived);
  free(g);
}

static rac_status plus_one(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_int64(value.bits + 1);
  return RAC_OK;
}

static rac_status add_up(void *context, const rac_value *values, size_t count,
                         rac_value *out) {
  int64_t sum = 0;
  size_t i;
  (void)context;
  for (i = 0; i < count; i++) sum += values[i].bits;
  *out = rac_int64(sum);
  return RAC_OK;
}

static rac_property *keep(graph *g, rac_property *made) {
  return g->derived[g->count++] = rac_bench_handle(made);
}

static rac_property *map(graph *g, rac_property *source) {
  return keep(
      g, rac_property_map(source, RAC_PROPERTY_PLAIN, NULL, plus_one, NULL));
}

static rac_property *combine(graph *g, rac_property *const *sources,
                             size_t count) {
  return keep(g, rac_property_combine_latest(sources, count, RAC_PROPERTY_PLAIN,
                                             NULL, add_up, NULL));
}

static void listen(graph *g, rac_property *property) {
  rac_bench_listen(rac_property_as_signal(property), &g->sum);
}

/* ---- Shapes --------------------------------------------------------------- */

static void *open_chain(size_t length) {
  graph *g = open_graph(length);
  rac_property *last = g->roots[0];
  while (g->count < length) last = map(g, last);
  listen(g, last);
  return g;
}

/* Diamonds in a row, each of two maps of the same and both combined. */
static void *open_diamonds(size_t count) {
  graph *g = open_graph(3 * count);
  rac_property *last = g->roots[0];
  while (g->count < 3 * count) {
    rac_property *sides[2];
    sides[0] = map(g, last);
    sides[1] = map(g, last);
    last = combine(g, sides, 2);
  }
  listen(g, last);
  return g;
}

/* All but one are maps of the root, and the last one combines them. */
static void *open_wide(size_t count) {
  graph *g = open_graph(count);
  while (g->count < count - 1) map(g, g->roots[0]);
  listen(g, combine(g, g->derived, count - 1));
  return g;
}

static rac_status note_and_forget(void *context, rac_value value,
                                  rac_value *out) {
  *(int64_t *)context += value.bits;
  *out = rac_int64(0);
  return RAC_OK;
}

/* A value that never changes, under which there is much to do. */
static void *open_cut_off(size_t count) {
  graph *g = open_graph(count + 1);
  rac_property *same =
      keep(g, rac_property_map(g->roots[0], RAC_PROPERTY_DISTINCT, &g->sum,
                               note_and_forget, NULL));
  while (g->count <= count) map(g, same);
  return g;
}

/* ---- One thread ------------------------------------------------------------ */

/* The events are sets. */
static void run_sets(void *state, size_t n, outcome *out) {
  graph *g = state;
  uint64_t start;
  size_t i;
  g->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++)
    rac_property_set(g->roots[0], rac_int64(worker_value(i)));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = g->sum;
}

/* The events are the derived properties that are computed. */
static void run_derivations(void *state, size_t n, outcome *out) {
  graph *g = state;
  n = worker_round_up(n, g->count);
  run_sets(state, n / g->count, out);
  out->n = n;
}

/* ---- Two threads ----------------------------------------------------------- */

static void hear(void *context, rac_value value) {
  (void)value;
  racing_add(context, 1);
}

/* Ten maps of each of two roots, and all of them combined. */
static void *open_two_roots(size_t argument) {
  enum { EACH = 10 };
  graph *g = open_graph(2 * EACH + 1);
  size_t i;
  (void)argument;
  g->race = racing_create(0);
  g->roots[1] = root();
  for (i = 0; i < 2 * EACH; i++) map(g, g->roots[i / EACH]);
  rac_release(rac_bench_handle(rac_subscribe_next(
      rac_property_as_signal(combine(g, g->derived, 2 * EACH)), g->race, hear,
      NULL)));
  return g;
}

/* One thread has the even events, the other the odd ones. */
static void set_one(void *state, int64_t value) {
  graph *g = state;
  rac_property_set(g->roots[value & 1], rac_int64(value));
}

/* Sets that find the other thread inside are heard as one. */
static void run_two_roots(void *state, size_t n, outcome *out) {
  graph *g = state;
  size_t even = n - 1 - ((n - 1) & 1), odd = n - 1 - (n & 1);
  int64_t last = 10 * (worker_value(even) + 1 + worker_value(odd) + 1);
  rac_value all = {0};
  racing_run_latest(g->race, n, set_one, state, out);
  if (rac_property_get(g->derived[g->count - 1], &all) != RAC_OK ||
      all.bits != last)
    worker_fail("the last combination is missing");
}

const workload rac_derived_workloads[] = {
    {"derived-map", open_chain, run_sets, close_graph},
    {"derived-diamonds", open_diamonds, run_sets, close_graph},
    {"derived-wide", open_wide, run_derivations, close_graph},
    {"derived-chain", open_chain, run_derivations, close_graph},
    {"derived-cut-off", open_cut_off, run_sets, close_graph},
    {"derived-two-threads", open_two_roots, run_two_roots, close_graph},
    {NULL, NULL, NULL, NULL}};
