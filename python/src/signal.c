/* Signals, and objects that stand for one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "objects.h"
#include "parsing.h"
#include "signals.h"
#include "statuses.h"

static PyObject *converter; /* makes signals of other objects */

PyObject *set_signal_converter(PyObject *module, PyObject *function) {
  (void)module;
  if (function != Py_None &&
      !check_callable(function, "set_signal_converter", "function"))
    return NULL;
  Py_XSETREF(converter, function == Py_None ? NULL : Py_NewRef(function));
  return Py_NewRef(Py_None);
}

static rac_signal *no_signal(PyObject *object, const char *function,
                             const char *argument) {
  if (function != NULL)
    PyErr_Format(PyExc_TypeError, "%s(): %s must be a signal, not %R", function,
                 argument, (PyObject *)Py_TYPE(object));
  return NULL;
}

rac_signal *as_signal(PyObject *object, PyObject **keeper, const char *function,
                      const char *argument) {
  *keeper = NULL;
  if (is_a(object, CLASS_SIGNAL)) {
    rac_signal *handle = handle_of(object);
    *keeper = handle ? Py_NewRef(object) : NULL;
    return handle;
  }
  if (is_a(object, CLASS_PROPERTY)) {
    void *property = handle_of(object);
    rac_signal *handle = property ? rac_property_as_signal(property) : NULL;
    if (handle != NULL)
      *keeper = Py_NewRef(object);
    else
      set_last_failure(function ? function : "a property as a signal");
    return handle;
  }
  PyObject *made = converter ? PyObject_CallOneArg(converter, object) : NULL;
  if (made != NULL && is_a(made, CLASS_SIGNAL)) {
    *keeper = made;
    rac_signal *handle = handle_of(made);
    if (handle == NULL) Py_CLEAR(*keeper);
    return handle;
  }
  if (made == NULL && PyErr_Occurred()) return NULL;
  Py_XDECREF(made);
  return no_signal(object, function, argument);
}
