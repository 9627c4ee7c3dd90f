/* Sharing with a memory: replay, replay_last, replay_lazily. */
#include "check.h"

/* Laws 12 and 14: now, or with the first subscriber, and once. */
TEST(replay_subscribes_once_and_repeats_everything) {
  for (int lazily = 0; lazily < 2; lazily++) {
    source counts = {0};
    owned rac_signal *signal = cold("1 2 |", &counts);
    owned rac_signal *replay =
        lazily ? rac_signal_replay_lazily(signal) : rac_signal_replay(signal);
    CHECK_INT(counts.subscribed, !lazily);
    for (int i = 0; i < 3; i++) {
      CHECK_SIGNAL(rac_retain(replay), "1 2 |");
      CHECK_INT(counts.subscribed, 1);
    }
  }
}

TEST(replay_last_repeats_the_latest) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *replay = rac_signal_replay_last(as_signal(subject));
  play(subject, "1 2");
  RECORDER(r, replay);
  CHECK_EVENTS(&r, "2");
  play(subject, "3 #5");
  CHECK_EVENTS(&r, "2 3 #5");
  rac_retain(replay);
  CHECK_SIGNAL(replay, "3 #5");
}

TEST(replay_lazily_stays_connected_without_subscribers) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *replay = rac_signal_replay_lazily(as_signal(subject));
  recorder r = {0};
  record(replay, &r);
  play(subject, "1");
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  play(subject, "2 |");
  rac_retain(replay);
  CHECK_SIGNAL(replay, "1 2 |");
}

TEST(replay_lazily_of_something_cut_off) {
  owned rac_subject *subject = rac_subject_create(),
                    *stop = rac_subject_create();
  rac_signal *signal =
      rac_signal_take_until(as_signal(subject), as_signal(stop));
  RAC_ASSIGN(signal, rac_signal_replay_lazily(signal));
  RECORDER(r, signal);
  play(subject, "1");
  play(stop, "|");
  play(subject, "2");
  CHECK_EVENTS(&r, "1 |");
  CHECK_SIGNAL(signal, "1 |");
}

static void add_another(recorder *self, rac_value value) {
  if (value.bits != 1) return;
  recorder *other = self->user;
  record(other->user, other);
}

TEST(a_subscriber_that_comes_during_the_connection_gets_everything) {
  owned rac_signal *signal = cold("1 2 3 |", NULL);
  owned rac_signal *replay = rac_signal_replay_lazily(signal);
  finished recorder inner = {.user = replay};
  finished recorder outer = {.on_next = add_another, .user = &inner};
  record(replay, &outer);
  CHECK_EVENTS(&outer, "1 2 3 |");
  CHECK_EVENTS(&inner, "1 2 3 |");
}
