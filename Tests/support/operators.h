/* Callbacks that the operator tests share. Their context is a counted one
 * whose target is not used, unless it is said otherwise. */
#ifndef RAC_OPERATORS_H
#define RAC_OPERATORS_H

#include "check.h"

/* The last two arguments of an operator that takes a callback are these
 * around it: rac_signal_map(s, CALLBACK(times_ten)). */
#define CALLBACK(function) context_new(NULL, NULL), function, context_destroy
#define CALLBACK_FOR(target, function)                                         \
  context_new(target, NULL), function, context_destroy

static inline rac_status times_ten(void *context, rac_value value,
                                   rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits * 10);
  return RAC_OK;
}

/* Fails at 2. */
static inline rac_status map_not_two(void *context, rac_value value,
                                     rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits);
  return value.bits == 2 ? -22 : RAC_OK;
}

static inline rac_status is_even(void *context, rac_value value, bool *out) {
  (void)context_target(context);
  *out = value.bits % 2 == 0;
  return RAC_OK;
}

static inline rac_status predicate_not_two(void *context, rac_value value,
                                           bool *out) {
  (void)context_target(context);
  *out = true;
  return value.bits == 2 ? -22 : RAC_OK;
}

static inline rac_status add(void *context, rac_value running, rac_value next,
                             rac_value *out) {
  (void)context_target(context);
  *out = I(running.bits + next.bits);
  return RAC_OK;
}

/* Applies an operator to the signal in a variable. */
#define APPLY(signal, operator, ...)                                           \
  RAC_ASSIGN((signal), rac_signal_##operator(signal, __VA_ARGS__))
#define APPLY0(signal, operator)                                               \
  RAC_ASSIGN((signal), rac_signal_##operator(signal))

#endif
