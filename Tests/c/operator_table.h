/* Every operator of operators.def, as a function that applies it to a signal. */
#ifndef RAC_OPERATOR_TABLE_H
#define RAC_OPERATOR_TABLE_H

#include "room.h"
#include "standard_callbacks.h"

/* The clock of the operators that wait; the program makes both. */
static rac_scheduler *v, *standing;

/* Applies the operator, with another signal that is given along. */
typedef rac_signal *(*build_fn)(rac_signal *source, rac_signal *other);

/* What an operator wants that takes no signal of numbers. */
static inline rac_signal *with_nil(rac_signal *s) {
  return rac_signal_map_replace(s, rac_value_nil());
}
static inline rac_signal *with_tuples(rac_signal *s) {
  return rac_signal_combine_latest(&s, 1);
}

/* Whatever is above 0 passes, as it is or as something else above 0: so of what
 * is sent into a chain of an operator something comes through. */
#define APPLIED(name) build_##name
#define PASSING(n) 100
#define DROPPED(n) 0
#define FUNCTION(type, f) context_new(NULL, NULL), standard_##f, context_destroy
#define FUNCTIONS(type, f, type2, g)                                           \
  context_new(NULL, NULL), standard_##f, standard_##g, context_destroy
#include "applied_operators.h"

#define SIGNAL_OPERATOR(name, result, ...)                                     \
  static const unsigned short taken_by_##name[] = {__VA_ARGS__, 0};
#include "what_operators_take.h"

enum { ERROR_ENDS = 1 };

static const struct {
  const char *name;
  build_fn build;
  const unsigned short *taken;
  unsigned traits;
} operators[] = {
#define SIGNAL_OPERATOR(name, ...)                                             \
  {#name, build_##name, taken_by_##name, ERROR_ENDS},
#define ERROR_OPERATOR(name, ...) {#name, build_##name, taken_by_##name, 0},
#include "../operators/operators.def"
};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* Whether it takes such an argument: TAKES_… */
static inline bool operator_takes(int i, int what) {
  return (all_bits(operators[i].taken) & what) != 0;
}

#endif
