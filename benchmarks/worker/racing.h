/* For workloads with several sending threads: a leaf that notices when it runs
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

/* With 0 senders: two, and a leaf that does nothing else. With any other number so
 * many, and a leaf that takes a microsecond. */
racing *racing_create(size_t senders);
void racing_free(racing *r);

/* The leaf. */
void racing_add(racing *r, int64_t value);

/* The threads call `send` for the events 0 to n - 1, in turns; returns when all
 * have arrived. */
void racing_run(racing *r, size_t n, void (*send)(void *state, int64_t value),
                void *state, outcome *out);

/* The same where the leaf hears the latest of several events: over when the
 * threads have made all of them. The sum is their number. */
void racing_run_latest(racing *r, size_t n,
                       void (*send)(void *state, int64_t value), void *state,
                       outcome *out);

#ifdef __cplusplus
}
#endif

#endif /* WORKER_RACING_H */
