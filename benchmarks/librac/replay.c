/* Replay subjects: remembering, and telling it all again.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <stdlib.h>

typedef struct memory {
  size_t capacity;
  int64_t sum;
} memory;

static void *open_memory(size_t capacity) {
  memory *m = worker_allocate(sizeof *m);
  m->capacity = capacity == 0 ? RAC_REPLAY_UNLIMITED : capacity;
  return m;
}

/* Each run fills a subject of its own; a subscriber adds up what it remembers,
 * in `replay_again` on the clock. */
static void fill(memory *m, size_t n, outcome *out, int time_the_replay) {
  rac_subject *subject =
      rac_bench_handle(rac_replay_subject_create(m->capacity));
  uint64_t start = worker_now(), sent, replayed;
  rac_bench_send(subject, n);
  sent = worker_now();
  m->sum = 0;
  rac_bench_listen(rac_subject_as_signal(subject), &m->sum);
  replayed = worker_now();
  rac_release(subject);
  out->n = n;
  out->ns = time_the_replay ? replayed - sent : sent - start;
  out->sum = m->sum;
}

static void run_replay(void *state, size_t n, outcome *out) {
  fill(state, n, out, 0);
}
static void run_again(void *state, size_t n, outcome *out) {
  fill(state, n, out, 1);
}

const workload rac_replay_workloads[] = {
    {"replay", open_memory, run_replay, free},
    {"replay-again", open_memory, run_again, free},
    {NULL, NULL, NULL, NULL}};
