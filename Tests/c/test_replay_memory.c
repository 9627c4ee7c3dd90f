/* What a subject with a memory repeats to a late subscriber, and when it lets go
 * of what it remembers. */
#include "check.h"

/* Records the subject's past. */
static void check_late(rac_subject *subject, const char *expected) {
  RECORDER(r, as_signal(subject));
  CHECK_EVENTS(&r, expected);
}

/* Laws 13 and 14: before rac_subscribe() returns, and once. */
TEST(a_replay_subject_repeats_so_much_to_a_late_subscriber) {
  static const struct {
    size_t capacity;
    const char *script, *late;
  } cases[] = {
      {RAC_REPLAY_UNLIMITED, "", ""},
      {RAC_REPLAY_UNLIMITED, "1 2 3", "1 2 3"},
      {RAC_REPLAY_UNLIMITED, "1 2 3 |", "1 2 3 |"},
      {RAC_REPLAY_UNLIMITED, "1 #7", "1 #7"},
      {RAC_REPLAY_UNLIMITED, "1 nil 3 |", "1 nil 3 |"},
      {3, "1 2 3 4 5 #9", "3 4 5 #9"},
      {2, "1 2 3", "2 3"},
      {2, "1 |", "1 |"},
      {1, "1 2 3 |", "3 |"},
      {0, "1 2 3", ""},
      {0, "1 2 |", "|"},
      {0, "#5", "#5"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    owned rac_subject *subject = rac_replay_subject_create(cases[i].capacity);
    RECORDER(early, as_signal(subject));
    play(subject, cases[i].script);
    CHECK_EVENTS(&early, cases[i].script);
    check_late(subject, cases[i].late);
  }
}

/* Law 13: its last value, or the one it began with, but not its end. */
TEST(a_behavior_subject_repeats_its_value_alone) {
  static const char *const cases[][3] = {
      {"", "0", "0"},        {"1 2", "0 1 2", "2"}, {"2 nil", "0 2 nil", "nil"},
      {"1 |", "0 1 |", "1"}, {"#7", "0 #7", "0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    owned rac_subject *subject = rac_behavior_subject_create(I(0));
    RECORDER(early, as_signal(subject));
    play(subject, cases[i][0]);
    CHECK_EVENTS(&early, cases[i][1]);
    check_late(subject, cases[i][2]);
  }
}

typedef struct joiner {
  rac_subject *subject;
  recorder inner;
} joiner;

static void send_and_join(recorder *self, rac_value value) {
  joiner *j = self->user;
  if (value.bits != 2) return;
  CHECK_STATUS(rac_subject_send(j->subject, I(3)), RAC_QUEUED);
  record(as_signal(j->subject), &j->inner);
  CHECK_EVENTS(&j->inner, "1 2");
}

/* Law 14: what is delivered is past, what is queued has yet to come. */
TEST(a_replay_from_inside_a_delivery_leaves_no_gap) {
  joiner j = {.subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED)};
  recorder outer = {.on_next = send_and_join, .user = &j};
  record(as_signal(j.subject), &outer);
  play(j.subject, "1 2 4");
  CHECK_EVENTS(&outer, "1 2 3 4");
  CHECK_EVENTS(&j.inner, "1 2 3 4");
  finish(&outer);
  finish(&j.inner);
  rac_release(j.subject);
}

/* Law 21: each when it is pushed out, the rest with the subject. */
TEST(a_replay_subject_lets_go_of_what_it_pushes_out) {
  enum { COUNT = 4, KEPT = 2 };
  atomic_int destroyed[COUNT] = {0};
  rac_subject *subject = rac_replay_subject_create(KEPT);
  for (int i = 0; i < COUNT; i++) {
    rac_value value = rac_value_pointer(context_new(NULL, &destroyed[i]), NULL,
                                        context_destroy);
    rac_subject_send(subject, value);
    rac_value_release(value);
    for (int j = 0; j < COUNT; j++) CHECK_INT(destroyed[j], j + KEPT <= i);
  }
  rac_release(subject);
  for (int j = 0; j < COUNT; j++) CHECK_INT(destroyed[j], 1);
}
