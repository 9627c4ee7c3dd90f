/* Sharing with a memory: replay, replay_last, replay_lazily. */
#include "check.h"

/* Laws 12 and 14. */
TEST(replay_subscribes_now_and_repeats_everything) {
  source counts = {0};
  rac_signal *signal = cold("1 2 |", &counts);
  rac_signal *replay = rac_signal_replay(signal);
  CHECK_INT(counts.subscribed, 1);
  for (int i = 0; i < 2; i++) {
    rac_retain(replay);
    CHECK_SIGNAL(replay, "1 2 |");
  }
  CHECK_INT(counts.subscribed, 1);
  rac_release(replay);
  rac_release(signal);
}

TEST(replay_last_repeats_the_latest) {
  rac_subject *subject = rac_subject_create();
  rac_signal *replay = rac_signal_replay_last(as_signal(subject));
  play(subject, "1 2");
  recorder r = {0};
  record(replay, &r);
  CHECK_EVENTS(&r, "2");
  play(subject, "3 #5");
  CHECK_EVENTS(&r, "2 3 #5");
  rac_retain(replay);
  CHECK_SIGNAL(replay, "3 #5");
  await_end(&r);
  rac_release(replay);
  rac_release(subject);
}

TEST(replay_lazily_waits_for_the_first_subscriber) {
  source counts = {0};
  rac_signal *signal = cold("1 2 |", &counts);
  rac_signal *replay = rac_signal_replay_lazily(signal);
  CHECK_INT(counts.subscribed, 0);
  for (int i = 0; i < 3; i++) {
    rac_retain(replay);
    CHECK_SIGNAL(replay, "1 2 |");
    CHECK_INT(counts.subscribed, 1);
  }
  rac_release(replay);
  rac_release(signal);
}

TEST(replay_lazily_stays_connected_without_subscribers) {
  rac_subject *subject = rac_subject_create();
  rac_signal *replay = rac_signal_replay_lazily(as_signal(subject));
  recorder r = {0};
  record(replay, &r);
  play(subject, "1");
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  play(subject, "2 |");
  rac_retain(replay);
  CHECK_SIGNAL(replay, "1 2 |");
  rac_release(replay);
  rac_release(subject);
}

TEST(replay_lazily_of_something_cut_off) {
  rac_subject *subject = rac_subject_create(), *stop = rac_subject_create();
  rac_signal *signal =
      rac_signal_take_until(as_signal(subject), as_signal(stop));
  RAC_ASSIGN(signal, rac_signal_replay_lazily(signal));
  recorder r = {0};
  record(signal, &r);
  play(subject, "1");
  play(stop, "|");
  play(subject, "2");
  CHECK_EVENTS(&r, "1 |");
  CHECK_SIGNAL(signal, "1 |");
  await_end(&r);
  rac_release(stop);
  rac_release(subject);
}

static void add_another(recorder *self, rac_value value) {
  if (value.bits != 1) return;
  recorder *other = self->user;
  record(other->user, other);
}

TEST(a_subscriber_that_comes_during_the_connection_gets_everything) {
  rac_signal *signal = cold("1 2 3 |", NULL);
  rac_signal *replay = rac_signal_replay_lazily(signal);
  recorder inner = {.user = replay};
  recorder outer = {.on_next = add_another, .user = &inner};
  record(replay, &outer);
  CHECK_EVENTS(&outer, "1 2 3 |");
  CHECK_EVENTS(&inner, "1 2 3 |");
  await_end(&outer);
  await_end(&inner);
  rac_release(replay);
  rac_release(signal);
}
