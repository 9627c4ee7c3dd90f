/* The list of the floor's workloads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

const workload *const floor_groups[] = {
    floor_call_workloads,   floor_store_workloads,   floor_link_workloads,
    floor_thread_workloads, floor_timer_workloads,   floor_tick_workloads,
    floor_batch_workloads,  floor_cell_workloads,    floor_formula_workloads,
    floor_rally_workloads,  floor_hop_workloads,     floor_fork_workloads,
    floor_log_workloads,    floor_sharing_workloads, NULL};
