/* Observers and disposables: create.c; subjects: subject.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_CREATE_H
#define LIBRAC_CREATE_H

#include "base.h"

PyObject *observer_of(rac_subscriber *subscriber);
/* A Disposable, a callable or None as a disposable, owned. 0 with an exception.
 */
int as_disposable(PyObject *object, rac_disposable **out, const char *function);

PyObject *observer_send(PyObject *self, PyObject *value);
PyObject *observer_add_disposable(PyObject *self, PyObject *disposable);
/* For both: room.py. */
PyObject *hold(PyObject *self, PyObject *action);
extern PyMethodDef disposable_by_hand[];
int disposable_init(PyObject *self, PyObject *args, PyObject *keywords);

PyObject *subject_send(PyObject *self, PyObject *value);
PyObject *subject_try_send(PyObject *self, PyObject *value);
int subject_init(PyObject *self, PyObject *args, PyObject *keywords);

#endif
