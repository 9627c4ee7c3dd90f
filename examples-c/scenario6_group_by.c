/* Scenario 6: groupBy with a transform. 1 to 5 are sorted into two groups,
 * those over 3 are "good"; every value arrives in its group ten times as big.
 * Of the two groups only the good one is kept, and flattened into 40, 50.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"

static rac_status good_over_three(void *context, rac_value value,
                                  rac_value *out) {
  int64_t number = 0;
  (void)context;
  rac_status status = rac_value_get_int64(value, &number);
  *out = rac_value_string_static(number > 3 ? "good" : "bad");
  return status;
}

static rac_status times_ten(void *context, rac_value value, rac_value *out) {
  int64_t number = 0;
  (void)context;
  rac_status status = rac_value_get_int64(value, &number);
  *out = rac_value_int64(number * 10);
  return status;
}

/* The values of a grouped stream are signals, each with its key. */
static rac_status is_good(void *context, rac_value value, bool *out) {
  (void)context;
  rac_signal *group = rac_value_to_signal(value); /* one reference */
  rac_value key = rac_value_nil();
  rac_status status = rac_signal_get_key(group, &key); /* lent */
  *out = rac_value_equal(key, rac_value_string("good"));
  rac_release(group);
  return status;
}

int main(int argc, char **argv) {
  stage_open(argc, argv);
  rac_value numbers[5];
  for (int64_t i = 0; i < 5; i++) numbers[i] = rac_value_int64(i + 1);

  /* rac_assign() releases what the variable held and stores the new one. */
  rac_signal *signal = rac_signal_from_values(numbers, 5);
  RAC_ASSIGN(signal, rac_signal_group_by(signal, NULL, good_over_three,
                                         times_ten, NULL));
  RAC_ASSIGN(signal, rac_signal_filter(signal, NULL, is_good, NULL));
  RAC_ASSIGN(signal, rac_signal_flatten(signal, 0));
  stage_subscribe(signal, "good");

  rac_release(signal);
  return stage_close();
}
