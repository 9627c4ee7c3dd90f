/* What librac's workloads share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_BENCH_H
#define RAC_BENCH_H

#include "../worker/worker.h"

#include <rac.h>

extern const workload rac_subject_workloads[];
extern const workload rac_replay_workloads[];
extern const workload rac_chain_workloads[];
extern const workload rac_flatten_workloads[];
extern const workload rac_combine_workloads[];
enum { RAC_COMBINE_MERGE = 0 }; /* the one of them for merge */
extern const workload rac_burst_workloads[];
extern const workload rac_cold_workloads[];
extern const workload rac_thread_workloads[];
extern const workload rac_hop_workloads[];
extern const workload rac_fork_workloads[];
extern const workload rac_timer_workloads[];
extern const workload rac_memory_workloads[];
extern const workload rac_batch_workloads[];
extern const workload rac_property_workloads[];
extern const workload rac_derived_workloads[];
extern const workload rac_sharing_workloads[];
extern const workload rac_log_workloads[];
extern const workload *const rac_groups[]; /* all of them */

/* The end of the program if the library answered with a failure: a benchmark of
 * errors is none. `handle` for what returns one, `status` for the rest. */
void *rac_bench_handle(void *handle);
void rac_bench_status(rac_status status);

/* The leaf: adds the value to the int64_t behind the context. */
void rac_bench_add(void *context, rac_value value);

/* Subscribes rac_bench_add to the signal and keeps no handle. */
void rac_bench_listen(rac_signal *signal, int64_t *sum);

/* Sends the values of the events 0 to n - 1. */
void rac_bench_send(rac_subject *subject, size_t n);

#endif /* RAC_BENCH_H */
