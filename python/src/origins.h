/* Where the program subscribes; see origins.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_ORIGINS_H
#define LIBRAC_ORIGINS_H

#include "base.h"

/* "file:line function" of the latest frame of the program's own; 0: there is
 * none, or no room for it. */
size_t place_of_program(char *buffer, size_t capacity);
/* Whether subscriptions remember it. */
int are_origins_wanted(void);
/* The same as a text where subscriptions remember it: new; NULL, without an
 * exception, where they do not. */
PyObject *origin_now(void);
PyObject *set_origins(PyObject *module, PyObject *enabled);

#endif
