/* One stage below a subject, which keeps something: who listens, what it has
 * seen, or the value that waits for its time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <stdlib.h>

typedef struct stage {
  size_t subscribers;
  int64_t sum;
} stage;

static void *open_stage(size_t subscribers) {
  stage *s = worker_allocate(sizeof *s);
  s->subscribers = subscribers;
  return s;
}

/* The stage begins anew in each run, and what it has seen is forgotten. The end
 * of the stream is not timed. */
static void run(stage *s, rac_signal *(*make)(rac_signal *source), size_t n,
                size_t subscribers, outcome *out) {
  rac_subject *subject = rac_bench_handle(rac_subject_create());
  rac_signal *signal = rac_bench_handle(make(rac_subject_as_signal(subject)));
  uint64_t start;
  size_t i;
  s->sum = 0;
  for (i = 0; i < subscribers; i++) rac_bench_listen(signal, &s->sum);
  n = worker_round_up(n, subscribers);
  start = worker_now();
  rac_bench_send(subject, n / subscribers);
  out->ns = worker_now() - start;
  rac_subject_send_completed(subject);
  out->n = n;
  out->sum = s->sum;
  rac_release(signal);
  rac_release(subject);
}

static void run_share(void *state, size_t n, outcome *out) {
  stage *s = state;
  run(s, rac_signal_share, n, s->subscribers, out);
}

static rac_signal *distinct(rac_signal *source) {
  return rac_signal_distinct(source, NULL, NULL, NULL);
}

/* After the first thousand there is nothing new. */
static void run_distinct(void *state, size_t n, outcome *out) {
  run(state, distinct, n, 1, out);
}

/* Each value takes the place of the one before; the last comes with the end. */
static rac_signal *debounce(rac_signal *source) {
  return rac_signal_throttle(source, 3600, NULL);
}

static void run_debounce(void *state, size_t n, outcome *out) {
  run(state, debounce, n, 1, out);
}

const workload rac_sharing_workloads[] = {
    {"share", open_stage, run_share, free},
    {"distinct", open_stage, run_distinct, free},
    {"debounce", open_stage, run_debounce, free},
    {NULL, NULL, NULL, NULL}};
