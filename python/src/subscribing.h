/* Subscribing with functions of Python's; see subscribing.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_SUBSCRIBING_H
#define LIBRAC_SUBSCRIBING_H

#include "base.h"

PyObject *signal_subscribe(PyObject *, PyObject *const *, Py_ssize_t,
                           PyObject *);
PyObject *property_subscribe(PyObject *, PyObject *const *, Py_ssize_t,
                             PyObject *);
/* Ends one that nobody can have, as what raised did so while it was made; takes
 * it over, or NULL, and leaves the exception that is set. */
void end_subscription(rac_disposable *made);
/* The object of it; takes over the reference of where it was made, which may be
 * NULL. */
PyObject *subscription_of(rac_disposable *made, PyObject *origin,
                          const char *called);

#endif
