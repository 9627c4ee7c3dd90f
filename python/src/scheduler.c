/* Letting virtual time pass, and sleeping on the immediate scheduler: in portions, so that
 * Ctrl-C, and whatever else a handler of a signal raises, ends them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"

/* Whether to go on: unless a handler of a signal raised, or a callback what is no
 * Exception, as KeyboardInterrupt. What else a callback raised comes out at the end. */
static int goes_on(void) {
  if (PyErr_CheckSignals() < 0) {
    keep_raised(NULL);
    return 0;
  }
  return thread.pending == NULL ||
         PyErr_GivenExceptionMatches(thread.pending, PyExc_Exception);
}

static PyObject *told(entry outer, rac_status status, const char *function) {
  if (!leave(outer)) return NULL;
  return status < 0 ? set_status(status, function) : Py_NewRef(Py_None);
}

static PyObject *step(PyObject *self, size_t count, const char *function) {
  void *handle = handle_of(self);
  if (handle == NULL) return NULL;
  entry outer = enter();
  rac_status status;
  do {
    size_t portion = count < 64 ? count : 64;
    status = rac_virtual_step_n(handle, portion);
    count -= portion;
  } while (status == RAC_OK && count > 0 && goes_on() &&
           rac_virtual_next_deadline(handle) >= 0);
  return told(outer, status, function);
}

static PyObject *step_n(PyObject *self, PyObject *const *args, Py_ssize_t given,
                        PyObject *keywords) {
  static const char *const names[] = {"count"};
  PyObject *object;
  size_t count;
  if (!take_arguments("Scheduler.step_n", names, 1, 1, args, given, keywords,
                      &object) ||
      !as_count(object, &count, "Scheduler.step_n", "count"))
    return NULL;
  return step(self, count, "Scheduler.step_n");
}

static PyObject *step_all(PyObject *self, PyObject *nothing) {
  (void)nothing;
  return step(self, SIZE_MAX, "Scheduler.step_all");
}

/* The immediate scheduler sleeps: here, and not in the engine. */
static PyObject *schedule_after(PyObject *self, PyObject *const *args,
                                Py_ssize_t given, PyObject *keywords) {
  static const char *const function = "Scheduler.schedule_after";
  static const char *const names[] = {"seconds", "action"};
  PyObject *objects[2];
  double seconds;
  void *handle = handle_of(self);
  if (handle == NULL ||
      !take_arguments(function, names, 2, 2, args, given, keywords, objects) ||
      !as_seconds(objects[0], &seconds, function, "seconds") ||
      !check_callable(objects[1], function, "action"))
    return NULL;
  rac_scheduler *immediate = rac_scheduler_immediate();
  int sleeps = handle == immediate && seconds > 0;
  rac_release(immediate);
  if (sleeps && !sleep_here(seconds)) return NULL;
  entry outer = enter();
  rac_disposable *job =
      rac_schedule_after(handle, sleeps ? 0 : seconds, Py_NewRef(objects[1]),
                         call_action, drop_context);
  if (leave(outer)) return wrap(classes[CLASS_DISPOSABLE], job, function);
  PyObject *raised = take_raised();
  drop_handle(job);
  set_raised(raised);
  return NULL;
}

PyMethodDef scheduler_by_hand[] = {
    FAST("schedule_after", schedule_after,
         "schedule_after($self, seconds, action)\n--\n\nCalls a function "
         "after some time by this scheduler's clock. The immediate scheduler "
         "sleeps. Disposing takes it back."),
    FAST("step_n", step_n,
         "step_n($self, count)\n--\n\nRuns the next jobs of a virtual "
         "scheduler, at most so many, those they cause included."),
    {"step_all", step_all, METH_NOARGS,
     "step_all($self, /)\n--\n\nRuns the jobs of a virtual scheduler until "
     "there is none left; what repeats for ever makes this run until Ctrl-C."},
    {NULL, NULL, 0, NULL}};
