/* rac_signal_merge_delay_error and its like: an error waits for the others. */
#include "stage.h"

typedef rac_signal *(*list_fn)(rac_signal *const *signals, size_t count);

static rac_signal *of_two(list_fn apply, rac_signal *a, rac_signal *b) {
  rac_signal *const both[] = {a, b};
  return apply(both, 2);
}

TEST(merge_goes_on_after_an_error) {
  CHECK_MARBLES(of_two(rac_signal_merge_delay_error, a, b), "-1-#4", "--2--3-|",
                "-12--3-#4");
  CHECK_MARBLES(of_two(rac_signal_merge_delay_error, a, b), "-1-|", "--2--#3",
                "-12--#3");
  CHECK_MARBLES(of_two(rac_signal_merge_delay_error, a, b), "-1-#4", "--2--#3",
                "-12--#4");
  CHECK_MARBLES(of_two(rac_signal_merge_delay_error, a, b), "-1-|", "--2--|",
                "-12--|");
}

static void check_latest(const char *a, const char *b, const char *expected) {
  STAGE(t);
  stage_hear(&t, of_two(rac_signal_combine_latest_delay_error, as_signal(t.a),
                        as_signal(t.b)));
  play(t.a, a);
  play(t.b, b);
  CHECK_EVENTS(&t.heard, expected);
}

TEST(combine_latest_keeps_the_last_value) {
  check_latest("1 #4", "2 3 |", "(1,2) (1,3) #4");
  check_latest("1 |", "2 #5", "(1,2) #5");
  check_latest("1 #4", "2 3", "(1,2) (1,3)");
  /* It never gets a value: nothing can come. */
  check_latest("#4", "2 3 |", "#4");
}

TEST(concat_goes_on_with_the_next) {
  static const char *const cases[][3] = {{"1 #4", "2 |", "1 2 #4"},
                                         {"1 #4", "2 #5", "1 2 #4"},
                                         {"1 |", "2 #5", "1 2 #5"},
                                         {"1 |", "2 |", "1 2 |"},
                                         {"#4", "2", "2"}};
  for (int i = 0; i < 5; i++) {
    owned rac_signal *a = cold(cases[i][0], NULL), *b = cold(cases[i][1], NULL);
    CHECK_SIGNAL(of_two(rac_signal_concat_delay_error, a, b), cases[i][2]);
    /* An inner concatenation ends with its error. */
    owned rac_signal *inner = rac_signal_concat(a, b);
    CHECK_SIGNAL(of_two(rac_signal_concat_delay_error, inner, b),
                 i < 2    ? "1 2 #4"
                 : i == 2 ? "1 2 2 #5"
                 : i == 3 ? "1 2 2 |"
                          : "2");
  }
}

TEST(of_no_signals_they_complete) {
  CHECK_SIGNAL(rac_signal_merge_delay_error(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_combine_latest_delay_error(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_concat_delay_error(NULL, 0), "|");
}
