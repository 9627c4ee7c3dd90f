/* What the extensions of other machines are given: machines/bridge.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../machines/bridge.h"

#include "base.h"
#include "bridged.h"
#include "callbacks_signals.h"
#include "errors.h"
#include "gil.h"
#include "objects.h"
#include "release.h"
#include "signals.h"
#include "values.h"

static PyObject *wrap_signal(rac_signal *signal, const char *function) {
  return wrap(classes[CLASS_SIGNAL], signal, function);
}

static void *handle_in(PyObject *object, enum class_number number) {
  if (is_a(object, number)) return handle_of(object);
  PyErr_Format(PyExc_TypeError, "a librac.%s is wanted, not %R",
               class_names[number], object);
  return NULL;
}
static rac_scheduler *scheduler_of(PyObject *object) {
  return handle_in(object, CLASS_SCHEDULER);
}
static rac_property *property_of(PyObject *object) {
  return handle_in(object, CLASS_PROPERTY);
}
static rac_bound *bound_of(PyObject *object) {
  return handle_in(object, CLASS_BOUND);
}

static void enter_from_beside(uint64_t outer[2]) {
  entry self = enter();
  outer[0] = self.call;
  outer[1] = self.outer;
}
static int leave_from_beside(const uint64_t outer[2]) {
  return leave((entry){outer[0], outer[1]});
}

/* ---- Objects as the engine's values ---------------------------------------- */

static int open_object(PyObject *object, rac_value *out, int depth);

static int take_made(rac_value value, rac_value *out) {
  *out = value;
  if (value.kind != RAC_NIL) return 1;
  PyErr_NoMemory();
  return 0;
}

static int open_bytes(PyObject *bytes, bool is_text, rac_value *out) {
  char *characters = NULL;
  Py_ssize_t length = 0;
  int fine = bytes && PyBytes_AsStringAndSize(bytes, &characters, &length) == 0;
  if (fine)
    fine = take_made(is_text ? rac_value_string_copy(characters, (size_t)length)
                             : rac_value_bytes_copy(characters, (size_t)length),
                     out);
  Py_XDECREF(bytes);
  return fine;
}

/* Of a tuple or a list. */
static int open_elements(PyObject *sequence, rac_value *out, int depth) {
  Py_ssize_t count = PySequence_Size(sequence), done = 0;
  rac_value *values =
      count < 0 ? NULL : PyMem_Calloc((size_t)count + 1, sizeof *values);
  if (values == NULL) return PyErr_Occurred() ? 0 : (PyErr_NoMemory(), 0);
  int fine = 1;
  for (; fine && done < count; done++) {
    PyObject *element = PySequence_GetItem(sequence, done);
    fine = element != NULL && open_object(element, &values[done], depth + 1);
    Py_XDECREF(element);
    if (!fine) break;
  }
  if (fine) fine = take_made(rac_value_tuple(values, (size_t)count), out);
  while (done > 0) drop_value(values[--done]);
  PyMem_Free(values);
  return fine;
}

/* Owned. What cannot travel stays an object. */
static int open_object(PyObject *object, rac_value *out, int depth) {
  enum { DEEPEST = 100 }; /* no format takes as much */
  if (depth < DEEPEST && PyUnicode_Check(object))
    return open_bytes(PyUnicode_AsUTF8String(object), true, out);
  if (depth < DEEPEST && (PyBytes_Check(object) || PyByteArray_Check(object)))
    return open_bytes(PyBytes_FromObject(object), false, out);
  if (depth < DEEPEST && (PyTuple_Check(object) || PyList_Check(object)))
    return open_elements(object, out, depth);
  return give_value(Py_NewRef(object), out);
}

/* A text with a surrogate alone is no value that can travel. */
static rac_status open_value(rac_value value, rac_value *out) {
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  PyObject *object = object_of(value);
  int fine = object != NULL && open_object(object, out, 0);
  Py_XDECREF(object);
  if (!fine) PyErr_Clear();
  end(attached);
  return fine ? RAC_OK : RAC_EKIND;
}

/* ------------------------------------------------------------------------------- */

int make_bridge(PyObject *module) {
  static bridge made;
  made = (bridge){sizeof made,           as_signal,         wrap_signal,
                  scheduler_of,          property_of,       bound_of,
                  enter_from_beside,     leave_from_beside, call_signal,
                  drop_speaking_context, open_value};
  PyObject *capsule = PyCapsule_New(&made, BRIDGE_NAME, NULL);
  int status = capsule ? PyModule_AddObjectRef(module, "_bridge", capsule) : -1;
  Py_XDECREF(capsule);
  return status == 0;
}
