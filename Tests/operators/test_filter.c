/* rac_signal_filter: the values that pass a test. */
#include "operators.h"

TEST(filter_keeps_what_the_callback_likes) {
  rac_signal *s = cold("0 1 2 3 4 5 6 |", NULL);
  APPLY(s, filter, CALLBACK(is_even));
  CHECK_SIGNAL(s, "0 2 4 6 |");
  s = cold("1 3 #1", NULL);
  APPLY(s, filter, CALLBACK(is_even));
  CHECK_SIGNAL(s, "#1");
}

TEST(a_failing_filter_ends_the_stream) {
  source counts = {0};
  rac_signal *s = cold("1 2 3", &counts);
  APPLY(s, filter, CALLBACK(predicate_not_two));
  CHECK_SIGNAL(s, "1 #-22");
  CHECK_INT(counts.disposed, 1);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-021 */
TEST(filter_passes_what_it_says_yes_to) {
  rac_signal *s = cold("0 1 2 3 4 5 6 |", NULL);
  APPLY(s, filter, CALLBACK(is_even));
  CHECK_SIGNAL(s, "0 2 4 6 |");
}
