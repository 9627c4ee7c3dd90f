/* Exceptions as errors of streams, and errors of streams as
 * exceptions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "errors.h"
#include "release.h"
#include "statuses.h"
#include "thread.h"
#include "values.h"

/* ---- To the engine ----------------------------------------------------------
 */

/* Of errors whose underlying value is an exception. */
static const char own_domain[] = "python";

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
    made = rac_value_error_underlying(own_domain, 0, message, underlying);
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

rac_status fail(void) {
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

/* ---- From the engine --------------------------------------------------------
 */

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
  const char *domain = rac_error_get_domain(value), *message;
  int64_t code = rac_error_get_code(value);
  message = rac_error_get_message(value);
  domain = domain ? domain : "";
  if (strcmp(domain, own_domain) == 0) {
    PyObject *exception = object_of(rac_error_get_underlying(value));
    if (exception == NULL || PyExceptionInstance_Check(exception))
      return exception;
    Py_DECREF(exception);
  }
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

void prepare_errors(void) { convert_errors(exception_of); }
