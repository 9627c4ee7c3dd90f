/* Which processors the threads of the process may run on. Left to the system, two
 * threads that answer each other are now on one, now on two, and what that takes
 * differs by more than what is measured.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_PLACING_H
#define WORKER_PLACING_H

#include "worker.h"

/* On one processor all are on the first that the process may use; on two this
 * thread is there and all others are on the second, or on the first, too, where
 * there is no second. A thread that is started later is where its maker is. */
void placing_on(size_t processors);

/* All on any again. */
void placing_anywhere(void);

#endif /* WORKER_PLACING_H */
