/* For workloads with two sending threads: a leaf that notices when it runs
 * twice at the same time, and the threads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_RACING_H
#define WORKER_RACING_H

#include "worker.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct racing racing;

racing *racing_create(void);
void racing_free(racing *r);

/* The leaf. */
void racing_add(racing *r, int64_t value);

/* Two threads call `send` for the events 0 to n - 1, one the even and one the
 * odd ones; returns when all have arrived. */
void racing_run(racing *r, size_t n, void (*send)(void *state, int64_t value),
                void *state, outcome *out);

#ifdef __cplusplus
}
#endif

#endif /* WORKER_RACING_H */
