/* rac_signal_pausable: a truth value says whether values pass, wait or go. */
#include "callbacks.h"
#include "stage.h"

#define PAUSABLE(capacity) rac_signal_pausable(a, b, capacity)

/* In b, 1 stands for running and 0 for paused. */
TEST(values_are_dropped_or_wait) {
  CHECK_MARBLES(PAUSABLE(0), "--1--2--3--4--5--|", "1------0-----1--",
                "--1--2--------5--|");
  CHECK_MARBLES(PAUSABLE(9), "--1--2--3--4--5--|", "1------0-----1--",
                "1@2 2@5 3@13 4@13 5@14 |@17");
  CHECK_MARBLES(PAUSABLE(SIZE_MAX), "-123-4", "----1", "1@4 2@4 3@4 4@5");
}

TEST(the_oldest_makes_room) {
  CHECK_MARBLES(PAUSABLE(2), "-1234--", "-----1", "3@5 4@5");
  CHECK_MARBLES(PAUSABLE(1), "-1234--", "-----1", "4@5");
}

TEST(it_is_paused_at_first) {
  CHECK_MARBLES(PAUSABLE(0), "-12|", "", "---|");
  CHECK_MARBLES(PAUSABLE(0), "-12-3|", "---1", "----3|");
}

TEST(a_completion_comes_behind_what_waits) {
  CHECK_MARBLES(PAUSABLE(9), "-12|", "0------1", "1@7 2@7 |@7");
  CHECK_MARBLES(PAUSABLE(9), "-12#4", "0------1", "---#4");
}

/* What it said last stays, and paused for good is the end. */
TEST(the_one_that_says_so_may_complete) {
  CHECK_MARBLES(PAUSABLE(9), "-1-2-3|", "1-|", "-1-2-3|");
  CHECK_MARBLES(PAUSABLE(9), "-1-2-3|", "1-0-|", "-1--|");
  CHECK_MARBLES(PAUSABLE(0), "-1-2-3|", "--|", "--|");
  CHECK_MARBLES(PAUSABLE(0), "-1-2-3|", "1--#5", "1@1 2@3 #5@3");
}

TEST(what_is_no_truth_value_is_an_error) {
  CHECK_MARBLES(PAUSABLE(0), "-1-2", "1@0 nil@2", "-1#-5004");
}

static void send_more(recorder *self, rac_value value) {
  if (value.bits == 1) rac_subject_send(self->user, I(7));
}
TEST(what_is_sent_back_comes_behind_what_waits) {
  STAGE(t);
  t.heard.on_next = send_more;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_pausable(as_signal(t.a), as_signal(t.b), 3));
  play(t.a, "1 2 3");
  play(t.b, "1");
  CHECK_EVENTS(&t.heard, "1 2 3 7");
}

static void *steer(void *subject) {
  for (int i = (int)check_scaled(2000); i >= 0; i--)
    rac_subject_send(subject, rac_value_bool(i % 2 == 0));
  return NULL;
}
TEST(values_race_pauses) {
  owned rac_subject *subject = rac_subject_create(),
                    *running = rac_subject_create();
  owned rac_signal *s =
      rac_signal_pausable(as_signal(subject), as_signal(running), SIZE_MAX);
  APPLY0(s, count);
  recorder r = {0};
  record(s, &r);
  pthread_t a = check_spawn(send_many, subject);
  pthread_t b = check_spawn(steer, running);
  check_join(a);
  check_join(b);
  rac_subject_send_completed(subject);
  await_end(&r);
  char expected[40];
  snprintf(expected, sizeof expected, "%d |", (int)check_scaled(20000));
  CHECK_EVENTS(&r, expected);
}
