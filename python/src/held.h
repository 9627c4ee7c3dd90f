/* Objects of Python's that the engine holds; see held.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_HELD_H
#define LIBRAC_HELD_H

#include "base.h"

int register_objects(void);

/* As the engine compares the values of two objects. An exception of theirs
 * comes out of the call that is under way; they count as different then. */
int are_equal_values(PyObject *object, PyObject *other);

#endif
