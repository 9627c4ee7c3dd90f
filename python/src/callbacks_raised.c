/* Callbacks of what is no stream and has no on_error, as a property: what they raise comes
 * out of the call that brought this about, the same object.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"

#define RAISED(call)                                                           \
  PyObject *caught = NULL, **outer = thread.catcher;                           \
  int attached = begin();                                                      \
  if (attached < 0) return RAC_ECLOSED;                                        \
  thread.catcher = &caught;                                                    \
  rac_status status = call;                                                    \
  thread.catcher = outer;                                                      \
  if (status == RAC_EUSER && caught != NULL) {                                 \
    set_raised(caught);                                                        \
    keep_raised(context);                                                      \
  } else {                                                                     \
    Py_XDECREF(caught);                                                        \
  }                                                                            \
  end(attached);                                                               \
  return status

rac_status call_map_raised(void *context, rac_value value, rac_value *out) {
  RAISED(call_map(context, value, out));
}
rac_status call_factory_0_raised(void *context, rac_value *out) {
  RAISED(call_factory_0(context, out));
}
rac_status call_try_1_raised(void *context, rac_value value) {
  RAISED(call_try_1(context, value));
}
rac_status call_predicate_raised(void *context, rac_value value, bool *out) {
  RAISED(call_predicate(context, value, out));
}
rac_status call_reduce_each_raised(void *context, const rac_value *elements,
                                   size_t count, rac_value *out) {
  RAISED(call_reduce_each(context, elements, count, out));
}
