/* Python's objects as values, and back.
 *
 * None, bool, int and float are scalars, so that what the engine computes
 * itself works on them. An int beyond 64 bits, and every other object, is an
 * object value: the same object arrives. So it is with tuples: what looks
 * inside gets one of the engine's (tuples_of()), and what compares asks
 * (held.c). Signals are signals.
 *
 * SPDX-License-Identifier: MIT
 */
#include "values.h"
#include "objects.h"
#include "release.h"
#include "statuses.h"
#include "thread.h"

PyObject *unit;
uint32_t object_number;

/* From above: errors.c, event.c and socket.c. */
static PyObject *(*object_of_error)(rac_value error);
static PyObject *(*object_of_socket)(rac_value socket);
static PyTypeObject *event_class;
static int (*value_of_event)(PyObject *event, rac_value *out);
static PyObject *(*object_of_event)(rac_value event);

void convert_sockets(PyObject *(*to_object)(rac_value)) {
  object_of_socket = to_object;
}

void convert_errors(PyObject *(*to_object)(rac_value)) {
  object_of_error = to_object;
}

void convert_events(PyTypeObject *class,
                    int (*to_value)(PyObject *, rac_value *),
                    PyObject *(*to_object)(rac_value)) {
  event_class = class;
  value_of_event = to_value;
  object_of_event = to_object;
}

/* ---- To the engine ----------------------------------------------------------
 */

/* A view: it costs nothing, and lives as long as the object. */
static int value_of_object(PyObject *object, rac_value *out) {
  *out = rac_object(object, object_number);
  return 1;
}

int give_value(PyObject *object, rac_value *out) {
  if (!value_of(object, out)) {
    Py_DECREF(object);
    return 0;
  }
  if (out->kind != RAC_OBJECT) {
    Py_DECREF(object);
    return 1;
  }
  entry outer = enter();
  *out = rac_value_object_owned(object, object_number);
  leave(outer); /* nothing was called that raises */
  if (out->kind == RAC_OBJECT) return 1;
  PyErr_NoMemory();
  return 0;
}

int open_tuple(PyObject *tuple, rac_value *out) {
  rac_value few[8], *values = few;
  Py_ssize_t count = PyTuple_Size(tuple), done = 0;
  if (count > 8 &&
      (values = PyMem_Malloc((size_t)count * sizeof *values)) == NULL) {
    PyErr_NoMemory();
    return 0;
  }
  while (done < count && value_of(PyTuple_GetItem(tuple, done), &values[done]))
    done++;
  int fine = done == count;
  if (fine) {
    entry outer = enter();
    *out = rac_value_tuple(values, (size_t)count);
    leave(outer);
    if (out->kind != RAC_TUPLE) {
      PyErr_NoMemory();
      fine = 0;
    }
  }
  while (done > 0) drop_value(values[--done]);
  if (values != few) PyMem_Free(values);
  return fine;
}

int make_value_of(PyObject *object, rac_value *out) {
  PyTypeObject *type = Py_TYPE(object);
  if (type == &PyLong_Type) {
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow) return value_of_object(object, out);
    *out = rac_int64(number);
    return 1;
  }
  if (type == &PyFloat_Type) {
    *out = rac_double(PyFloat_AsDouble(object));
    return 1;
  }
  if (object == Py_None) {
    *out = (rac_value){0};
    return 1;
  }
  if (type == &PyBool_Type) {
    *out = rac_bool(object == Py_True);
    return 1;
  }
  if (type == &PyTuple_Type) return value_of_object(object, out);
  if (is_a(object, CLASS_SIGNAL)) {
    rac_signal *signal = handle_of(object);
    if (signal == NULL) return 0;
    *out = rac_value_signal(signal);
    if (out->kind == RAC_SIGNAL) return 1;
    set_last_failure("a signal as a value");
    return 0;
  }
  if (is_a(object, CLASS_SEQUENCE)) {
    *out = rac_value_sequence(handle_of(object));
    if (out->kind == RAC_SEQUENCE) return 1;
    set_last_failure("a sequence as a value");
    return 0;
  }
  if (object == unit) {
    *out = rac_value_unit();
    return 1;
  }
  if (type == event_class) return value_of_event(object, out);
  return value_of_object(object, out);
}

/* ---- From the engine --------------------------------------------------------
 */

/* Values inside values, each in a call of its own: as many as of all that is
 * inside itself. */
static __thread int depth;

static int go_deeper(void) {
  enum { DEEPEST_OF_ENGINE = 4096 };
  if (++depth <= DEEPEST_OF_ENGINE) return 1;
  PyErr_Format(error_too_deep, "a value inside of more than %d others",
               DEEPEST_OF_ENGINE);
  return 0;
}

/* Below the first two, tuples that are in several places are made once: `known`
 * has them by their addresses, for as long as the outermost is being made. */
static PyObject *object_of_tuple(rac_value value, PyObject **known);

static PyObject *object_of_inner_tuple(rac_value value, PyObject **known) {
  if (is_sent(value)) return object_of(value);
  if (depth < 2) return object_of_tuple(value, known);
  if (*known == NULL && (*known = PyDict_New()) == NULL) return NULL;
  PyObject *address = PyLong_FromLongLong(value.bits), *tuple = NULL;
  if (address == NULL) return NULL;
  tuple = Py_XNewRef(PyDict_GetItemWithError(*known, address));
  if (tuple == NULL && !PyErr_Occurred() &&
      (tuple = object_of_tuple(value, known)) != NULL &&
      PyDict_SetItem(*known, address, tuple) < 0)
    Py_CLEAR(tuple);
  Py_DECREF(address);
  return tuple;
}

static PyObject *object_of_tuple(rac_value value, PyObject **known) {
  size_t count = rac_tuple_count(value);
  PyObject *tuple = go_deeper() ? PyTuple_New((Py_ssize_t)count) : NULL;
  for (size_t i = 0; tuple != NULL && i < count; i++) {
    rac_value inner = rac_tuple_get(value, i);
    PyObject *element = inner.kind == RAC_TUPLE
                            ? object_of_inner_tuple(inner, known)
                            : object_of(inner);
    if (element == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, element) < 0)
      Py_CLEAR(tuple);
  }
  depth--;
  return tuple;
}

static PyObject *object_of_outer_tuple(rac_value value) {
  PyObject *known = NULL, *tuple = object_of_tuple(value, &known);
  Py_XDECREF(known);
  return tuple;
}

static PyObject *object_of_inner_event(rac_value value) {
  PyObject *event = go_deeper() ? object_of_event(value) : NULL;
  depth--;
  return event;
}

PyObject *make_object_of(rac_value value) {
  switch (value.kind) {
  case RAC_NIL:
    return Py_NewRef(Py_None);
  case RAC_BOOL:
    return Py_NewRef(value.bits ? Py_True : Py_False);
  case RAC_INT64:
    return PyLong_FromLongLong(value.bits);
  case RAC_DOUBLE: {
    double number;
    memcpy(&number, &value.bits, sizeof number);
    return PyFloat_FromDouble(number);
  }
  case RAC_OBJECT: {
    void *object = rac_object_in(value, object_number);
    if (object || rac_value_get_object(value, object_number, &object) == RAC_OK)
      return Py_NewRef((PyObject *)object);
    break;
  }
  case RAC_STRING: {
    const char *text = NULL;
    size_t length = 0;
    rac_value_get_text(value, &text, &length);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
  }
  case RAC_BYTES: {
    const void *bytes = NULL;
    size_t length = 0;
    rac_value_get_bytes(value, &bytes, &length);
    return PyBytes_FromStringAndSize(bytes, (Py_ssize_t)length);
  }
  case RAC_TUPLE:
    return object_of_outer_tuple(value);
  case RAC_ERROR:
    return object_of_error(value);
  case RAC_SIGNAL:
    return wrap(classes[CLASS_SIGNAL], rac_value_to_signal(value),
                "a signal as a value");
  case RAC_SEQUENCE:
    return wrap(classes[CLASS_SEQUENCE], rac_value_to_sequence(value),
                "a sequence as a value");
  case RAC_EVENT:
    return object_of_inner_event(value);
  case RAC_UNIT:
    return Py_NewRef(unit);
  case RAC_POINTER: {
    void *pointer = NULL;
    if (rac_value_get_pointer(value, "rac_socket", &pointer) == RAC_OK)
      return object_of_socket(value);
    rac_value_get_pointer(value, NULL, &pointer);
    return PyLong_FromVoidPtr(pointer);
  }
  }
  PyErr_SetString(PyExc_TypeError,
                  "a value of a kind that Python has no object for");
  return NULL;
}

PyObject *object_of_owned(rac_value value) {
  PyObject *object = object_of(value);
  drop_value(value);
  return object;
}

/* ---- The unit ------------------------------------------------------------ */

static PyObject *unit_repr(PyObject *self) {
  (void)self;
  return PyUnicode_FromString("librac.UNIT");
}

int make_values(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_doc, "What signals send that only say that something happened."},
      {Py_tp_repr, unit_repr},
      {0, NULL}};
  static PyType_Spec spec = {
      "librac.Unit", 0, 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject *type = PyType_FromSpec(&spec);
  if (type == NULL) return 0;
  unit = PyType_GenericAlloc((PyTypeObject *)type, 0);
  Py_DECREF(type);
  return unit != NULL && PyModule_AddObjectRef(module, "UNIT", unit) == 0;
}
