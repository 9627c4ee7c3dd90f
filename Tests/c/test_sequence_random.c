/* Random chains of operators, on a sequence and on a signal of the same values:
 * what comes out is the same, the error at the end as well. */
#include "sequences.h"

static rac_status plus_three(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = I(value.bits + 3);
  return RAC_OK;
}
static rac_status not_thirteen(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = I(value.bits);
  return value.bits == 13 ? -13 : RAC_OK;
}
static rac_status odd(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits % 2 != 0;
  return RAC_OK;
}
static rac_status small(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits < 9;
  return RAC_OK;
}
static rac_status sum(void *context, rac_value running, rac_value next,
                      rac_value *out) {
  (void)context;
  *out = I((running.bits + next.bits) % 50);
  return RAC_OK;
}
static rac_status sum_index(void *context, rac_value running, rac_value next,
                            size_t index, rac_value *out) {
  return sum(context, running, I(next.bits + (int64_t)index), out);
}
static rac_status two_signals(void *context, rac_value value,
                              rac_signal **out) {
  (void)context;
  rac_value both[] = {value, I(value.bits / 2)};
  if (value.bits % 5 != 0) *out = rac_signal_from_values(both, 2);
  return RAC_OK;
}
static rac_status two_values(void *context, rac_value value,
                             rac_sequence **out) {
  (void)context;
  rac_value both[] = {value, I(value.bits / 2)};
  if (value.bits % 5 != 0) *out = rac_sequence_from_values(both, 2);
  return RAC_OK;
}

#define BOTH(operator, ...)                                                    \
  (rac_assign((void **)signal, rac_signal_##operator(*signal, __VA_ARGS__)),   \
   rac_assign((void **)sequence,                                               \
              rac_sequence_##operator(*sequence, __VA_ARGS__)))

static void apply(int operator, int64_t number, rac_signal **signal,
                  rac_sequence **sequence) {
  size_t count = (size_t)number % 6;
  switch (operator) {
  case 0:
    BOTH(map, NULL, plus_three, NULL);
    break;
  case 1:
    BOTH(map, NULL, not_thirteen, NULL);
    break;
  case 2:
    BOTH(filter, NULL, odd, NULL);
    break;
  case 3:
    BOTH(take, count + 3);
    break;
  case 4:
    BOTH(skip, count);
    break;
  case 5:
    BOTH(take_while_block, NULL, small, NULL);
    break;
  case 6:
    BOTH(skip_until_block, NULL, odd, NULL);
    break;
  case 7:
    BOTH(scan, I(number), NULL, sum, NULL);
    break;
  case 8:
    BOTH(scan_with_index, I(number), NULL, sum_index, NULL);
    break;
  case 9:
    BOTH(combine_previous, I(number), NULL, sum, NULL);
    break;
  case 10:
    rac_assign((void **)signal, rac_signal_distinct_until_changed(*signal));
    rac_assign((void **)sequence,
               rac_sequence_distinct_until_changed(*sequence));
    break;
  case 11:
    BOTH(ignore, I(number));
    break;
  case 12:
    BOTH(start_with, I(number));
    break;
  case 13:
    /* One signal after the other; a sequence knows no other way. */
    rac_assign((void **)signal,
               rac_signal_flatten_map(*signal, NULL, two_signals, NULL));
    rac_assign((void **)sequence,
               rac_sequence_flatten_map(*sequence, NULL, two_values, NULL));
    break;
  case 14:
    rac_assign((void **)signal, rac_signal_concat(*signal, *signal));
    rac_assign((void **)sequence, rac_sequence_concat(*sequence, *sequence));
    break;
  default:
    BOTH(take_until_block, NULL, odd, NULL);
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
    rac_signal *signal = rac_signal_from_values(values, count);
    rac_sequence *sequence = rac_sequence_from_values(values, count);
    for (uint64_t left = check_random(&state) % 7; left > 0; left--) {
      int operator=(int)(check_random(&state) % 16);
      apply(operator, (int64_t)(check_random(&state) % 20), &signal, &sequence);
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
    rac_release(signal);
    rac_release(sequence);
  }
  rac_thread_detach();
}
