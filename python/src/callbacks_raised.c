/* Callbacks of what is no stream and has no on_error, as a property: what they
 * raise comes out of the call that brought this about, the same object.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"
#include "errors.h"
#include "gil.h"
#include "thread.h"

/* Keeps the exception that is set, and fails with it. */
static rac_status fail_and_raise(PyObject *context, const rac_value *value) {
  PyObject *raised = take_raised();
  set_raised(Py_NewRef(raised));
  rac_status status = fail();
  note_failed(context, value);
  set_raised(raised);
  keep_raised(context);
  return status;
}

#define RAISED(given, with, function, ...)                                     \
  int attached = begin();                                                      \
  if (attached < 0) return RAC_ECLOSED;                                        \
  PyObject *whole = context;                                                   \
  context = function_of(whole);                                                \
  rac_status status =                                                          \
      with(function, __VA_ARGS__) ? RAC_OK : fail_and_raise(whole, given);     \
  end(attached);                                                               \
  return status

rac_status call_map_raised(void *context, rac_value value, rac_value *out) {
  RAISED(&value, map_with, context, value, out);
}
rac_status call_factory_0_raised(void *context, rac_value *out) {
  RAISED(NULL, make_with, PyTuple_GetItem(context, 0), out);
}
rac_status call_try_1_raised(void *context, rac_value value) {
  RAISED(&value, try_with, PyTuple_GetItem(context, 1), value);
}
rac_status call_predicate_raised(void *context, rac_value value, bool *out) {
  RAISED(&value, predicate_with, context, value, out);
}
rac_status call_reduce_each_raised(void *context, const rac_value *elements,
                                   size_t count, rac_value *out) {
  RAISED(NULL, reduce_each_with, context, elements, count, out);
}
