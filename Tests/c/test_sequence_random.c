/* Random chains of operators, on a sequence and on a signal of the same values:
 * what comes out is the same, the error at the end as well. */
#include "sequences.h"

/* What a callback goes by: a number of its operator's. */
static int64_t number_of(void *context) {
  return *(const int64_t *)context_target(context);
}

static rac_status random_times_ten(void *context, rac_value value,
                                   rac_value *out) {
  bool may_fail = number_of(context) % 2 != 0;
  *out = I(value.bits + 3);
  return may_fail && value.bits == 13 ? -13 : RAC_OK;
}
static rac_status random_above(void *context, rac_value value, bool *out) {
  bool by_size = number_of(context) % 2 != 0;
  *out = by_size ? value.bits < 9 : value.bits % 2 != 0;
  return RAC_OK;
}
static rac_status random_not_above(void *context, rac_value value, bool *out) {
  rac_status status = random_above(context, value, out);
  *out = !*out;
  return status;
}
/* Small ones twice, and how many came at the end. */
static rac_status random_steps(void *context, rac_step *step, rac_value value,
                               rac_value *out) {
  int64_t *count = step->state;
  if (step->event == RAC_EVENT_COMPLETED) *out = I(*count % 50);
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  ++*count;
  if (value.bits < 25) rac_step_send(step, value);
  if (value.bits % 3 != 0) *out = I(value.bits / 2);
  return value.bits == number_of(context) ? RAC_STEP_COMPLETE : RAC_OK;
}
static void random_cleared(void *context, void *state) {
  (void)number_of(context);
  (void)state;
}
static rac_status random_add(void *context, rac_value running, rac_value next,
                             rac_value *out) {
  (void)context_target(context);
  *out = I((running.bits + next.bits) % 50);
  return RAC_OK;
}
static rac_status random_pair(void *context, rac_value before, rac_value next,
                              rac_value *out) {
  (void)context_target(context);
  *out = I((before.bits * 3 + next.bits) % 50);
  return RAC_OK;
}
static rac_status random_add_indexed(void *context, rac_value running,
                                     rac_value next, size_t index,
                                     rac_value *out) {
  return random_add(context, running, I(next.bits + (int64_t)index), out);
}
static rac_status random_sum(void *context, const rac_value *elements,
                             size_t count, rac_value *out) {
  (void)context_target(context);
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += elements[i].bits;
  *out = I(sum % 50);
  return RAC_OK;
}
static rac_status random_signal(void *context, rac_value value,
                                rac_signal **out) {
  (void)context_target(context);
  rac_value both[] = {value, I(value.bits / 2)};
  if (value.bits % 5 != 0) *out = rac_signal_from_values(both, 2);
  return RAC_OK;
}
static rac_status random_sequence(void *context, rac_value value,
                                  rac_sequence **out) {
  (void)context_target(context);
  rac_value both[] = {value, I(value.bits / 2)};
  if (value.bits % 5 != 0) *out = rac_sequence_from_values(both, 2);
  return RAC_OK;
}
static rac_status random_signal_or_stop(void *context, rac_value value,
                                        bool *stop, rac_signal **out) {
  *stop = value.bits == number_of(context);
  return random_signal(context, value, out);
}
static rac_status random_sequence_or_stop(void *context, rac_value value,
                                          bool *stop, rac_sequence **out) {
  *stop = value.bits == number_of(context);
  return random_sequence(context, value, out);
}

/* ---- The operators that there are of both ------------------------------------ */

/* Of one source each: where there are several, the error of one comes before the
 * values that others have yet to send, which is not so with sequences. */
static rac_signal *tuples_of_signal(rac_signal *s) {
  return rac_signal_zip(&s, 1);
}
static rac_sequence *tuples_of_sequence(rac_sequence *s) {
  return rac_sequence_zip(&s, 1);
}
#define TUPLES_OF(s)                                                           \
  _Generic((s), rac_signal *: tuples_of_signal, default: tuples_of_sequence)(s)
#define CONTEXT context_new(number, NULL)

#define OPERATOR(name, result, ...)                                            \
  static rac_signal *signal_##name(rac_signal *s, int64_t *number) {           \
    void *made = NULL;                                                         \
    (void)number;                                                              \
    rac_signal *applied = rac_signal_##name(__VA_ARGS__);                      \
    if (made != NULL) rac_release(made);                                       \
    return applied;                                                            \
  }                                                                            \
  static rac_sequence *sequence_##name(rac_sequence *s, int64_t *number) {     \
    void *made = NULL;                                                         \
    (void)number;                                                              \
    rac_sequence *applied = rac_sequence_##name(__VA_ARGS__);                  \
    if (made != NULL) rac_release(made);                                       \
    return applied;                                                            \
  }
#define SOURCE s
#define OTHER s
#define TUPLES (made = TUPLES_OF(s))
#define LIST &s, 1
#define VALUE(n) I(*number)
#define COUNT(n) (size_t) * number % 6
#define PASSING(n) (size_t) * number % 6 + 3
#define STATE(n) n
#define FUNCTION(type, f) CONTEXT, random_##f, context_destroy
#define FUNCTIONS(type, f, type2, g)                                           \
  CONTEXT, random_##f, random_##g, context_destroy
#include "../operators/operators.def"

/* And those whose callbacks answer with a signal, or a sequence. */
static rac_signal *signal_flatten_map(rac_signal *s, int64_t *number) {
  return rac_signal_flatten_map(s, CONTEXT, random_signal, context_destroy);
}
static rac_sequence *sequence_flatten_map(rac_sequence *s, int64_t *number) {
  return rac_sequence_flatten_map(s, CONTEXT, random_sequence, context_destroy);
}
static rac_signal *signal_bind(rac_signal *s, int64_t *number) {
  return rac_signal_bind(s, CONTEXT, random_signal_or_stop, context_destroy);
}
static rac_sequence *sequence_bind(rac_sequence *s, int64_t *number) {
  return rac_sequence_bind(s, CONTEXT, random_sequence_or_stop,
                           context_destroy);
}

static const struct {
  rac_signal *(*signal)(rac_signal *s, int64_t *number);
  rac_sequence *(*sequence)(rac_sequence *s, int64_t *number);
  const char *result;
} both[] = {
#define OPERATOR(name, result, ...) {signal_##name, sequence_##name, result},
#include "../operators/operators.def"
    {signal_flatten_map, sequence_flatten_map, ""},
    {signal_bind, sequence_bind, ""},
};
enum { BOTH = sizeof both / sizeof *both };

static int any_of_both(uint64_t *state) {
  while (true) {
    int i = (int)(check_random(state) % BOTH);
    /* The callbacks count on numbers. */
    if (strchr(both[i].result, '(') == NULL) return i;
  }
}

TEST(chains_of_sequences_do_what_those_of_signals_do) {
  uint64_t state = 20;
  rac_thread_attach();
  for (int64_t i = check_scaled(5000); i > 0; i--) {
    uint64_t seed = state;
    rac_value values[12];
    size_t count = check_random(&state) % 12;
    for (size_t k = 0; k < count; k++)
      values[k] = I((int64_t)(check_random(&state) % 20));
    owned rac_signal *signal = rac_signal_from_values(values, count);
    owned rac_sequence *sequence = rac_sequence_from_values(values, count);
    int64_t numbers[7]; /* what their callbacks go by */
    for (uint64_t left = check_random(&state) % 7; left > 0; left--) {
      int one = any_of_both(&state);
      numbers[left] = (int64_t)(check_random(&state) % 20);
      RAC_ASSIGN(signal, both[one].signal(signal, &numbers[left]));
      RAC_ASSIGN(sequence, both[one].sequence(sequence, &numbers[left]));
    }
    rac_value sent, read;
    rac_status first = rac_signal_to_array(signal, 10, &sent);
    rac_status second = rac_sequence_to_array(sequence, &read);
    if (first != second || !rac_value_equal(sent, read)) {
      printf("seed %llu\n", (unsigned long long)seed);
      CHECK_STATUS(second, first);
      CHECK(rac_value_equal(sent, read));
      i = 0;
    }
    rac_value_release(sent);
    rac_value_release(read);
  }
  rac_thread_detach();
}
