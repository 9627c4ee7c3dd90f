/* Three subjects under an operator that makes one value of theirs. */
#ifndef RAC_THREE_H
#define RAC_THREE_H

#include "callbacks.h"

typedef struct three {
  rac_subject *subjects[3];
  recorder heard;
} three;

static inline rac_subject **start_three(three *self) {
  for (int i = 0; i < 3; i++) self->subjects[i] = rac_subject_create();
  return self->subjects;
}
static inline rac_signal *const *signals_of(three *self) {
  return (rac_signal *const *)(void *)self->subjects;
}
static inline void end_three(three *self) {
  await_end(&self->heard);
  for (int i = 0; i < 3; i++) rac_release(self->subjects[i]);
}

#endif
