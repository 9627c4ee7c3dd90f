/* The options of a function, by their names: a table says which member of a
 * structure each of them is, and a dictionary, such as the locals of a method of
 * Python's, has the values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_MACHINES_OPTIONS_H
#define LIBRAC_MACHINES_OPTIONS_H

#include "bridge.h"

typedef enum option_kind {
  OPTION_TEXT,  /* const char *; None is NULL */
  OPTION_BYTES, /* and a text: const void *, and its length in a size_t */
  OPTION_NUMBER,
  OPTION_SIZE,  /* size_t; a negative one is too large */
  OPTION_LARGE, /* uint64_t */
  OPTION_SECONDS,
  OPTION_FLAG,
  OPTION_SCHEDULER, /* None is NULL, as that of the next */
  OPTION_BOUND
} option_kind;

typedef struct option {
  const char *name;
  option_kind kind;
  size_t place, length; /* of the member, and of that of its length */
} option;

#define OPTION(type, name, kind) {#name, OPTION_##kind, offsetof(type, name), 0}
#define END_OF_OPTIONS {NULL, OPTION_FLAG, 0, 0}

/* 0, with the exception that is there, or one that says the kind. */
static inline int option_is_wrong(const char *function, const option *option,
                                  const char *kind, PyObject *value) {
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) return 0;
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "%s(): %s must be %s, not %R", function,
               option->name, kind, value);
  return 0;
}

/* The text lives as long as `value`. */
static inline const char *option_text(PyObject *value, Py_ssize_t *length) {
  const char *text = PyUnicode_AsUTF8AndSize(value, length);
  if (text != NULL && strlen(text) != (size_t)*length) {
    PyErr_SetString(PyExc_ValueError, "embedded null character");
    return NULL;
  }
  return text;
}

static inline int fill_text(const char **place, PyObject *value,
                            const char *function, const option *option) {
  Py_ssize_t length;
  if (value == Py_None) return 1;
  if (!PyUnicode_Check(value))
    return option_is_wrong(function, option, "str or None", value);
  *place = option_text(value, &length);
  return *place != NULL;
}

static inline int fill_bytes(const void **place, size_t *size, PyObject *value,
                             const char *function, const option *option) {
  Py_ssize_t length = 0;
  char *bytes = NULL;
  if (value == Py_None) return 1;
  if (PyUnicode_Check(value)) {
    *place = PyUnicode_AsUTF8AndSize(value, &length);
    if (*place == NULL) return 0;
  } else if (PyBytes_Check(value)) {
    if (PyBytes_AsStringAndSize(value, &bytes, &length) < 0) return 0;
    *place = bytes;
  } else
    return option_is_wrong(function, option, "str, bytes or None", value);
  *size = (size_t)length;
  return 1;
}

static inline int fill_number(int32_t *place, PyObject *value,
                              const char *function, const option *option) {
  long number = PyLong_AsLong(value);
  if (number == -1 && PyErr_Occurred())
    return option_is_wrong(function, option, "int", value);
  if (number != (int32_t)number) {
    PyErr_Format(PyExc_OverflowError, "%s(): %s is %ld", function, option->name,
                 number);
    return 0;
  }
  *place = (int32_t)number;
  return 1;
}

/* A number, or a timedelta. */
static inline int fill_seconds(double *place, PyObject *value,
                               const char *function, const option *option) {
  PyObject *number = PyObject_HasAttrString(value, "total_seconds")
                         ? PyObject_CallMethod(value, "total_seconds", NULL)
                         : Py_NewRef(value);
  *place = number ? PyFloat_AsDouble(number) : -1;
  Py_XDECREF(number);
  if (*place == -1 && PyErr_Occurred())
    return option_is_wrong(function, option, "seconds", value);
  return 1;
}

static inline int fill_option(char *options, const option *option,
                              PyObject *value, const bridge *librac,
                              const char *function) {
  void *place = options + option->place;
  Py_ssize_t size;
  int truth;
  switch (option->kind) {
  case OPTION_TEXT:
    return fill_text(place, value, function, option);
  case OPTION_BYTES:
    return fill_bytes(place, (void *)(options + option->length), value,
                      function, option);
  case OPTION_NUMBER:
    return fill_number(place, value, function, option);
  case OPTION_SIZE:
    size = PyLong_AsSsize_t(value);
    if (size == -1 && PyErr_Occurred())
      return option_is_wrong(function, option, "int", value);
    *(size_t *)place = size < 0 ? SIZE_MAX : (size_t)size;
    return 1;
  case OPTION_LARGE:
    *(uint64_t *)place = PyLong_AsUnsignedLongLong(value);
    return PyErr_Occurred() ? option_is_wrong(function, option, "int", value)
                            : 1;
  case OPTION_SECONDS:
    return fill_seconds(place, value, function, option);
  case OPTION_FLAG:
    truth = PyObject_IsTrue(value);
    *(bool *)place = truth > 0;
    return truth >= 0;
  case OPTION_SCHEDULER:
    if (value == Py_None) return 1;
    return (*(rac_scheduler **)place = librac->scheduler_of(value)) != NULL;
  case OPTION_BOUND:
    if (value == Py_None) return 1;
    return (*(rac_bound **)place = librac->bound_of(value)) != NULL;
  }
  return 0;
}

/* False with an exception. Texts and handles live as long as the values; other
 * names are passed over. */
static inline int fill_options(void *options, const option *all,
                               PyObject *values, const bridge *librac,
                               const char *function) {
  for (const option *each = all; each->name != NULL; each++) {
    PyObject *value = PyDict_GetItemString(values, each->name);
    if (value == NULL) {
      PyErr_Format(PyExc_KeyError, "%s(): %s", function, each->name);
      return 0;
    }
    if (!fill_option(options, each, value, librac, function)) return 0;
  }
  return 1;
}

#endif
