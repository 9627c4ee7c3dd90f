/* Arguments by name, and those that what is written by hand takes, too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "parsing.h"

#include <math.h>

int take_arguments(const char *function, const char *const *names, size_t count,
                   size_t needed, PyObject *const *given, Py_ssize_t positional,
                   PyObject *keywords, PyObject **out) {
  if ((size_t)positional > count) {
    PyErr_Format(PyExc_TypeError,
                 "%s() takes at most %zu arguments but %zd were given",
                 function, count, positional);
    return 0;
  }
  for (size_t i = 0; i < count; i++)
    out[i] = i < (size_t)positional ? given[i] : NULL;
  Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
  for (Py_ssize_t i = 0; i < named; i++) {
    PyObject *keyword = PyTuple_GetItem(keywords, i);
    size_t at = 0;
    while (at < count &&
           PyUnicode_CompareWithASCIIString(keyword, names[at]) != 0)
      at++;
    if (at == count || out[at] != NULL) {
      PyErr_Format(PyExc_TypeError,
                   at == count ? "%s() got an unexpected keyword argument %R"
                               : "%s() got multiple values for argument %R",
                   function, keyword);
      return 0;
    }
    out[at] = given[positional + i];
  }
  for (size_t i = 0; i < needed; i++)
    if (out[i] == NULL) {
      PyErr_Format(PyExc_TypeError, "%s() missing required argument: '%s'",
                   function, names[i]);
      return 0;
    }
  return 1;
}

int wrong(const char *function, const char *argument, const char *wanted,
          PyObject *object) {
  PyErr_Format(PyExc_TypeError, "%s(): %s must be %s, not %R", function,
               argument, wanted, (PyObject *)Py_TYPE(object));
  return 0;
}

int check_callable(PyObject *object, const char *function,
                   const char *argument) {
  return PyCallable_Check(object) ||
         wrong(function, argument, "callable", object);
}

int as_count(PyObject *object, size_t *out, const char *function,
             const char *argument) {
  PyObject *index = PyIndex_Check(object) ? PyNumber_Index(object) : NULL;
  if (index == NULL)
    return PyErr_Occurred() ? 0 : wrong(function, argument, "an int", object);
  *out = PyLong_AsSize_t(index);
  Py_DECREF(index);
  if (*out != (size_t)-1 || !PyErr_Occurred()) return 1;
  PyErr_Format(PyExc_ValueError,
               "%s(): %s must be an int from 0 to 2**64 - 1, not %R", function,
               argument, object);
  return 0;
}

/* A timedelta, or what else says total_seconds(); NULL, without an exception:
 * it does not. */
static PyObject *total_seconds(PyObject *object) {
  PyObject *made = PyFloat_Check(object) || PyLong_Check(object)
                       ? NULL
                       : PyObject_CallMethod(object, "total_seconds", NULL);
  if (made == NULL) PyErr_Clear();
  return made;
}

int as_seconds(PyObject *object, double *out, const char *function,
               const char *argument) {
  PyObject *total = total_seconds(object);
  *out = PyFloat_AsDouble(total ? total : object);
  Py_XDECREF(total);
  if (*out != -1 || !PyErr_Occurred()) {
    if (!isnan(*out)) return 1;
    PyErr_Format(PyExc_ValueError, "%s(): %s must not be NaN", function,
                 argument);
    return 0;
  }
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) return 0;
  PyErr_Clear();
  return wrong(function, argument, "a number of seconds or a timedelta",
               object);
}
