/* rac_signal_scan and rac_signal_scan_with_index: running results. */
#include "callbacks.h"

TEST(scan_sends_the_running_value_not_the_start) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan, I(0), CALLBACK(add));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 3 6 10 |");
  /* Each subscription starts afresh. */
  CHECK_SIGNAL(s, "1 3 6 10 |");
  s = cold("|", NULL);
  APPLY(s, scan, I(7), CALLBACK(add));
  CHECK_SIGNAL(s, "|");
  s = cold("1 #9", NULL);
  APPLY(s, scan, I(7), CALLBACK(add));
  CHECK_SIGNAL(s, "8 #9");
}

static rac_status add_until_three(void *context, rac_value running,
                                  rac_value next, rac_value *out) {
  add(context, running, next, out);
  return next.bits == 3 ? -33 : RAC_OK;
}

TEST(a_failing_scan_ends_the_stream) {
  rac_signal *s = cold("1 2 3 4", NULL);
  APPLY(s, scan, I(0), CALLBACK(add_until_three));
  CHECK_SIGNAL(s, "1 3 #-33");
}

TEST(scan_over_values_that_own_memory) {
  rac_value start = rac_value_string_copy("s", 1);
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, scan, start, CALLBACK(append));
  rac_value_release(start);
  CHECK_SIGNAL(s, "s1 s12 s123 |");
}

TEST(scan_with_index_counts_from_zero_in_each_subscription) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan_with_index, I(0), CALLBACK(add_index));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 4 9 16 |");
  CHECK_SIGNAL(s, "1 4 9 16 |");
  source counts = {0};
  s = cold("1 9 1", &counts);
  APPLY(s, scan_with_index, I(0), CALLBACK(add_index));
  CHECK_SIGNAL(s, "1 #-99");
  CHECK_INT(counts.disposed, 1);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-046: the start is where it begins, in each subscription, and is not
 * sent */
TEST(scan_sends_the_running_result) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan, I(0), CALLBACK(add));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 3 6 10 |");
  CHECK_SIGNAL(s, "1 3 6 10 |");
  s = rac_signal_empty();
  APPLY(s, scan, I(9), CALLBACK(add));
  CHECK_SIGNAL(s, "|");
}

static rac_status add_with_index(void *context, rac_value running,
                                 rac_value next, size_t index, rac_value *out) {
  (void)context_target(context);
  *out = I(running.bits + next.bits + (int64_t)index);
  return RAC_OK;
}

/* signal-047 */
TEST(scan_with_index_counts_from_0) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan_with_index, I(0), CALLBACK(add_with_index));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 4 9 16 |");
  CHECK_SIGNAL(s, "1 4 9 16 |");
}

/* ---- Without a start --------------------------------------------------------- */

TEST(scan_without_start_begins_with_the_first_value) {
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, scan_without_start, CALLBACK(add));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 3 6 |");
  CHECK_SIGNAL(s, "1 3 6 |");
  s = cold("nil |", NULL);
  APPLY(s, scan_without_start, CALLBACK(add));
  CHECK_SIGNAL(s, "nil |");
  s = cold("1 2 3 4", NULL);
  APPLY(s, scan_without_start, CALLBACK(add_until_three));
  CHECK_SIGNAL(s, "1 3 #-33");
  s = cold("1 2 3 |", NULL);
  APPLY(s, scan_without_start, CALLBACK(append));
  CHECK_SIGNAL(s, "1 12 123 |");
}
