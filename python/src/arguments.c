/* Arguments: what Python gives, as the engine takes it. Whatever does not fit
 * raises an exception that names the function and the argument.
 *
 * SPDX-License-Identifier: MIT
 */
#include "calls.h"
#include "errors.h"
#include "objects.h"
#include "parsing.h"
#include "release.h"
#include "signals.h"
#include "thread.h"
#include "values.h"

#include <math.h>

const char *const policy_names[] = {NULL,     "drop_oldest", "drop_newest",
                                    "latest", "error",       "wait",
                                    "refuse", NULL};
static const char *const zone_names[] = {"utc", "local", NULL};
static const char *const priority_names[] = {"high", "default", "low",
                                             "background", NULL};
static const int priorities[] = {RAC_PRIORITY_HIGH, RAC_PRIORITY_DEFAULT,
                                 RAC_PRIORITY_LOW, RAC_PRIORITY_BACKGROUND};

static int as_int64(PyObject *object, int64_t *out, const char *function,
                    const char *argument) {
  PyObject *index = PyIndex_Check(object) ? PyNumber_Index(object) : NULL;
  if (index == NULL)
    return PyErr_Occurred() ? 0 : wrong(function, argument, "an int", object);
  int overflow;
  *out = PyLong_AsLongLongAndOverflow(index, &overflow);
  Py_DECREF(index);
  if (!overflow) return 1;
  PyErr_Format(PyExc_OverflowError, "%s(): %s is beyond 64 bits: %R", function,
               argument, object);
  return 0;
}

static int as_int(PyObject *object, int64_t *out, const char *function,
                  const char *argument) {
  if (!as_int64(object, out, function, argument)) return 0;
  if (*out == (int)*out) return 1;
  PyErr_Format(PyExc_OverflowError, "%s(): %s is beyond 32 bits: %R", function,
               argument, object);
  return 0;
}

static int as_one_of(PyObject *object, const char *const *listed, int64_t *out,
                     const char *function, const char *argument) {
  if (!PyUnicode_Check(object))
    return wrong(function, argument, "a str", object);
  for (int i = 0; listed[i] != NULL; i++)
    if (PyUnicode_CompareWithASCIIString(object, listed[i]) == 0) {
      *out = i;
      return 1;
    }
  PyObject *all = PyUnicode_FromString(listed[0]);
  for (int i = 1; all != NULL && listed[i] != NULL; i++)
    Py_SETREF(all, PyUnicode_FromFormat("%U, %s", all, listed[i]));
  if (all != NULL)
    PyErr_Format(PyExc_ValueError, "%s(): %s must be one of %U, not %R",
                 function, argument, all, object);
  Py_XDECREF(all);
  return 0;
}

static int as_handle(PyObject *object, enum class_number number,
                     struct argument *out, const char *function,
                     const char *argument) {
  char wanted[40];
  if (!is_a(object, number)) {
    PyOS_snprintf(wanted, sizeof wanted, "a librac.%s", class_names[number]);
    return wrong(function, argument, wanted, object);
  }
  out->handle = handle_of(object);
  out->keeper = Py_NewRef(object);
  return out->handle != NULL;
}

static int as_text(PyObject *object, struct argument *out, const char *function,
                   const char *argument) {
  PyObject *path =
      PyUnicode_Check(object) ? Py_NewRef(object) : PyOS_FSPath(object);
  if (path == NULL) {
    PyErr_Clear();
    return wrong(function, argument, "a str", object);
  }
  PyObject *bytes =
      PyBytes_Check(path) ? Py_NewRef(path) : PyUnicode_EncodeFSDefault(path);
  Py_DECREF(path);
  if (bytes == NULL && PyErr_ExceptionMatches(PyExc_UnicodeError)) {
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s(): %s has a surrogate alone: %R",
                 function, argument, object);
  }
  if (bytes == NULL) return 0;
  char *text;
  if (PyBytes_AsStringAndSize(bytes, &text, NULL) < 0) {
    PyErr_Clear();
    Py_DECREF(bytes);
    PyErr_Format(PyExc_ValueError, "%s(): %s must not have a NUL inside: %R",
                 function, argument, object);
    return 0;
  }
  out->text = text;
  out->keeper = bytes;
  return 1;
}

/* A sequence of texts, NULL behind the last. */
static int as_texts(PyObject *object, struct argument *out,
                    const char *function, const char *argument) {
  PyObject *texts = PyUnicode_Check(object) || PyBytes_Check(object)
                        ? NULL
                        : PySequence_List(object);
  if (texts == NULL) {
    PyErr_Clear();
    return wrong(function, argument, "a sequence of str", object);
  }
  Py_ssize_t count = PyList_Size(texts);
  void **list = PyMem_Calloc((size_t)count + 1, sizeof *list);
  out->keeper = texts;
  out->list.items = list;
  if (list == NULL) return PyErr_NoMemory(), 0;
  for (Py_ssize_t i = 0; i < count; i++) {
    struct argument text = {{NULL}, NULL};
    if (!as_text(PyList_GetItem(texts, i), &text, function, argument)) return 0;
    list[i] = (void *)text.text;
    PyList_SetItem(texts, i, text.keeper);
  }
  return 1;
}

/* Text or bytes that the engine takes apart itself. */
static int as_characters(PyObject *object, int is_text, struct argument *out,
                         const char *function, const char *argument) {
  char *characters;
  Py_ssize_t length;
  PyObject *bytes = NULL;
  if (is_text && PyUnicode_Check(object))
    bytes = PyUnicode_AsUTF8String(object);
  else if (!is_text && PyObject_CheckBuffer(object))
    bytes = PyBytes_FromObject(object);
  else
    return wrong(function, argument, is_text ? "a str" : "bytes", object);
  if (bytes == NULL && PyErr_ExceptionMatches(PyExc_UnicodeError)) {
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s(): %s has a surrogate alone: %R",
                 function, argument, object);
  }
  if (bytes == NULL ||
      PyBytes_AsStringAndSize(bytes, &characters, &length) < 0) {
    Py_XDECREF(bytes);
    return 0;
  }
  out->value = is_text ? rac_value_string_copy(characters, (size_t)length)
                       : rac_value_bytes_copy(characters, (size_t)length);
  Py_DECREF(bytes);
  return 1;
}

/* ---- Arrays -------------------------------------------------------------- */

/* The keeper of a list of handles is a tuple of what they belong to. */
static int take_item(const struct row *row, unsigned index, PyObject *object,
                     size_t at, PyObject *keepers, struct argument *out) {
  const char *name = row->parameters[index].name;
  struct argument one = {{NULL}, NULL};
  int fine;
  switch (row->parameters[index].kind) {
  case KIND_VALUES:
    fine = value_of(object, &out->list.values[at]);
    break;
  case KIND_SIGNALS:
    fine =
        (one.handle = as_signal(object, &one.keeper, row->name, name)) != NULL;
    break;
  case KIND_SEQUENCES:
    fine = as_handle(object, CLASS_SEQUENCE, &one, row->name, name);
    break;
  default:
    fine = as_handle(object, CLASS_PROPERTY, &one, row->name, name);
  }
  if (one.keeper != NULL &&
      PyTuple_SetItem(keepers, (Py_ssize_t)at, one.keeper) < 0)
    return 0;
  if (fine) {
    if (out->list.items != NULL) out->list.items[at] = one.handle;
    out->list.count = at + 1;
  }
  return fine;
}

int convert_rest(const struct row *row, PyObject *first,
                 PyObject *const *objects, size_t count, struct argument *out) {
  size_t all = count + (first != NULL), at = 0;
  int values = row->parameters[0].kind == KIND_VALUES;
  void *memory =
      PyMem_Calloc(all + 1, values ? sizeof(rac_value) : sizeof(void *));
  out->list.items = values ? NULL : memory;
  out->list.values = values ? memory : NULL;
  out->keeper = memory ? PyTuple_New((Py_ssize_t)all) : PyErr_NoMemory();
  if (out->keeper == NULL) return 0;
  if (first != NULL && !take_item(row, 0, first, at++, out->keeper, out))
    return 0;
  for (size_t i = 0; i < count; i++)
    if (!take_item(row, 0, objects[i], at++, out->keeper, out)) return 0;
  return 1;
}

static int as_list(const struct row *row, unsigned index, PyObject *object,
                   struct argument *out) {
  /* Going through a signal waits for its values, and perhaps for ever. */
  if (is_a(object, CLASS_SIGNAL))
    return wrong(row->name, row->parameters[index].name, "a list", object);
  PyObject *listed = PySequence_List(object);
  if (listed == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return 0;
    PyErr_Clear();
    return wrong(row->name, row->parameters[index].name, "an iterable", object);
  }
  size_t count = (size_t)PyList_Size(listed);
  out->list.items = PyMem_Calloc(count + 1, sizeof(void *));
  out->keeper =
      out->list.items ? PyTuple_New((Py_ssize_t)count) : PyErr_NoMemory();
  int fine = out->keeper != NULL;
  for (size_t i = 0; fine && i < count; i++)
    fine = take_item(row, index, PyList_GetItem(listed, (Py_ssize_t)i), i,
                     out->keeper, out);
  Py_DECREF(listed);
  return fine;
}

/* ---- All kinds ----------------------------------------------------------- */

int convert(const struct row *row, unsigned index, PyObject *object,
            struct argument *out) {
  const struct parameter *parameter = &row->parameters[index];
  const char *function = row->name, *name = parameter->name;
  int none = object == Py_None && !parameter->needed, fine;
  switch (parameter->kind) {
  case KIND_SIGNAL:
    return none || (out->handle = as_signal(object, &out->keeper, function,
                                            name)) != NULL;
  case KIND_SCHEDULER:
    return none || as_handle(object, CLASS_SCHEDULER, out, function, name);
  case KIND_BOUND:
    return none || as_handle(object, CLASS_BOUND, out, function, name);
  case KIND_SEQUENCE:
    return as_handle(object, CLASS_SEQUENCE, out, function, name);
  case KIND_PROPERTY:
    return as_handle(object, CLASS_PROPERTY, out, function, name);
  case KIND_DISPOSABLE:
    return none || as_handle(object, CLASS_DISPOSABLE, out, function, name);
  case KIND_SUBJECT:
    return none || as_handle(object, CLASS_SUBJECT, out, function, name);
  case KIND_OBSERVER:
    if (is_a(object, CLASS_SUBJECT))
      return as_handle(object, CLASS_SUBJECT, out, function, name);
    return as_handle(object, CLASS_OBSERVER, out, function, name);
  case KIND_CALL:
    out->handle = none ? NULL : object;
    return none || check_callable(object, function, name);
  case KIND_SIGNALS:
  case KIND_SEQUENCES:
  case KIND_PROPERTIES:
  case KIND_VALUES:
    return as_list(row, index, object, out);
  case KIND_COUNT:
    return as_count(object, &out->size, function, name);
  case KIND_COUNT_OR_FOR_EVER:
    if (!none && !as_count(object, &out->size, function, name)) return 0;
    if (none || out->size > 0) return 1;
    PyErr_Format(PyExc_ValueError, "%s(): %s must be 1 or more, or None",
                 function, name);
    return 0;
  case KIND_COUNT_OR_ALL:
    out->size = SIZE_MAX;
    return none || as_count(object, &out->size, function, name);
  case KIND_SECONDS:
    return as_seconds(object, &out->number, function, name);
  case KIND_SECONDS_OR_EVER:
    out->number = INFINITY;
    return none || as_seconds(object, &out->number, function, name);
  case KIND_TIMEOUT:
    out->number = -1;
    if (none || !as_seconds(object, &out->number, function, name)) return none;
    out->number = out->number < 0 ? 0 : out->number;
    return 1;
  case KIND_TRUTH:
    fine = PyObject_IsTrue(object);
    out->integer = fine;
    return fine >= 0;
  case KIND_INT:
    return as_int(object, &out->integer, function, name);
  case KIND_INT64:
    return as_int64(object, &out->integer, function, name);
  case KIND_DESCRIPTOR:
    out->integer = PyObject_AsFileDescriptor(object);
    return out->integer >= 0;
  case KIND_ZONE:
    return as_one_of(object, zone_names, &out->integer, function, name);
  case KIND_PRIORITY:
    fine = as_one_of(object, priority_names, &out->integer, function, name);
    out->integer = fine ? priorities[out->integer] : 0;
    return fine;
  case KIND_POLICY:
    fine = as_one_of(object, policy_names + 1, &out->integer, function, name);
    out->integer++;
    return fine;
  case KIND_VALUE:
    return value_of(object, &out->value);
  case KIND_TUPLE:
    return Py_IS_TYPE(object, &PyTuple_Type) ? open_tuple(object, &out->value)
                                             : value_of(object, &out->value);
  case KIND_ERROR:
    return error_value_of(object, &out->value, function);
  case KIND_TEXT:
    return none || as_text(object, out, function, name);
  case KIND_TEXTS:
    return none || as_texts(object, out, function, name);
  case KIND_STRING:
  case KIND_BYTES:
    return as_characters(object, parameter->kind == KIND_STRING, out, function,
                         name);
  }
  return 0;
}

/* An argument that was not given is nothing but zeros. */
void let_go(const struct row *row, unsigned index, struct argument *argument) {
  switch (row->parameters[index].kind) {
  case KIND_VALUE:
  case KIND_TUPLE:
  case KIND_ERROR:
  case KIND_STRING:
  case KIND_BYTES:
    drop_value(argument->value);
    break;
  case KIND_SIGNALS:
  case KIND_SEQUENCES:
  case KIND_PROPERTIES:
  case KIND_VALUES:
    for (size_t i = 0;
         argument->list.values != NULL && i < argument->list.count; i++)
      drop_value(argument->list.values[i]);
    PyMem_Free(argument->list.values);
    PyMem_Free(argument->list.items);
    break;
  case KIND_TEXTS:
    PyMem_Free(argument->list.items);
    break;
  default:
    break;
  }
  Py_XDECREF(argument->keeper);
}
