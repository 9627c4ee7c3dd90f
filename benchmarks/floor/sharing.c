/* The floor under share, distinct and debounce: an array of who listens, one of
 * what was seen, and a value with its time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

#include <stdlib.h>
#include <string.h>

typedef struct stage {
  size_t count;
  floor_call *calls;
  int64_t sum;
  unsigned char seen[1024];
  floor_value volatile waiting;
  uint64_t volatile deadline;
} stage;

static void *open_stage(size_t count) {
  stage *s = worker_allocate(sizeof *s);
  size_t i;
  s->count = count;
  s->calls = worker_allocate(s->count * sizeof *s->calls);
  for (i = 0; i < s->count; i++) {
    s->calls[i].function = floor_add;
    s->calls[i].context = &s->sum;
  }
  return s;
}

static void *open_alone(size_t argument) {
  (void)argument;
  return open_stage(1);
}

static void close_stage(void *state) {
  free(((stage *)state)->calls);
  free(state);
}

static void tell(const stage *s, floor_value value) {
  const floor_call *call = s->calls;
  for (; call < s->calls + s->count; call++)
    call->function(call->context, value);
}

static void run_share(void *state, size_t n, outcome *out) {
  stage *s = state;
  uint64_t start;
  size_t i;
  s->sum = 0;
  out->n = worker_round_up(n, s->count);
  start = worker_now();
  for (i = 0; i < out->n / s->count; i++) tell(s, floor_int64(worker_value(i)));
  out->ns = worker_now() - start;
  out->sum = s->sum;
}

/* All values are below 1024: no table can be quicker. */
static void run_distinct(void *state, size_t n, outcome *out) {
  stage *s = state;
  uint64_t start;
  size_t i;
  s->sum = 0;
  memset(s->seen, 0, sizeof s->seen);
  start = worker_now();
  for (i = 0; i < n; i++) {
    floor_value value = floor_int64(worker_value(i));
    if (s->seen[value.bits]) continue;
    s->seen[value.bits] = 1;
    tell(s, value);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = s->sum;
}

static void run_debounce(void *state, size_t n, outcome *out) {
  stage *s = state;
  uint64_t start;
  size_t i;
  s->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    s->waiting = floor_int64(worker_value(i));
    s->deadline = worker_now() + 3600;
  }
  out->ns = worker_now() - start;
  if (n > 0) tell(s, s->waiting);
  out->n = n;
  out->sum = s->sum;
}

const workload floor_sharing_workloads[] = {
    {"share", open_stage, run_share, close_stage},
    {"distinct", open_alone, run_distinct, close_stage},
    {"debounce", open_alone, run_debounce, close_stage},
    {NULL, NULL, NULL, NULL}};
