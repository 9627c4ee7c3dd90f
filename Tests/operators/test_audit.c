/* rac_signal_audit: the latest value, some time after the first. */
#include "diagrams.h"
#include "stage.h"

TEST(audit_sends_the_latest_when_the_time_is_over) {
  CHECK_DIAGRAM(rac_signal_audit(a, 5, NULL), "-1-2-3--------4------",
                "------3------------4-");
  CHECK_DIAGRAM(rac_signal_audit(a, 2, v), "-12345-----|", "---3--5----|");
  CHECK_DIAGRAM(rac_signal_audit(a, 0, v), "-1-2|", "-1-2|");
}

TEST(a_completion_sends_what_waits_and_an_error_drops_it) {
  CHECK_DIAGRAM(rac_signal_audit(a, 5, v), "-12-|", "----(2|)");
  CHECK_DIAGRAM(rac_signal_audit(a, 5, v), "-12-#4", "----#4");
}
