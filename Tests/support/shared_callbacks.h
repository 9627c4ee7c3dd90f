/* Callbacks that look at nothing but their arguments, or at what their context
 * stands for. Those whose context is a counted one say so. */
#ifndef RAC_SHARED_CALLBACKS_H
#define RAC_SHARED_CALLBACKS_H

#include "check.h"

/* ---- A counted context, whose target does not matter unless it is said ------ */

/* The target is an atomic_int. */
static inline void count_up(void *context) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}
static inline rac_status plus_one(void *context, rac_value value,
                                  rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits + 1);
  return RAC_OK;
}
static inline rac_status keep_value(void *context, rac_value value,
                                    rac_value *out) {
  (void)context_target(context);
  *out = rac_value_retain(value);
  return RAC_OK;
}
static inline void hear_value(void *context, rac_value value) {
  (void)context_target(context), (void)value;
}
static inline void free_target(void *context) {
  free(context_target(context));
  context_destroy(context);
}

/* ---- Any context, NULL as well --------------------------------------------- */

static inline rac_status pass_value(void *context, rac_value value,
                                    rac_value *out) {
  (void)context;
  *out = value;
  return RAC_OK;
}
static inline rac_status copy_value(void *context, rac_value value,
                                    rac_value *out) {
  (void)context;
  *out = rac_value_retain(value);
  return RAC_OK;
}
static inline rac_status one_more(void *context, rac_value value,
                                  rac_value *out) {
  (void)context;
  *out = I(value.bits + 1);
  return RAC_OK;
}
static inline rac_status add_up(void *context, rac_value running,
                                rac_value next, rac_value *out) {
  (void)context;
  *out = I(running.bits + next.bits);
  return RAC_OK;
}
static inline void ignore_value(void *context, rac_value value) {
  (void)context, (void)value;
}
static inline void ignore_line(void *context, const char *line) {
  (void)context, (void)line;
}
static inline void ignore_trace(void *context, const rac_trace_event *event) {
  (void)context, (void)event;
}
/* The context is an int. */
static inline void count_value(void *context, rac_value value) {
  (void)value;
  ++*(int *)context;
}

/* ---- Of recorders ------------------------------------------------------------ */

static inline void dispose_self(recorder *self, rac_value value) {
  (void)value;
  rac_dispose(self->subscription);
}
static inline void dispose_at_two(recorder *self, rac_value value) {
  if (value.bits == 2) rac_dispose(self->subscription);
}
/* To the subject that is its `user`, up to 3. */
static inline void send_next_number(recorder *self, rac_value value) {
  if (value.bits < 3) rac_subject_send(self->user, I(value.bits + 1));
}

/* ---- Of threads -------------------------------------------------------------- */

static inline void *read_head(void *sequence) {
  CHECK_STATUS(rac_sequence_head(sequence, NULL), RAC_OK);
  return NULL;
}

#endif
