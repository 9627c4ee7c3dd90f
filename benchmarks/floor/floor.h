/* What plain C needs for the same effect: the floor under each workload. No
 * handles, no checks, no order among threads but where the work needs it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FLOOR_H
#define FLOOR_H

#include "../worker/worker.h"

extern const workload floor_call_workloads[];
extern const workload floor_store_workloads[];
extern const workload floor_link_workloads[];
extern const workload floor_thread_workloads[];
extern const workload floor_rally_workloads[];
extern const workload floor_fork_workloads[];
extern const workload floor_hop_workloads[];
extern const workload floor_timer_workloads[];
extern const workload floor_tick_workloads[];
extern const workload floor_batch_workloads[];
extern const workload floor_cell_workloads[];
extern const workload floor_formula_workloads[];
extern const workload floor_sharing_workloads[];
extern const workload floor_log_workloads[];
extern const workload *const floor_groups[]; /* all of them */

/* A value as large as librac's. */
typedef struct floor_value {
  uint64_t kind;
  int64_t bits;
} floor_value;

static inline floor_value floor_int64(int64_t number) {
  floor_value value = {2, number};
  return value;
}

/* A leaf and its context: adds to the int64_t behind it. */
typedef void (*floor_next)(void *context, floor_value value);
typedef struct floor_call {
  floor_next function;
  void *context;
} floor_call;

/* The leaf, through a pointer that the compiler knows nothing about. */
extern floor_next volatile floor_add;

#endif /* FLOOR_H */
