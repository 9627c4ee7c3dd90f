/* The functions that the engine calls, whose context is a callable of Python's
 * or, with a number at the end of the name, a tuple of which it is that
 * element: callbacks.c, callbacks_raised.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_CALLBACKS_H
#define LIBRAC_CALLBACKS_H

#include "gil.h"
#include "notes.h"
#include "release.h"
#include "values.h"

/* PyObject_Vectorcall(), with room before the arguments and without its checks.
 */
static inline PyObject *call_directly(PyObject *callable, PyObject **arguments,
                                      size_t count) {
#ifndef Py_LIMITED_API
  PyTypeObject *type = Py_TYPE(callable);
  if (PyType_HasFeature(type, Py_TPFLAGS_HAVE_VECTORCALL)) {
    vectorcallfunc function;
    memcpy(&function, (char *)callable + type->tp_vectorcall_offset,
           sizeof function);
    if (function != NULL)
      return function(callable, arguments,
                      count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
  }
#endif
  return PyObject_Vectorcall(callable, arguments,
                             count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

/* The same as a callback does it. */
static inline PyObject *call_with(PyObject *callable, PyObject **arguments,
                                  size_t count) {
  uint64_t call = thread.call;
  PyObject *result = call_directly(callable, arguments, count);
  resume(call);
  return result;
}
static inline PyObject *call_nothing(PyObject *callable) {
  PyObject *arguments[1] = {NULL};
  return call_with(callable, arguments + 1, 0);
}
static inline PyObject *call_object(PyObject *callable, PyObject *argument) {
  PyObject *arguments[2] = {NULL, argument};
  return call_with(callable, arguments + 1, 1);
}

PyObject *call_with_new(PyObject *callable, rac_value value);
static inline PyObject *call_sent(PyObject *callable) {
  /* The sender keeps the object meanwhile. */
  return call_object(callable, thread.sent.object);
}
static inline PyObject *call_one(PyObject *callable, rac_value value) {
  return is_sent(value) ? call_sent(callable) : call_with_new(callable, value);
}
int prepare_callbacks(void);
/* Drops the result of a callback that is called for its effect. 0: it raised.
 */
int drop_result(PyObject *callable, PyObject *result);
/* The same of a handler, whose exception is told (tell_raised()). */
void finish(PyObject *context, PyObject *callable, PyObject *result,
            PyObject *value);
/* 0 and an exception when a coroutine is returned where nobody awaits it. */
extern PyTypeObject *coroutine_class;
int complain_of_coroutine(PyObject *callable, PyObject *result);
static inline int refuse_coroutine(PyObject *callable, PyObject *result) {
  return Py_TYPE(result) != coroutine_class ||
         complain_of_coroutine(callable, result);
}
/* The answer of a predicate, or -1 and an exception. An awaitable, such as a
 * signal or a task, is refused: it would always be true. */
int truth_of(PyObject *callable, PyObject *result);

rac_status call_map(void *context, rac_value value, rac_value *out);
rac_status call_map_0(void *context, rac_value value, rac_value *out);
rac_status call_map_1(void *context, rac_value value, rac_value *out);
rac_status call_predicate(void *context, rac_value value, bool *out);
rac_status call_compare(void *context, rac_value value, rac_value other,
                        int32_t *out);
rac_status call_reduce(void *context, rac_value running, rac_value next,
                       rac_value *out);
rac_status call_reduce_1(void *context, rac_value running, rac_value next,
                         rac_value *out);
rac_status call_reduce_index(void *context, rac_value running, rac_value next,
                             size_t index, rac_value *out);
rac_status call_reduce_each(void *context, const rac_value *elements,
                            size_t count, rac_value *out);
rac_status call_factory(void *context, rac_value *out);
rac_status call_factory_0(void *context, rac_value *out);
rac_status call_try(void *context, rac_value value);
rac_status call_try_1(void *context, rac_value value);
rac_status call_generate(void *context, rac_value state, rac_value *next_state,
                         rac_value *out);
rac_status call_fold_right(void *context, rac_value value,
                           const rac_value *rest, rac_value *out);
rac_status call_map_raised(void *context, rac_value value, rac_value *out);
rac_status call_factory_0_raised(void *context, rac_value *out);
rac_status call_try_1_raised(void *context, rac_value value);
rac_status call_predicate_raised(void *context, rac_value value, bool *out);
rac_status call_reduce_each_raised(void *context, const rac_value *elements,
                                   size_t count, rac_value *out);
/* 0 with an exception set. */
int map_with(PyObject *callable, rac_value value, rac_value *out);
int make_with(PyObject *callable, rac_value *out);
int try_with(PyObject *callable, rac_value value);
int predicate_with(PyObject *callable, rac_value value, bool *out);
int reduce_each_with(PyObject *callable, const rac_value *elements,
                     size_t count, rac_value *out);
void call_next_2(void *context, rac_value value);
void call_error(void *context, rac_value error);
void call_completed(void *context);
void call_action(void *context);
void call_recursive(void *context, rac_recursion *self);
void call_enqueue(void *context, rac_scheduler *scheduler);

#endif
