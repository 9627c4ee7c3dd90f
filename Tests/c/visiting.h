/* What rac_visit_contexts() tells, noted. */
#ifndef RAC_VISITING_H
#define RAC_VISITING_H

#include "check.h"

enum { MOST = 400 };
typedef struct visit {
  void *held[MOST];
  int count;
} visit;

static inline void note(void *context, void *held, rac_destroy_fn destroy) {
  visit *self = context;
  CHECK(destroy != NULL);
  if (self->count < MOST) self->held[self->count] = held;
  self->count++;
}

static inline int visits(void *const *handles, size_t count, visit *self) {
  *self = (visit){.count = 0};
  CHECK_STATUS(rac_visit_contexts(handles, count, note, self), RAC_OK);
  return self->count;
}
static inline int visits_of(void *handle, visit *self) {
  return visits(&handle, 1, self);
}
static inline bool saw(const visit *self, const void *held) {
  for (int i = 0; i < self->count; i++)
    if (self->held[i] == held) return true;
  return false;
}

#endif
