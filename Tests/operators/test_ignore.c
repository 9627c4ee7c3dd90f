/* rac_signal_ignore and rac_signal_ignore_values: all but one value, and none. */
#include "operators.h"
#include "streams.h"

TEST(ignore_drops_what_is_equal) {
  rac_signal *s = cold("0 1 2 1 3 |", NULL);
  APPLY(s, ignore, I(1));
  CHECK_SIGNAL(s, "0 2 3 |");
  s = cold("1 nil 3 nil 4 |", NULL);
  APPLY(s, ignore, rac_value_nil());
  CHECK_SIGNAL(s, "1 3 4 |");
  s = cold("1 #1", NULL);
  APPLY(s, ignore, I(1));
  CHECK_SIGNAL(s, "#1");
  /* By content, however the text is held. */
  rac_value values[] = {S("a"), S("b"), S("a")};
  rac_value copy = rac_value_string_copy("a", 1);
  s = rac_signal_from_values(values, 3);
  APPLY(s, ignore, copy);
  rac_value_release(copy);
  CHECK_SIGNAL(s, "b |");
}

TEST(ignore_values_passes_the_end) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY0(s, ignore_values);
  CHECK_SIGNAL(s, "|");
  s = cold("1 2 #5", NULL);
  APPLY0(s, ignore_values);
  CHECK_SIGNAL(s, "#5");
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-022 */
TEST(ignore_drops_a_value) {
  rac_signal *s = cold("0 1 2 1 4 1 6 |", NULL);
  APPLY(s, ignore, I(1));
  CHECK_SIGNAL(s, "0 2 4 6 |");
}

/* signal-023: the text counts, not where it lies */
TEST(ignore_compares_content) {
  char text[] = "drop";
  owned_value copy = rac_value_string_copy(text, 4);
  rac_signal *s = words("keep drop keep drop");
  APPLY(s, ignore, copy);
  CHECK_SIGNAL(s, "keep keep |");
  s = words("keep drop");
  APPLY(s, ignore, S(text));
  memcpy(text, "xxxx", 4);
  CHECK_SIGNAL(s, "keep |");
}

/* signal-264 */
TEST(ignore_drops_nil_or_a_text) {
  rac_signal *s = cold("1 nil 3 4 nil |", NULL);
  APPLY(s, ignore, rac_value_nil());
  CHECK_SIGNAL(s, "1 3 4 |");
  rac_value values[] = {S("one"), S("two"), S("one")};
  s = rac_signal_from_values(values, 3);
  APPLY(s, ignore, S("one"));
  CHECK_SIGNAL(s, "two |");
}

/* signal-242, signal-243 */
TEST(ignore_values_lets_only_the_end_pass) {
  static const char *const cases[][2] = {
      {"1 nil 2 |", "|"}, {"1 2 #7", "#7"}, {"1 2", ""}};
  for (int i = 0; i < 3; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, ignore_values);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}
