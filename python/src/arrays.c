/* Many values at once: arrays of numbers by the buffer protocol, and lists.
 *
 * A subscriber's array is its own: it may be kept, and changed. Its memory is used again
 * for the next one when nobody has kept it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"

#include <math.h>

/* ---- Arrays that are given out --------------------------------------------------------------- */

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

/* ---- Subscribing ------------------------------------------------------------------------------ */

enum { NEXT, ERROR, COMPLETED, SPARE, CONTEXT_SIZE }; /* the context: a list */

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

static void tell(PyObject *function, PyObject *argument) {
  PyObject *result = argument ? call_object(function, argument) : NULL;
  Py_XDECREF(argument);
  if (result == NULL) keep_raised(function);
  Py_XDECREF(result);
}

static void give_array(void *context, const void *numbers, size_t count,
                       const char *format) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *array = (PyObject *)array_for(context, numbers, count, format);
  PyObject *view = array ? PyMemoryView_FromObject(array) : NULL;
  Py_XDECREF(array);
  tell(PyList_GetItem(context, NEXT), view);
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
  tell(PyList_GetItem(context, NEXT), list);
  end(attached);
}

static void give_error(void *context, rac_value error) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *function = PyList_GetItem(context, ERROR),
           *exception = exception_of(error);
  if (function != Py_None) {
    tell(function, exception);
  } else {
    if (exception != NULL) set_raised(exception);
    keep_raised(NULL);
  }
  end(attached);
}

static void give_completed(void *context) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *function = PyList_GetItem(context, COMPLETED);
  PyObject *result =
      function == Py_None ? Py_NewRef(Py_None) : call_nothing(function);
  if (result == NULL) keep_raised(function);
  Py_XDECREF(result);
  end(attached);
}

/* `given`: function, count, dtype or NULL, seconds, scheduler, on_error, on_completed. */
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
  entry outer = enter();
  rac_disposable *made =
      rac_subscribe_batches(handle, count, seconds, scheduler, &observer);
  if (!leave(outer)) {
    end_subscription(made);
    return NULL;
  }
  return wrap(classes[CLASS_SUBSCRIPTION], made, function);
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

/* ---- Sending ------------------------------------------------------------------------------------ */

static PyObject *sent(rac_status status, int fine, const char *function) {
  if (!fine) return NULL;
  return status < 0 && status != RAC_EDONE ? set_status(status, function)
                                           : Py_NewRef(Py_None);
}

PyObject *send_array(PyObject *self, PyObject *object) {
  void *handle = handle_of(self);
  int subject = is_a(self, CLASS_SUBJECT);
  const char *function = subject ? "Subject.send_array" : "Observer.send_array";
  Py_buffer view;
  if (handle == NULL) return NULL;
  if (!PyObject_CheckBuffer(object))
    return PyErr_Format(PyExc_TypeError,
                        "%s(): array must be a buffer of numbers, not %R",
                        function, (PyObject *)Py_TYPE(object));
  if (PyObject_GetBuffer(object, &view, PyBUF_FORMAT | PyBUF_STRIDES) < 0) {
    PyObject *raised = take_raised();
    PyErr_Format(PyExc_TypeError, "%s(): array must be a buffer of numbers: %S",
                 function, raised);
    Py_DECREF(raised);
    return NULL;
  }
  const char *format = view.format ? view.format : "B";
  if (*format == '@' || *format == '=' || *format == '<') format++;
  int is_double = strcmp(format, "d") == 0 && view.itemsize == 8;
  int is_int64 = (strcmp(format, "q") == 0 || strcmp(format, "l") == 0) &&
                 view.itemsize == 8;
  if (view.ndim != 1 || (!is_double && !is_int64) ||
      (view.shape[0] > 1 && view.strides[0] != 8)) {
    PyErr_Format(PyExc_TypeError,
                 "%s(): array must have one dimension, no gaps, and the type "
                 "int64 or double "
                 "(not '%s' with %d dimensions%s)",
                 function, view.format ? view.format : "B", view.ndim,
                 view.ndim == 1 && view.strides[0] != view.itemsize
                     ? " and strides"
                     : "");
    PyBuffer_Release(&view);
    return NULL;
  }
  size_t count = (size_t)view.shape[0];
  entry outer = enter();
  rac_status status =
      is_double
          ? (subject ? rac_subject_send_doubles(handle, view.buf, count)
                     : rac_subscriber_send_doubles(handle, view.buf, count))
          : (subject ? rac_subject_send_int64s(handle, view.buf, count)
                     : rac_subscriber_send_int64s(handle, view.buf, count));
  int fine = leave(outer);
  PyBuffer_Release(&view);
  return sent(status, fine, function);
}

static PyObject *send_some(PyObject *self, const rac_value *values,
                           size_t count) {
  int subject = is_a(self, CLASS_SUBJECT);
  void *handle = handle_of(self);
  entry outer = enter();
  rac_status status = subject
                          ? rac_subject_send_values(handle, values, count)
                          : rac_subscriber_send_values(handle, values, count);
  return sent(status, leave(outer),
              subject ? "Subject.send_many" : "Observer.send_many");
}

/* A list is sent many at a time; a generator one by one, as it may wait for what the
 * values before bring about. */
PyObject *send_many(PyObject *self, PyObject *object) {
  enum { MANY = 64 };
  rac_value values[MANY];
  PyObject *items[MANY]; /* what the values are views of, until they are sent */
  size_t count = 0,
         most =
             PyList_CheckExact(object) || PyTuple_CheckExact(object) ? MANY : 1;
  if (handle_of(self) == NULL) return NULL;
  /* Going through a signal waits for its values, and perhaps for ever. */
  if (is_a(object, CLASS_SIGNAL))
    return PyErr_Format(PyExc_TypeError,
                        "send_many(): values must be an iterable, not %R: "
                        "subscribe_to() sends those of a signal",
                        (PyObject *)Py_TYPE(object));
  PyObject *iterator = PyObject_GetIter(object), *item = NULL,
           *done = Py_NewRef(Py_None);
  if (iterator == NULL) {
    Py_DECREF(done);
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return NULL;
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError,
                        "send_many(): values must be an iterable, not %R",
                        (PyObject *)Py_TYPE(object));
  }
  do {
    item = PyIter_Next(iterator);
    if (item != NULL && value_of(item, &values[count]))
      items[count++] = item;
    else
      Py_CLEAR(item);
    if (count == most || (item == NULL && count > 0)) {
      PyObject *raised =
          take_raised(); /* the iterator's; what came before it is sent */
      Py_SETREF(done, send_some(self, values, count));
      while (count > 0) {
        drop_value(values[--count]);
        Py_DECREF(items[count]);
      }
      if (raised != NULL && done == NULL) PyErr_WriteUnraisable(object);
      if (raised != NULL) set_raised(raised);
    }
  } while (item != NULL && done != NULL);
  Py_DECREF(iterator);
  if (PyErr_Occurred()) Py_CLEAR(done);
  return done;
}
