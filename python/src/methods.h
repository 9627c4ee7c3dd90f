/* Methods of signals: arrays.c, combining.c, sequence.c, waiting.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_METHODS_H
#define LIBRAC_METHODS_H

#include "base.h"

PyObject *signal_subscribe_arrays(PyObject *, PyObject *const *, Py_ssize_t,
                                  PyObject *);
PyObject *signal_subscribe_lists(PyObject *, PyObject *const *, Py_ssize_t,
                                 PyObject *);
PyObject *signal_iterate(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_iter(PyObject *self);
PyObject *signal_switch(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_lift(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_lift_arguments(PyObject *, PyObject *const *, Py_ssize_t,
                                PyObject *);

extern PyMethodDef waiting_functions[], sequence_by_hand[],
    sequence_iterator_by_hand[];
PyObject *sequence_iter(PyObject *self);
PyObject *sequence_iterator_next(PyObject *self);
int make_arrays(PyObject *module);
int make_waiting(void);

#endif
