/* Shared by the tests of properties. */
#ifndef RAC_PROPERTIES_H
#define RAC_PROPERTIES_H

#include "operators.h"

static inline rac_property *property(int64_t initial) {
  return rac_property_create(I(initial), RAC_PROPERTY_PLAIN);
}

/* The value of a property; -1 if that is no number. */
static inline int64_t number(rac_property *property) {
  rac_value value;
  CHECK_STATUS(rac_property_get(property, &value), RAC_OK);
  int64_t result = value.kind == RAC_INT64 ? value.bits : -1;
  rac_value_release(value);
  return result;
}

#endif
