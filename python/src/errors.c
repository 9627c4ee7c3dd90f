/* Exceptions as errors of streams, errors of streams as exceptions, and what a
 * failing call raises.
 *
 * SPDX-License-Identifier: MIT
 */
#include "extension.h"

#include <errno.h>

static PyObject *error, *stream_error, *no_matching_case, *command_error,
    *command_not_enabled, *error_busy, *error_forked;
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

/* The class keeps the text from which inspect.signature() takes the signature, and says the
 * rest as its doc. */
static PyObject *made_class(const char *name, const char *doc,
                            PyObject *bases) {
  char text[256];
  PyOS_snprintf(text, sizeof text, "%s(*args)\n--\n\n%s", strchr(name, '.') + 1,
                doc);
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
    PyOS_snprintf(name, sizeof name, "librac.%s", exceptions[i].name);
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

/* ---- To the engine ---------------------------------------------------------- */

static rac_value made_error(PyObject *exception) {
  rac_value underlying = {0}, made = {0};
  PyObject *text = PyObject_Str(exception);
  PyObject *bytes =
      text ? PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace")
           : NULL;
  const char *message = bytes ? PyBytes_AsString(bytes) : NULL;
  forget_raised(); /* of a __str__ that fails */
  if (value_of(exception, &underlying)) {
    entry outer = enter();
    made = rac_value_error_underlying("python", 0, message, underlying);
    leave(outer);
    drop_value(underlying);
  }
  Py_XDECREF(bytes);
  Py_XDECREF(text);
  return made;
}

rac_value error_value_of_raised(void) {
  PyObject *raised = take_raised();
  rac_value made = made_error(raised);
  Py_DECREF(raised);
  return made;
}

int error_value_of(PyObject *exception, rac_value *out, const char *function) {
  if (PyExceptionClass_Check(exception)) {
    PyObject *instance = PyObject_CallNoArgs(exception);
    if (instance == NULL) return 0;
    *out = made_error(instance);
    Py_DECREF(instance);
  } else if (PyExceptionInstance_Check(exception)) {
    *out = made_error(exception);
  } else {
    PyErr_Format(PyExc_TypeError, "%s(): error must be an exception, not %R",
                 function, (PyObject *)Py_TYPE(exception));
    return 0;
  }
  if (out->kind == RAC_ERROR) return 1;
  if (!PyErr_Occurred()) PyErr_NoMemory();
  return 0;
}

rac_status fail(PyObject *where) {
  PyObject *raised = take_raised();
  rac_value value = made_error(raised);
  rac_raise(value);
  drop_value(value);
  if (is_interruption(raised)) {
    thread.failed = NULL;
    set_raised(raised);
    keep_raised(NULL);
  } else {
    thread.failed = raised; /* the engine has it until the callback ends */
    Py_DECREF(raised);
  }
  return RAC_EUSER;
}

/* ---- From the engine -------------------------------------------------------- */

static PyObject *class_of_domain(const char *domain, int64_t code) {
  if (strcmp(domain, "rac.signal") == 0) {
    if (code == RAC_SIGNAL_TIMED_OUT) return error_timed_out;
    if (code == RAC_SIGNAL_NO_MATCHING_CASE) return no_matching_case;
    if (code == RAC_SIGNAL_OVERFLOW) return error_overflow;
  } else if (strcmp(domain, RAC_COMMAND_ERROR_DOMAIN) == 0) {
    return code == RAC_COMMAND_NOT_ENABLED ? command_not_enabled
                                           : command_error;
  }
  return stream_error;
}

PyObject *exception_of(rac_value value) {
  rac_value underlying = rac_error_get_underlying(value);
  if (underlying.kind == RAC_OBJECT) {
    PyObject *exception = object_of(underlying);
    if (exception == NULL || PyExceptionInstance_Check(exception))
      return exception;
    Py_DECREF(exception);
  }
  const char *domain = rac_error_get_domain(value), *message;
  int64_t code = rac_error_get_code(value);
  message = rac_error_get_message(value);
  domain = domain ? domain : "";
  message = message ? message : "";
  if (strcmp(domain, RAC_SYSTEM_ERROR_DOMAIN) == 0)
    return PyObject_CallFunction(PyExc_OSError, "is", (int)code, message);
  PyObject *exception =
      PyObject_CallFunction(class_of_domain(domain, code), "s", message);
  PyObject *number = PyLong_FromLongLong(code);
  PyObject *text = PyUnicode_FromString(message),
           *name = PyUnicode_FromString(domain);
  if (exception == NULL || number == NULL || text == NULL || name == NULL ||
      PyObject_SetAttrString(exception, "domain", name) < 0 ||
      PyObject_SetAttrString(exception, "code", number) < 0 ||
      PyObject_SetAttrString(exception, "message", text) < 0)
    Py_CLEAR(exception);
  Py_XDECREF(number);
  Py_XDECREF(text);
  Py_XDECREF(name);
  return exception;
}

/* ---- Failing calls ------------------------------------------------------------ */

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
