/* Subscriptions whose values are called back by a runner.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_DELIVERIES_H
#define JOB_DELIVERIES_H

#include "runners.h"

typedef struct delivery delivery;

JOB_HIDDEN void drop_delivery(delivery *it);
/* When this returns no callback of it begins any more. */
JOB_HIDDEN void cancel_delivery(delivery *it);

#endif /* JOB_DELIVERIES_H */
