/* For workloads of a repeating timer: what its ticks cost, once it goes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_TICKING_H
#define WORKER_TICKING_H

#include "worker.h"

enum { WORKER_TICK_NS = 1000000 };

typedef struct ticking ticking;

/* For n ticks; the first few are not counted. */
ticking *ticking_create(size_t n);
void ticking_free(ticking *t);

/* The leaf; nothing comes of ticks after the last. */
void ticking_tick(ticking *t);
/* Returns when all were there. */
void ticking_wait(ticking *t, outcome *out);

#endif /* WORKER_TICKING_H */
