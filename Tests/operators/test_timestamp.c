/* rac_signal_timestamp and rac_signal_time_interval: when values come. */
#include "stage.h"

TEST(timestamp_tells_the_time) {
  CHECK_MARBLES(rac_signal_timestamp(a, v), "1@0.5 2@2 |@3",
                "(0.5,1)@0.5 (2,2)@2 |@3");
  CHECK_MARBLES(rac_signal_timestamp(a, NULL), "1@0.5 #4@3",
                "(0.5,1)@0.5 #4@3");
}

TEST(time_interval_tells_the_time_between) {
  CHECK_MARBLES(rac_signal_time_interval(a, v), "1@0.5 2@2 3@2 |@3",
                "(0.5,1)@0.5 (1.5,2)@2 (0,3)@2 |@3");
}

static void keep_time(recorder *self, rac_value pair) {
  rac_value_get_double(rac_tuple_get(pair, 0), self->user);
}

/* On a clock that nobody sets. */
TEST(without_a_scheduler_the_time_is_monotonic) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_timestamp(as_signal(subject), NULL);
  owned rac_scheduler *here = rac_scheduler_main();
  double before = rac_scheduler_now(here), time = 0;
  finished recorder r = {.on_next = keep_time, .user = &time};
  record(s, &r);
  play(subject, "1");
  CHECK(time >= before && time <= rac_scheduler_now(here));
}
