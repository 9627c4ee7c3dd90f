/* Objects that stand for signals; see signal.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_SIGNALS_H
#define LIBRAC_SIGNALS_H

#include "base.h"

/* The signal that an object stands for: lent, and alive as long as *keeper,
 * which is a new reference. NULL with an exception that names `function` and
 * `argument`. */
rac_signal *as_signal(PyObject *object, PyObject **keeper, const char *function,
                      const char *argument);
PyObject *set_signal_converter(PyObject *module, PyObject *converter);

#endif
