/* rac_signal_combine_previous: each value with the one before it. */
#include "callbacks.h"
#include "streams.h"

static rac_status pair(void *context, rac_value previous, rac_value next,
                       rac_value *out) {
  (void)context_target(context);
  rac_value both[] = {previous, next};
  *out = rac_value_tuple(both, 2);
  return next.bits == 9 ? -9 : RAC_OK;
}

TEST(combine_previous_hands_over_two_neighbours) {
  rac_signal *s = cold("1 2 4 |", NULL);
  APPLY(s, combine_previous, rac_value_nil(), CALLBACK(pair));
  rac_retain(s);
  CHECK_SIGNAL(s, "(nil,1) (1,2) (2,4) |");
  CHECK_SIGNAL(s, "(nil,1) (1,2) (2,4) |");
  s = cold("1 9 2", NULL);
  APPLY(s, combine_previous, I(0), CALLBACK(pair));
  CHECK_SIGNAL(s, "(0,1) #-9");
  s = cold("#2", NULL);
  APPLY(s, combine_previous, I(0), CALLBACK(pair));
  CHECK_SIGNAL(s, "#2");
}

TEST(combine_previous_keeps_values_that_own_memory) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan, S(""), CALLBACK(append));
  APPLY(s, combine_previous, S("-"), CALLBACK(pair));
  CHECK_SIGNAL(s, "(-,1) (1,12) (12,123) (123,1234) |");
}

/* ---- What RAC's specs demand --------------------------------------------- */

static rac_status check_chain(void *context, rac_value previous, rac_value next,
                              rac_value *out) {
  rac_value *expected = context_target(context);
  CHECK(rac_value_equal(previous, *expected));
  *expected = next;
  *out = next;
  return RAC_OK;
}

/* signal-057: the callback sees nil, then the values themselves */
TEST(combine_previous_begins_with_the_start) {
  rac_value expected = rac_value_nil();
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, combine_previous, rac_value_nil(),
        CALLBACK_FOR(&expected, check_chain));
  CHECK_SIGNAL(s, "1 2 3 |");
  CHECK_INT(expected.bits, 3);
}

static rac_status with_hyphen(void *context, rac_value previous, rac_value next,
                              rac_value *out) {
  const rac_value both[] = {previous, next};
  return joined(context, both, 2, out);
}

/* signal-058: what the callback makes is not what it gets next */
TEST(combine_previous_does_not_feed_back) {
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, combine_previous, I(1), CALLBACK_FOR("-", with_hyphen));
  rac_retain(s);
  CHECK_SIGNAL(s, "1-1 1-2 2-3 |");
  CHECK_SIGNAL(s, "1-1 1-2 2-3 |");
}
