/* A value that could not be made. */
#ifndef RAC_REFUSED_VALUES_H
#define RAC_REFUSED_VALUES_H

#include "check.h"

static inline void check_refused(rac_value value, rac_status code,
                                 const char *function) {
  CHECK_INT(value.kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), code);
  CHECK_TEXT(rac_last_error_function(), function);
  rac_value_release(value);
  rac_clear_last_error();
}

#endif
