/* Python's objects as values, and back.
 *
 * None, bool, int and float are scalars, so that what the engine computes itself
 * works on them. An int beyond 64 bits, and every other object, is an object value:
 * the same object arrives. Tuples are the engine's, signals are signals.
 *
 * SPDX-License-Identifier: MIT
 */
#include "extension.h"

PyObject *unit;

/* ---- Objects that the engine holds ----------------------------------------- */

static void object_retain(void *object) {
  int attached = begin();
  if (attached < 0) return;
  Py_INCREF((PyObject *)object);
  end(attached);
}

static void object_release(void *object) {
  int attached = begin();
  if (attached < 0) return;
  answers_are_void();
  Py_DECREF((PyObject *)object);
  end(attached);
}

int is_of_python(rac_destroy_fn destroy) {
  return destroy == drop_context || destroy == object_release ||
         destroy == drop_speaking_context;
}

/* Of what raises in one call after the other, as a value that is compared with a
 * thousand, the first is told. */
static void keep_first_raised(PyObject *object) {
  if (kept_raised() != NULL)
    forget_raised();
  else
    keep_raised(object);
}

static bool object_equal(void *object, void *other) {
  int attached = begin();
  if (attached < 0) return object == other;
  int equal = PyObject_RichCompareBool(object, other, Py_EQ);
  if (equal < 0) keep_first_raised(object);
  end(attached);
  return equal > 0;
}

/* What cannot be hashed, as a list, is found by comparing. */
static uint64_t object_hash(void *object) {
  int attached = begin();
  if (attached < 0) return 0;
  Py_hash_t hash = PyObject_Hash(object);
  if (hash == -1) {
    if (PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Clear();
    else
      keep_first_raised(object);
    hash = 0;
  }
  end(attached);
  return (uint64_t)hash;
}

static size_t object_describe(void *object, char *buffer, size_t capacity) {
  int attached = begin();
  if (attached < 0) return 0;
  Py_ssize_t length = 0;
  PyObject *text = PyObject_Repr(object);
  PyObject *bytes =
      text ? PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace")
           : NULL;
  char *utf8 = NULL;
  if (bytes != NULL && PyBytes_AsStringAndSize(bytes, &utf8, &length) == 0 &&
      capacity > 0) {
    size_t used = (size_t)length < capacity ? (size_t)length : capacity - 1;
    memcpy(buffer, utf8, used);
    buffer[used] = '\0';
  }
  if (utf8 == NULL) {
    forget_raised();
    length = PyOS_snprintf(buffer, capacity, "<object that has no repr>");
  }
  Py_XDECREF(bytes);
  Py_XDECREF(text);
  end(attached);
  return (size_t)length;
}

static const rac_object_class object_class = {sizeof(rac_object_class),
                                              object_retain,
                                              object_release,
                                              object_equal,
                                              object_hash,
                                              object_describe};

/* ---- To the engine ---------------------------------------------------------- */

void drop_value(rac_value value) {
  if (value.kind <= RAC_DOUBLE) return;
  entry outer = enter();
  rac_value_release(value);
  leave_quietly(outer, NULL);
}

void drop_handle(void *handle) {
  entry outer = enter();
  rac_release(handle);
  leave_quietly(outer, NULL);
}

static uint32_t object_number; /* of our class of objects */

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

/* Tuples in tuples are the engine's so deep, and objects below: what shares its halves
 * would have two to the power of its depth of them. */
#define DEEPEST 6

static int value_of_tuple(PyObject *tuple, int depth, rac_value *out);

static int value_of_element(PyObject *object, int depth, rac_value *out) {
  if (Py_TYPE(object) != &PyTuple_Type) return value_of(object, out);
  return depth < DEEPEST ? value_of_tuple(object, depth + 1, out)
                         : value_of_object(object, out);
}

static int value_of_tuple(PyObject *tuple, int depth, rac_value *out) {
  rac_value few[8], *values = few;
  Py_ssize_t count = PyTuple_Size(tuple), done = 0;
  if (count > 8 &&
      (values = PyMem_Malloc((size_t)count * sizeof *values)) == NULL) {
    PyErr_NoMemory();
    return 0;
  }
  while (done < count &&
         value_of_element(PyTuple_GetItem(tuple, done), depth, &values[done]))
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
  if (type == &PyUnicode_Type) return value_of_object(object, out);
  if (object == Py_None) {
    *out = (rac_value){0};
    return 1;
  }
  if (type == &PyBool_Type) {
    *out = rac_bool(object == Py_True);
    return 1;
  }
  if (type == &PyTuple_Type) return value_of_tuple(object, 1, out);
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
  if (event_check(object)) return value_of_event(object, out);
  return value_of_object(object, out);
}

/* ---- From the engine -------------------------------------------------------- */

/* Values inside values, each in a call of its own: as many as of all that is inside itself. */
static __thread int depth;

static int go_deeper(void) {
  enum { DEEPEST_OF_ENGINE = 4096 };
  if (++depth <= DEEPEST_OF_ENGINE) return 1;
  PyErr_Format(error_too_deep, "a value inside of more than %d others",
               DEEPEST_OF_ENGINE);
  return 0;
}

/* Below the first two, tuples that are in several places are made once: `known` has them by
 * their addresses, for as long as the outermost is being made. */
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
    void *object = NULL;
    if (rac_value_get_object(value, object_number, &object) == RAC_OK)
      return Py_NewRef((PyObject *)object);
    break;
  }
  case RAC_STRING: {
    const char *text = NULL;
    size_t length = 0;
    rac_value_get_string(value, &text, &length);
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
    return exception_of(value);
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

/* ---- The unit ----------------------------------------------------------------- */

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
  object_number = rac_object_class_register(&object_class);
  if (object_number == 0) {
    set_last_failure("import librac");
    return 0;
  }
  PyObject *type = PyType_FromSpec(&spec);
  if (type == NULL) return 0;
  unit = PyType_GenericAlloc((PyTypeObject *)type, 0);
  Py_DECREF(type);
  return unit != NULL && PyModule_AddObjectRef(module, "UNIT", unit) == 0;
}
