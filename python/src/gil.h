/* The lock of the interpreter; see gil.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_GIL_H
#define LIBRAC_GIL_H

#include "thread.h"

/* A callback of the engine's: has the lock until end(). begin() is negative
 * when the interpreter has gone, and nothing may be touched. */
int attach(void);
void detach(int how);
static inline int begin(void) { return thread.call != 0 ? 0 : attach(); }
static inline void end(int attached) {
  if (attached > 0) detach(attached);
}

/* Hooks of the engine's threads. */
void thread_starts(void *context);
void thread_ends(void *context);

void close_for_good(void);
/* The interpreter is about to go. */
int is_closing(void);
void let_go_of_interpreter(void);

#endif
