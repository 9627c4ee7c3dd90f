/* rac_signal_distinct_until_changed: no repetitions. */
#include "streams.h"

TEST(distinct_until_changed_drops_repetitions) {
  static const char *const cases[][2] = {{"1 2 2 1 1 |", "1 2 1 |"},
                                         {"1 nil nil nil 1 |", "1 nil 1 |"},
                                         {"nil nil 1 |", "nil 1 |"},
                                         {"1 1 #2", "1 #2"},
                                         {"|", "|"}};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, distinct_until_changed);
    CHECK_SIGNAL(s, cases[i][1]);
  }
  rac_value values[] = {S("a"), S("a"), S("b")};
  rac_signal *s = rac_signal_from_values(values, 3);
  APPLY0(s, distinct_until_changed);
  CHECK_SIGNAL(s, "a b |");
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-113, signal-114, signal-115: numbers, nils between, nils first */
TEST(only_repetitions_are_dropped) {
  static const char *const cases[][2] = {{"1 2 2 1 1 |", "1 2 1 |"},
                                         {"1 nil nil nil 1 |", "1 nil 1 |"},
                                         {"nil nil 1 |", "nil 1 |"},
                                         {"1 1 #4", "1 #4"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, distinct_until_changed);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}

/* Content counts; of numbers not the kind: 1, 1.0 and true are equal. */
TEST(distinct_until_changed_compares_content) {
  rac_signal *s = words("a a b");
  APPLY0(s, distinct_until_changed);
  CHECK_SIGNAL(s, "a b |");
  const rac_value ones[] = {I(1), rac_value_double(1), rac_value_bool(true)};
  s = rac_signal_from_values(ones, 3);
  APPLY0(s, distinct_until_changed);
  CHECK_SIGNAL(s, "1 |");
}
