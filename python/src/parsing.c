/* The arguments of what is written by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "extension.h"

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
