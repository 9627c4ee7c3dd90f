/* A disposal by another thread, at the moment when something has started. */
#ifndef RAC_DISPOSAL_H
#define RAC_DISPOSAL_H

#include "check.h"

typedef struct ending {
  atomic_int started;
  rac_disposable *subscription;
} ending;

/* The body of that thread. */
static inline void *dispose_soon(void *argument) {
  ending *self = argument;
  while (atomic_load_explicit(&self->started, memory_order_relaxed) == 0) {
  }
  rac_dispose(self->subscription);
  return NULL;
}

#endif
