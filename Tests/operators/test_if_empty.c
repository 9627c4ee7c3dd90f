/* rac_signal_default_if_empty and rac_signal_switch_if_empty: what comes in the
 * place of nothing. */
#include "stage.h"

TEST(default_if_empty_stands_for_no_value) {
  static const char *const cases[][2] = {
      {"|", "7 |"}, {"1 |", "1 |"}, {"#3", "#3"}, {"nil |", "nil |"}};
  for (int i = 0; i < 4; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY(s, default_if_empty, I(7));
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}

TEST(default_if_empty_owns_its_value) {
  char text[] = "none";
  rac_signal *s = cold("|", NULL);
  APPLY(s, default_if_empty, rac_value_string(text));
  memset(text, 'x', 4);
  CHECK_SIGNAL(s, "none |");
}

TEST(switch_if_empty_goes_on_with_another_signal) {
  static const char *const cases[][2] = {
      {"|", "8 9 |"}, {"1 |", "1 |"}, {"#3", "#3"}};
  for (int i = 0; i < 3; i++) {
    source counts = {0};
    owned rac_signal *other = cold("8 9 |", &counts);
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY(s, switch_if_empty, other);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_INT(counts.subscribed, i == 0 ? 1 : 0);
  }
}

TEST(switch_if_empty_waits_for_the_end_of_the_source) {
  CHECK_MARBLES(rac_signal_switch_if_empty(a, b), "--|", "-1-2-|", "---2-|");
  CHECK_MARBLES(rac_signal_switch_if_empty(a, b), "--|", "-1-#4", "---#4");
  CHECK_MARBLES(rac_signal_switch_if_empty(a, b), "-1-|", "--2|", "-1-|");
}
