/* The classes of exceptions, and the exception of a failing call.
 *
 * SPDX-License-Identifier: MIT
 */
#include "statuses.h"
#include "thread.h"

static PyObject *error, *error_busy, *error_forked;
PyObject *stream_error, *no_matching_case, *command_error, *command_not_enabled;
PyObject *error_closed, *error_stale, *error_deadlock, *error_empty,
    *error_would_block, *error_timed_out, *error_overflow, *error_too_deep;

static const struct {
  PyObject **variable;
  const char *name;
  PyObject **base, **other;
  const char *doc;
} exceptions[] = {
    {&error, "Error", &PyExc_Exception, NULL, "What librac raises of its own."},
    {&stream_error, "StreamError", &error, NULL,
     "An error of a stream that the library made: domain, code and message."},
    {&error_timed_out, "TimedOut", &stream_error, &PyExc_TimeoutError,
     "What was waited for did not come in its time."},
    {&error_overflow, "Overflow", &stream_error, NULL,
     "A bound of the policy \"error\" had no room for a value."},
    {&no_matching_case, "NoMatchingCase", &stream_error, NULL,
     "switch() was sent a key that it has no case for."},
    {&command_error, "CommandError", &stream_error, NULL, "A command failed."},
    {&command_not_enabled, "CommandNotEnabled", &command_error, NULL,
     "A command was executed that is not enabled."},
    {&error_closed, "Closed", &error, &PyExc_RuntimeError,
     "close() was called."},
    {&error_stale, "Stale", &error, &PyExc_ReferenceError,
     "It was made before this process was forked."},
    {&error_deadlock, "Deadlock", &error, &PyExc_RuntimeError,
     "Waiting here would wait for itself."},
    {&error_busy, "Busy", &error, &PyExc_RuntimeError,
     "Another thread runs this scheduler, or it is bound already."},
    {&error_empty, "Empty", &error, &PyExc_LookupError,
     "The signal completed without a value."},
    {&error_would_block, "WouldBlock", &error, &PyExc_BlockingIOError,
     "There is no room, or nothing there, just now."},
    {&error_forked, "Forked", &error, &PyExc_RuntimeError,
     "This process was forked inside a callback: librac does not work here."},
    {&error_too_deep, "TooDeep", &error, &PyExc_RecursionError,
     "Signals inside signals beyond what the stack bears."},
};

/* The class keeps the text from which inspect.signature() takes the signature,
 * and says the rest as its doc. */
static PyObject *made_class(const char *name, const char *doc,
                            PyObject *bases) {
  char text[256];
  PyOS_snprintf(text, sizeof text, "%s(*args)\n--\n\n%s",
                strrchr(name, '.') + 1, doc);
  PyObject *made = PyErr_NewExceptionWithDoc(name, text, bases, NULL);
  PyObject *said = PyUnicode_FromString(doc);
  if (made != NULL &&
      (said == NULL || PyObject_SetAttrString(made, "__doc__", said) < 0))
    Py_CLEAR(made);
  Py_XDECREF(said);
  return made;
}

int make_errors(PyObject *module) {
  for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
    char name[64];
    /* Where their users find them: librac.Error, librac.errors.TimedOut. */
    PyOS_snprintf(name, sizeof name, i == 0 ? "librac.%s" : "librac.errors.%s",
                  exceptions[i].name);
    PyObject *bases =
        exceptions[i].other
            ? PyTuple_Pack(2, *exceptions[i].base, *exceptions[i].other)
            : PyTuple_Pack(1, *exceptions[i].base);
    if (bases == NULL) return 0;
    PyObject *made = made_class(name, exceptions[i].doc, bases);
    Py_DECREF(bases);
    *exceptions[i].variable = made;
    if (made == NULL ||
        PyModule_AddObjectRef(module, exceptions[i].name, made) < 0)
      return 0;
  }
  return 1;
}

/* ---- Failing calls ------------------------------------------------------- */

static PyObject *class_of_status(rac_status status) {
  switch (status) {
  case RAC_EINVAL:
  case RAC_EUTF8:
    return PyExc_ValueError;
  case RAC_ENULL:
  case RAC_EKIND:
    return PyExc_TypeError;
  case RAC_ESTALE:
    return error_stale;
  case RAC_ENOMEM:
    return PyExc_MemoryError;
  case RAC_EDEADLK:
    return error_deadlock;
  case RAC_ETIMEDOUT:
    return error_timed_out;
  case RAC_EFORK:
    return error_forked;
  case RAC_ERANGE:
    return error_too_deep;
  case RAC_EBUSY:
    return error_busy;
  case RAC_EEMPTY:
    return error_empty;
  case RAC_ECLOSED:
    return error_closed;
  case RAC_EAGAIN:
    return error_would_block;
  default:
    return error;
  }
}

PyObject *set_status(rac_status status, const char *function) {
  const char *said =
      rac_last_error_code() == status ? rac_last_error_message() : NULL;
  if (status == RAC_EFORK)
    said = "this process was forked inside a callback, where the library does "
           "not go on: fork before (start a pool first), or spawn";
  if (status == RAC_EEMPTY && said == NULL)
    said = "the signal completed without a value";
  PyErr_Format(class_of_status(status), "%s(): %s", function,
               said && *said ? said : rac_status_name(status));
  return NULL;
}

PyObject *set_last_failure(const char *function) {
  if (PyErr_Occurred()) return NULL;
  return set_status(rac_last_error_code(), function);
}
