/* RACEvent: what materialize makes of events. */
#include "operators.h"

#define NIL rac_value_nil()

typedef struct expectation {
  int32_t type;
  bool is_finished;
  rac_value value, error;
} expectation;

/* Two that were made alike are equal, and are what is expected. Takes over
 * both. */
static void check_alike(rac_value a, rac_value b, expectation expected) {
  CHECK_INT(a.kind, RAC_EVENT);
  CHECK(rac_value_equal(a, b));
  CHECK(rac_value_equal(b, a));
  CHECK(rac_value_hash(a) == rac_value_hash(b));
  CHECK_INT(rac_event_get_type(a), expected.type);
  CHECK_INT(rac_event_is_finished(a), expected.is_finished);
  CHECK(rac_value_equal(rac_event_get_value(a), expected.value));
  CHECK(rac_value_equal(rac_event_get_error(a), expected.error));
  rac_value_release(a);
  rac_value_release(b);
}

/* event-001: there is one completion: the same 16 bytes each time, also when
 * retained */
TEST(the_event_of_a_completion) {
  rac_value a = rac_value_event_completed(), b = rac_value_event_completed();
  rac_value copy = rac_value_retain(a);
  CHECK(memcmp(&a, &b, sizeof a) == 0);
  CHECK(memcmp(&a, &copy, sizeof a) == 0);
  rac_value_release(copy);
  check_alike(a, b, (expectation){RAC_EVENT_COMPLETED, true, NIL, NIL});
}

/* An event of an error is equal to one of an equal error; there is no value in
 * it. */
TEST(the_event_of_an_error) {
  rac_value error = test_error(4), same = test_error(4), other = test_error(5);
  owned_value third = rac_value_event_error(other);
  rac_value first = rac_value_event_error(error);
  CHECK(!rac_value_equal(first, third));
  check_alike(first, rac_value_event_error(same),
              (expectation){RAC_EVENT_ERROR, true, NIL, error});
  rac_value_release(error);
  rac_value_release(same);
  rac_value_release(other);
}

/* event-003: the same with a nil error */
TEST(the_event_of_a_nil_error) {
  check_alike(rac_value_event_error(NIL), rac_value_event_error(NIL),
              (expectation){RAC_EVENT_ERROR, true, NIL, NIL});
}

/* event-004: a value; there is no error in it */
TEST(the_event_of_a_value) {
  rac_value other = rac_value_event_next(S("bar"));
  rac_value first = rac_value_event_next(S("foo"));
  CHECK(!rac_value_equal(first, other));
  rac_value_release(other);
  check_alike(first, rac_value_event_next(S("foo")),
              (expectation){RAC_EVENT_NEXT, false, S("foo"), NIL});
}

/* event-005: nil is a value, and no completion and no error */
TEST(the_event_of_nil) {
  rac_value nil = rac_value_event_next(NIL), none = rac_value_event_error(NIL);
  CHECK(!rac_value_equal(nil, none));
  CHECK(!rac_value_equal(nil, rac_value_event_completed()));
  rac_value_release(none);
  check_alike(nil, rac_value_event_next(NIL),
              (expectation){RAC_EVENT_NEXT, false, NIL, NIL});
}

/* What materialize sends are these. */
TEST(materialized_events_are_equal_to_made_ones) {
  owned rac_signal *signal = cold("1 |", NULL);
  APPLY0(signal, materialize);
  rac_value events, first = rac_value_event_next(I(1));
  CHECK_STATUS(rac_signal_to_array(signal, 0, &events), RAC_OK);
  CHECK_INT(rac_tuple_count(events), 2);
  CHECK(rac_value_equal(rac_tuple_get(events, 0), first));
  CHECK(rac_value_equal(rac_tuple_get(events, 1), rac_value_event_completed()));
  rac_value_release(events);
  rac_value_release(first);
}
