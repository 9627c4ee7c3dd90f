/* A thread that sets a property many times. Each value says who set it, and how
 * many that one has set before. */
#ifndef RAC_PROPERTY_SETTERS_H
#define RAC_PROPERTY_SETTERS_H

#include "properties.h"

enum { SETTERS = 3 };

typedef struct setter {
  rac_property *property;
  int64_t number;
  int64_t count;
  atomic_int *left;
} setter;

static inline void *set_many(void *argument) {
  setter *self = argument;
  for (int64_t i = 1; i <= self->count; i++)
    rac_property_set(self->property, I(self->number << 32 | i));
  atomic_fetch_sub(self->left, 1);
  return NULL;
}

#endif
