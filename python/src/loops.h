/* Loops of asyncio; see loops.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_LOOPS_H
#define LIBRAC_LOOPS_H

#include "base.h"

extern PyMethodDef loop_functions[];

/* Has the asyncio loop of this thread run the main scheduler: loops.c */
int serve_loop(void);
/* 0 with Deadlock where a loop is running on this thread, which waiting would
 * stop. */
int may_wait(const char *function, const char *instead);

#endif
