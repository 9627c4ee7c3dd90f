/* The list of librac's workloads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

const workload *const rac_groups[] = {
    rac_subject_workloads,  rac_replay_workloads,  rac_chain_workloads,
    rac_flatten_workloads,  rac_combine_workloads, rac_cold_workloads,
    rac_thread_workloads,   rac_hop_workloads,     rac_timer_workloads,
    rac_memory_workloads,   rac_burst_workloads,   rac_batch_workloads,
    rac_property_workloads, rac_derived_workloads, rac_fork_workloads,
    rac_sharing_workloads,  rac_log_workloads,     NULL};
