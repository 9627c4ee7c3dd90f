/* rac_signal_distinct_until_changed_by: no repetitions of a key. */
#include "stage.h"

static rac_status first_digit(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  if (value.bits == 99) return -9;
  *out =
      value.bits == 88 ? rac_value_string_copy("a key", 5) : I(value.bits / 10);
  return RAC_OK;
}

TEST(distinct_until_changed_by_drops_repetitions_of_a_key) {
  static const char *const cases[][2] = {{"11 12 23 13 |", "11 23 13 |"},
                                         {"88 88 11 88 |", "88 11 88 |"},
                                         {"1 2 #4", "1 #4"},
                                         {"|", "|"}};
  for (int i = 0; i < 4; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY(s, distinct_until_changed_by, CALLBACK(first_digit));
    CHECK_SIGNAL(s, cases[i][1]);
  }
}

TEST(a_key_that_fails_ends_it) {
  rac_signal *s = cold("11 99 23 |", NULL);
  APPLY(s, distinct_until_changed_by, CALLBACK(first_digit));
  CHECK_SIGNAL(s, "11 #-9");
}
