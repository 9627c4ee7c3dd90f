/* Operators of Python's own, fused; see stages.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_STAGES_H
#define LIBRAC_STAGES_H

#include "objects.h"

/* The handle of a fused chain, ending in a function that hears the values;
 * owned. `context` is what its subscription's callbacks say of it: new. */
rac_signal *pipeline_into(Handle *signal, PyObject *next, PyObject **context);
int make_stages(void);

PyObject *signal_description(PyObject *self, void *closure);
PyObject *signal_map(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_filter(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_scan(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_distinct(PyObject *, PyObject *);
PyObject *signal_distinct_by(PyObject *, PyObject *const *, Py_ssize_t,
                             PyObject *);
PyObject *signal_do_next(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

#endif
