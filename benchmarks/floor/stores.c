/* Arrays that keep values: the floor under combine-latest, zip and replay.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

#include <stdlib.h>
#include <string.h>

typedef void (*row_next)(void *context, const floor_value *row, size_t count);

static void add_row(void *context, const floor_value *row, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) *(int64_t *)context += row[i].bits;
}
static row_next volatile row_leaf = add_row;

/* A subscriber that keeps the row until the next one comes, and owns it. */
typedef struct keeper {
  int64_t sum;
  floor_value *kept;
} keeper;

static void keep_row(void *context, const floor_value *row, size_t count) {
  keeper *k = context;
  free(k->kept);
  k->kept = (floor_value *)(uintptr_t)row;
  add_row(&k->sum, row, count);
}
static row_next volatile keeping_leaf = keep_row;

/* ---- The latest values --------------------------------------------------- */

typedef struct rows {
  int64_t sum;
  size_t count;
  row_next leaf;
  floor_value latest[];
} rows;

static void *open_rows(size_t count) {
  rows *r = worker_allocate(sizeof *r + count * sizeof r->latest[0]);
  r->count = count;
  r->leaf = row_leaf;
  return r;
}

/* A zip of inputs that send in turn has a row whenever the last has sent. */
static void run_rows(rows *r, size_t n, int each, outcome *out) {
  size_t i, input = 0;
  uint64_t start;
  out->n = worker_round_up(n, r->count);
  for (i = 0; i < r->count; i++) r->latest[i] = floor_int64(0);
  r->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i++) {
    r->latest[input] = floor_int64(worker_value(i));
    if (each || input + 1 == r->count) r->leaf(&r->sum, r->latest, r->count);
    if (++input == r->count) input = 0;
  }
  out->ns = worker_now() - start;
  out->sum = r->sum;
}

static void run_combine(void *state, size_t n, outcome *out) {
  run_rows(state, n, 1, out);
}
static void run_zip(void *state, size_t n, outcome *out) {
  run_rows(state, n, 0, out);
}

/* A row of its own for each event. */
static void run_kept(rows *r, size_t n, int each, outcome *out) {
  row_next leaf = keeping_leaf;
  keeper k = {0, NULL};
  size_t i, input = 0;
  uint64_t start;
  out->n = worker_round_up(n, r->count);
  for (i = 0; i < r->count; i++) r->latest[i] = floor_int64(0);
  start = worker_now();
  for (i = 0; i < out->n; i++) {
    r->latest[input] = floor_int64(worker_value(i));
    if (each || input + 1 == r->count) {
      floor_value *row = malloc(r->count * sizeof *row);
      if (row == NULL) worker_fail("out of memory");
      memcpy(row, r->latest, r->count * sizeof *row);
      leaf(&k, row, r->count);
    }
    if (++input == r->count) input = 0;
  }
  out->ns = worker_now() - start;
  out->sum = k.sum;
  free(k.kept);
}

static void run_combine_kept(void *state, size_t n, outcome *out) {
  run_kept(state, n, 1, out);
}
static void run_zip_kept(void *state, size_t n, outcome *out) {
  run_kept(state, n, 0, out);
}

/* ---- All values ---------------------------------------------------------- */

typedef struct store {
  size_t capacity; /* 0: without end */
  size_t room, used;
  floor_value *values;
  floor_call leaf;
  int64_t sum;
} store;

static void *open_store(size_t capacity) {
  store *s = worker_allocate(sizeof *s);
  s->capacity = capacity;
  s->leaf.function = floor_add;
  s->leaf.context = &s->sum;
  return s;
}

static void append(store *s, floor_value value) {
  if (s->capacity != 0) {
    if (s->values == NULL)
      s->values = worker_allocate(s->capacity * sizeof *s->values);
    s->values[s->used++ % s->capacity] = value;
    return;
  }
  if (s->used == s->room) {
    s->room = s->room == 0 ? 16 : s->room * 2;
    s->values = realloc(s->values, s->room * sizeof *s->values);
    if (s->values == NULL) worker_fail("out of memory");
  }
  s->values[s->used++] = value;
}

static void play(store *s) {
  size_t kept = s->used, i;
  if (s->capacity != 0 && kept > s->capacity) kept = s->capacity;
  for (i = s->used - kept; i < s->used; i++)
    s->leaf.function(s->leaf.context,
                     s->values[s->capacity == 0 ? i : i % s->capacity]);
}

static void fill(store *s, size_t n, outcome *out, int time_the_replay) {
  uint64_t start, sent, replayed;
  size_t i;
  s->room = s->used = 0;
  s->values = NULL;
  s->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) append(s, floor_int64(worker_value(i)));
  sent = worker_now();
  play(s);
  replayed = worker_now();
  free(s->values);
  out->n = n;
  out->ns = time_the_replay ? replayed - sent : sent - start;
  out->sum = s->sum;
}

static void run_replay(void *state, size_t n, outcome *out) {
  fill(state, n, out, 0);
}
static void run_again(void *state, size_t n, outcome *out) {
  fill(state, n, out, 1);
}

const workload floor_store_workloads[] = {
    {"combine-latest", open_rows, run_combine, free},
    {"zip", open_rows, run_zip, free},
    {"combine-latest-kept", open_rows, run_combine_kept, free},
    {"zip-kept", open_rows, run_zip_kept, free},
    {"replay", open_store, run_replay, free},
    {"replay-again", open_store, run_again, free},
    {NULL, NULL, NULL, NULL}};
