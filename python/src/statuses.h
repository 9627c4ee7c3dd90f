/* The classes of exceptions, and failing calls; see statuses.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_STATUSES_H
#define LIBRAC_STATUSES_H

#include "base.h"

extern PyObject *stream_error, *no_matching_case, *command_error,
    *command_not_enabled;
extern PyObject *error_closed, *error_stale, *error_deadlock, *error_empty,
    *error_would_block, *error_timed_out, *error_overflow, *error_too_deep;
int make_errors(PyObject *module);
/* Sets the exception that fits a failing status; returns NULL. */
PyObject *set_status(rac_status status, const char *function);
PyObject *set_last_failure(const char *function);

#endif
