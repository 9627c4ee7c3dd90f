/* For timer workloads: when each is due, and how late the latest one was.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_LATENESS_H
#define WORKER_LATENESS_H

#include "worker.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Time to schedule n timers before the first of them is due, in seconds. */
#define WORKER_TIMER_LEAD(n) (0.05 + 2e-6 * (double)(n))
/* The time in which n timers fire. */
#define WORKER_TIMER_SPAN(n) ((n) > 100000 ? 4.0 : 1.0)

typedef struct lateness lateness;
typedef struct due due;

/* `lead` and `span` in seconds: the timers are due in random order, evenly over
 * the span, which begins `lead` from now. */
lateness *lateness_create(size_t count, double lead, double span);
void lateness_free(lateness *l);

/* Timer i: what its callback passes to lateness_fired(), and in how many
 * seconds from now it is due. */
due *lateness_due(lateness *l, size_t i);
double lateness_delay(const due *d);
uint64_t lateness_deadline(const due *d); /* as worker_now() */

void lateness_fired(due *d);
/* Returns when all have fired, or long after they should have, with the process's
 * time on processors by then. */
void lateness_wait(lateness *l, outcome *out);

#ifdef __cplusplus
}
#endif

#endif /* WORKER_LATENESS_H */
