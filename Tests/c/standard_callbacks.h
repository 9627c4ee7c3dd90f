/* The callbacks of operators.def, in C: they let all that is above 0 pass, and
 * can be made to do something besides. */
#ifndef RAC_STANDARD_CALLBACKS_H
#define RAC_STANDARD_CALLBACKS_H

#include "operators.h"

/* What they do besides; NULL: nothing. */
static void (*in_callback)(void);

static inline void touched(void *context) {
  (void)context_target(context);
  if (in_callback != NULL) in_callback();
}

/* Chains of thousands of them may overflow. */
static inline rac_value wrapped(uint64_t number) { return I((int64_t)number); }

static inline rac_status standard_key(void *context, rac_value value,
                                      rac_value *out) {
  touched(context);
  *out = rac_value_retain(value);
  return RAC_OK;
}
/* An integer; anything else stays what it is. */
static inline rac_status standard_times_ten(void *context, rac_value value,
                                            rac_value *out) {
  if (value.kind != RAC_INT64) return standard_key(context, value, out);
  touched(context);
  *out = wrapped((uint64_t)value.bits * 10);
  return RAC_OK;
}
static inline rac_status standard_above(void *context, rac_value value,
                                        bool *out) {
  touched(context);
  *out = value.kind != RAC_INT64 || value.bits > 0;
  return RAC_OK;
}
static inline rac_status standard_not_above(void *context, rac_value value,
                                            bool *out) {
  rac_status status = standard_above(context, value, out);
  *out = !*out;
  return status;
}
static inline rac_status standard_steps(void *context, rac_step *step,
                                        rac_value value, rac_value *out) {
  bool is_small = value.kind == RAC_INT64 && value.bits <= 0;
  if (step->event == RAC_EVENT_NEXT && !is_small)
    return standard_key(context, value, out);
  touched(context);
  return RAC_OK;
}
static inline void standard_cleared(void *context, void *state) {
  (void)context_target(context);
  CHECK(state != NULL);
}
static inline rac_status standard_attempt(void *context, rac_value value) {
  touched(context);
  return value.kind == RAC_INT64 && value.bits == -3 ? -1 : RAC_OK;
}

static inline rac_status standard_add_indexed(void *context, rac_value running,
                                              rac_value next, size_t index,
                                              rac_value *out) {
  if (next.kind != RAC_INT64) return standard_key(context, next, out);
  touched(context);
  *out = wrapped((uint64_t)running.bits + (uint64_t)next.bits * (index + 1));
  return RAC_OK;
}
static inline rac_status standard_add(void *context, rac_value running,
                                      rac_value next, rac_value *out) {
  return standard_add_indexed(context, running, next, 0, out);
}
/* Anything but integers is equal. */
static inline rac_status standard_order(void *context, rac_value value,
                                        rac_value other, int32_t *out) {
  touched(context);
  if (value.kind == RAC_INT64 && other.kind == RAC_INT64)
    *out = (value.bits > other.bits) - (value.bits < other.bits);
  return RAC_OK;
}
/* Its difference. */
static inline rac_status standard_pair(void *context, rac_value before,
                                       rac_value next, rac_value *out) {
  if (next.kind != RAC_INT64) return standard_key(context, next, out);
  touched(context);
  *out = wrapped((uint64_t)next.bits - (uint64_t)before.bits);
  return RAC_OK;
}
static inline rac_status standard_sum(void *context, const rac_value *elements,
                                      size_t count, rac_value *out) {
  if (elements[0].kind != RAC_INT64)
    return standard_key(context, elements[0], out);
  touched(context);
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += (uint64_t)elements[i].bits;
  *out = wrapped(sum);
  return RAC_OK;
}
static inline rac_status standard_make_value(void *context, rac_value *out) {
  touched(context);
  *out = I(7);
  return RAC_OK;
}

static inline rac_status standard_choose(void *context, rac_value value,
                                         rac_signal **out) {
  touched(context);
  *out = rac_signal_return(value);
  return RAC_OK;
}
/* Once, of a 2. */
static inline rac_status standard_one_less(void *context, rac_value value,
                                           rac_signal **out) {
  touched(context);
  if (value.kind == RAC_INT64 && value.bits == 2)
    *out = rac_signal_return(I(1));
  return RAC_OK;
}
static inline rac_status standard_again_once(void *context, rac_value value,
                                             size_t index, rac_signal **out) {
  return index > 0 ? RAC_OK : standard_choose(context, value, out);
}
static inline rac_status standard_choose_or_stop(void *context, rac_value value,
                                                 bool *stop, rac_signal **out) {
  (void)stop;
  return standard_choose(context, value, out);
}
static inline rac_status standard_the_signal(void *context, rac_signal **out) {
  touched(context);
  *out = rac_signal_never();
  return RAC_OK;
}
static inline rac_status
standard_choose_sequence(void *context, rac_value value, rac_sequence **out) {
  touched(context);
  *out = rac_sequence_return(value);
  return RAC_OK;
}
static inline rac_status standard_choose_sequence_or_stop(void *context,
                                                          rac_value value,
                                                          bool *stop,
                                                          rac_sequence **out) {
  *stop = value.bits == 2;
  return standard_choose_sequence(context, value, out);
}

static inline void standard_called_with(void *context, rac_value value) {
  (void)value;
  touched(context);
}
static inline void standard_called(void *context) { touched(context); }

/* ---- What an operator takes ----------------------------------------------- */

/* As bits, those of all its arguments together; a callback has its type's. */
enum {
  TAKES_SOURCE = 1,
  TAKES_OTHER = 2,
  TAKES_LIST = 4,
  TAKES_CASES = 8,
  TAKES_NUMBER = 16,
  TAKES_SECONDS = 32,
  TAKES_CLOCK = 64,
  TAKES_MAYBE_CLOCK = 2048,
  TAKES_ROOM = 4096,
  NEEDS_CALLBACK = 128, /* the first may not be NULL */
  RETURNS_STATUS = 256,
  RETURNS_NOTHING = 512,
  NEEDS_ERROR = 1024, /* of its source, to show what it does */
  TAKES_CALLBACK = RETURNS_STATUS | RETURNS_NOTHING,
};
enum {
  TAKES_map = RETURNS_STATUS,
  TAKES_predicate = RETURNS_STATUS,
  TAKES_step = RETURNS_STATUS,
  TAKES_clear = RETURNS_NOTHING,
  TAKES_compare = RETURNS_STATUS,
  TAKES_reduce = RETURNS_STATUS,
  TAKES_reduce_index = RETURNS_STATUS,
  TAKES_reduce_each = RETURNS_STATUS,
  TAKES_factory = RETURNS_STATUS,
  TAKES_try = RETURNS_STATUS,
  TAKES_signal = RETURNS_STATUS,
  TAKES_signal_index = RETURNS_STATUS,
  TAKES_bind = RETURNS_STATUS,
  TAKES_defer = RETURNS_STATUS,
  TAKES_sequence = RETURNS_STATUS,
  TAKES_sequence_bind = RETURNS_STATUS,
  TAKES_next = RETURNS_NOTHING,
  TAKES_error = RETURNS_NOTHING,
  TAKES_completed = RETURNS_NOTHING,
  TAKES_action = RETURNS_NOTHING,
};

/* Of a list that ends with 0. */
static inline int all_bits(const unsigned short *bits) {
  int all = 0;
  while (*bits != 0) all |= *bits++;
  return all;
}

#endif
