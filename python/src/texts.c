/* Python's texts as the engine's, for what writes and frames them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "texts.h"

#include "callbacks.h"
#include "calls.h"
#include "errors.h"
#include "gil.h"
#include "objects.h"
#include "release.h"
#include "signals.h"
#include "thread.h"
#include "values.h"

/* A str or bytes; else as it is: the engine refuses it. */
static int text_of(PyObject *object, rac_value *out) {
  char *characters = NULL;
  Py_ssize_t length = 0;
  PyObject *bytes = NULL;
  if (PyUnicode_Check(object)) {
    bytes = PyUnicode_AsUTF8String(object);
  } else if (PyObject_CheckBuffer(object)) {
    bytes = PyBytes_FromObject(object);
  } else {
    return give_value(Py_NewRef(object), out);
  }
  if (bytes == NULL ||
      PyBytes_AsStringAndSize(bytes, &characters, &length) < 0) {
    Py_XDECREF(bytes);
    return 0;
  }
  *out = rac_value_bytes_copy(characters, (size_t)length);
  Py_DECREF(bytes);
  if (out->kind == RAC_BYTES) return 1;
  PyErr_NoMemory();
  return 0;
}

static int texts_in(PyObject *tuple, rac_value *out) {
  Py_ssize_t count = PyTuple_Size(tuple), done = 0;
  rac_value *values = PyMem_Malloc((size_t)(count + 1) * sizeof *values);
  if (values == NULL) {
    PyErr_NoMemory();
    return 0;
  }
  while (done < count && text_of(PyTuple_GetItem(tuple, done), &values[done]))
    done++;
  int fine = done == count;
  if (fine) {
    *out = rac_value_tuple(values, (size_t)count);
    fine = out->kind == RAC_TUPLE;
    if (!fine) PyErr_NoMemory();
  }
  while (done > 0) drop_value(values[--done]);
  PyMem_Free(values);
  return fine;
}

static rac_status to_texts(void *context, rac_value value, rac_value *out) {
  (void)context;
  if (value.kind != RAC_OBJECT && value.kind != RAC_TUPLE) {
    *out = rac_value_retain(value);
    return RAC_OK;
  }
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  PyObject *object = object_of(value);
  int fine = object != NULL && (PyTuple_Check(object) ? texts_in(object, out)
                                                      : text_of(object, out));
  Py_XDECREF(object);
  rac_status status = fine ? RAC_OK : fail();
  end(attached);
  return status;
}

rac_signal *texts_of(rac_signal *source) {
  return rac_signal_map(source, NULL, to_texts, NULL);
}

static PyObject *texts(PyObject *module, PyObject *signal) {
  PyObject *keeper = NULL;
  (void)module;
  rac_signal *source = as_signal(signal, &keeper, "spawn", "input");
  if (source == NULL) return NULL;
  entry outer = enter();
  rac_signal *made = texts_of(source);
  PyObject *result = leave_with(outer, CLASS_SIGNAL, made, "spawn");
  Py_XDECREF(keeper);
  return result;
}

PyMethodDef text_functions[] = {
    {"_texts", texts, METH_O,
     "_texts($module, signal, /)\n--\n\nTexts and bytes as the engine has "
     "them."},
    {NULL, NULL, 0, NULL}};
