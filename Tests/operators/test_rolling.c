/* rac_signal_rolling: statistics of the last numbers. */
#include "operators.h"

#include <float.h>
#include <math.h>

enum { MOST = 5000 };

typedef struct heard {
  size_t count;
  double numbers[MOST];
} heard;

static void hear(void *context, const double *numbers, size_t count) {
  heard *self = context;
  for (size_t i = 0; i < count && self->count < MOST; i++)
    self->numbers[self->count++] = numbers[i];
}

/* An array in, an array out: no call for each value. */
static void roll(int32_t statistic, size_t size, const double *numbers,
                 size_t count, heard *out) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_rolling(as_signal(subject), statistic, size, INFINITY, NULL);
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  out->count = 0;
  observer.context = out;
  observer.next_doubles = hear;
  rac_disposable *d = rac_subscribe_batches(s, MOST, 0, NULL, &observer);
  CHECK_STATUS(
      rac_subject_send_array(subject, RAC_ARRAY_DOUBLES, numbers, count),
      RAC_OK);
  CHECK_STATUS(rac_subject_send_completed(subject), RAC_OK);
  CHECK_INT(out->count, count);
  rac_release(d);
  rac_release(s);
  rac_release(subject);
}

static bool same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}
/* Up to rounding. */
static bool near(double a, double b) {
  return same(a, b) || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void check_rolling(int line, int32_t statistic, size_t size,
                          size_t count, const double *numbers,
                          const double *expected) {
  static heard out;
  roll(statistic, size, numbers, count, &out);
  for (size_t i = 0; i < count; i++)
    if (!near(out.numbers[i], expected[i])) {
      printf("number %zu: %.17g, not %.17g\n", i, out.numbers[i], expected[i]);
      check_fail(__FILE__, line, "another result");
    }
}
#define NUMBERS(...) ((const double[]){__VA_ARGS__})
#define CHECK_ROLLING(name, size, count, numbers, expected)                    \
  check_rolling(__LINE__, RAC_ROLLING_##name, size, count, numbers, expected)

#define CHECK_REFUSED(made)                                                    \
  do {                                                                         \
    CHECK((made) == NULL);                                                     \
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);                           \
    rac_clear_last_error();                                                    \
  } while (0)

TEST(windows_grow_and_then_roll) {
  const double *numbers = NUMBERS(3, 1, 2, 4, 4, -1);
  CHECK_ROLLING(MEAN, 3, 6, numbers,
                NUMBERS(3, 2, 2, 7 / 3.0, 10 / 3.0, 7 / 3.0));
  CHECK_ROLLING(VARIANCE, 3, 6, numbers,
                NUMBERS(NAN, 2, 1, 7 / 3.0, 4 / 3.0, 25 / 3.0));
  CHECK_ROLLING(MIN, 3, 6, numbers, NUMBERS(3, 1, 1, 1, 2, -1));
  CHECK_ROLLING(MAX, 3, 6, numbers, NUMBERS(3, 3, 3, 4, 4, 4));
  CHECK_ROLLING(MEAN, 1, 6, numbers, numbers);
  CHECK_ROLLING(MIN, 1, 6, numbers, numbers);
  CHECK_ROLLING(VARIANCE, 1, 3, numbers, NUMBERS(NAN, NAN, NAN));
  CHECK_ROLLING(MEAN, SIZE_MAX, 6, numbers,
                NUMBERS(3, 2, 2, 2.5, 2.8, 13 / 6.0));
}

/* What was large and has gone leaves nothing behind. */
TEST(what_has_left_the_window_is_forgotten) {
  const double *numbers = NUMBERS(1e300, -1e300, 1e17, 0.25, 0.5, 0.75, 1);
  static heard out;
  roll(RAC_ROLLING_MEAN, 2, numbers, 7, &out);
  CHECK(same(out.numbers[4], 0.375));
  roll(RAC_ROLLING_VARIANCE, 2, numbers, 7, &out);
  CHECK(same(out.numbers[4], 0.03125));
  CHECK(same(out.numbers[6], 0.03125));
  numbers = NUMBERS(1, 1e16, -1e16, 1);
  roll(RAC_ROLLING_MEAN, 4, numbers, 4, &out);
  CHECK(same(out.numbers[3], 0.5));
}

TEST(what_is_no_number_is_so_while_it_is_in_the_window) {
  const double *numbers =
      NUMBERS(1, NAN, 2, 3, INFINITY, 4, -INFINITY, 5, 6, 7);
  CHECK_ROLLING(MEAN, 2, 10, numbers,
                NUMBERS(1, NAN, NAN, 2.5, INFINITY, INFINITY, -INFINITY,
                        -INFINITY, 5.5, 6.5));
  CHECK_ROLLING(VARIANCE, 2, 10, numbers,
                NUMBERS(NAN, NAN, NAN, 0.5, NAN, NAN, NAN, NAN, 0.5, 0.5));
  CHECK_ROLLING(MIN, 2, 10, numbers,
                NUMBERS(1, NAN, NAN, 2, 3, 4, -INFINITY, -INFINITY, 5, 6));
  CHECK_ROLLING(MAX, 2, 10, numbers,
                NUMBERS(1, NAN, NAN, 3, INFINITY, INFINITY, 4, 5, 6, 7));
  CHECK_ROLLING(MEAN, 3, 7, numbers,
                NUMBERS(1, NAN, NAN, NAN, INFINITY, INFINITY, NAN));
}

/* Against what is reckoned anew for each window, in more digits. */
TEST(random_windows_agree_with_what_is_reckoned_anew) {
  static double numbers[MOST];
  static heard mean, variance, least, greatest;
  uint64_t state = 7;
  for (int64_t round = check_scaled(40); round > 0; round--) {
    size_t size = 1 + check_random(&state) % 200;
    size_t count = 1 + check_random(&state) % 1500;
    double offset = round % 3 == 0 ? 1e9 : 0;
    for (size_t i = 0; i < count; i++) {
      double number = (double)(check_random(&state) % 2000001) / 1000 - 1000;
      numbers[i] = check_random(&state) % 50 == 0 ? number * 1e6 : number;
      numbers[i] += offset;
    }
    roll(RAC_ROLLING_MEAN, size, numbers, count, &mean);
    roll(RAC_ROLLING_VARIANCE, size, numbers, count, &variance);
    roll(RAC_ROLLING_MIN, size, numbers, count, &least);
    roll(RAC_ROLLING_MAX, size, numbers, count, &greatest);
    for (size_t i = 0; i < count; i++) {
      size_t first = i + 1 < size ? 0 : i + 1 - size, n = i + 1 - first;
      long double sum = 0, squares = 0;
      double lowest = INFINITY, highest = -INFINITY;
      for (size_t k = first; k <= i; k++) {
        sum += numbers[k];
        lowest = fmin(lowest, numbers[k]);
        highest = fmax(highest, numbers[k]);
      }
      for (size_t k = first; k <= i; k++) {
        long double away = numbers[k] - sum / n;
        squares += away * away;
      }
      /* Welford's bound: n times the distance of doubles, times how far the mean is
       * from 0, in deviations. */
      double expected = n > 1 ? (double)(squares / (n - 1)) : NAN;
      double deviations = fabs((double)(sum / n)) / sqrt(expected) + 1;
      bool agrees = fabs(mean.numbers[i] - (double)(sum / n)) <=
                        DBL_EPSILON * fabs((double)(sum / n)) &&
                    (n == 1 ? isnan(variance.numbers[i])
                            : fabs(variance.numbers[i] - expected) <=
                                  DBL_EPSILON * n * deviations * expected) &&
                    least.numbers[i] == lowest &&
                    greatest.numbers[i] == highest;
      if (!agrees)
        printf("of %zu: mean %.17g, not %.17g; variance %.17g, not %.17g\n", n,
               mean.numbers[i], (double)(sum / n), variance.numbers[i],
               expected);
      CHECK(agrees);
      if (!agrees) return;
    }
  }
}

TEST(single_values_of_any_kind_of_number) {
  rac_value values[] = {I(1), rac_bool(true), rac_double(0.5)};
  rac_signal *s = rac_signal_from_values(values, 3);
  APPLY(s, rolling, RAC_ROLLING_MAX, 2, INFINITY, NULL);
  rac_value list;
  CHECK_STATUS(rac_signal_to_array(s, 10, &list), RAC_OK);
  for (size_t i = 0; i < 3; i++)
    CHECK(rac_value_equal(rac_tuple_get(list, i), rac_double(1)));
  rac_value_release(list);
  rac_release(s);
  s = cold("nil |", NULL);
  APPLY(s, rolling, RAC_ROLLING_MEAN, 2, INFINITY, NULL);
  CHECK_SIGNAL(s, "#-5004");
}

TEST(a_window_of_nothing_is_refused) {
  static const double no_time[] = {0, -0.0, 1e-12, -1, -INFINITY, NAN};
  owned rac_signal *s = rac_signal_never();
  for (int32_t of = RAC_ROLLING_MEAN; of <= RAC_ROLLING_MAX; of++) {
    CHECK_REFUSED(rac_signal_rolling(s, of, 0, INFINITY, NULL));
    for (int i = 0; i < 6; i++)
      CHECK_REFUSED(rac_signal_rolling(s, of, 1, no_time[i], NULL));
  }
  CHECK_REFUSED(rac_signal_rolling(s, 0, 1, 1, NULL));
  CHECK_REFUSED(rac_signal_rolling(s, RAC_ROLLING_MAX + 1, 1, 1, NULL));
}
