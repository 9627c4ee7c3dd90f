/* Errors that nobody handles, and what callbacks raise where no call can raise
 * it. All of it goes by way of the engine, whose own are among it: its hook
 * tells librac.on_unhandled.
 *
 * SPDX-License-Identifier: MIT
 */
#include "unhandled.h"
#include "callbacks.h"
#include "errors.h"
#include "gil.h"
#include "parsing.h"
#include "release.h"
#include "statuses.h"
#include "thread.h"
#include "values.h"

static PyObject *telling; /* unhandled.py */

static PyObject *set_unhandled_hook(PyObject *module, PyObject *function) {
  (void)module;
  if (!check_callable(function, "set_unhandled_hook", "function")) return NULL;
  Py_XSETREF(telling, Py_NewRef(function));
  return Py_NewRef(Py_None);
}

static int tell(const rac_unhandled_error *report) {
  PyObject *exception = exception_of(report->error);
  PyObject *chain = PyUnicode_DecodeUTF8(
      report->chain, (Py_ssize_t)strlen(report->chain), "replace");
  PyObject *value =
      report->value ? object_of(*report->value) : Py_NewRef(Py_None);
  PyObject *arguments[4] = {NULL, exception, chain, value}, *result = NULL;
  if (exception != NULL && chain != NULL && value != NULL && telling != NULL)
    result = call_with(telling, arguments + 1, 3);
  int is_told = result != NULL;
  Py_XDECREF(result);
  Py_XDECREF(exception);
  Py_XDECREF(chain);
  Py_XDECREF(value);
  return is_told;
}

void hear_unhandled(void *context, const rac_unhandled_error *report) {
  (void)context;
  int attached = begin();
  if (attached < 0) return;
  PyObject *outside = take_raised(), *raised = NULL;
  if (!tell(report) && (raised = take_raised()) != NULL) {
    if (is_interruption(raised)) {
      set_raised(raised);
      keep_raised(NULL);
    } else {
      tell_unraisable(raised);
    }
  }
  set_raised(outside);
  end(attached);
}

static void report_error(PyObject *exception, PyObject *chain,
                         PyObject *value) {
  PyObject *outside = take_raised();
  rac_value error, seen;
  rac_status status = RAC_ENOMEM;
  /* As the interpreter goes the engine is closed, which everybody hears who
   * sends. */
  int matters =
      !is_closing() || !PyErr_GivenExceptionMatches(exception, error_closed);
  if (matters && error_value_of(exception, &error, "librac.on_unhandled")) {
    int is_known = value != NULL && value_of(value, &seen);
    PyErr_Clear();
    const char *text = chain ? PyUnicode_AsUTF8AndSize(chain, NULL) : NULL;
    PyErr_Clear();
    status = rac_report_unhandled_error(text, error, is_known ? &seen : NULL);
    if (is_known) drop_value(seen);
    drop_value(error);
  }
  PyErr_Clear();
  if (matters && status < 0) tell_unraisable(Py_NewRef(exception));
  Py_DECREF(exception);
  Py_XDECREF(chain);
  set_raised(outside);
}

/* For sources that are written in Python: what a handler raised while they go
 * on. */
static PyObject *keep_exception(PyObject *module, PyObject *const *args,
                                Py_ssize_t count) {
  (void)module;
  if (count < 1 || count > 2 || !PyExceptionInstance_Check(args[0])) {
    PyErr_SetString(PyExc_TypeError,
                    "keep_exception(): takes an exception and a value");
    return NULL;
  }
  set_raised(Py_NewRef(args[0]));
  tell_raised(NULL, count > 1 ? args[1] : NULL);
  return Py_NewRef(Py_None);
}

PyMethodDef unhandled_functions[] = {
    {"keep_exception", (PyCFunction)(void (*)(void))keep_exception,
     METH_FASTCALL,
     "keep_exception($module, error, value=None, /)\n--\n\nRaises it when the "
     "call ends that brought this about; reports it where there is none, or "
     "another has been raised."},
    {"set_unhandled_hook", set_unhandled_hook, METH_O,
     "set_unhandled_hook($module, function, /)\n--\n\nWhat is told of errors "
     "that nobody handles: function(error, chain, value)."},
    {NULL, NULL, 0, NULL}};

void prepare_unhandled(void) { report = report_error; }
