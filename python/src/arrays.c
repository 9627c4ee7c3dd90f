/* Hearing many values at once: arrays of numbers by the buffer protocol, and
 * lists.
 *
 * A subscriber's array is its own: it may be kept, and changed. Its memory is
 * used again for the next one when nobody has kept it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"
#include "calls.h"
#include "errors.h"
#include "gil.h"
#include "methods.h"
#include "notes.h"
#include "objects.h"
#include "parsing.h"
#include "release.h"
#include "subscribing.h"
#include "thread.h"
#include "values.h"

#include <math.h>

/* ---- Arrays that are given out ---- */

typedef struct {
  PyVarObject ob_base;
  Py_ssize_t count, capacity;
  Py_ssize_t step;
  char format[2];
  int64_t numbers[1];
} Array;

static PyTypeObject *array_class;

static int array_buffer(PyObject *object, Py_buffer *view, int flags) {
  Array *self = (Array *)object;
  *view = (Py_buffer){
      .buf = self->numbers,
      .obj = Py_NewRef(object),
      .len = self->count * 8,
      .itemsize = 8,
      .ndim = 1,
      .format = flags & PyBUF_FORMAT ? self->format : NULL,
      .shape = flags & PyBUF_ND ? &self->count : NULL,
      .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &self->step : NULL};
  return 0;
}

static void array_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

int make_arrays(PyObject *module) {
  (void)module;
  static PyType_Slot slots[] = {{Py_bf_getbuffer, (void *)array_buffer},
                                {Py_tp_dealloc, (void *)array_dealloc},
                                {Py_tp_doc, "Numbers: a buffer."},
                                {0, NULL}};
  static PyType_Spec spec = {
      "librac.Array", sizeof(Array), 8,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  array_class = (PyTypeObject *)PyType_FromSpec(&spec);
  return array_class != NULL;
}

/* ---- Subscribing ---- */

/* The context: a list. The chain is told as that of a tuple is (subscribing.c).
 */
enum { NEXT, ERROR, COMPLETED, SPARE, CHAIN, CONTEXT_SIZE };

static Array *array_for(PyObject *context, const void *numbers, size_t count,
                        const char *format) {
  PyObject *spare = PyList_GetItem(context, SPARE);
  Array *array = spare == Py_None ? NULL : (Array *)spare;
  if (array != NULL && Py_REFCNT(spare) == 1 &&
      (size_t)array->capacity >= count) {
    Py_INCREF((PyObject *)array);
  } else {
    array = (Array *)PyType_GenericAlloc(array_class, (Py_ssize_t)count);
    if (array == NULL) return NULL;
    array->capacity = (Py_ssize_t)count;
    PyList_SetItem(context, SPARE, Py_NewRef((PyObject *)array));
  }
  array->count = (Py_ssize_t)count;
  array->step = 8;
  array->format[0] = *format;
  memcpy(array->numbers, numbers, count * 8);
  return array;
}

static void tell(PyObject *context, int which, PyObject *argument) {
  PyObject *function = PyList_GetItem(context, which);
  PyObject *result = argument ? call_object(function, argument) : NULL;
  finish(context, function, result, argument);
  Py_XDECREF(argument);
}

static void give_array(void *context, const void *numbers, size_t count,
                       const char *format) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *array = (PyObject *)array_for(context, numbers, count, format);
  PyObject *view = array ? PyMemoryView_FromObject(array) : NULL;
  Py_XDECREF(array);
  tell(context, NEXT, view);
  end(attached);
}

static void give_int64s(void *context, const int64_t *numbers, size_t count) {
  give_array(context, numbers, count, "q");
}

static void give_doubles(void *context, const double *numbers, size_t count) {
  give_array(context, numbers, count, "d");
}

static void give_values(void *context, const rac_value *values, size_t count) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list != NULL && i < count; i++) {
    PyObject *object = object_of(values[i]);
    if (object == NULL || PyList_SetItem(list, (Py_ssize_t)i, object) < 0)
      Py_CLEAR(list);
  }
  tell(context, NEXT, list);
  end(attached);
}

static void give_error(void *context, rac_value error) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *exception = exception_of(error);
  if (PyList_GetItem(context, ERROR) != Py_None) {
    tell(context, ERROR, exception);
  } else {
    if (exception != NULL) set_raised(exception);
    tell_of_handler(context, NULL);
  }
  end(attached);
}

static void give_completed(void *context) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *function = PyList_GetItem(context, COMPLETED);
  if (function != Py_None)
    finish(context, function, call_nothing(function), NULL);
  end(attached);
}

/* `given`: function, count, dtype or NULL, seconds, scheduler, on_error,
 * on_completed. */
static PyObject *subscribe(PyObject *self, PyObject **given, size_t count,
                           int which, const char *function) {
  static const char *const names[] = {"on_error", "on_completed"};
  double seconds = INFINITY;
  void *handle = handle_of(self), *scheduler = NULL;
  if (handle == NULL || !check_callable(given[0], function, "function"))
    return NULL;
  if (given[1] != NULL && !as_count(given[1], &count, function, "count"))
    return NULL;
  if (given[3] != NULL && given[3] != Py_None &&
      !as_seconds(given[3], &seconds, function, "seconds"))
    return NULL;
  if (given[4] != NULL && given[4] != Py_None) {
    if (!is_a(given[4], CLASS_SCHEDULER))
      return PyErr_Format(PyExc_TypeError,
                          "%s(): scheduler must be a librac.Scheduler, not %R",
                          function, (PyObject *)Py_TYPE(given[4]));
    if ((scheduler = handle_of(given[4])) == NULL) return NULL;
  }
  PyObject *context = PyList_New(CONTEXT_SIZE);
  if (context == NULL) return NULL;
  PyList_SetItem(context, NEXT, Py_NewRef(given[0]));
  PyList_SetItem(context, SPARE, Py_NewRef(Py_None));
  PyObject *chain = chain_context(chain_of(handle), NULL);
  PyList_SetItem(context, CHAIN, chain ? chain : Py_NewRef(Py_None));
  for (int i = 0; i < 2; i++) {
    PyObject *other = given[5 + i] ? given[5 + i] : Py_None;
    if (other != Py_None && !check_callable(other, function, names[i])) {
      Py_DECREF(context);
      return NULL;
    }
    PyList_SetItem(context, ERROR + i, Py_NewRef(other));
  }
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = context;
  observer.next_doubles = which == 'd' ? give_doubles : NULL;
  observer.next_int64s = which == 'q' ? give_int64s : NULL;
  observer.next_values = which == 0 ? give_values : NULL;
  observer.error = give_error;
  observer.completed = give_completed;
  observer.destroy = drop_context;
  PyObject *origin = Py_XNewRef(origin_in(context));
  entry outer = enter();
  rac_disposable *made =
      rac_subscribe_batches(handle, count, seconds, scheduler, &observer);
  if (!leave(outer)) {
    Py_XDECREF(origin);
    end_subscription(made);
    return NULL;
  }
  return subscription_of(made, origin, function);
}

PyObject *signal_subscribe_arrays(PyObject *self, PyObject *const *args,
                                  Py_ssize_t count, PyObject *keywords) {
  static const char *const names[] = {"function",    "count",     "dtype",
                                      "seconds",     "scheduler", "on_error",
                                      "on_completed"};
  PyObject *given[7];
  int which = 'd';
  if (!take_arguments("Signal.subscribe_arrays", names, 7, 1, args, count,
                      keywords, given))
    return NULL;
  if (given[2] != NULL) {
    int is_text = PyUnicode_Check(given[2]);
    if (is_text && PyUnicode_CompareWithASCIIString(given[2], "q") == 0)
      which = 'q';
    else if (!is_text || PyUnicode_CompareWithASCIIString(given[2], "d") != 0)
      return PyErr_Format(
          is_text ? PyExc_ValueError : PyExc_TypeError,
          "Signal.subscribe_arrays(): dtype must be 'd' or 'q', not %R",
          given[2]);
  }
  return subscribe(self, given, 4096, which, "Signal.subscribe_arrays");
}

PyObject *signal_subscribe_lists(PyObject *self, PyObject *const *args,
                                 Py_ssize_t count, PyObject *keywords) {
  static const char *const names[] = {"function",  "count",    "seconds",
                                      "scheduler", "on_error", "on_completed"};
  PyObject *taken[6];
  if (!take_arguments("Signal.subscribe_lists", names, 6, 2, args, count,
                      keywords, taken))
    return NULL;
  PyObject *given[7] = {taken[0], taken[1], NULL,    taken[2],
                        taken[3], taken[4], taken[5]};
  return subscribe(self, given, 0, 0, "Signal.subscribe_lists");
}
