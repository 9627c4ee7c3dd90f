/* Forks beside idle threads that have called librac.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/forking.h"
#include "rac_bench.h"

static void call(void) { rac_release(rac_bench_handle(rac_subject_create())); }

static void *open_forking(size_t threads) {
  return forking_open(threads, call);
}
static void run(void *state, size_t n, outcome *out) {
  forking_run(state, n, out);
}
static void close_forking(void *state) { forking_close(state); }

const workload rac_fork_workloads[] = {
    {"fork", open_forking, run, close_forking}, {NULL, NULL, NULL, NULL}};
