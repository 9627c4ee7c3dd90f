/* rac_signal_switch_map, _concat_map, _exhaust_map and _flatten_map_limited: a
 * signal for each value, and what becomes of them when they overlap. */
#include "stage.h"

/* The signals of 1, 2 and 3 are b, c and d; nothing for 4, a failure for 5. */
static rac_status signal_for(void *context, rac_value value, rac_signal **out) {
  stage *self = context_target(context);
  rac_subject *const inner[] = {NULL, self->b, self->c, self->d};
  if (value.bits == 5) return -55;
  if (value.bits < 4) *out = rac_retain(as_signal(inner[value.bits]));
  return RAC_OK;
}
#define EACH CALLBACK_FOR(&marbles, signal_for)

TEST(switch_map_follows_the_latest) {
  CHECK_MARBLES(rac_signal_switch_map(a, EACH), "-1--2---|", "--567", "---8-9|",
                "--56-9--|");
  CHECK_MARBLES(rac_signal_switch_map(a, EACH), "-1-4-|", "--5-6", "",
                "--5--|");
  CHECK_MARBLES(rac_signal_switch_map(a, EACH), "-1-|", "--5-6#3", "",
                "--5-6#3");
}

TEST(concat_map_sends_one_after_the_other) {
  CHECK_MARBLES(rac_signal_concat_map(a, EACH), "-12|", "--5-6|", "--7--8-9|",
                "--5-68-9|");
  CHECK_MARBLES(rac_signal_concat_map(a, EACH), "-1#4", "--5", "", "--#4");
}

TEST(exhaust_map_drops_values_while_it_is_busy) {
  CHECK_MARBLES(rac_signal_exhaust_map(a, EACH), "-12--3-|", "--5|", "-88",
                "------9|", "--5---9|");
  CHECK_MARBLES(rac_signal_exhaust_map(a, EACH), "-1-|", "--5-6|", "",
                "--5-6|");
  CHECK_MARBLES(rac_signal_exhaust_map(a, EACH), "-1-", "--#6", "", "--#6");
}

TEST(flatten_map_limited_lets_so_many_run) {
  CHECK_MARBLES(rac_signal_flatten_map_limited(a, 2, NULL, EACH), "-123|",
                "--5--|", "---6----|", "----7-8|", "--56--8-|");
  CHECK_MARBLES(rac_signal_flatten_map_limited(a, 0, NULL, EACH), "-123|",
                "--5--|", "---6----|", "----7-8|", "--567-8-|");
}

TEST(their_callbacks_fail_into_the_stream) {
  CHECK_MARBLES(rac_signal_switch_map(a, EACH), "-5", "", "-#-55");
  CHECK_MARBLES(rac_signal_concat_map(a, EACH), "-5", "", "-#-55");
  CHECK_MARBLES(rac_signal_exhaust_map(a, EACH), "-5", "", "-#-55");
  CHECK_MARBLES(rac_signal_flatten_map_limited(a, 3, NULL, EACH), "-5", "",
                "-#-55");
}
