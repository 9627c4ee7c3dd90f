/* What reads values in other ways than they were made: numbers of any kind, the
 * parts of events, and the unit, of which there is nothing to read. */
#include <math.h>

#include "operators.h"

/* ---- Numbers of any kind ------------------------------------------------ */

static void check_int64(rac_value value, rac_status status, int64_t expected) {
  int64_t out = -99;
  CHECK_STATUS(rac_value_to_int64(value, &out), status);
  CHECK_INT(out, status == RAC_OK ? expected : -99);
}

static void check_double(rac_value value, rac_status status, double expected) {
  double out = -99;
  CHECK_STATUS(rac_value_to_double(value, &out), status);
  CHECK(out == (status == RAC_OK ? expected : -99));
}

TEST(numbers_as_integers) {
  check_int64(I(INT64_MIN), RAC_OK, INT64_MIN);
  check_int64(rac_value_bool(true), RAC_OK, 1);
  check_int64(rac_value_bool(false), RAC_OK, 0);
  check_int64(rac_value_double(1.0), RAC_OK, 1);
  check_int64(rac_value_double(2.99), RAC_OK, 2);
  check_int64(rac_value_double(-2.99), RAC_OK, -2);
  check_int64(rac_value_double(-0x1p63), RAC_OK, INT64_MIN);
  check_int64(rac_value_double(0x1p63), RAC_ERANGE, 0);
  check_int64(rac_value_double(-0x1.1p63), RAC_ERANGE, 0);
  check_int64(rac_value_double(INFINITY), RAC_ERANGE, 0);
  check_int64(rac_value_double(NAN), RAC_ERANGE, 0);
  check_int64(rac_value_nil(), RAC_EKIND, 0);
  check_int64(S("1"), RAC_EKIND, 0);
  check_int64(rac_value_unit(), RAC_EKIND, 0);
  CHECK_STATUS(rac_value_to_int64(I(1), NULL), RAC_ENULL);
  CHECK_STATUS(rac_value_to_int64(rac_value_double(1), NULL), RAC_ENULL);
}

TEST(numbers_as_doubles) {
  check_double(rac_value_double(1.5), RAC_OK, 1.5);
  check_double(I(-3), RAC_OK, -3);
  check_double(I(INT64_MAX), RAC_OK, 0x1p63);
  check_double(rac_value_bool(true), RAC_OK, 1);
  check_double(rac_value_bool(false), RAC_OK, 0);
  check_double(rac_value_nil(), RAC_EKIND, 0);
  check_double(S("1"), RAC_EKIND, 0);
  CHECK_STATUS(rac_value_to_double(I(1), NULL), RAC_ENULL);
  CHECK_STATUS(rac_value_to_double(rac_value_double(1), NULL), RAC_ENULL);
}

/* ---- Events ------------------------------------------------------------- */

TEST(the_parts_of_what_is_no_event) {
  rac_value others[] = {rac_value_nil(), I(1), S("x"), rac_value_unit(),
                        (rac_value){.kind = 200}};
  for (int i = 0; i < 5; i++) {
    rac_clear_last_error();
    CHECK(!rac_event_is_finished(others[i]));
    CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
    rac_clear_last_error();
    CHECK_INT(rac_event_get_error(others[i]).kind, RAC_NIL);
    CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  }
}

/* ---- The unit ----------------------------------------------------------- */

TEST(the_unit_equals_itself) {
  rac_value unit = rac_value_unit(), again = rac_value_retain(unit);
  owned_value empty = rac_value_tuple(NULL, 0);
  char text[20];
  CHECK_INT(unit.kind, RAC_UNIT);
  CHECK(rac_value_equal(unit, again));
  CHECK(rac_value_hash(unit) == rac_value_hash(again));
  CHECK(!rac_value_equal(unit, rac_value_nil()));
  CHECK(!rac_value_equal(unit, empty));
  CHECK_INT(rac_value_describe(unit, text, sizeof text), 6);
  CHECK_TEXT(text, "<unit>");
  rac_value_release(again);
}

/* A struct that a program filled in by hand is not taken for a reference. */
TEST(a_unit_with_something_in_it) {
  rac_value dirty;
  memset(&dirty, 0xFF, sizeof dirty);
  dirty.kind = RAC_UNIT;
  CHECK(rac_value_equal(dirty, rac_value_unit()));
  rac_value kept = rac_value_retain(dirty);
  CHECK_INT(kept.flags, 0);
  CHECK_INT(kept.bits, 0);
  rac_value_release(kept);
  rac_value_release(dirty);
  rac_subject *subject = rac_replay_subject_create(2);
  rac_subject_send(subject, dirty);
  rac_value pair[] = {dirty, I(1)}, tuple = rac_value_tuple(pair, 2);
  rac_subject_send(subject, tuple);
  rac_value_release(tuple);
  CHECK_SIGNAL((rac_signal *)subject, "unit (unit,1)");
}

TEST(the_unit_passes_operators) {
  rac_signal *signal = rac_signal_return(rac_value_unit());
  APPLY(signal, start_with, rac_value_unit());
  APPLY(signal, start_with, rac_value_nil());
  APPLY0(signal, distinct_until_changed);
  CHECK_SIGNAL(signal, "nil unit |");
}
