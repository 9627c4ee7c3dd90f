/* Waiting for a signal. On the main thread the main scheduler runs meanwhile.
 *
 * SPDX-License-Identifier: MIT
 */
#include "errors.h"
#include "gil.h"
#include "loops.h"
#include "main_loop.h"
#include "methods.h"
#include "objects.h"
#include "parsing.h"
#include "statuses.h"
#include "subscribing.h"
#include "thread.h"
#include "values.h"

#include <errno.h>
#include <math.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* The events that a subscription has brought so far. The lock guards them. */
typedef struct {
  PyObject ob_base;
  PyObject *last;      /* value so far */
  PyObject *exception; /* of an error */
  int done;
  int has_heard;  /* something, since somebody asked */
  int abandoned;  /* nobody can send any more */
  int descriptor; /* while somebody sleeps; else -1 */
} Waiter;

static PyTypeObject *waiter_class;

static void wake_up(Waiter *waiter) {
  uint64_t one = 1;
  if (waiter->descriptor >= 0 &&
      write(waiter->descriptor, &one, sizeof one) < 0)
    return; /* it is readable already */
}

static void is_done(Waiter *waiter) {
  waiter->done = waiter->has_heard = 1;
  wake_up(waiter);
}

static void waiter_next(void *context, rac_value value) {
  int attached = begin();
  if (attached < 0) return;
  Waiter *waiter = context;
  waiter->has_heard = 1;
  if (!waiter->done) {
    PyObject *object = object_of(value);
    if (object == NULL)
      keep_raised(NULL);
    else
      Py_XSETREF(waiter->last, object);
  }
  end(attached);
}

static void waiter_error(void *context, rac_value error) {
  int attached = begin();
  if (attached < 0) return;
  Waiter *waiter = context;
  if (waiter->exception == NULL &&
      (waiter->exception = exception_of(error)) == NULL)
    keep_raised(NULL);
  is_done(waiter);
  end(attached);
}

static void waiter_completed(void *context) {
  int attached = begin();
  if (attached < 0) return;
  is_done(context);
  end(attached);
}

static void waiter_destroy(void *context) {
  int attached = begin();
  if (attached < 0) return;
  ((Waiter *)context)->abandoned = 1;
  wake_up(context);
  Py_DECREF((PyObject *)context);
  end(attached);
}

static int has_heard(void *context) {
  int answer = ((Waiter *)context)->has_heard;
  ((Waiter *)context)->has_heard = 0;
  return answer;
}

static int sleep_until_done(Waiter *waiter, double seconds,
                            const char *function) {
  double end = seconds_now() + seconds;
  int main = is_main_thread(), fine = 1;
  if (waiter->done) return 1;
  if (in_callback()) return set_status(RAC_EDEADLK, function), 0;
  waiter->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (waiter->descriptor < 0) return PyErr_SetFromErrno(PyExc_OSError), 0;
  while (fine && !waiter->done) {
    waiter->has_heard = 0;
    fine = !main || drain_main(function, has_heard, waiter);
    if (!fine || waiter->done) break;
    if (waiter->abandoned && isinf(seconds)) {
      PyErr_Format(error_empty, "%s(): nobody can send any more", function);
      fine = 0;
      break;
    }
    double left = end - seconds_now();
    if (left <= 0) {
      char text[32];
      PyOS_snprintf(text, sizeof text, "%g", seconds);
      PyErr_Format(error_timed_out, "%s(): nothing came within %s seconds",
                   function, text);
      fine = 0;
    } else {
      uint64_t woken;
      fine = sleep_for(waiter->descriptor, main, left);
      if (read(waiter->descriptor, &woken, sizeof woken) < 0 && errno == EBADF)
        break;
    }
  }
  int descriptor = waiter->descriptor;
  waiter->descriptor = -1;
  close(descriptor);
  return fine;
}

static PyObject *result_of(Waiter *waiter, const char *function) {
  if (waiter->exception != NULL) {
    set_raised(Py_NewRef(waiter->exception));
    return NULL;
  }
  return waiter->last != NULL ? Py_NewRef(waiter->last)
                              : set_status(RAC_EEMPTY, function);
}

/* For wait(), which waiting.py has. */
static PyObject *wait_for(PyObject *module, PyObject *args) {
  static const char function[] = "Signal.wait";
  (void)module;
  PyObject *signal, *given;
  double seconds = INFINITY;
  if (!PyArg_ParseTuple(args, "O!O:wait_for", classes[CLASS_SIGNAL], &signal,
                        &given))
    return NULL;
  if (given != Py_None && !as_seconds(given, &seconds, function, "timeout"))
    return NULL;
  if (!may_wait(function, "await signal")) return NULL;
  void *handle = handle_of(signal);
  Waiter *waiter =
      handle ? (Waiter *)PyType_GenericAlloc(waiter_class, 0) : NULL;
  if (waiter == NULL) return NULL;
  waiter->descriptor = -1;
  rac_observer observer = {sizeof observer,  Py_NewRef((PyObject *)waiter),
                           waiter_next,      waiter_error,
                           waiter_completed, waiter_destroy};
  PyObject *result = NULL;
  entry outer = enter();
  rac_disposable *subscription = rac_subscribe(handle, &observer);
  if (leave(outer)) {
    if (subscription == NULL)
      set_last_failure(function);
    else if (sleep_until_done(waiter, seconds, function))
      result = result_of(waiter, function);
  }
  end_subscription(subscription);
  Py_DECREF(waiter);
  return result;
}

/* Refused where an asyncio loop is running, which would wait for main_stop(). */
static PyObject *main_run(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  if (!may_wait("main_run", "attach()")) return NULL;
  return run_main_for(INFINITY, "main_run");
}

PyMethodDef waiting_functions[] = {
    {"main_run", main_run, METH_NOARGS,
     "main_run($module, /)\n--\n\nRuns the main scheduler until main_stop(). "
     "What\nhandlers raise goes to librac.on_unhandled, and it goes on."},
    {"wait_for", wait_for, METH_VARARGS,
     "wait_for($module, signal, timeout, /)\n--\n\nWaits for the end: the "
     "last value."},
    {NULL, NULL, 0, NULL}};

static void waiter_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(((Waiter *)self)->last);
  Py_XDECREF(((Waiter *)self)->exception);
  PyObject_Free(self);
  Py_DECREF(type);
}

int make_waiting(void) {
  static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)waiter_dealloc},
                                {0, NULL}};
  static PyType_Spec spec = {
      "librac.Waiter", sizeof(Waiter), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  waiter_class = (PyTypeObject *)PyType_FromSpec(&spec);
  return waiter_class != NULL;
}
