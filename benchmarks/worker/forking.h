/* Forks of a process with idle threads: what fork() takes in the parent.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_FORKING_H
#define WORKER_FORKING_H

#include "worker.h"

typedef struct forking forking;

/* So many threads, each of which has called once and sleeps from then on. */
forking *forking_open(size_t threads, void (*call)(void));
/* Forks n children, one after the other, each of which ends at once. */
void forking_run(forking *f, size_t n, outcome *out);
void forking_close(forking *f);

#endif /* WORKER_FORKING_H */
