/* Subscribing with functions of Python's.
 *
 * With a next function alone the context is that function; with others it is a
 * tuple of the three, None where there is none. Where the chain has a name the
 * context says it: an Operator around the function, or at the end of the tuple.
 * The stages of a fused chain say it, too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "subscribing.h"
#include "callbacks.h"
#include "cycles.h"
#include "errors.h"
#include "gil.h"
#include "loops.h"
#include "notes.h"
#include "objects.h"
#include "parsing.h"
#include "release.h"
#include "signals.h"
#include "stages.h"
#include "thread.h"
#include "values.h"

/* Takes the result of a handler of values. */
static __attribute__((noinline)) void finish_next(PyObject *context,
                                                  PyObject *function,
                                                  PyObject *result,
                                                  rac_value value) {
  if (drop_result(function, result)) return;
  PyObject *raised = take_raised(), *object = object_of(value);
  set_raised(raised);
  tell_of_handler(context, object);
  Py_XDECREF(object);
}

static __attribute__((noinline)) void call_next_anyhow(void *context,
                                                       rac_value value) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *function = function_of(context);
  finish_next(context, function, call_one(function, value), value);
  end(attached);
}

/* Most often what was sent arrives, below a send of Python's. */
static void call_next(void *context, rac_value value) {
  if (thread.call == 0 || !is_sent(value)) {
    call_next_anyhow(context, value);
    return;
  }
  PyObject *result = call_sent(context);
  if (result == Py_None)
    Py_DECREF(result);
  else
    finish_next(context, context, result, value);
}

static PyObject *of_three(void *context, Py_ssize_t index) {
  PyObject *function = PyTuple_GetItem(context, index);
  return function == Py_None ? NULL : function;
}

static void three_next(void *context, rac_value value) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *function = of_three(context, 0);
  if (function != NULL)
    finish_next(context, function, call_one(function, value), value);
  end(attached);
}

/* An error that nobody handles comes out of what sent it, or is reported. */
static void raise_unhandled(void *context, rac_value error) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *exception = exception_of(error);
  if (exception != NULL) set_raised(exception);
  tell_of_handler(context, NULL);
  end(attached);
}

static void three_error(void *context, rac_value error) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *function = of_three(context, 1);
  if (function == NULL) {
    raise_unhandled(context, error);
  } else {
    PyObject *exception = exception_of(error);
    finish(context, function,
           exception ? call_object(function, exception) : NULL, NULL);
    Py_XDECREF(exception);
  }
  end(attached);
}

static void three_completed(void *context) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *function = of_three(context, 2);
  if (function != NULL) finish(context, function, call_nothing(function), NULL);
  end(attached);
}

void end_subscription(rac_disposable *made) {
  PyObject *raised = take_raised();
  entry outer = enter();
  rac_dispose_and_release(made);
  leave_quietly(outer);
  set_raised(raised);
}

PyObject *subscription_of(rac_disposable *made, PyObject *origin,
                          const char *called) {
  PyObject *subscription = wrap(classes[CLASS_SUBSCRIPTION], made, called);
  if (subscription != NULL)
    ((Handle *)subscription)->origin = origin;
  else
    Py_XDECREF(origin);
  return subscription;
}

/* To a signal or a property, with functions of which any may be NULL. */
static PyObject *subscribe_with(PyObject *signal, PyObject *next,
                                PyObject *error, PyObject *completed,
                                const char *called) {
  rac_signal *pipeline = NULL, *source;
  PyObject *keeper = NULL; /* of what the caller keeps, too */
  PyObject *chain = NULL;  /* what is known of it, for its callbacks */
  if (next != NULL && ((Handle *)signal)->stages != NULL)
    source = pipeline = pipeline_into((Handle *)signal, next, &chain);
  else
    source = as_signal(signal, &keeper, called, "self");
  Py_XDECREF(keeper);
  if (source == NULL) return NULL;
  rac_observer observer = RAC_OBSERVER_INIT;
  int next_alone = error == NULL && completed == NULL && next != NULL;
  if (pipeline == NULL)
    chain = chain_context(chain_of(source), next_alone ? next : NULL);
  PyObject *origin = Py_XNewRef(chain ? origin_in(chain) : NULL);
  if (next_alone) {
    observer.context = chain ? chain : Py_NewRef(next);
    observer.next = chain ? call_next_anyhow : call_next;
    observer.error = raise_unhandled;
  } else {
    observer.context = PyTuple_Pack(chain ? 4 : 3, next ? next : Py_None,
                                    error ? error : Py_None,
                                    completed ? completed : Py_None, chain);
    Py_XDECREF(chain);
    if (observer.context == NULL) {
      Py_XDECREF(origin);
      drop_handle(pipeline);
      return NULL;
    }
    observer.next = next ? three_next : NULL;
    observer.error = three_error;
    observer.completed = completed ? three_completed : NULL;
  }
  observer.destroy = drop_context;
  Handle *outside = thread.subscribing;
  thread.subscribing = root_of((Handle *)signal);
  entry outer = enter();
  if (pipeline != NULL) observer.next = NULL;
  rac_disposable *made = rac_subscribe(source, &observer);
  thread.subscribing = outside;
  rac_release(pipeline);
  if (!leave(outer)) {
    Py_XDECREF(origin);
    end_subscription(made);
    return NULL;
  }
  PyObject *subscription = subscription_of(made, origin, called);
  if (subscription != NULL)
    join_family((Handle *)subscription, root_of((Handle *)signal));
  return subscription;
}

static PyObject *subscribe_given(PyObject *self, PyObject *const *args,
                                 Py_ssize_t count, PyObject *keywords,
                                 const char *called) {
  static const char *const names[] = {"on_next", "on_error", "on_completed"};
  PyObject *given[3];
  if (!take_arguments(called, names, 3, 0, args, count, keywords, given))
    return NULL;
  for (int i = 0; i < 3; i++) {
    if (given[i] == Py_None) given[i] = NULL;
    if (given[i] != NULL && !check_callable(given[i], called, names[i]))
      return NULL;
  }
  if (!serve_loop()) return NULL;
  return subscribe_with(self, given[0], given[1], given[2], called);
}

PyObject *signal_subscribe(PyObject *self, PyObject *const *args,
                           Py_ssize_t count, PyObject *keywords) {
  return subscribe_given(self, args, count, keywords, "Signal.subscribe");
}

PyObject *property_subscribe(PyObject *self, PyObject *const *args,
                             Py_ssize_t count, PyObject *keywords) {
  return subscribe_given(self, args, count, keywords, "Property.subscribe");
}
