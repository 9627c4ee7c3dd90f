/* A run on a thread of its own: what a workload costs where another thread made
 * everything.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_ELSEWHERE_H
#define WORKER_ELSEWHERE_H

#include "worker.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls run(state, n, out) on a second thread and waits for it. Starting the
 * thread is not in the time, which `run` takes itself. */
void worker_elsewhere(void (*run)(void *state, size_t n, outcome *out),
                      void *state, size_t n, outcome *out);

#ifdef __cplusplus
}
#endif

#endif /* WORKER_ELSEWHERE_H */
