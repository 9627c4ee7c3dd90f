/* rac_signal_race: who sends first. */
#include "stage.h"

#define RACE(...)                                                              \
  rac_signal_race((rac_signal *const[]){__VA_ARGS__},                          \
                  sizeof((rac_signal *const[]){__VA_ARGS__}) / sizeof(void *))

TEST(race_passes_on_the_one_that_sends_first) {
  CHECK_MARBLES(RACE(a, b), "--1-2-|", "-7---8-9|", "-7---8-9|");
  CHECK_MARBLES(RACE(a, b, c), "--1-2-|", "---7", "-5-|", "-5-|");
}

TEST(an_end_wins_as_well) {
  CHECK_MARBLES(RACE(a, b), "--1-2-|", "-|", "-|");
  CHECK_MARBLES(RACE(a, b), "--1-2-|", "-#3", "-#3");
  CHECK_MARBLES(RACE(a, b), "-1-#2", "--|", "-1-#2");
}

TEST(who_loses_is_disposed) {
  owned rac_subject *first = rac_subject_create(),
                    *second = rac_subject_create();
  owned rac_signal *s = RACE(as_signal(first), as_signal(second));
  RECORDER(r, s);
  play(second, "1");
  CHECK_INT(rac_subject_subscriber_count(first), 0);
  play(first, "2 |");
  play(second, "3 |");
  CHECK_EVENTS(&r, "1 3 |");
}

TEST(nobody_is_subscribed_to_after_one_that_sends_at_once) {
  source counts = {0};
  owned rac_signal *first = cold("1 2 |", NULL), *second = cold("7 |", &counts);
  rac_signal *s = RACE(first, second);
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_INT(counts.subscribed, 0);
}

TEST(a_race_of_none_completes) { CHECK_SIGNAL(rac_signal_race(NULL, 0), "|"); }
