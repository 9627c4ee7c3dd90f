/* Every operator of operators.def, as a function that applies it to a sequence. */
#ifndef RAC_SEQUENCE_TABLE_H
#define RAC_SEQUENCE_TABLE_H

#include "sequences.h"
#include "standard_callbacks.h"

/* The sequence that an operator wants which takes none of numbers. */
static inline rac_sequence *with_sequences(rac_sequence *s,
                                           rac_sequence *other) {
  rac_value inner[] = {rac_value_sequence(s), rac_value_sequence(other)};
  rac_sequence *both = rac_sequence_from_values(inner, 2);
  rac_value_release(inner[0]);
  rac_value_release(inner[1]);
  return both;
}

#define SEQUENCE_OPERATOR(name, result, ...)                                   \
  static rac_sequence *build_sequence_##name(rac_sequence *s,                  \
                                             rac_sequence *other) {            \
    rac_sequence *made = NULL;                                                 \
    (void)other;                                                               \
    rac_sequence *applied = rac_sequence_##name(__VA_ARGS__);                  \
    if (made != NULL) rac_release(made);                                       \
    return applied;                                                            \
  }
#define SOURCE s
#define TUPLES (made = rac_sequence_zip((rac_sequence *[]){s, other}, 2))
#define SIGNALS (made = with_sequences(s, other))
#define OTHER other
#define LIST (rac_sequence *const[]){s, other}, 2
#define VALUE(n) I(n)
#define COUNT(n) n
#define FUNCTION(type, f) context_new(NULL, NULL), standard_##f, context_destroy
#define FUNCTIONS(type, f, type2, g)                                           \
  context_new(NULL, NULL), standard_##f, standard_##g, context_destroy
#include "../operators/operators.def"

#define SEQUENCE_OPERATOR(name, result, ...)                                   \
  static const unsigned short taken_by_sequence_##name[] = {__VA_ARGS__, 0};
#include "what_operators_take.h"

static const struct {
  const char *name;
  rac_sequence *(*build)(rac_sequence *source, rac_sequence *other);
  const unsigned short *taken;
  const char *result; /* of "0 2 2 -3" and "0 5", with the end of a signal */
} sequence_operators[] = {
#define SEQUENCE_OPERATOR(name, result, ...)                                   \
  {#name, build_sequence_##name, taken_by_sequence_##name, result},
#include "../operators/operators.def"
};
enum {
  SEQUENCE_OPERATORS = sizeof sequence_operators / sizeof *sequence_operators
};

/* The result that the table has, without the end that only a signal has. */
typedef struct result_text {
  char text[64];
} result_text;

static inline result_text sequence_result(int i) {
  result_text result;
  snprintf(result.text, sizeof result.text, "%s", sequence_operators[i].result);
  char *end = strchr(result.text, '|');
  while (end != NULL && end >= result.text && (*end == '|' || *end == ' '))
    *end-- = '\0';
  return result;
}

static inline bool sequence_operator_takes(int i, int what) {
  return (all_bits(sequence_operators[i].taken) & what) != 0;
}

#endif
