/* rac_signal_sum, average, min and max: what numbers come to. */
#include "operators.h"

#include <float.h>
#include <math.h>

typedef rac_signal *(*operator_fn)(rac_signal *source);
#define sum_of rac_signal_sum
#define average_of rac_signal_average
static rac_signal *min_of(rac_signal *source) {
  return rac_signal_min(source, NULL, NULL, NULL);
}
static rac_signal *max_of(rac_signal *source) {
  return rac_signal_max(source, NULL, NULL, NULL);
}

/* What the operator makes of the values; the last value sent, and the error. */
static rac_value result_of(operator_fn apply, const rac_value *values,
                           size_t count, int64_t *error) {
  rac_signal *source = rac_signal_from_values(values, count);
  rac_signal *s = apply(source);
  rac_value list, none = {77, 0, 0, 0, 0};
  *error = 0;
  if (rac_signal_to_array(s, 10, &list) == RAC_OK) {
    CHECK(rac_tuple_count(list) <= 1);
    if (rac_tuple_count(list) == 1) none = rac_tuple_get(list, 0);
  } else {
    *error = rac_error_get_code(list);
    CHECK_TEXT(rac_error_get_domain(list), "rac");
  }
  rac_value_release(list);
  rac_release(source);
  rac_release(s);
  return none;
}

static void check_result(int line, operator_fn apply, rac_value expected,
                         int64_t error, size_t count, const rac_value *values) {
  int64_t code;
  rac_value got = result_of(apply, values, count, &code);
  check_int(__FILE__, line, "error", code, error);
  check_int(__FILE__, line, "kind", got.kind, expected.kind);
  check_int(__FILE__, line, "bits", got.bits, expected.bits);
}

#define COUNTED(...)                                                           \
  sizeof((rac_value[]){__VA_ARGS__}) / sizeof(rac_value), (rac_value[]) {      \
    __VA_ARGS__                                                                \
  }
#define CHECK_RESULT(name, expected, ...)                                      \
  check_result(__LINE__, name##_of, expected, 0, COUNTED(__VA_ARGS__))
#define CHECK_FAILS(name, code, ...)                                           \
  check_result(__LINE__, name##_of, nothing, code, COUNTED(__VA_ARGS__))
#define D(number) rac_double(number)
static double as_double(rac_value value) {
  double number = 0;
  CHECK_STATUS(rac_value_get_double(value, &number), RAC_OK);
  return number;
}
static const rac_value nothing = {77, 0, 0, 0, 0};

TEST(integers_are_added_exactly) {
  CHECK_RESULT(sum, I(6), I(1), I(2), I(3));
  CHECK_RESULT(sum, I(INT64_MAX), I(INT64_MAX), I(5), I(-5));
  CHECK_RESULT(sum, I(INT64_MIN), I(INT64_MIN), I(-1), I(1));
  CHECK_RESULT(sum, I(2), rac_bool(true), rac_bool(false), I(1));
  CHECK_FAILS(sum, RAC_ERANGE, I(INT64_MAX), I(1));
  CHECK_FAILS(sum, RAC_ERANGE, I(INT64_MIN), I(-1));
}

TEST(doubles_are_added_with_what_rounding_took) {
  CHECK_RESULT(sum, D(2.0), D(1), D(1e100), D(1), D(-1e100));
  CHECK_RESULT(sum, D(0.75), I(1), D(-0.25));
  CHECK_RESULT(sum, D(0.5), I(INT64_MAX), I(INT64_MIN), D(1.5));
  CHECK_RESULT(sum, D(INFINITY), D(INFINITY), D(1));
  CHECK_RESULT(sum, D(INFINITY), D(DBL_MAX), D(DBL_MAX), I(0));
  CHECK_RESULT(average, D(0x1p63), I(INT64_MAX), I(INT64_MAX), I(INT64_MAX));
  CHECK_RESULT(average, D(-0x1p62), I(INT64_MIN), I(0));
  CHECK_RESULT(average, D(0.25), D(0.5), I(0));
  int64_t error;
  rac_value odd[] = {D(INFINITY), D(-INFINITY), D(1)};
  CHECK(isnan(as_double(result_of(rac_signal_sum, odd, 3, &error))));
  odd[1] = D(NAN);
  CHECK(isnan(as_double(result_of(rac_signal_average, odd, 3, &error))));
}

TEST(numbers_of_two_kinds_compare_exactly) {
  CHECK_RESULT(min, I(1), I(3), I(1), D(1.0), I(2));
  CHECK_RESULT(max, D(3.5), I(3), D(3.5), rac_bool(true));
  CHECK_RESULT(max, I(INT64_MAX), D(0x1p62), I(INT64_MAX), D(9.2e18));
  CHECK_RESULT(max, D(0x1p63), I(INT64_MAX), D(0x1p63));
  CHECK_RESULT(max, I((INT64_C(1) << 53) + 1), D(0x1p53),
               I((INT64_C(1) << 53) + 1));
  CHECK_RESULT(min, D(-1e300), I(INT64_MIN), D(-1e300), D(-5.5));
  CHECK_RESULT(min, D(-2.5), I(-2), D(-2.5));
  CHECK_RESULT(min, D(-INFINITY), I(INT64_MIN), D(-INFINITY));
  CHECK_RESULT(min, I(INT64_MIN), I(INT64_MIN), D(-0x1p63));
  int64_t error;
  for (int place = 0; place < 3; place++) {
    rac_value odd[] = {I(1), D(2), I(3)};
    odd[place] = D(NAN);
    CHECK(isnan(as_double(result_of(min_of, odd, 3, &error))));
    CHECK(isnan(as_double(result_of(max_of, odd, 3, &error))));
  }
}

TEST(of_nothing_there_is_a_sum_only) {
  rac_value none[1] = {I(0)};
  check_result(__LINE__, rac_signal_sum, I(0), 0, 0, none);
  check_result(__LINE__, rac_signal_average, nothing, 0, 0, none);
  check_result(__LINE__, min_of, nothing, 0, 0, none);
  check_result(__LINE__, max_of, nothing, 0, 0, none);
}

TEST(what_is_no_number_is_an_error) {
  operator_fn all[] = {rac_signal_sum, rac_signal_average, min_of, max_of};
  for (int i = 0; i < 4; i++) {
    source counts = {0};
    rac_signal *s = cold("1 nil 2 |", &counts);
    RAC_ASSIGN(s, all[i](s));
    CHECK_SIGNAL(s, "#-5004");
    CHECK_INT(counts.disposed, 1);
    s = cold("1 #3", NULL);
    RAC_ASSIGN(s, all[i](s));
    CHECK_SIGNAL(s, "#3");
  }
}
