/* Times and schedulers that operators refuse. */
#include <math.h>

#include "operators.h"

#define REFUSED(call)                                                          \
  do {                                                                         \
    rac_clear_last_error();                                                    \
    CHECK((call) == NULL);                                                     \
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);                           \
  } while (0)

TEST(times_are_checked) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  rac_scheduler *immediate = rac_scheduler_immediate();
  owned rac_signal *never = rac_signal_never();
  const double bad[] = {-1, -1e-9, -INFINITY, NAN};
  for (int i = 0; i < 4; i++) {
    REFUSED(rac_signal_buffer_with_time(never, bad[i], v));
    REFUSED(rac_signal_timeout(never, bad[i], v));
    REFUSED(rac_signal_interval_with_leeway(bad[i], 0, v));
    REFUSED(rac_signal_interval_with_leeway(1, bad[i], v));
    REFUSED(rac_signal_throttle_passing_test(never, bad[i], NULL,
                                             CALLBACK(is_even)));
  }
  REFUSED(rac_signal_interval_with_leeway(0, 1, v));
  REFUSED(rac_signal_interval_with_leeway(1e-12, 1, v));
  REFUSED(rac_signal_buffer_with_time(never, 1, immediate));
  REFUSED(rac_signal_timeout(never, 1, immediate));
  REFUSED(rac_signal_interval_with_leeway(1, 1, immediate));
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-166, signal-170, signal-173: what RAC asserts is refused */
TEST(the_immediate_scheduler_and_bad_times_are_refused) {
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  owned rac_signal *never = rac_signal_never();
  rac_clear_last_error();
  CHECK(rac_signal_interval(1, immediate) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_timeout(never, 1, immediate) == NULL);
  CHECK(rac_signal_delay(never, -1, NULL) == NULL);
  CHECK(rac_signal_delay(never, NAN, NULL) == NULL);
}
