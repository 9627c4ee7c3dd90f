/* Sleeping on the immediate scheduler: in portions, so that Ctrl-C, and
 * whatever else a handler of a signal raises, ends it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"
#include "classes.h"
#include "main_loop.h"
#include "objects.h"
#include "parsing.h"
#include "release.h"
#include "thread.h"

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
  return leave_with(outer, CLASS_DISPOSABLE, job, function);
}

PyMethodDef scheduler_by_hand[] = {
    FAST("schedule_after", schedule_after,
         "schedule_after($self, seconds, action)\n"
         "--\n\n"
         "Calls a function after some time by this scheduler's clock; "
         "disposing\n"
         "what it returns takes it back. The immediate scheduler sleeps.\n\n"
         "seconds: 0 or more.\n"
         "action: called without arguments.\n\n"
         "ReactiveCocoa: -afterDelay:schedule:"),
    {NULL, NULL, 0, NULL}};
