/* Workloads of the same job that are not in peer.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_PEER_H
#define JOB_PEER_H

#include "../../worker/worker.h"

extern const workload job_timer_workloads[];
extern const workload job_rally_workloads[];

#endif /* JOB_PEER_H */
