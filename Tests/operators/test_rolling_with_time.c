/* rac_signal_rolling: statistics of the last seconds. */
#include <math.h>

#include "stage.h"

#define ROLLING(what, seconds, clock)                                          \
  rac_signal_rolling(a, RAC_ROLLING_##what, SIZE_MAX, seconds, clock)
#define SOME "3@0.5 1@2 4@3 2@7.5 |@8"

TEST(a_number_leaves_when_its_time_is_over) {
  CHECK_MARBLES(ROLLING(MEAN, 2, v), SOME, "3@0.5 2@2 2.5@3 2@7.5 |@8");
  CHECK_MARBLES(ROLLING(MIN, 2, v), SOME, "3@0.5 1@2 1@3 2@7.5 |@8");
  CHECK_MARBLES(ROLLING(MAX, 2, v), SOME, "3@0.5 3@2 4@3 2@7.5 |@8");
  CHECK_MARBLES(ROLLING(VARIANCE, 2, v), SOME, "nan@0.5 2@2 4.5@3 nan@7.5 |@8");
}

/* Two seconds after it came it has left the window of two seconds. */
TEST(windows_are_open_at_their_beginning) {
  CHECK_MARBLES(ROLLING(MAX, 2, v), "9@1 1@3 2@3", "9@1 1@3 2@3");
  CHECK_MARBLES(ROLLING(MAX, 2.5, v), "9@1 1@3 2@3.5", "9@1 9@3 2@3.5");
}

/* Whichever limit comes first. */
TEST(a_window_may_have_both_limits) {
  CHECK_MARBLES(rac_signal_rolling(a, RAC_ROLLING_MAX, 2, 3, v),
                "9@1 8@1 1@2 5@3 3@6 |@7", "9@1 9@1 8@2 5@3 3@6 |@7");
}

TEST(without_a_scheduler_the_clock_is_where_the_number_comes) {
  CHECK_MARBLES(ROLLING(MEAN, 2, NULL), SOME, "3@0.5 2@2 2.5@3 2@7.5 |@8");
}

TEST(an_infinite_time_keeps_all) {
  CHECK_MARBLES(ROLLING(MEAN, INFINITY, v), SOME,
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
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *v = rac_scheduler_virtual();
  double expected = 0, now = 0;
  finished recorder r = {.on_next = compare, .user = &expected};
  owned rac_signal *s =
      rac_signal_rolling(as_signal(subject), RAC_ROLLING_MAX, SIZE_MAX, 16, v);
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
}

TEST(what_is_no_number_ends_it) {
  CHECK_MARBLES(ROLLING(MEAN, 2, v), "1@1 nil@2", "1@1 #-5004@2");
}
