/* Behavior and replay subjects: what a late subscriber gets. */
#include "shared_callbacks.h"

static void check_late(int line, rac_subject *subject, const char *expected) {
  RECORDER(r, as_signal(subject));
  check_text(__FILE__, line, "a late subscriber", r.text, expected);
}
#define CHECK_LATE(subject, expected) check_late(__LINE__, subject, expected)

/* ---- Behavior ----------------------------------------------------------- */

TEST(a_behavior_subject_lets_go_of_old_values) {
  atomic_int destroyed = 0;
  rac_value text = rac_value_string_owned(
      "old", 3, context_new(NULL, &destroyed), context_destroy);
  owned rac_subject *subject = rac_behavior_subject_create(text);
  rac_value_release(text);
  CHECK_INT(destroyed, 0);
  play(subject, "1");
  CHECK_INT(destroyed, 1);
}

TEST(a_behavior_subject_queues_re_entrant_sends) {
  owned rac_subject *subject = rac_behavior_subject_create(I(0));
  finished recorder r = {.on_next = send_next_number, .user = subject};
  record(as_signal(subject), &r);
  CHECK_EVENTS(&r, "0 1 2 3");
  CHECK_LATE(subject, "3");
}

typedef struct joiner {
  rac_subject *subject;
  int64_t at;
  recorder inner;
} joiner;

static void join_at(recorder *self, rac_value value) {
  joiner *j = self->user;
  if (value.bits != j->at) return;
  rac_subject_send(j->subject, I(7));
  record(as_signal(j->subject), &j->inner);
}

TEST(a_queued_value_is_not_yet_the_current_one) {
  joiner j = {.subject = rac_behavior_subject_create(I(0)), .at = 1};
  recorder r = {.on_next = join_at, .user = &j};
  record(as_signal(j.subject), &r);
  play(j.subject, "1");
  /* Whichever it heard first, it heard 7 once and last. */
  CHECK_EVENTS(&r, "0 1 7");
  CHECK(strcmp(j.inner.text, "1 7") == 0 || strcmp(j.inner.text, "7") == 0);
  finish(&r);
  finish(&j.inner);
  rac_release(j.subject);
}

/* ---- Replay ------------------------------------------------------------- */

TEST(a_bounded_replay_lets_go_of_old_values) {
  owned rac_subject *subject = rac_replay_subject_create(2);
  uint64_t before = 0;
  for (int i = 0; i < 1000; i++) {
    rac_value text = rac_value_string_copy("a text with some length", 23);
    rac_subject_send(subject, text);
    rac_value_release(text);
    if (i == 2) before = rac_live_objects();
  }
  CHECK_INT(rac_live_objects(), before);
}

TEST(a_disposal_during_the_replay_stops_it) {
  owned rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  play(subject, "1 2 3 |");
  rac_signal *signal = rac_signal_take(as_signal(subject), 2);
  CHECK_SIGNAL(signal, "1 2 |");
}

TEST(re_entrant_sends_during_the_replay_follow_it) {
  owned rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  play(subject, "0 5");
  finished recorder r = {.on_next = send_next_number, .user = subject};
  record(as_signal(subject), &r);
  CHECK_EVENTS(&r, "0 5 1 2 3");
  CHECK_LATE(subject, "0 5 1 2 3");
}

static void read_inside(recorder *self, rac_value value) {
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(self->user, -1, &out), RAC_OK);
  CHECK_INT(out.bits, value.bits);
}

TEST(a_subscription_inside_next_replays_before_it_returns) {
  owned rac_subject *subject = rac_replay_subject_create(1);
  finished recorder r = {.on_next = read_inside, .user = subject};
  record(as_signal(subject), &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "1 2");
}

/* ---- A subscription that is over before the subject knows of it ---------- */

typedef struct vain {
  rac_subject *source;
  atomic_int round; /* of the one who sends; -1: no more */
  atomic_int sent;
} vain;

static void *send_once_a_round(void *argument) {
  vain *self = argument;
  for (int round = 1;; round++) {
    int now;
    while ((now = atomic_load(&self->round)) >= 0 && now < round) continue;
    if (now < 0) return NULL;
    rac_subject_send(self->source, I(round));
    atomic_store(&self->sent, round);
  }
}

/* Says that somebody subscribes before it happens. */
static void complete_what_subscribes(void *context,
                                     const rac_trace_event *event) {
  if (event->type == RAC_TRACE_SUBSCRIBE) rac_subject_send_completed(context);
}

TEST(a_subject_does_not_keep_who_was_disposed_before_he_had_joined) {
  vain self = {.source = rac_replay_subject_create(1)};
  pthread_t sender = check_spawn(send_once_a_round, &self);
  int rounds = (int)check_scaled(5000), kept = 0;
  for (int round = 1; round <= rounds; round++) {
    rac_subject *subject = rac_subject_create();
    rac_set_trace(subject, complete_what_subscribes, NULL);
    atomic_store(&self.round, round);
    for (int spin = round % 64; spin > 0; spin--) atomic_load(&self.sent);
    rac_release(rac_subscribe_subscriber(as_signal(self.source),
                                         rac_subject_as_subscriber(subject)));
    rac_set_trace(NULL, NULL, NULL);
    while (atomic_load(&self.sent) < round) continue;
    /* Nobody can send to it any more, whether or not the source sends again. */
    atomic_int destroyed = 0;
    rac_release(rac_subscribe_next(as_signal(subject),
                                   context_new(NULL, &destroyed), NULL,
                                   context_destroy));
    rac_release(subject);
    kept += !destroyed;
  }
  CHECK_INT(kept, 0);
  atomic_store(&self.round, -1);
  check_join(sender);
  rac_release(self.source);
}
