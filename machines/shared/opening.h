/* What a host's own objects are as values that can travel: a host that compiles
 * these sources into itself says it, as the Python package does. */
#ifndef RAC_MACHINES_OPENING_H
#define RAC_MACHINES_OPENING_H

#include <rac.h>

/* Asked for objects and tuples. An owned value, or one of the same kind that
 * cannot travel. NULL: none of a host's. */
extern rac_status (*open_value)(rac_value value, rac_value *out);

/* Owned. */
static inline rac_status opened_value(rac_value value, rac_value *out) {
  bool is_asked = value.kind == RAC_OBJECT || value.kind == RAC_TUPLE;
  if (open_value != NULL && is_asked) return open_value(value, out);
  *out = rac_value_retain(value);
  return out->kind == value.kind ? RAC_OK : rac_last_error_code();
}

#endif
