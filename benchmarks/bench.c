/* Two contestants in one program: librac, and the plain C under it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor/floor.h"
#include "librac/rac_bench.h"

static const workload *const floor_groups[] = {
    floor_call_workloads,   floor_store_workloads, floor_link_workloads,
    floor_thread_workloads, floor_timer_workloads, NULL};

static const workload *const rac_groups[] = {
    rac_subject_workloads, rac_replay_workloads, rac_chain_workloads,
    rac_combine_workloads, rac_cold_workloads,   rac_thread_workloads,
    rac_timer_workloads,   rac_memory_workloads, NULL};

const contestant contestants[] = {
    {"floor", floor_groups}, {"librac", rac_groups}, {NULL, NULL}};
