/* Callbacks that the tests of several operators share. */
#ifndef RAC_OPERATOR_CALLBACKS_H
#define RAC_OPERATOR_CALLBACKS_H

#include "operators.h"

/* Fails at 9. */
static inline rac_status add_index(void *context, rac_value running,
                                   rac_value next, size_t index,
                                   rac_value *out) {
  (void)context_target(context);
  *out = I(running.bits + next.bits + (int64_t)index);
  return next.bits == 9 ? -99 : RAC_OK;
}

/* The running text with the value at its end. */
static inline rac_status append(void *context, rac_value running,
                                rac_value next, rac_value *out) {
  (void)context_target(context);
  char buffer[100], number[20];
  size_t length = format_value(running, buffer, sizeof buffer);
  size_t more = format_value(next, number, sizeof number);
  memcpy(buffer + length, number, more);
  *out = rac_value_string_copy(buffer, length + more);
  return RAC_OK;
}

/* The elements as one text; fails at 9. */
static inline rac_status join(void *context, const rac_value *elements,
                              size_t count, rac_value *out) {
  (void)context_target(context);
  char text[200] = "";
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (elements[i].bits == 9) return -90;
    used += format_value(elements[i], text + used, sizeof text - used);
  }
  *out = rac_value_string_copy(text, used);
  return RAC_OK;
}

/* Disposes the subscription of the recorder that it was made for. */
static inline rac_status dispose_and_say_yes(void *context, rac_value value,
                                             bool *out) {
  recorder *r = context_target(context);
  (void)value;
  rac_dispose(r->subscription);
  *out = true;
  return RAC_OK;
}

/* The body of a thread. */
static inline void *send_many(void *subject) {
  for (int64_t i = check_scaled(20000); i > 0; i--)
    rac_subject_send(subject, I(i));
  return NULL;
}

#endif
