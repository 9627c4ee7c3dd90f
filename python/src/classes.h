/* The members of the classes, and the module's functions: classes.c puts them
 * together.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_CLASSES_H
#define LIBRAC_CLASSES_H

#include "objects.h"

int make_classes(PyObject *module);

/* By hand: property.c, recursion.c, scheduler.c, send_many.c, signal_methods.c.
 */
extern PyMethodDef signal_by_hand[], subject_by_hand[], observer_by_hand[],
    property_by_hand[], scheduler_by_hand[];
extern PyGetSetDef signal_getters[], property_getters[];
PyObject *recursion_call(PyObject *self, PyObject *args, PyObject *keywords);

/* From the description of the ABI: calls.c, which includes what is generated.
 */
extern PyMethodDef *const methods_of_class[CLASS_COUNT];
extern PyGetSetDef *const getters_of_class[CLASS_COUNT];
extern const initproc init_of_class[CLASS_COUNT];
extern const char *const signature_of_class[CLASS_COUNT];
extern PyMethodDef *const module_calls;

extern PyMethodDef signal_functions[], process_functions[];
int prepare_process(PyObject *module);

#endif
