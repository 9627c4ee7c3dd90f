/* Exceptions as errors of streams, and back: errors.c; events as values:
 * event.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_ERRORS_H
#define LIBRAC_ERRORS_H

#include "values.h"

/* The exception that is set, as an error of the engine's: owned. Clears it. */
rac_value error_value_of_raised(void);
int error_value_of(PyObject *exception, rac_value *out, const char *function);
/* The exception behind an error, the same object as long as one is. */
PyObject *exception_of(rac_value error);

/* A callback failed with the exception that is set: what it returns. */
rac_status fail(void);

void prepare_errors(void);
int make_event(PyObject *module);

#endif
