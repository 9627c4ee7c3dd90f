/* Operators that put notes on errors; see noted.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_NOTED_H
#define LIBRAC_NOTED_H

#include "base.h"

/* For `made`, which it takes over: what puts notes on the errors with this code
 * that the operator itself makes. */
rac_signal *with_notes(rac_signal *source, rac_signal *made, const char *name,
                       int32_t code);
/* For a signal that a function's result was made into: what puts notes on its
 * errors; one reference. */
rac_signal *with_notes_of(PyObject *context, const rac_value *value,
                          rac_signal *inner);
#endif
