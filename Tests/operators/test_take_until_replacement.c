/* rac_signal_take_until_replacement: a signal that takes over from another. */
#include "stage.h"
#include "two.h"

static void hear_replaced(stage *self) {
  stage_hear(self, rac_signal_take_until_replacement(as_signal(self->a),
                                                     as_signal(self->b)));
}

TEST(the_replacement_takes_over_with_its_first_value) {
  STAGE(t);
  hear_replaced(&t);
  play(t.a, "1 2");
  play(t.b, "nil");
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
  play(t.a, "3");
  play(t.b, "8 |");
  CHECK_EVENTS(&t.heard, "1 2 nil 8 |");
}

TEST(the_replacement_takes_over_at_its_time) {
  CHECK_MARBLES(rac_signal_take_until_replacement(a, b), "-12-3", "---7-8|",
                "-127-8|");
  /* Its completion leaves the rest to the replacement. */
  CHECK_MARBLES(rac_signal_take_until_replacement(a, b), "1@1 2@1.5 3@4.5 |@6",
                "0@40 1@80", "1@1 2@1.5 3@4.5 0@40 1@80");
}

TEST(ends_of_the_source_and_of_the_replacement) {
  static const struct {
    const char *source, *other, *expected;
    int left; /* who still listens to the other */
  } cases[] = {{"1 #5", "", "1 #5", 0},    {"1 |", "", "1", 1},
               {"1 |", "7 |", "1 7 |", 0}, {"1", "#6", "1 #6", 0},
               {"1", "|", "1 |", 0},       {"", "7 #6", "7 #6", 0},
               {"1 |", "#6", "1 #6", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    STAGE(t);
    hear_replaced(&t);
    play(t.a, cases[i].source);
    play(t.b, cases[i].other);
    CHECK_EVENTS(&t.heard, cases[i].expected);
    CHECK_INT(rac_subject_subscriber_count(t.b), cases[i].left);
  }
}

TEST(a_replacement_that_comes_at_once_leaves_the_source_alone) {
  source counts = {0};
  rac_signal *s = cold("1 2 |", &counts), *other = cold("8 9 |", NULL);
  APPLY(s, take_until_replacement, other);
  CHECK_SIGNAL(s, "8 9 |");
  CHECK_INT(counts.subscribed, 0);
  rac_release(other);
}

TEST(disposal_reaches_the_source_and_the_replacement) {
  STAGE(t);
  hear_replaced(&t);
  rac_dispose(t.heard.subscription);
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
  CHECK_INT(rac_subject_subscriber_count(t.b), 0);
}

static void send_replacement(recorder *self, rac_value value) {
  if (value.bits == 1) play(self->user, "8 9");
}

TEST(a_replacement_from_inside_the_source_s_value) {
  STAGE(t);
  t.heard.on_next = send_replacement;
  hear_replaced(&t);
  t.heard.user = t.b;
  play(t.a, "1 2");
  CHECK_EVENTS(&t.heard, "1 8 9");
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-074, signal-075: before the replacement sends anything, an error of
 * the receiver passes, and its completion does not */
TEST(the_receiver_may_fail_but_not_complete) {
  combine replace = rac_signal_take_until_replacement;
  check(__LINE__, replace, "1 2", "", "3 #4", "1 2 3 #4");
  check(__LINE__, replace, "1 2", "", "|", "1 2");
  /* The result stays open for the replacement. */
  check(__LINE__, replace, "1 |", "8 |", "", "1 8 |");
}

/* signal-076, signal-077: any first event of the replacement takes over, also
 * one that is an end */
TEST(the_replacement_takes_over) {
  combine replace = rac_signal_take_until_replacement;
  check(__LINE__, replace, "", "#4", "", "#4");
  check(__LINE__, replace, "", "|", "", "|");
  check(__LINE__, replace, "1 2", "8 9", "3 4", "1 2 8 9");
  check(__LINE__, replace, "1", "nil", "3 #4", "1 nil");
  check(__LINE__, replace, "1", "8 #4", "2", "1 8 #4");
  check(__LINE__, replace, "1", "8 |", "2", "1 8 |");
}

/* The replacement is subscribed to first: one that sends at once leaves the
 * receiver alone. */
TEST(a_replacement_that_sends_at_once_is_all) {
  source counts = {0};
  owned rac_signal *replacement = cold("8 9 |", NULL);
  rac_signal *s = cold("1 |", &counts);
  APPLY(s, take_until_replacement, replacement);
  CHECK_SIGNAL(s, "8 9 |");
  CHECK_INT(counts.subscribed, counts.disposed);
}

/* signal-079, signal-080: whichever is running */
TEST(disposing_disposes_the_one_that_runs) {
  two before = {0}, after = {0};
  begin(&before, rac_signal_take_until_replacement);
  rac_dispose(before.heard.subscription);
  CHECK_INT(before.receiver.counts.disposed, 1);
  CHECK_INT(before.other.counts.disposed, 1);
  end(&before);
  begin(&after, rac_signal_take_until_replacement);
  play(after.second, "8");
  CHECK_INT(after.other.counts.disposed, 0);
  rac_dispose(after.heard.subscription);
  CHECK_INT(after.other.counts.disposed, 1);
  end(&after);
}

/* signal-081: not when its producer goes, but before the send returns */
TEST(the_receiver_is_disposed_when_it_is_replaced) {
  two t = {0};
  begin(&t, rac_signal_take_until_replacement);
  CHECK_INT(t.receiver.counts.disposed, 0);
  play(t.second, "nil");
  CHECK_INT(t.receiver.counts.disposed, 1);
  CHECK_INT(rac_subject_subscriber_count(t.first), 0);
  CHECK_EVENTS(&t.heard, "nil");
  end(&t);
}
