/* Callbacks that give signals and sequences, and those that are given an
 * observer.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks_signals.h"
#include "callbacks.h"
#include "create.h"
#include "cycles.h"
#include "errors.h"
#include "gil.h"
#include "noted.h"
#include "notes.h"
#include "objects.h"
#include "signals.h"
#include "thread.h"
#include "values.h"

#define WITH_LOCK(given, call)                                                 \
  int attached = begin();                                                      \
  if (attached < 0) return RAC_ECLOSED;                                        \
  PyObject *whole = context;                                                   \
  context = function_of(whole);                                                \
  rac_status status = call;                                                    \
  if (status < 0) note_failed(whole, given);                                   \
  end(attached);                                                               \
  return status

static rac_signal *as_result_signal(PyObject *callable, PyObject *result,
                                    PyObject **keeper) {
  rac_signal *signal = as_signal(result, keeper, NULL, NULL);
  if (signal == NULL && !PyErr_Occurred())
    PyErr_Format(PyExc_TypeError,
                 "%R must return a signal, or what from_() makes one of, not "
                 "%R: of(x) sends one value",
                 callable, (PyObject *)Py_TYPE(result));
  return signal;
}

/* None is the empty signal. Takes over the reference. */
static rac_status give_signal(PyObject *whole, PyObject *callable,
                              PyObject *result, const rac_value *value,
                              rac_signal **out) {
  if (result == NULL) return fail();
  if (result == Py_None) {
    Py_DECREF(result);
    return RAC_OK;
  }
  PyObject *keeper;
  rac_signal *signal = as_result_signal(callable, result, &keeper);
  int is_made = keeper != result; /* of a coroutine, an iterable, … */
  Py_DECREF(result);
  if (signal == NULL) return fail();
  *out = is_made ? with_notes_of(whole, value, signal) : rac_retain(signal);
  Py_DECREF(keeper);
  return RAC_OK;
}

static rac_status signal_with(PyObject *whole, PyObject *callable,
                              rac_value value, rac_signal **out) {
  return give_signal(whole, callable, call_one(callable, value), &value, out);
}

rac_status call_signal(void *context, rac_value value, rac_signal **out) {
  WITH_LOCK(&value, signal_with(whole, context, value, out));
}
/* For catch(): what it is given is the exception. */
rac_status call_signal_1(void *context, rac_value value, rac_signal **out) {
  WITH_LOCK(&value,
            signal_with(whole, PyTuple_GetItem(context, 1), value, out));
}
rac_status call_execute(void *context, rac_value input, rac_signal **out) {
  WITH_LOCK(&input, signal_with(whole, context, input, out));
}

static rac_status signal_index_with(PyObject *whole, PyObject *callable,
                                    rac_value value, size_t index,
                                    rac_signal **out) {
  PyObject *given = object_of(value), *number = PyLong_FromSize_t(index),
           *result = NULL;
  PyObject *arguments[3] = {NULL, given, number};
  if (given != NULL && number != NULL)
    result = call_with(callable, arguments + 1, 2);
  Py_XDECREF(given);
  Py_XDECREF(number);
  return give_signal(whole, callable, result, &value, out);
}

rac_status call_signal_index(void *context, rac_value value, size_t index,
                             rac_signal **out) {
  WITH_LOCK(&value, signal_index_with(whole, context, value, index, out));
}

rac_status call_defer(void *context, rac_signal **out) {
  WITH_LOCK(NULL,
            give_signal(whole, context, call_nothing(context), NULL, out));
}

/* (signal, stop) is taken apart. */
static PyObject *without_stop(PyObject *result, bool *stop) {
  if (result == NULL || !PyTuple_Check(result) || PyTuple_Size(result) != 2)
    return result;
  int truth = PyObject_IsTrue(PyTuple_GetItem(result, 1));
  PyObject *first = truth < 0 ? NULL : Py_NewRef(PyTuple_GetItem(result, 0));
  *stop = truth > 0;
  Py_DECREF(result);
  return first;
}

rac_status call_bind(void *context, rac_value value, bool *stop,
                     rac_signal **out) {
  WITH_LOCK(&value, give_signal(whole, context,
                                without_stop(call_one(context, value), stop),
                                &value, out));
}

/* ---- Sequences ----------------------------------------------------------- */

static rac_status give_sequence(PyObject *callable, PyObject *result,
                                rac_sequence **out) {
  if (result == NULL) return fail();
  rac_status status = RAC_OK;
  if (is_a(result, CLASS_SEQUENCE)) {
    *out = rac_retain(handle_of(result));
  } else if (result != Py_None) {
    PyErr_Format(PyExc_TypeError, "%R must return a Sequence or None, not %R",
                 callable, (PyObject *)Py_TYPE(result));
    status = fail();
  }
  Py_DECREF(result);
  return status;
}

rac_status call_sequence(void *context, rac_value value, rac_sequence **out) {
  WITH_LOCK(&value, give_sequence(context, call_one(context, value), out));
}
rac_status call_sequence_bind(void *context, rac_value value, bool *stop,
                              rac_sequence **out) {
  WITH_LOCK(&value,
            give_sequence(context, without_stop(call_one(context, value), stop),
                          out));
}
rac_status call_sequence_tail_1(void *context, rac_sequence **out) {
  PyObject *callable;
  WITH_LOCK(NULL, (callable = PyTuple_GetItem(context, 1),
                   give_sequence(callable, call_nothing(callable), out)));
}

/* ---- Observers ----------------------------------------------------------- */

/* An error, or where nobody hears one any more what comes out of the call that
 * brought this about. */
static rac_status fail_to(rac_subscriber *subscriber) {
  if (rac_subscriber_is_active(subscriber)) return fail();
  keep_raised(NULL);
  return RAC_OK;
}

static rac_status subscribe_with_observer(PyObject *callable,
                                          rac_subscriber *subscriber,
                                          rac_disposable **out) {
  PyObject *observer = observer_of(subscriber);
  PyObject *result = observer ? call_object(callable, observer) : NULL;
  /* It keeps its subscribers, and the signals that it is made of. */
  if (observer != NULL && Py_REFCNT(observer) > 1 && thread.subscribing != NULL)
    descend((Handle *)observer, thread.subscribing);
  Py_XDECREF(observer);
  if (result == NULL) return fail_to(subscriber);
  int fine = refuse_coroutine(callable, result) &&
             as_disposable(result, out, "create");
  Py_DECREF(result);
  return fine ? RAC_OK : fail_to(subscriber);
}

rac_status call_subscribe(void *context, rac_subscriber *subscriber,
                          rac_disposable **out) {
  WITH_LOCK(NULL, subscribe_with_observer(context, subscriber, out));
}

static rac_status start_with_observer(PyObject *callable,
                                      rac_subscriber *subscriber) {
  PyObject *observer = observer_of(subscriber);
  PyObject *result = observer ? call_object(callable, observer) : NULL;
  Py_XDECREF(observer);
  if (result == NULL) return fail_to(subscriber);
  int fine = refuse_coroutine(callable, result);
  Py_DECREF(result);
  return fine ? RAC_OK : fail_to(subscriber);
}

rac_status call_start(void *context, rac_subscriber *subscriber) {
  WITH_LOCK(NULL, start_with_observer(context, subscriber));
}
