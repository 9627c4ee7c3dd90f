/* rac_signal_not, rac_signal_and, rac_signal_or: truth values. */
#include "operators.h"

TEST(not_sends_the_opposite) {
  rac_value values[] = {
      rac_value_bool(true), rac_value_bool(false), I(0), I(-3),
      rac_value_double(0),  rac_value_double(0.1)};
  rac_signal *s = rac_signal_from_values(values, 6);
  APPLY0(s, not );
  CHECK_SIGNAL(s, "false true true false true false |");
}

TEST(only_truth_values_have_an_opposite) {
  rac_value values[] = {rac_value_nil(), S("true"),
                        rac_value_event_completed()};
  for (int i = 0; i < 3; i++) {
    rac_signal *s = rac_signal_return(values[i]);
    APPLY0(s, not );
    CHECK_SIGNAL(s, "#-5004");
  }
}

static rac_signal *tuple_of(const char *script) {
  rac_signal *s = cold(script, NULL);
  APPLY0(s, collect);
  return s;
}

TEST(and_and_or_look_at_all_of_a_tuple) {
  static const struct {
    const char *script, *whether_all, *whether_any;
  } cases[] = {
      {"1 0 1 |", "false |", "true |"}, {"0 0 0 |", "false |", "false |"},
      {"1 1 1 |", "true |", "true |"},  {"1 |", "true |", "true |"},
      {"|", "#-5004", "#-5004"},        {"1 nil |", "#-5004", "#-5004"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_signal *s = tuple_of(cases[i].script), *t = rac_retain(s);
    APPLY0(s, and);
    CHECK_SIGNAL(s, cases[i].whether_all);
    APPLY0(t, or);
    CHECK_SIGNAL(t, cases[i].whether_any);
  }
  rac_signal *s = cold("1 |", NULL);
  APPLY0(s, and);
  CHECK_SIGNAL(s, "#-5004");
}

/* ---- What RAC's specs demand --------------------------------------------- */

static rac_signal *tuples(const int (*rows)[3], size_t count) {
  rac_value values[4];
  for (size_t i = 0; i < count; i++) {
    rac_value parts[3];
    for (int j = 0; j < 3; j++) parts[j] = rac_value_bool(rows[i][j] != 0);
    values[i] = rac_value_tuple(parts, 3);
  }
  rac_signal *s = rac_signal_from_values(values, count);
  for (size_t i = 0; i < count; i++) rac_value_release(values[i]);
  return s;
}

/* signal-250: beside it, or and not */
TEST(and_is_true_of_a_tuple_that_is_all_true) {
  static const int rows[][3] = {{1, 0, 1}, {0, 0, 0}, {1, 1, 1}};
  rac_signal *s = tuples(rows, 3);
  rac_signal *either = rac_signal_or(s);
  APPLY0(s, and);
  rac_retain(s);
  CHECK_SIGNAL(s, "false false true |");
  APPLY0(s, not );
  CHECK_SIGNAL(s, "true true false |");
  CHECK_SIGNAL(either, "true false true |");
}
