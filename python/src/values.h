/* Python's objects as values, and back; see values.c, and held.c for objects
 * that the engine holds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_VALUES_H
#define LIBRAC_VALUES_H

#include "objects.h"

/* Of the class of objects that the engine holds (held.c). */
extern uint32_t object_number __attribute__((visibility("hidden")));
/* Makes the engine's value of an object, to be dropped; valid as long as the
 * object is. 0 with an exception. */
int make_value_of(PyObject *object, rac_value *out);
static inline int value_of(PyObject *object, rac_value *out) {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX < 0x030C0000
  if (Py_TYPE(object) == &PyLong_Type) {
    Py_ssize_t size = Py_SIZE(object); /* one digit, as most have */
    if (size == 1 || size == -1) {
      *out = rac_int64(size * (int64_t)((PyLongObject *)object)->ob_digit[0]);
      return 1;
    }
  }
#endif
  if (Py_TYPE(object) == &PyUnicode_Type) {
    *out = rac_object(object, object_number);
    return 1;
  }
  return make_value_of(object, out);
}
/* A tuple as one of the engine's: owned. */
int open_tuple(PyObject *tuple, rac_value *out);
/* As the result of a callback: takes over the reference, and gives an owned
 * value. */
int give_value(PyObject *object, rac_value *out);
PyObject *make_object_of(rac_value value);
static inline int is_sent(rac_value value) {
  return value.bits == thread.sent.value.bits &&
         value.kind == thread.sent.value.kind;
}
static inline PyObject *object_of(rac_value value) {
  return is_sent(value) ? Py_NewRef(thread.sent.object) : make_object_of(value);
}
/* With one reference to `value` given up. */
PyObject *object_of_owned(rac_value value);

extern PyObject *unit;
int make_values(PyObject *module);

/* Errors, events and connections become objects further up. */
void convert_sockets(PyObject *(*to_object)(rac_value));
void convert_errors(PyObject *(*to_object)(rac_value));
void convert_events(PyTypeObject *class,
                    int (*to_value)(PyObject *, rac_value *),
                    PyObject *(*to_object)(rac_value));

/* Whether what is let go of so is an object. */
int is_of_python(rac_destroy_fn destroy);

#endif
