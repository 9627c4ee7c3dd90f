/* rac_signal_count: how many. */
#include "stage.h"

TEST(count_sends_how_many_there_were) {
  static const char *const cases[][2] = {
      {"1 nil 3 |", "3 |"}, {"|", "0 |"}, {"1 #5", "#5"}};
  for (int i = 0; i < 3; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, count);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}
