/* Running the main scheduler, and sleeping: by poll, with the lock let go of,
 * so that other threads go on and Ctrl-C comes through.
 *
 * SPDX-License-Identifier: MIT
 */
#include "main_loop.h"
#include "gil.h"
#include "parsing.h"
#include "statuses.h"
#include "thread.h"

#include <math.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int stopping; /* main_stop() was called; the lock guards it */

int is_main_thread(void) { return getpid() == (pid_t)syscall(SYS_gettid); }

double seconds_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Reading a signal would run the main scheduler; reading a sequence runs
 * nothing. */
int in_callback(void) {
  rac_subject *silent = rac_subject_create();
  rac_sequence *nothing =
      silent ? rac_sequence_from_signal(rac_subject_as_signal(silent), 0, NULL)
             : NULL;
  rac_value value;
  rac_status status =
      nothing ? rac_sequence_head(nothing, &value) : rac_last_error_code();
  rac_release(nothing);
  rac_release(silent);
  return status == RAC_EDEADLK;
}

int sleep_for(int descriptor, int with_main, double seconds) {
  struct pollfd polled[2];
  nfds_t count = 0;
  if (descriptor >= 0) polled[count++] = (struct pollfd){descriptor, POLLIN, 0};
  if (with_main) {
    double deadline = rac_scheduler_next_deadline(rac_scheduler_main());
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
  double end = seconds_now() + seconds, left = seconds;
  for (; left > 0; left = end - seconds_now())
    if (!sleep_for(-1, 0, left < 0.25 ? left : 0.25)) return 0;
  return 1;
}

int drain_main(const char *function, int (*has_come)(void *), void *context) {
  int most = 64; /* then whoever waits looks at the clock again */
  int64_t ran;
  int is_over = 0;
  do {
    entry outer = enter_for_others();
    ran = rac_main_drain(has_come != NULL);
    is_over = has_come == NULL || has_come(context);
    if (!leave_waiting(outer, has_come != NULL && is_over)) return 0;
  } while (ran > 0 && !is_over && --most > 0);
  if (ran < 0) set_status((rac_status)ran, function);
  return ran >= 0;
}

PyObject *run_main_for(double seconds, const char *function) {
  if (in_callback()) return set_status(RAC_EDEADLK, function);
  double end = seconds_now() + seconds;
  for (;;) {
    if (!drain_main(function, NULL, NULL)) return NULL;
    double left = end - seconds_now();
    if (stopping || left <= 0) break;
    if (!sleep_for(-1, 1, left)) return NULL;
  }
  stopping = 0;
  return Py_NewRef(Py_None);
}

static PyObject *main_run_for(PyObject *module, PyObject *object) {
  (void)module;
  double seconds;
  if (!as_seconds(object, &seconds, "main_run_for", "seconds")) return NULL;
  if (seconds < 0)
    return PyErr_Format(PyExc_ValueError,
                        "main_run_for(): seconds must not be negative");
  return run_main_for(seconds, "main_run_for");
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

PyMethodDef main_functions[] = {
    {"main_run_for", main_run_for, METH_O,
     "main_run_for($module, seconds, /)\n"
     "--\n\n"
     "Runs the main scheduler for some time, or until main_stop().\n\n"
     "seconds: 0 or more."},
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
