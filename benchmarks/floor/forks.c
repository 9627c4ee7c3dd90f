/* Forks beside idle threads without a library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/forking.h"
#include "floor.h"

static void call(void) {}

static void *open_forking(size_t threads) {
  return forking_open(threads, call);
}
static void run(void *state, size_t n, outcome *out) {
  forking_run(state, n, out);
}
static void close_forking(void *state) { forking_close(state); }

const workload floor_fork_workloads[] = {
    {"fork", open_forking, run, close_forking}, {NULL, NULL, NULL, NULL}};
