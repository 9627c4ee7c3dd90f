/* Shared by the tests of sequences. */
#ifndef RAC_SEQUENCES_H
#define RAC_SEQUENCES_H

#include "operators.h"

/* Applies an operator to the sequence in a variable. */
#define SEQ(sequence, operator, ...)                                           \
  RAC_ASSIGN((sequence), rac_sequence_##operator(sequence, __VA_ARGS__))
#define SEQ0(sequence, operator)                                               \
  RAC_ASSIGN((sequence), rac_sequence_##operator(sequence))

/* The integers of a script, and nil for a word that is none. */
static inline rac_sequence *seq(const char *script) {
  rac_value values[64];
  size_t count = 0;
  while (*script && count < 64) {
    char *end;
    long long number = strtoll(script, &end, 10);
    if (end == script) {
      values[count++] = rac_value_nil();
      while (*end && *end != ' ') end++;
    } else {
      values[count++] = I(number);
    }
    while (*end == ' ') end++;
    script = end;
  }
  return rac_sequence_from_values(values, count);
}

/* Its values, up to 64: "1 2 3", and "#7" for an error. */
static inline const char *sequence_text(rac_sequence *sequence, char *text,
                                        size_t capacity) {
  rac_sequence_iterator *each = rac_sequence_iterate(sequence);
  size_t used = 0;
  rac_status status = RAC_OK;
  text[0] = '\0';
  for (int i = 0; i < 64 && status == RAC_OK; i++) {
    rac_value value;
    status = rac_sequence_next(each, &value);
    if (status == RAC_EEMPTY) break;
    if (used > 0) used += (size_t)snprintf(text + used, capacity - used, " ");
    if (status == RAC_OK || status == RAC_ESTREAM)
      used += format_value(value, text + used, capacity - used);
    else
      used += (size_t)snprintf(text + used, capacity - used, "%s",
                               rac_status_name(status));
    rac_value_release(value);
  }
  rac_release(each);
  return text;
}

static inline void check_sequence(const char *file, int line, const char *what,
                                  rac_sequence *sequence,
                                  const char *expected) {
  char text[1024];
  check_text(file, line, what, sequence_text(sequence, text, sizeof text),
             expected);
  rac_release(sequence);
}

/* Takes over the sequence's reference. */
#define CHECK_SEQUENCE(sequence, expected)                                     \
  check_sequence(__FILE__, __LINE__, #sequence, (sequence), (expected))
/* Does not. */
#define CHECK_VALUES(sequence, expected)                                       \
  do {                                                                         \
    rac_retain(sequence);                                                      \
    CHECK_SEQUENCE(sequence, expected);                                        \
  } while (0)

/* An integer that was written to `out`, after the status was checked. */
#define CHECK_RESULT(call, expected)                                           \
  do {                                                                         \
    rac_value out = rac_value_nil();                                           \
    char text[256];                                                            \
    CHECK_STATUS(call, RAC_OK);                                                \
    format_value(out, text, sizeof text);                                      \
    CHECK_TEXT(text, expected);                                                \
    rac_value_release(out);                                                    \
  } while (0)

/* A head and a tail that count how often they are asked. The context's target
 * is a pair of counters. */
typedef struct asked {
  atomic_int heads, tails;
  int64_t value;
} asked;

static inline rac_status ask_head(void *context, rac_value *out) {
  asked *self = context_target(context);
  atomic_fetch_add(&self->heads, 1);
  *out = I(self->value);
  return RAC_OK;
}
static inline rac_status ask_tail(void *context, rac_sequence **out) {
  asked *self = context_target(context);
  atomic_fetch_add(&self->tails, 1);
  *out = rac_sequence_return(I(self->value + 1));
  return RAC_OK;
}
/* value, value + 1 */
static inline rac_sequence *asked_sequence(asked *counters) {
  return rac_sequence_create(context_new(counters, NULL), ask_head, ask_tail,
                             context_destroy);
}

/* Counts its calls in an atomic_int. */
static inline rac_status counted_times_ten(void *context, rac_value value,
                                           rac_value *out) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
  *out = I(value.bits * 10);
  return RAC_OK;
}

#endif
