/* Objects of Python's that the engine holds: how it keeps, compares, hashes and
 * describes them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "held.h"

#include "gil.h"
#include "release.h"
#include "statuses.h"
#include "thread.h"
#include "values.h"

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

/* Of what raises in one call after the other, as a value that is compared with
 * a thousand, the first is told. */
static void keep_first_raised(void) {
  if (kept_raised() != NULL)
    forget_raised();
  else
    keep_raised(NULL);
}

/* A tuple equals one of the engine's, by which signals of several inputs send
 * their values: so its hash is that, and two are compared as those are, if
 * Python says no, as it does where there are NaNs. Negative with an exception.
 */
static int equals_opened(PyObject *tuple, rac_value other) {
  rac_value opened;
  if (!open_tuple(tuple, &opened)) return -1;
  int equal = rac_value_equal(opened, other);
  drop_value(opened);
  return equal;
}

static int tuples_are_equal(PyObject *tuple, PyObject *other) {
  rac_value opened;
  if (PyTuple_Size(tuple) != PyTuple_Size(other)) return 0;
  if (!open_tuple(other, &opened)) return -1;
  int equal = equals_opened(tuple, opened);
  drop_value(opened);
  return equal;
}

/* Whether both have a shape, and not the same. */
static int shapes_differ(PyObject *object, PyObject *other) {
  PyObject *one = PyObject_GetAttrString(object, "shape");
  PyObject *another = one ? PyObject_GetAttrString(other, "shape") : NULL;
  int same =
      another == NULL || PyObject_RichCompareBool(one, another, Py_EQ) != 0;
  PyErr_Clear();
  Py_XDECREF(one);
  Py_XDECREF(another);
  return !same;
}

/* As ==, and arrays as arrays: of one shape, with equal elements, of which ==
 * says for each whether it is equal. */
static int objects_are_equal(PyObject *object, PyObject *other) {
  if (object == other) return 1;
  PyObject *answer = PyObject_RichCompare(object, other, Py_EQ);
  if (answer != NULL && PyBool_Check(answer)) {
    int equal = answer == Py_True;
    Py_DECREF(answer);
    return equal;
  }
  PyObject *raised = answer == NULL ? take_raised() : NULL;
  if (shapes_differ(object, other)) {
    Py_XDECREF(raised);
    Py_XDECREF(answer);
    return 0;
  }
  if (answer == NULL) return set_raised(raised), -1;
  /* A frame says it for each column first. */
  for (int i = 0; answer != NULL && i < 2; i++) {
    PyObject *all = PyObject_GetAttrString(answer, "all");
    if (all == NULL) break;
    Py_SETREF(answer, PyObject_CallNoArgs(all));
    Py_DECREF(all);
  }
  if (answer == NULL) return -1;
  PyErr_Clear();
  int equal = PyObject_IsTrue(answer);
  Py_DECREF(answer);
  return equal;
}

static bool object_equal(void *object, void *other) {
  int attached = begin();
  if (attached < 0) return object == other;
  int equal = objects_are_equal(object, other);
  if (equal == 0 && Py_IS_TYPE((PyObject *)object, &PyTuple_Type) &&
      Py_IS_TYPE((PyObject *)other, &PyTuple_Type) &&
      Py_EnterRecursiveCall(" in comparing tuples") == 0) {
    equal = tuples_are_equal(object, other);
    Py_LeaveRecursiveCall();
  }
  if (equal < 0 || PyErr_Occurred()) keep_first_raised();
  end(attached);
  return equal > 0;
}

int are_equal_values(PyObject *object, PyObject *other) {
  rac_value one, another;
  /* A NaN is the engine's matter. */
  if (object == other && !PyFloat_CheckExact(object)) return 1;
  if (!value_of(object, &one)) return keep_first_raised(), 0;
  int equal = 0;
  if (value_of(other, &another)) {
    equal = rac_value_equal(one, another);
    drop_value(another);
  } else {
    keep_first_raised();
  }
  drop_value(one);
  return equal;
}

static bool object_equal_to(void *object, rac_value other) {
  if (other.kind != RAC_TUPLE) return false;
  int attached = begin(), equal = 0;
  if (attached < 0) return false;
  if (Py_IS_TYPE((PyObject *)object, &PyTuple_Type))
    equal = equals_opened(object, other);
  if (equal < 0) keep_first_raised();
  end(attached);
  return equal > 0;
}

static Py_hash_t hash_of_tuple(PyObject *tuple) {
  rac_value opened;
  if (Py_EnterRecursiveCall(" in hashing a tuple") != 0) return -1;
  int fine = open_tuple(tuple, &opened);
  Py_hash_t hash = fine ? (Py_hash_t)rac_value_hash(opened) : -1;
  if (fine) drop_value(opened);
  Py_LeaveRecursiveCall();
  return hash;
}

/* Finds by comparing an object that cannot be hashed, such as a list. */
static uint64_t object_hash(void *object) {
  int attached = begin();
  if (attached < 0) return 0;
  Py_hash_t hash = Py_IS_TYPE((PyObject *)object, &PyTuple_Type)
                       ? hash_of_tuple(object)
                       : PyObject_Hash(object);
  if (hash == -1 && PyErr_Occurred()) {
    if (PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Clear();
    else
      keep_first_raised();
    hash = 0;
  }
  end(attached);
  return (uint64_t)hash;
}

enum { SHORT = 96 /* room for a text in a recording */, FEW = 8, LETTERS = 72 };

/* Types whose repr is short, and runs none of the program's code. */
static bool is_short(PyObject *object, bool is_inside) {
  if (object == Py_None || PyBool_Check(object) || PyFloat_CheckExact(object))
    return true;
  if (PyLong_CheckExact(object)) {
    int overflows = 0;
    PyLong_AsLongLongAndOverflow(object, &overflows);
    return overflows == 0;
  }
  if (PyUnicode_CheckExact(object))
    return PyUnicode_GetLength(object) <= LETTERS;
  if (PyBytes_CheckExact(object)) return PyBytes_Size(object) <= LETTERS;
  if (is_inside || !PyTuple_CheckExact(object) || PyTuple_Size(object) > FEW)
    return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(object); i++)
    if (!is_short(PyTuple_GetItem(object, i), true)) return false;
  return true;
}

/* For each event of a recording: never long. */
static PyObject *describe_shortly(PyObject *object) {
  if (is_short(object, false)) return PyObject_Repr(object);
  if (PyUnicode_CheckExact(object)) {
    PyObject *begin = PyUnicode_Substring(object, 0, LETTERS);
    PyObject *text = begin ? PyUnicode_FromFormat("%R%s", begin, "…") : NULL;
    Py_XDECREF(begin);
    return text;
  }
  PyObject *name =
      PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
  PyObject *text = name ? PyUnicode_FromFormat("<%U>", name) : NULL;
  Py_XDECREF(name);
  return text;
}

static size_t object_describe(void *object, char *buffer, size_t capacity) {
  int attached = begin();
  if (attached < 0) return 0;
  Py_ssize_t length = 0;
  PyObject *text =
      capacity <= SHORT ? describe_shortly(object) : PyObject_Repr(object);
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
                                              object_describe,
                                              object_equal_to};

int register_objects(void) {
  object_number = rac_object_class_register(&object_class);
  if (object_number == 0) set_last_failure("import librac");
  return object_number != 0;
}
