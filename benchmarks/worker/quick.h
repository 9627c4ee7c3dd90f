/* SPDX-License-Identifier: MIT */
#ifndef WORKER_QUICK_H
#define WORKER_QUICK_H

#include "worker.h"

/* Runs every workload once and prints JSON; 0 when the sums agree. */
int worker_quick(void);

#endif /* WORKER_QUICK_H */
