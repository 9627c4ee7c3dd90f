/* Loops that call functions: the floor under sends and chains.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/elsewhere.h"
#include "floor.h"
#include "library/deliver.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void add(void *context, floor_value value) {
  *(int64_t *)context += value.bits;
}
floor_next volatile floor_add = add;

typedef struct calls {
  size_t count;
  int64_t sum;
  floor_call each[];
} calls;

static void *open_calls(size_t count) {
  calls *c = worker_allocate(sizeof *c + count * sizeof c->each[0]);
  size_t i;
  c->count = count;
  for (i = 0; i < count; i++) {
    c->each[i].function = floor_add;
    c->each[i].context = &c->sum;
  }
  return c;
}

static void deliver(calls *c, floor_value value) {
  size_t i;
  for (i = 0; i < c->count; i++) c->each[i].function(c->each[i].context, value);
}

static void deliver_from_library(calls *c, floor_value value) {
  floor_deliver(c->each, c->count, value);
}

/* n counts calls. */
static void run(calls *c, size_t n, outcome *out,
                void (*deliver)(calls *c, floor_value value)) {
  size_t i, sends;
  uint64_t start;
  out->n = worker_round_up(n, c->count);
  sends = out->n / c->count;
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < sends; i++) deliver(c, floor_int64(worker_value(i)));
  out->ns = worker_now() - start;
  out->sum = c->sum;
}

static void run_calls(void *state, size_t n, outcome *out) {
  run(state, n, out, deliver);
}

static void run_library(void *state, size_t n, outcome *out) {
  run(state, n, out, deliver_from_library);
}

static void run_elsewhere(void *state, size_t n, outcome *out) {
  worker_elsewhere(run_calls, state, n, out);
}

/* ---- Many lists of one function ------------------------------------------ */

typedef struct crowd {
  size_t count;
  calls **each;
} crowd;

static void *open_crowd(size_t count) {
  crowd *c = worker_allocate(sizeof *c);
  size_t i;
  c->count = count;
  c->each = worker_allocate(count * sizeof *c->each);
  for (i = 0; i < count; i++) c->each[i] = open_calls(1);
  return c;
}

static void run_crowd(void *state, size_t n, outcome *out) {
  crowd *c = state;
  uint64_t start;
  size_t i, next = 0;
  out->n = worker_round_up(n, c->count);
  for (i = 0; i < c->count; i++) c->each[i]->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i++) {
    deliver(c->each[next], floor_int64(worker_value(i)));
    if (++next == c->count) next = 0;
  }
  out->ns = worker_now() - start;
  out->sum = 0;
  for (i = 0; i < c->count; i++) out->sum += c->each[i]->sum;
}

static void close_crowd(void *state) {
  crowd *c = state;
  size_t i;
  for (i = 0; i < c->count; i++) free(c->each[i]);
  free(c->each);
  free(c);
}

/* ---- Strings ------------------------------------------------------------- */

typedef void (*string_next)(void *context, const char *text, size_t length);

static void add_string(void *context, const char *text, size_t length) {
  *(int64_t *)context += (int64_t)length + text[0];
}
static string_next volatile string_leaf = add_string;

static void run_string(void *state, size_t n, outcome *out) {
  calls *c = state;
  string_next leaf = string_leaf;
  uint64_t start;
  size_t i;
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) leaf(&c->sum, WORKER_TEXT, strlen(WORKER_TEXT));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

static void run_string_copied(void *state, size_t n, outcome *out) {
  calls *c = state;
  string_next leaf = string_leaf;
  uint64_t start;
  size_t i;
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    size_t length = strlen(WORKER_TEXT);
    char *text = malloc(length + 1);
    if (text == NULL) worker_fail("out of memory");
    memcpy(text, WORKER_TEXT, length + 1);
    leaf(&c->sum, text, length);
    free(text);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

typedef int (*text_keep)(void *context, const char *text, size_t length,
                         bool *out);
typedef char *(*text_map)(void *context, const char *text, size_t length);

static int begins_with_a(void *context, const char *text, size_t length,
                         bool *out) {
  (void)context;
  *out = length > 0 && text[0] == 'a';
  return 0;
}

static char *copied(void *context, const char *text, size_t length) {
  char *copy = malloc(length + 1);
  (void)context;
  if (copy == NULL) worker_fail("out of memory");
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}
static text_keep volatile text_filter = begins_with_a;
static text_map volatile text_copy = copied;

static void run_text_map(void *state, size_t n, outcome *out) {
  calls *c = state;
  text_keep keep = text_filter;
  text_map map = text_copy;
  string_next leaf = string_leaf;
  uint64_t start;
  size_t i;
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    size_t length = strlen(WORKER_TEXT);
    bool kept = false;
    char *copy;
    if (keep(NULL, WORKER_TEXT, length, &kept) < 0 || !kept) continue;
    copy = map(NULL, WORKER_TEXT, length);
    leaf(&c->sum, copy, length);
    free(copy);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

/* ---- One callback after another ------------------------------------------ */

typedef int (*map_fn)(void *context, floor_value value, floor_value *out);
typedef int (*keep_fn)(void *context, floor_value value, bool *out);
typedef int (*reduce_fn)(void *context, floor_value running, floor_value next,
                         floor_value *out);

static int plus_one(void *context, floor_value value, floor_value *out) {
  (void)context;
  out->kind = 2;
  out->bits = value.bits + 1;
  return 0;
}
static int keep_all(void *context, floor_value value, bool *out) {
  (void)context;
  *out = value.bits >= 0;
  return 0;
}
static int reduce(void *context, floor_value running, floor_value next,
                  floor_value *out) {
  (void)context;
  out->kind = 2;
  out->bits = running.bits + next.bits;
  return 0;
}
static map_fn volatile map_stage = plus_one;
static keep_fn volatile keep_stage = keep_all;
static reduce_fn volatile reduce_stage = reduce;

typedef struct stages {
  int64_t sum;
  floor_call leaf;
  size_t count;
  struct {
    map_fn function;
    void *context;
  } each[];
} stages;

static void *open_stages(size_t count) {
  stages *s = worker_allocate(sizeof *s + count * sizeof s->each[0]);
  size_t i;
  s->leaf.function = floor_add;
  s->leaf.context = &s->sum;
  s->count = count;
  for (i = 0; i < count; i++) s->each[i].function = map_stage;
  return s;
}

static void run_stages(void *state, size_t n, outcome *out) {
  stages *s = state;
  uint64_t start;
  size_t i, j;
  s->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    floor_value value = floor_int64(worker_value(i));
    for (j = 0; j < s->count; j++)
      if (s->each[j].function(s->each[j].context, value, &value) < 0) break;
    s->leaf.function(s->leaf.context, value);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = s->sum;
}

static void *open_three(size_t argument) {
  (void)argument;
  return open_stages(0);
}

static void run_three(void *state, size_t n, outcome *out) {
  stages *s = state;
  map_fn map = map_stage;
  keep_fn keep = keep_stage;
  reduce_fn scan = reduce_stage;
  floor_value running = floor_int64(0);
  uint64_t start;
  size_t i;
  s->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    floor_value mapped;
    bool kept = false;
    if (map(NULL, floor_int64(worker_value(i)), &mapped) < 0) break;
    if (keep(NULL, mapped, &kept) < 0 || !kept) continue;
    if (scan(NULL, running, mapped, &running) < 0) break;
    s->leaf.function(s->leaf.context, running);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = s->sum;
}

const workload floor_call_workloads[] = {
    {"send", open_calls, run_calls, free},
    {"send-library", open_calls, run_library, free},
    {"send-elsewhere", open_calls, run_elsewhere, free},
    {"subjects", open_crowd, run_crowd, close_crowd},
    {"string", open_calls, run_string, free},
    {"string-copied", open_calls, run_string_copied, free},
    {"text-map", open_calls, run_text_map, free},
    {"merge", open_three, run_stages, free},
    {"map-filter-scan", open_three, run_three, free},
    {"maps", open_stages, run_stages, free},
    {NULL, NULL, NULL, NULL}};
