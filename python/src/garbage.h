/* Python's collector; see garbage.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_GARBAGE_H
#define LIBRAC_GARBAGE_H

#include "base.h"

int prepare_garbage(PyObject *module);
void handle_finalize(PyObject *self); /* tp_finalize */

#endif
