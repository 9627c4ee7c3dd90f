/* Waiting for a signal, and running the main scheduler: by poll, with the lock let go
 * of, so that other threads go on and Ctrl-C comes through.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int stopping; /* main_stop() was called; the lock guards it */

int is_main_thread(void) { return getpid() == (pid_t)syscall(SYS_gettid); }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Whether waiting is allowed: not inside a callback that others wait for. */
int in_callback(void) {
  rac_signal *never = rac_signal_never();
  rac_status status =
      never ? rac_signal_first(never, 0, NULL) : rac_last_error_code();
  rac_release(never);
  return status == RAC_EDEADLK;
}

/* Sleeps until a descriptor is readable, the main scheduler has something to do, or so
 * long; 0 with an exception after a signal whose handler raised. */
static int sleep_for(int descriptor, int with_main, double seconds) {
  struct pollfd polled[2];
  nfds_t count = 0;
  if (descriptor >= 0) polled[count++] = (struct pollfd){descriptor, POLLIN, 0};
  if (with_main) {
    double deadline = rac_main_next_deadline();
    polled[count++] = (struct pollfd){rac_main_fd(), POLLIN, 0};
    if (deadline >= 0 && deadline < seconds) seconds = deadline;
    if (seconds > 0.25) /* a signal just before poll() wakes nobody */
      seconds = 0.25;
  }
  int milliseconds = seconds > 1e6 ? -1 : (int)ceil(seconds * 1e3);
  uint64_t call = thread.call;
  thread.call = 0;
  Py_BEGIN_ALLOW_THREADS poll(polled, count, milliseconds);
  Py_END_ALLOW_THREADS thread.call = call;
  return PyErr_CheckSignals() == 0;
}

int sleep_here(double seconds) {
  double end = now() + seconds, left = seconds;
  for (; left > 0; left = end - now())
    if (!sleep_for(-1, 0, left < 0.25 ? left : 0.25)) return 0;
  return 1;
}

/* What is ready on the main scheduler; 0 with an exception. */
static int drain(const char *function) {
  entry outer = enter();
  int64_t ran = rac_main_drain(0);
  if (!leave(outer)) return 0;
  if (ran < 0) set_status((rac_status)ran, function);
  return ran >= 0;
}

/* ---- The main loop ---------------------------------------------------------------------- */

static PyObject *run_for(double seconds, const char *function) {
  if (in_callback()) return set_status(RAC_EDEADLK, function);
  double end = now() + seconds;
  for (;;) {
    if (!drain(function)) return NULL;
    double left = end - now();
    if (stopping || left <= 0) break;
    if (!sleep_for(-1, 1, left)) return NULL;
  }
  stopping = 0;
  return Py_NewRef(Py_None);
}

static PyObject *main_run(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  return run_for(INFINITY, "main_run");
}

static PyObject *main_run_for(PyObject *module, PyObject *object) {
  (void)module;
  double seconds;
  if (!as_seconds(object, &seconds, "main_run_for", "seconds")) return NULL;
  if (seconds < 0)
    return PyErr_Format(PyExc_ValueError,
                        "main_run_for(): seconds must not be negative");
  return run_for(seconds, "main_run_for");
}

static void wake(void *context) { (void)context; }

static PyObject *main_stop(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  stopping = 1;
  entry outer = enter();
  rac_scheduler *main = rac_scheduler_main();
  rac_disposable *job = main ? rac_schedule(main, NULL, wake, NULL) : NULL;
  rac_release(job);
  rac_release(main);
  return leave(outer) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *told_in_callback(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  return PyBool_FromLong(in_callback());
}

static PyObject *told_main_thread(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  return PyBool_FromLong(is_main_thread());
}

static PyObject *wait_for_all_or_last(PyObject *module, PyObject *args);

PyMethodDef waiting_functions[] = {
    {"wait_for", wait_for_all_or_last, METH_VARARGS,
     "wait_for($module, signal, timeout, last, /)\n--\n\nWaits for the end: "
     "all values, or the last."},
    {"main_run", main_run, METH_NOARGS,
     "main_run($module, /)\n--\n\nRuns the main scheduler until main_stop(), "
     "or until "
     "something raises."},
    {"main_run_for", main_run_for, METH_O,
     "main_run_for($module, seconds, /)\n--\n\nRuns the main scheduler for "
     "some time, or "
     "until main_stop()."},
    {"main_stop", main_stop, METH_NOARGS,
     "main_stop($module, /)\n--\n\nEnds main_run() or main_run_for(), from any "
     "thread."},
    {"in_callback", told_in_callback, METH_NOARGS,
     "in_callback($module, /)\n--\n\nWhether waiting here would raise "
     "Deadlock."},
    {"is_main_thread", told_main_thread, METH_NOARGS,
     "is_main_thread($module, /)\n--\n\nWhether this is the thread of the main "
     "scheduler."},
    {NULL, NULL, 0, NULL}};

/* ---- Waiting for a signal ------------------------------------------------------------------ */

/* What a subscription has brought so far. The lock guards it. */
typedef struct {
  PyObject ob_base;
  PyObject *values;    /* a list */
  PyObject *exception; /* of an error */
  int first;           /* the first value will do */
  int last;            /* the last is wanted alone */
  int keeps;           /* values are wanted */
  int done, completed;
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
  waiter->done = 1;
  wake_up(waiter);
}

static void waiter_next(void *context, rac_value value) {
  int attached = begin();
  if (attached < 0) return;
  Waiter *waiter = context;
  if (waiter->keeps && !waiter->done) {
    PyObject *object = object_of(value);
    int replaces = waiter->last && PyList_Size(waiter->values) > 0;
    if (object == NULL ||
        (replaces ? PyList_SetItem(waiter->values, 0, Py_NewRef(object))
                  : PyList_Append(waiter->values, object)) < 0)
      keep_raised(NULL);
    Py_XDECREF(object);
  }
  if (waiter->first) is_done(waiter);
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
  ((Waiter *)context)->completed = 1;
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

static int sleep_until_done(Waiter *waiter, double seconds,
                            const char *function) {
  double end = now() + seconds;
  int main = is_main_thread(), fine = 1;
  if (waiter->done) return 1;
  if (in_callback()) return set_status(RAC_EDEADLK, function), 0;
  waiter->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (waiter->descriptor < 0) return PyErr_SetFromErrno(PyExc_OSError), 0;
  while (fine && !waiter->done) {
    fine = !main || drain(function);
    if (!fine || waiter->done) break;
    if (waiter->abandoned && isinf(seconds)) {
      PyErr_Format(error_empty, "%s(): nobody can send any more", function);
      fine = 0;
      break;
    }
    double left = end - now();
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
  if (waiter->first && PyList_Size(waiter->values) > 0)
    return Py_NewRef(PyList_GetItem(waiter->values, 0));
  if (waiter->exception != NULL) {
    set_raised(Py_NewRef(waiter->exception));
    return NULL;
  }
  if (waiter->last && PyList_Size(waiter->values) > 0)
    return Py_NewRef(PyList_GetItem(waiter->values, 0));
  if (waiter->first || waiter->last) return set_status(RAC_EEMPTY, function);
  return Py_NewRef(waiter->keeps ? waiter->values : Py_None);
}

enum wanted { THE_FIRST, THE_LAST, ALL, NONE };

static PyObject *wait_for(PyObject *self, enum wanted wanted, double seconds,
                          const char *function) {
  void *handle = handle_of(self);
  Waiter *waiter =
      handle ? (Waiter *)PyType_GenericAlloc(waiter_class, 0) : NULL;
  if (waiter == NULL) return NULL;
  waiter->first = wanted == THE_FIRST;
  waiter->last = wanted == THE_LAST;
  waiter->keeps = wanted != NONE;
  waiter->descriptor = -1;
  if ((waiter->values = PyList_New(0)) == NULL) {
    Py_DECREF(waiter);
    return NULL;
  }
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

static int take_timeout(const char *function, PyObject *const *args,
                        Py_ssize_t count, PyObject *keywords, double *out) {
  static const char *const names[] = {"timeout"};
  PyObject *given;
  *out = INFINITY;
  return take_arguments(function, names, 1, 0, args, count, keywords, &given) &&
         (given == NULL || given == Py_None ||
          as_seconds(given, out, function, "timeout"));
}

PyObject *signal_blocking_first(PyObject *self, PyObject *const *args,
                                Py_ssize_t count, PyObject *keywords) {
  double seconds;
  if (!take_timeout("Signal.blocking_first", args, count, keywords, &seconds))
    return NULL;
  return wait_for(self, THE_FIRST, seconds, "Signal.blocking_first");
}

PyObject *signal_blocking_list(PyObject *self, PyObject *const *args,
                               Py_ssize_t count, PyObject *keywords) {
  double seconds;
  if (!take_timeout("Signal.blocking_list", args, count, keywords, &seconds))
    return NULL;
  return wait_for(self, ALL, seconds, "Signal.blocking_list");
}

PyObject *signal_wait(PyObject *self, PyObject *const *args, Py_ssize_t count,
                      PyObject *keywords) {
  double seconds;
  if (!take_timeout("Signal.wait_until_completed", args, count, keywords,
                    &seconds))
    return NULL;
  return wait_for(self, NONE, seconds, "Signal.wait_until_completed");
}

/* For wait() and to_list(), which waiting.py has: they refuse in coroutines. */
static PyObject *wait_for_all_or_last(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *signal, *given;
  int last;
  double seconds = INFINITY;
  if (!PyArg_ParseTuple(args, "O!Op:wait_for", classes[CLASS_SIGNAL], &signal,
                        &given, &last))
    return NULL;
  const char *function = last ? "Signal.wait" : "Signal.to_list";
  if (given != Py_None && !as_seconds(given, &seconds, function, "timeout"))
    return NULL;
  return wait_for(signal, last ? THE_LAST : ALL, seconds, function);
}

static void waiter_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(((Waiter *)self)->values);
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
