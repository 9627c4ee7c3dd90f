/* rac_signal_pairwise: each value with the one before it. */
#include "stage.h"

TEST(pairwise_sends_neighbours) {
  static const char *const cases[][2] = {{"1 2 3 |", "(1,2) (2,3) |"},
                                         {"1 |", "|"},
                                         {"nil 1 #2", "(nil,1) #2"},
                                         {"|", "|"}};
  for (int i = 0; i < 4; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, pairwise);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}

TEST(pairwise_keeps_a_copy_of_what_was_lent) {
  char text[] = "a";
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_pairwise(as_signal(subject));
  RECORDER(r, s);
  rac_subject_send(subject, rac_value_string(text));
  text[0] = 'b';
  rac_subject_send(subject, rac_value_string(text));
  CHECK_EVENTS(&r, "(a,b)");
}
