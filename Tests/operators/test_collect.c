/* rac_signal_collect: one tuple of all values, at the completion. */
#include "stage.h"

TEST(an_error_drops_what_was_collected) {
  CHECK_MARBLES(rac_signal_collect(a), "1@1 nil@2 |@3", "(1,nil)@3 |@3");
  CHECK_MARBLES(rac_signal_collect(a), "-12#7", "---#7");
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-222: nothing before the completion; signal-223: nil keeps its place */
TEST(collect_sends_everything_at_the_completion) {
  stage t;
  stage_open(&t);
  stage_hear(&t, rac_signal_collect(as_signal(t.a)));
  play(t.a, "1 2 3");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "(1,2,3) |");
  stage_close(&t);
  rac_signal *s = cold("nil 1 nil |", NULL);
  APPLY0(s, collect);
  rac_retain(s);
  CHECK_SIGNAL(s, "(nil,1,nil) |");
  CHECK_SIGNAL(s, "(nil,1,nil) |");
}

/* signal-222: without values an empty tuple, with an error none */
TEST(collect_of_nothing_and_of_an_error) {
  rac_signal *s = cold("|", NULL);
  APPLY0(s, collect);
  CHECK_SIGNAL(s, "() |");
  s = cold("1 2 #7", NULL);
  APPLY0(s, collect);
  CHECK_SIGNAL(s, "#7");
}
