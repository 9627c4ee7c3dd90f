/* What the extension _librac gives to those of other machines, which are
 * compiled beside it and linked with the same engine: a structure in the capsule
 * librac._librac._bridge.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_BRIDGE_H
#define LIBRAC_BRIDGE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <rac.h>

#define BRIDGE_NAME "librac._librac._bridge"

typedef struct bridge {
  size_t size;
  /* The signal that an object stands for: lent, as long as *keeper, a new
   * reference. NULL with an exception. */
  rac_signal *(*signal_of)(PyObject *object, PyObject **keeper,
                           const char *function, const char *argument);
  /* A Signal that owns `signal`; NULL with the engine's latest failure. */
  PyObject *(*wrap_signal)(rac_signal *signal, const char *function);
  /* Handles, lent as long as the object: NULL with an exception. */
  rac_scheduler *(*scheduler_of)(PyObject *object);
  rac_property *(*property_of)(PyObject *object);
  rac_bound *(*bound_of)(PyObject *object);
  /* Around a call of the engine that may drop a context; false with an
   * exception. */
  void (*enter)(uint64_t outer[2]);
  int (*leave)(const uint64_t outer[2]);
  /* A callable of Python's as rac_signal_fn; its context is a reference. */
  rac_signal_fn call_signal;
  rac_destroy_fn drop_context;
  /* Texts, bytes, lists and tuples as the engine's own: see opening.h. */
  rac_status (*open_value)(rac_value value, rac_value *out);
} bridge;

/* NULL with an exception. */
static inline const bridge *find_bridge(void) {
  PyObject *module = PyImport_ImportModule("librac._librac");
  PyObject *capsule = module ? PyObject_GetAttrString(module, "_bridge") : NULL;
  const bridge *found =
      capsule ? PyCapsule_GetPointer(capsule, BRIDGE_NAME) : NULL;
  /* The module is never unloaded, and the structure is static. */
  Py_XDECREF(capsule);
  Py_XDECREF(module);
  if (found != NULL && found->size != sizeof *found) {
    PyErr_SetString(PyExc_ImportError, "an extension of another librac");
    return NULL;
  }
  return found;
}

/* A refusal as a ValueError; NULL. */
static inline PyObject *refused(const char *function, const char *message) {
  const char *reason = strstr(message, ": ");
  return PyErr_Format(PyExc_ValueError, "%s(): %s", function,
                      reason ? reason + 2 : message);
}

/* A signal that a call gave, or its refusal. */
static inline PyObject *made(const bridge *bridge, rac_signal *signal,
                             const char *function, const char *message) {
  return signal ? bridge->wrap_signal(signal, function)
                : refused(function, message);
}

/* A counter, by its name; takes over nothing. */
static inline int add_count(PyObject *counts, const char *name,
                            unsigned long long count) {
  PyObject *number = PyLong_FromUnsignedLongLong(count);
  int status = number ? PyDict_SetItemString(counts, name, number) : -1;
  Py_XDECREF(number);
  return status;
}

#endif
