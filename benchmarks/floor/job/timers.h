/* Queues and timers: what their handles name.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_TIMERS_H
#define JOB_TIMERS_H

#include "sources.h"

typedef struct queue queue;
typedef struct timer timer;

/* The handle is gone. */
JOB_HIDDEN void drop_queue(queue *it);
JOB_HIDDEN void drop_timer(timer *it);
/* When this returns it does not begin any more. */
JOB_HIDDEN void cancel_timer(timer *it);

#endif /* JOB_TIMERS_H */
