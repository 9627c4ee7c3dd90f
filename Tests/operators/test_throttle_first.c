/* rac_signal_throttle_first: the first of many. */
#include <math.h>

#include "diagrams.h"
#include "stage.h"

TEST(throttle_first_drops_what_follows_soon) {
  CHECK_DIAGRAM(rac_signal_throttle_first(a, 5, NULL), "-123---45--|",
                "-1-----4---|");
  CHECK_DIAGRAM(rac_signal_throttle_first(a, 2, NULL), "-12345-|", "-1-3-5-|");
  CHECK_DIAGRAM(rac_signal_throttle_first(a, 0, NULL), "-(12)3|", "-(12)3|");
  CHECK_MARBLES(rac_signal_throttle_first(a, 2, NULL), "1@1 2@2.9 3@3",
                "1@1 3@3");
  CHECK_DIAGRAM(rac_signal_throttle_first(a, INFINITY, NULL), "-12-#3",
                "-1--#3");
}

TEST(throttle_first_takes_times_only) {
  owned rac_signal *never = rac_signal_never();
  CHECK(rac_signal_throttle_first(never, -1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_throttle_first(never, NAN, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
