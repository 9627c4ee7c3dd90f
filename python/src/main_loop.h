/* Running the main scheduler, and sleeping; see main_loop.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_MAIN_LOOP_H
#define LIBRAC_MAIN_LOOP_H

#include "base.h"

extern PyMethodDef main_functions[];

int is_main_thread(void);
/* Whether waiting is refused: inside a callback that others wait for. */
int in_callback(void);
double seconds_now(void); /* of a clock that nobody sets */
/* Without the lock; 0 with an exception when the handler of a signal raised. */
int sleep_here(double seconds);
/* The same until a descriptor is readable, unless that is negative, or the main
 * scheduler has something to do; at most so long. */
int sleep_for(int descriptor, int with_main, double seconds);
/* Runs what is ready on the main scheduler; 0 with an exception. With
 * `has_come` it does so job by job until that answers that what the caller
 * waits for has come: what was raised in the same job is then the caller's. */
int drain_main(const char *function, int (*has_come)(void *), void *context);
/* Until main_stop(), or for some time. */
PyObject *run_main_for(double seconds, const char *function);

#endif
