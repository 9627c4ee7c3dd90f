/* A thread that sends into a subject until it is stopped. */
#ifndef RAC_TEST_FLOW_H
#define RAC_TEST_FLOW_H

#include "check.h"

typedef struct flow {
  rac_subject *subject;
  atomic_bool stop;
} flow;

static inline void *keep_sending(void *argument) {
  flow *self = argument;
  for (int64_t i = 0; !atomic_load(&self->stop); i++)
    rac_subject_send(self->subject, I(i));
  return NULL;
}

#endif
