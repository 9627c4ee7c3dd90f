/* Objects that hold a handle of the engine's.
 *
 * SPDX-License-Identifier: MIT
 */
#include "objects.h"
#include "release.h"
#include "statuses.h"
#include "thread.h"

PyTypeObject *classes[CLASS_COUNT];
const char *const class_names[CLASS_COUNT] = {
    "Signal",           "Subject",
    "BehaviorSubject",  "ReplaySubject",
    "Observer",         "Disposable",
    "Subscription",     "CompoundDisposable",
    "SerialDisposable", "ScopedDisposable",
    "Connection",       "Scheduler",
    "Recursion",        "Bound",
    "Counter",          "Property",
    "Channel",          "Command",
    "Sequence",         "SequenceIterator"};

void *(*run_stages)(Handle *signal);

int is_a(PyObject *object, enum class_number number) {
  return PyObject_TypeCheck(object, classes[number]);
}

PyObject *wrap(PyTypeObject *type, void *handle, const char *function) {
  if (handle == NULL) return set_last_failure(function);
  Handle *made = (Handle *)PyType_GenericAlloc(type, 0);
  if (made == NULL) {
    entry outer = enter();
    rac_release(handle);
    leave_quietly(outer);
    return NULL;
  }
  made->handle = handle;
  return (PyObject *)made;
}

PyObject *leave_with(entry outer, enum class_number number, void *handle,
                     const char *function) {
  if (leave(outer)) return wrap(classes[number], handle, function);
  PyObject *raised = take_raised();
  drop_handle(handle);
  set_raised(raised);
  return NULL;
}

void *find_handle(PyObject *object) {
  Handle *self = (Handle *)object;
  if (self->stages != NULL) return run_stages(self);
  PyErr_Format(PyExc_RuntimeError,
               "%R: __init__() of its base class was not called",
               (PyObject *)Py_TYPE(object));
  return NULL;
}

int set_handle(PyObject *object, void *handle, const char *function) {
  Handle *self = (Handle *)object;
  if (handle != NULL && self->handle == NULL) {
    self->handle = handle;
    return 0;
  }
  if (handle == NULL) {
    set_last_failure(function);
  } else {
    drop_handle(handle);
    PyErr_Format(PyExc_RuntimeError, "%s(): __init__ was called already",
                 function);
  }
  return -1;
}

/* The engine lets go of what hangs on the handle, which may call any __del__.
 */
int handle_clear(PyObject *object) {
  Handle *self = (Handle *)object;
  void *handle = self->handle;
  self->handle = NULL;
  Py_CLEAR(self->stages);
  Py_CLEAR(self->source);
  if (handle != NULL) {
    PyObject *raised = take_raised();
    entry outer = enter();
    rac_release(handle);
    leave_quietly(outer);
    set_raised(raised);
  }
  return 0;
}
