/* Values that are computed of each other, in an order that was found before:
 * the floor under derived properties. Who changes the root has everything
 * computed that depends on it, once, and tells who listens.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/racing.h"
#include "floor.h"

#include <pthread.h>
#include <stdlib.h>

typedef int (*formula)(void *context, const floor_value *values, size_t count,
                       floor_value *out);

typedef struct cell {
  floor_value value;
  formula function;
  void *context;
  size_t *sources;
  size_t count;
  int is_distinct, has_changed;
} cell;

/* The roots come first, then what is computed, each after its sources. */
typedef struct sheet {
  size_t roots, used;
  cell *cells;
  floor_value *inputs;
  floor_call observer;
  int64_t sum;
  racing *race;
  pthread_mutex_t lock;
} sheet;

static sheet *open_sheet(size_t roots, size_t computed) {
  sheet *s = worker_allocate(sizeof *s);
  s->roots = s->used = roots;
  s->cells = worker_allocate((roots + computed) * sizeof *s->cells);
  s->inputs = worker_allocate((roots + computed) * sizeof *s->inputs);
  s->observer.function = floor_add;
  s->observer.context = &s->sum;
  pthread_mutex_init(&s->lock, NULL);
  return s;
}

static void close_sheet(void *state) {
  sheet *s = state;
  size_t i;
  for (i = 0; i < s->used; i++) free(s->cells[i].sources);
  if (s->race != NULL) racing_free(s->race);
  pthread_mutex_destroy(&s->lock);
  free(s->inputs);
  free(s->cells);
  free(s);
}

static int plus_one(void *context, const floor_value *values, size_t count,
                    floor_value *out) {
  (void)context, (void)count;
  *out = floor_int64(values[0].bits + 1);
  return 0;
}

static int add_up(void *context, const floor_value *values, size_t count,
                  floor_value *out) {
  int64_t sum = 0;
  size_t i;
  (void)context;
  for (i = 0; i < count; i++) sum += values[i].bits;
  *out = floor_int64(sum);
  return 0;
}

static int note_and_forget(void *context, const floor_value *values,
                           size_t count, floor_value *out) {
  (void)count;
  *(int64_t *)context += values[0].bits;
  *out = floor_int64(0);
  return 0;
}

static formula volatile plus_one_formula = plus_one;
static formula volatile add_up_formula = add_up;
static formula volatile forget_formula = note_and_forget;

/* Of `count` cells in a row, from the first one on. */
static size_t compute(sheet *s, formula function, size_t first, size_t count) {
  cell *c = &s->cells[s->used];
  size_t i;
  c->function = function;
  c->sources = worker_allocate(count * sizeof *c->sources);
  c->count = count;
  for (i = 0; i < count; i++) c->sources[i] = first + i;
  return s->used++;
}

static void set(sheet *s, size_t root, floor_value value) {
  size_t i, j;
  for (i = 0; i < s->roots; i++) s->cells[i].has_changed = i == root;
  s->cells[root].value = value;
  for (i = s->roots; i < s->used; i++) {
    cell *c = &s->cells[i];
    floor_value result;
    int is_due = 0;
    for (j = 0; j < c->count; j++) {
      const cell *source = &s->cells[c->sources[j]];
      is_due |= source->has_changed;
      s->inputs[j] = source->value;
    }
    c->has_changed = 0;
    if (!is_due || c->function(c->context, s->inputs, c->count, &result) < 0)
      continue;
    if (c->is_distinct && result.bits == c->value.bits) continue;
    c->value = result;
    c->has_changed = 1;
  }
  if (s->cells[s->used - 1].has_changed)
    s->observer.function(s->observer.context, s->cells[s->used - 1].value);
}

/* ---- Shapes: those of librac/derived.c ----------------------------------- */

static void *open_chain(size_t length) {
  sheet *s = open_sheet(1, length);
  while (s->used <= length) compute(s, plus_one_formula, s->used - 1, 1);
  return s;
}

static void *open_diamonds(size_t count) {
  sheet *s = open_sheet(1, 3 * count);
  while (s->used <= 3 * count) {
    size_t side = compute(s, plus_one_formula, s->used - 1, 1);
    compute(s, plus_one_formula, side - 1, 1);
    compute(s, add_up_formula, side, 2);
  }
  return s;
}

static void *open_wide(size_t count) {
  sheet *s = open_sheet(1, count);
  while (s->used < count) compute(s, plus_one_formula, 0, 1);
  compute(s, add_up_formula, 1, count - 1);
  return s;
}

/* What lies behind the cell that never changes is not even looked at. */
static void *open_cut_off(size_t count) {
  sheet *s = open_sheet(1, 1);
  size_t same = compute(s, forget_formula, 0, 1);
  (void)count;
  s->cells[same].context = &s->sum;
  s->cells[same].is_distinct = 1;
  return s;
}

/* ---- One thread, and two ------------------------------------------------- */

static void run_sets(void *state, size_t n, outcome *out) {
  sheet *s = state;
  uint64_t start;
  size_t i;
  s->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) set(s, 0, floor_int64(worker_value(i)));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = s->sum;
}

static void run_formulas(void *state, size_t n, outcome *out) {
  sheet *s = state;
  size_t computed = s->used - s->roots;
  n = worker_round_up(n, computed);
  run_sets(state, n / computed, out);
  out->n = n;
}

static void hear(void *context, floor_value value) {
  (void)value;
  racing_add(context, 1);
}
static floor_next volatile hear_leaf = hear;

static void *open_two_roots(size_t argument) {
  enum { EACH = 10 };
  sheet *s = open_sheet(2, 2 * EACH + 1);
  size_t i;
  (void)argument;
  for (i = 0; i < 2 * EACH; i++) compute(s, plus_one_formula, i / EACH, 1);
  compute(s, add_up_formula, 2, 2 * EACH);
  s->race = racing_create(0);
  s->observer.function = hear_leaf;
  s->observer.context = s->race;
  return s;
}

static void set_locked(void *state, int64_t value) {
  sheet *s = state;
  pthread_mutex_lock(&s->lock);
  set(s, (size_t)(value & 1), floor_int64(value));
  pthread_mutex_unlock(&s->lock);
}

static void run_two_roots(void *state, size_t n, outcome *out) {
  racing_run_latest(((sheet *)state)->race, n, set_locked, state, out);
}

const workload floor_formula_workloads[] = {
    {"derived-map", open_chain, run_sets, close_sheet},
    {"derived-diamonds", open_diamonds, run_sets, close_sheet},
    {"derived-wide", open_wide, run_formulas, close_sheet},
    {"derived-chain", open_chain, run_formulas, close_sheet},
    {"derived-cut-off", open_cut_off, run_sets, close_sheet},
    {"derived-two-threads", open_two_roots, run_two_roots, close_sheet},
    {NULL, NULL, NULL, NULL}};
