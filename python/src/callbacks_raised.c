/* Callbacks of what is no stream and has no on_error, as a property: what they raise comes
 * out of the call that brought this about, the same object.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"
#include "errors.h"
#include "gil.h"
#include "thread.h"

/* Keeps the exception that is set, and fails with it. */
static rac_status fail_and_raise(PyObject *context, PyObject *callable) {
  PyObject *raised = take_raised();
  set_raised(Py_NewRef(raised));
  rac_status status = fail(callable);
  set_raised(raised);
  keep_raised(context);
  return status;
}

#define RAISED(with, function, ...)                                            \
  int attached = begin();                                                      \
  if (attached < 0) return RAC_ECLOSED;                                        \
  PyObject *callable = function;                                               \
  rac_status status = with(callable, __VA_ARGS__)                              \
                          ? RAC_OK                                             \
                          : fail_and_raise(context, callable);                 \
  end(attached);                                                               \
  return status

rac_status call_map_raised(void *context, rac_value value, rac_value *out) {
  RAISED(map_with, context, value, out);
}
rac_status call_factory_0_raised(void *context, rac_value *out) {
  RAISED(make_with, PyTuple_GetItem(context, 0), out);
}
rac_status call_try_1_raised(void *context, rac_value value) {
  RAISED(try_with, PyTuple_GetItem(context, 1), value);
}
rac_status call_predicate_raised(void *context, rac_value value, bool *out) {
  RAISED(predicate_with, context, value, out);
}
rac_status call_reduce_each_raised(void *context, const rac_value *elements,
                                   size_t count, rac_value *out) {
  RAISED(reduce_each_with, context, elements, count, out);
}
