/* Functions that the limited API of Python 3.12 leaves out and that are easily
 * had.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_LIMITED_H
#define LIBRAC_LIMITED_H
#ifdef Py_LIMITED_API

static inline PyObject *PyObject_CallOneArg(PyObject *callable,
                                            PyObject *argument) {
  PyObject *arguments[2] = {NULL, argument};
  return PyObject_Vectorcall(callable, arguments + 1,
                             1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

#define Py_XSETREF(variable, object)                                           \
  do {                                                                         \
    PyObject *before_ = (variable);                                            \
    (variable) = (object);                                                     \
    Py_XDECREF(before_);                                                       \
  } while (0)
#define Py_SETREF(variable, object) Py_XSETREF(variable, object)

#endif
#endif
