/* Calls the engine by the table, which is generated from the description of the
 * ABI.
 *
 * SPDX-License-Identifier: MIT
 */
#include "calls.h"
#include "callbacks.h"
#include "callbacks_signals.h"
#include "classes.h"
#include "cycles.h"
#include "errors.h"
#include "noted.h"
#include "notes.h"
#include "objects.h"
#include "release.h"
#include "statuses.h"
#include "step.h"
#include "thread.h"
#include "values.h"

#include <math.h>

static PyObject *perform(const struct row *row, PyObject *self,
                         PyObject *const *args, Py_ssize_t count,
                         PyObject *keywords);
static int construct(const struct row *row, PyObject *self, PyObject *args,
                     PyObject *keywords);
static PyObject *read_row(PyObject *self, void *row);

/* of() with one value is what the engine has a shorter way for. */
static rac_signal *values_of(const rac_value *values, size_t count) {
  return count == 1 ? rac_signal_return(values[0])
                    : rac_signal_from_values(values, count);
}

#include "calls_table.h"

PyMethodDef *const module_calls = methods_of_MODULE;

/* ---- Results ------------------------------------------------------------- */

/* The error of a sequence, which a call that asks something has no place for.
 */
static int find_failure(const struct row *row, struct call *call) {
  if (row->result != RESULT_TRUTH_OUT && row->result != RESULT_HASH_OUT)
    return 0;
  entry outer = enter();
  rac_status status = rac_sequence_head(call->self, &call->result.value);
  leave_quietly(outer);
  if (status == RAC_ESTREAM) return 1;
  if (status == RAC_OK) drop_value(call->result.value);
  return 0;
}

static PyObject *of_status(const struct row *row, struct call *call) {
  rac_status status = call->result.status;
  if (status == RAC_ESTREAM) {
    if (row->result != RESULT_VALUE_OUT && !find_failure(row, call))
      return set_status(status, row->name);
    PyObject *exception = exception_of(call->result.value);
    drop_value(call->result.value);
    if (exception != NULL) set_raised(exception);
    return NULL;
  }
  /* Nothing is heard after an end: Rx's grammar. */
  if (status < 0 && status != RAC_EDONE) return set_status(status, row->name);
  switch (row->result) {
  case RESULT_VALUE_OUT:
    return object_of_owned(call->result.value);
  case RESULT_TRUTH_OUT:
    return PyBool_FromLong(call->result.truth);
  case RESULT_HASH_OUT:
    return PyLong_FromUnsignedLongLong(call->result.number64);
  default:
    return Py_NewRef(Py_None);
  }
}

static PyObject *result_of(const struct row *row, struct call *call,
                           PyTypeObject *type) {
  switch (row->result) {
  case RESULT_HANDLE_LENT:
    call->result.handle = rac_retain(call->result.handle);
    return wrap(type, call->result.handle, row->name);
  case RESULT_HANDLE_OR_NONE:
    if (call->result.handle == NULL) return Py_NewRef(Py_None);
    return wrap(type, call->result.handle, row->name);
  case RESULT_HANDLE:
    return wrap(type, call->result.handle, row->name);
  case RESULT_TRUTH:
    return PyBool_FromLong(call->result.truth);
  case RESULT_SIZE:
    return PyLong_FromSize_t(call->result.size);
  case RESULT_NUMBER64:
    return PyLong_FromUnsignedLongLong(call->result.number64);
  case RESULT_NUMBER:
    return PyFloat_FromDouble(call->result.real);
  case RESULT_COUNT64:
    if (call->result.integer < 0) return set_last_failure(row->name);
    return PyLong_FromLongLong(call->result.integer);
  case RESULT_INTEGER64:
    return PyLong_FromLongLong(call->result.integer);
  case RESULT_POLICY:
    if (call->result.integer < 1 || call->result.integer > RAC_BOUND_REFUSE)
      return set_last_failure(row->name);
    return PyUnicode_FromString(policy_names[call->result.integer]);
  case RESULT_NOTHING:
    return Py_NewRef(Py_None);
  default:
    return of_status(row, call);
  }
}

/* ---- Arguments ----------------------------------------------------------- */

static int find(const struct row *row, PyObject *keyword) {
  for (unsigned i = 0; i < row->count; i++)
    if (PyUnicode_CompareWithASCIIString(keyword, row->parameters[i].name) == 0)
      return (int)i;
  PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument %R",
               row->name, keyword);
  return -1;
}

/* Positional and named ones, in the order of the parameters. */
static int sort(const struct row *row, PyObject *const *args, size_t count,
                PyObject *keywords, PyObject **sorted) {
  if (count > row->count - row->keywords) {
    PyErr_Format(PyExc_TypeError,
                 "%s() takes %u positional arguments but %zu were given",
                 row->name, row->count - row->keywords, count);
    return 0;
  }
  for (size_t i = 0; i < count; i++) sorted[i] = args[i];
  Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
  for (Py_ssize_t i = 0; i < named; i++) {
    int index = find(row, PyTuple_GetItem(keywords, i));
    if (index < 0) return 0;
    if (sorted[index] != NULL) {
      PyErr_Format(PyExc_TypeError,
                   "%s() got multiple values for argument '%s'", row->name,
                   row->parameters[index].name);
      return 0;
    }
    sorted[index] = args[count + (size_t)i];
  }
  for (unsigned i = 0; i < row->count; i++)
    if (sorted[i] == NULL && row->parameters[i].needed) {
      PyErr_Format(PyExc_TypeError, "%s() missing required argument: '%s'",
                   row->name, row->parameters[i].name);
      return 0;
    }
  return 1;
}

/* The default of an argument, where it is not None: a number, or the first of
 * some names. */
static int preset(const struct parameter *parameter, struct argument *out) {
  switch (parameter->kind) {
  case KIND_SECONDS:
    out->number = parameter->preset;
    return 1;
  case KIND_COUNT:
    out->size = (size_t)parameter->preset;
    return 1;
  case KIND_INT64:
    out->integer = (int64_t)parameter->preset;
    return 1;
  case KIND_TRUTH:
  case KIND_INT:
  case KIND_ZONE:
  case KIND_PRIORITY:
    out->integer = 0;
    return 1;
  default:
    return 0;
  }
}

/* A function where there should be none, and none where there should be one:
 * the arguments are the wrong way round. */
static void name_order(const struct row *row, PyObject **sorted) {
  int missing = 0, misplaced = 0;
  for (unsigned i = 0; i < row->count && sorted[i] != NULL; i++) {
    int is_function = PyCallable_Check(sorted[i]);
    if (row->parameters[i].kind == KIND_CALL)
      missing |= !is_function;
    else
      misplaced |= is_function;
  }
  if (!missing || !misplaced || !PyErr_ExceptionMatches(PyExc_TypeError))
    return;
  PyErr_Clear();
  PyObject *order = PyUnicode_FromString(row->parameters[0].name);
  for (unsigned i = 1; order != NULL && i < row->count; i++)
    Py_SETREF(order,
              PyUnicode_FromFormat("%U, %s", order, row->parameters[i].name));
  if (order != NULL)
    PyErr_Format(PyExc_TypeError, "%s(): the order of arguments is %s(%U)",
                 row->name, row->name, order);
  Py_XDECREF(order);
}

static int convert_all(const struct row *row, PyObject **sorted,
                       struct call *call) {
  for (unsigned i = 0; i < row->count; i++)
    if (!(sorted[i] == NULL && preset(&row->parameters[i], &call->given[i])) &&
        !convert(row, i, sorted[i] ? sorted[i] : Py_None, &call->given[i])) {
      name_order(row, sorted);
      return 0;
    }
  return 1;
}

/* The callable, or a tuple of them, that the engine keeps until it drops it. */
static int make_context(const struct row *row, struct call *call) {
  if (row->callbacks == 0) return 1;
  PyObject *operator= NULL; /* of which a note can be made */
  if (row->operates != OPERATES_NOT) {
    rac_signal *source =
        row->operates == OPERATES_ON_SIGNAL ? call->self : NULL;
    PyObject *only =
        row->callbacks == 1 ? call->given[row->order[0]].handle : NULL;
    if (row->callbacks == 1 && only == NULL) return 1;
    operator= make_operator(row->name, source, only);
    if (operator== NULL) return 0;
    if (only != NULL) {
      call->context = operator;
      return 1;
    }
  }
  if (row->callbacks == 1) {
    call->context = Py_XNewRef((PyObject *)call->given[row->order[0]].handle);
    return 1;
  }
  PyObject *tuple = PyTuple_New(row->callbacks + (operator!= NULL));
  if (tuple == NULL)
    Py_XDECREF(operator);
  else if (operator!= NULL)
    PyTuple_SetItem(tuple, row->callbacks, operator);
  for (unsigned i = 0; tuple != NULL && i < row->callbacks; i++) {
    PyObject *callable = call->given[row->order[i]].handle;
    PyTuple_SetItem(tuple, i, Py_NewRef(callable ? callable : Py_None));
  }
  call->context = tuple;
  return tuple != NULL;
}

/* 0 with an exception. */
static int call_engine(const struct row *row, struct call *call) {
  if (!make_context(row, call)) return 0;
  entry outer = row->reads         ? enter_reading()
                : row->runs_others ? enter_for_others()
                                   : enter();
  row->run(call);
  if (!leave(outer)) {
    /* The exception takes the place of the result, which must not go on. */
    PyObject *raised = take_raised();
    if (row->result == RESULT_HANDLE) drop_handle(call->result.handle);
    if (row->result == RESULT_VALUE_OUT) drop_value(call->result.value);
    set_raised(raised);
    return 0;
  }
  return 1;
}

static PyObject *go(const struct row *row, struct call *call) {
  return call_engine(row, call) ? result_of(row, call, classes[row->made])
                                : NULL;
}

/* ---- What belongs together: cycles.c ---------------------------------------
 */

/* Whether the engine keeps what it is made of. */
static int has_sources(PyObject *object) {
  static const enum class_number kinds[] = {
      CLASS_SIGNAL,   CLASS_CONNECTION,        CLASS_PROPERTY, CLASS_COMMAND,
      CLASS_SEQUENCE, CLASS_SEQUENCE_ITERATOR, CLASS_OBSERVER};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (is_a(object, kinds[i])) return 1;
  return 0;
}

static void relate(PyObject *made, PyObject *source, PyObject **first) {
  if (source == NULL || !has_sources(source)) return;
  if (has_sources(made)) {
    descend((Handle *)made, (Handle *)source);
  } else {
    if (*first != NULL) unite((Handle *)*first, (Handle *)source);
    *first = source;
    if (is_a(made, CLASS_DISPOSABLE))
      join_family((Handle *)made, root_of((Handle *)source));
  }
}

/* The result, with the object and the arguments that it may hold. */
static void relate_all(const struct row *row, PyObject *result, PyObject *self,
                       const struct call *call) {
  PyObject *first = NULL;
  relate(result, self, &first);
  for (unsigned i = 0; i < row->count; i++) {
    PyObject *keeper = call->given[i].keeper;
    switch (row->parameters[i].kind) {
    case KIND_SIGNAL:
    case KIND_SEQUENCE:
    case KIND_PROPERTY:
    case KIND_SUBJECT:
    case KIND_OBSERVER:
      relate(result, keeper, &first);
      break;
    case KIND_SIGNALS:
    case KIND_SEQUENCES:
    case KIND_PROPERTIES:
      for (Py_ssize_t at = 0; keeper != NULL && at < PyTuple_Size(keeper); at++)
        relate(result, PyTuple_GetItem(keeper, at), &first);
      break;
    default:
      break;
    }
  }
}

static PyObject *perform(const struct row *row, PyObject *self,
                         PyObject *const *args, Py_ssize_t count,
                         PyObject *keywords) {
  struct call call;
  PyObject *sorted[MOST_PARAMETERS] = {NULL}, *result = NULL;
  memset(&call, 0, sizeof call);
  int fine = 1;
  if (row->method && (call.self = handle_of(self)) == NULL) return NULL;
  if (row->variadic) {
    if (keywords != NULL && PyTuple_Size(keywords) > 0)
      return PyErr_Format(PyExc_TypeError, "%s() takes no keyword arguments",
                          row->name);
    PyObject *first = self != NULL && is_a(self, CLASS_SIGNAL) ? self : NULL;
    fine = convert_rest(row, first, args, (size_t)count, &call.given[0]);
  } else {
    fine = sort(row, args, (size_t)count, keywords, sorted) &&
           convert_all(row, sorted, &call);
  }
  if (fine) result = go(row, &call);
  if (result != NULL) relate_all(row, result, row->method ? self : NULL, &call);
  for (unsigned i = 0; i < row->count; i++) let_go(row, i, &call.given[i]);
  return result;
}

/* __init__ of a class: what it makes becomes the object's handle. */
static int construct(const struct row *row, PyObject *self, PyObject *args,
                     PyObject *keywords) {
  PyObject *flat[MOST_PARAMETERS] = {NULL}, *names = NULL, *key, *value;
  PyObject *sorted[MOST_PARAMETERS] = {NULL};
  struct call call;
  memset(&call, 0, sizeof call);
  Py_ssize_t count = PyTuple_Size(args), position = 0, named = 0;
  Py_ssize_t given = keywords ? PyDict_Size(keywords) : 0;
  if (count + given > MOST_PARAMETERS) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %u arguments", row->name,
                 row->count);
    return -1;
  }
  for (Py_ssize_t i = 0; i < count; i++) flat[i] = PyTuple_GetItem(args, i);
  if (given > 0 && (names = PyTuple_New(given)) == NULL) return -1;
  while (given > 0 && PyDict_Next(keywords, &position, &key, &value)) {
    PyTuple_SetItem(names, named, Py_NewRef(key));
    flat[count + named++] = value;
  }
  int fine = sort(row, flat, (size_t)count, names, sorted) &&
             convert_all(row, sorted, &call) && call_engine(row, &call) &&
             set_handle(self, call.result.handle, row->name) == 0;
  for (unsigned i = 0; i < row->count; i++) let_go(row, i, &call.given[i]);
  Py_XDECREF(names);
  return fine ? 0 : -1;
}

static PyObject *read_row(PyObject *self, void *closure) {
  const struct row *row = closure;
  struct call call;
  memset(&call, 0, sizeof call);
  if ((call.self = handle_of(self)) == NULL) return NULL;
  PyObject *result = go(row, &call), *first = NULL;
  if (result != NULL) relate(result, self, &first);
  return result;
}
