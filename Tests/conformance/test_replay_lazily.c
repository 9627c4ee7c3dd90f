/* -replayLazily: a replay that begins with its first subscriber. */
#include "stage.h"

/* signal-265 */
TEST(a_lazy_replay_subscribes_with_its_first_subscriber) {
  source counts = {0};
  owned rac_signal *s = cold("1 2 |", &counts);
  APPLY0(s, replay_lazily);
  CHECK_INT(counts.subscribed, 0);
  rac_value error = rac_value_nil();
  CHECK_STATUS(rac_signal_wait_until_completed(s, 5, &error), RAC_OK);
  CHECK_INT(counts.subscribed, 1);
}

/* signal-266: during, and after the end */
TEST(a_lazy_replay_gives_later_subscribers_the_same) {
  source counts = {0};
  STAGE(t);
  rac_signal *s = cold("1 2", &counts);
  APPLY(s, merge_with, as_signal(t.a));
  APPLY0(s, replay_lazily);
  stage_hear(&t, s);
  finished recorder later = {0}, last = {0};
  record(s, &later);
  play(t.a, "nil #7");
  CHECK_EVENTS(&t.heard, "1 2 nil #7");
  CHECK_EVENTS(&later, "1 2 nil #7");
  record(s, &last);
  CHECK_EVENTS(&last, "1 2 nil #7");
  CHECK_INT(counts.subscribed, 1);
}

/* signal-267: the trigger is b */
TEST(a_lazy_replay_of_a_source_that_was_cut_off) {
  STAGE(t);
  rac_signal *s = rac_signal_take_until(as_signal(t.a), as_signal(t.b));
  APPLY0(s, replay_lazily);
  stage_hear(&t, s);
  play(t.a, "1");
  play(t.b, "|");
  play(t.a, "2");
  CHECK_EVENTS(&t.heard, "1 |");
  rac_retain(s);
  CHECK_SIGNAL(s, "1 |");
}

/* signal-265: nobody listens any more, and it stays subscribed all the same */
TEST(a_lazy_replay_does_not_disconnect) {
  STAGE(t);
  rac_signal *s = rac_signal_replay_lazily(as_signal(t.a));
  stage_hear(&t, s);
  play(t.a, "1");
  rac_dispose(t.heard.subscription);
  CHECK_INT(LISTENERS(t.a), 1);
  play(t.a, "2 |");
  rac_retain(s);
  CHECK_SIGNAL(s, "1 2 |");
}
