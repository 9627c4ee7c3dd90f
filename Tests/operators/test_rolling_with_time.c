/* rac_signal_rolling_mean_with_time and its like: statistics of the last seconds. */
#include <math.h>

#include "stage.h"

typedef rac_signal *(*rolling)(rac_signal *, double, rac_scheduler *);
static const rolling all[] = {
    rac_signal_rolling_mean_with_time, rac_signal_rolling_variance_with_time,
    rac_signal_rolling_min_with_time, rac_signal_rolling_max_with_time};
enum { STATISTICS = sizeof all / sizeof *all };

#define SOME "3@0.5 1@2 4@3 2@7.5 |@8"

TEST(a_number_leaves_when_its_time_is_over) {
  CHECK_MARBLES(rac_signal_rolling_mean_with_time(a, 2, v), SOME,
                "3@0.5 2@2 2.5@3 2@7.5 |@8");
  CHECK_MARBLES(rac_signal_rolling_min_with_time(a, 2, v), SOME,
                "3@0.5 1@2 1@3 2@7.5 |@8");
  CHECK_MARBLES(rac_signal_rolling_max_with_time(a, 2, v), SOME,
                "3@0.5 3@2 4@3 2@7.5 |@8");
  CHECK_MARBLES(rac_signal_rolling_variance_with_time(a, 2, v), SOME,
                "nan@0.5 2@2 4.5@3 nan@7.5 |@8");
}

/* Two seconds after it came it has left the window of two seconds. */
TEST(windows_are_open_at_their_beginning) {
  CHECK_MARBLES(rac_signal_rolling_max_with_time(a, 2, v), "9@1 1@3 2@3",
                "9@1 1@3 2@3");
  CHECK_MARBLES(rac_signal_rolling_max_with_time(a, 2.5, v), "9@1 1@3 2@3.5",
                "9@1 9@3 2@3.5");
}

TEST(without_a_scheduler_the_clock_is_where_the_number_comes) {
  CHECK_MARBLES(rac_signal_rolling_mean_with_time(a, 2, NULL), SOME,
                "3@0.5 2@2 2.5@3 2@7.5 |@8");
}

TEST(an_infinite_time_keeps_all) {
  CHECK_MARBLES(rac_signal_rolling_mean_with_time(a, INFINITY, v), SOME,
                "3@0.5 2@2 2.66667@3 2.5@7.5 |@8");
}

/* Against what is reckoned anew for each window, through many sizes of it. */
static void compare(recorder *self, rac_value value) {
  double heard = NAN, *expected = self->user;
  rac_value_get_double(value, &heard);
  if (heard != *expected) printf("%.17g, not %.17g\n", heard, *expected);
  CHECK(heard == *expected);
}
TEST(random_windows_agree_with_what_is_reckoned_anew) {
  enum { MOST = 2000 };
  static double numbers[MOST], times[MOST];
  uint64_t state = 11;
  rac_subject *subject = rac_subject_create();
  rac_scheduler *v = rac_scheduler_virtual();
  double expected = 0, now = 0;
  recorder r = {.on_next = compare, .user = &expected};
  rac_signal *s = rac_signal_rolling_max_with_time(as_signal(subject), 16, v);
  record(s, &r);
  for (size_t i = 0; i < MOST; i++) {
    /* Crowds and pauses, so that windows hold from one to hundreds. */
    double pause = check_random(&state) % 400 == 0 ? 20
                   : check_random(&state) % 8 == 0 ? 0.5
                                                   : 0;
    now += pause;
    rac_virtual_advance_by(v, pause);
    numbers[i] = (double)(check_random(&state) % 100000);
    times[i] = now;
    expected = numbers[i];
    for (size_t k = i; k-- > 0 && now - times[k] < 16;)
      expected = fmax(expected, numbers[k]);
    CHECK_STATUS(rac_subject_send(subject, rac_double(numbers[i])), RAC_OK);
  }
  finish(&r);
  rac_release(s);
  rac_release(v);
  rac_release(subject);
}

TEST(what_is_no_number_ends_it) {
  CHECK_MARBLES(rac_signal_rolling_mean_with_time(a, 2, v), "1@1 nil@2",
                "1@1 #-4@2");
}

TEST(a_window_of_no_time_is_refused) {
  const double bad[] = {0, -0.0, 1e-12, -1, -INFINITY, NAN};
  rac_signal *s = rac_signal_never();
  for (int i = 0; i < STATISTICS; i++)
    for (int k = 0; k < 6; k++) {
      CHECK(all[i](s, bad[k], NULL) == NULL);
      CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
      rac_clear_last_error();
    }
  rac_release(s);
}
