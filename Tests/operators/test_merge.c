/* rac_signal_merge: several signals as they come, of two and of many. */
#include "pairs.h"
#include "stage.h"

TEST(merge_passes_on_as_it_comes) {
  CHECK_PAIR(rac_signal_merge_with, "a1 b2 b3 a4 b| a5 a|", "1 2 3 4 5 |");
  CHECK_PAIR(rac_signal_merge_with, "a1 b#2 a3", "1 #2");
  CHECK_PAIR(rac_signal_merge_with, "a|", "");
}

static rac_signal *merge(rac_signal *a, rac_signal *b) {
  rac_signal *const both[] = {a, b};
  return rac_signal_merge(both, 2);
}

TEST(merge_keeps_the_order_of_time) {
  rac_signal *(*const forms[])(rac_signal *,
                               rac_signal *) = {rac_signal_merge_with, merge};
  for (int i = 0; i < 2; i++) {
    CHECK_MARBLES(forms[i](a, b), "-1--2|", "--78--|", "-1782-|");
    CHECK_MARBLES(forms[i](a, b), "-|", "--|", "--|");
    CHECK_MARBLES(forms[i](a, b), "-1#7", "---8|", "-1#7");
    CHECK_MARBLES(forms[i](a, b), "nil@1 |@2", "", "nil@1");
  }
}

TEST(merge_of_many) {
  CHECK_ARRAY(rac_signal_merge, "1 2 3 4 |", "1 2 |", "|", "3 |", "4 |");
  CHECK_ARRAY(rac_signal_merge, "1 #2", "1 #2", "3 |");
}

TEST(an_early_error_keeps_merge_from_subscribing_to_the_rest) {
  source counts = {0};
  rac_signal *parts[] = {cold("#1", NULL), cold("2 |", &counts)};
  rac_signal *s = rac_signal_merge(parts, 2);
  CHECK_SIGNAL(s, "#1");
  CHECK_INT(counts.subscribed, 0);
  rac_release(parts[0]);
  rac_release(parts[1]);
}

/* ---- What RAC's specs demand --------------------------------------------- */

static void hear_two(stage *self) {
  stage_open(self);
  stage_hear(self,
             rac_signal_merge_with(as_signal(self->a), as_signal(self->b)));
}

/* signal-132 */
TEST(values_pass_in_the_order_they_are_sent) {
  closed_stage t;
  hear_two(&t);
  play(t.a, "1");
  play(t.b, "2 3");
  play(t.a, "4");
  CHECK_EVENTS(&t.heard, "1 2 3 4");
}

/* An error of either is the end of both. */
TEST(an_error_of_either_ends_it) {
  for (int i = 0; i < 2; i++) {
    closed_stage t;
    hear_two(&t);
    play(t.a, "1");
    play(i == 0 ? t.a : t.b, "#4");
    play(i == 0 ? t.b : t.a, "2");
    CHECK_EVENTS(&t.heard, "1 #4");
  }
}

/* signal-134 */
TEST(it_completes_when_both_have) {
  closed_stage t;
  hear_two(&t);
  play(t.a, "1");
  play(t.b, "2 3 |");
  CHECK_EVENTS(&t.heard, "1 2 3");
  play(t.a, "4 |");
  CHECK_EVENTS(&t.heard, "1 2 3 4 |");
}

/* signal-135: each subscription counts its own completions */
TEST(each_subscription_completes) {
  closed_stage t;
  hear_two(&t);
  finished recorder other = {0};
  record(t.result, &other);
  play(t.a, "1 |");
  CHECK_EVENTS(&t.heard, "1");
  CHECK_EVENTS(&other, "1");
  play(t.b, "|");
  CHECK_EVENTS(&t.heard, "1 |");
  CHECK_EVENTS(&other, "1 |");
}

/* signal-136: the list is read during the call, and may be gone afterwards */
TEST(the_list_of_signals_is_read_at_once) {
  owned rac_subject *a = rac_subject_create(), *b = rac_subject_create();
  rac_signal *list[] = {as_signal(a), as_signal(b)};
  owned rac_signal *s = rac_signal_merge(list, 2);
  memset(list, 0xFF, sizeof list);
  for (int i = 0; i < 2; i++) {
    RECORDER(r, s);
    play(a, "1");
    play(b, "2 3");
    play(a, "4");
    CHECK_EVENTS(&r, "1 2 3 4");
  }
}

/* One after the other, each to its end if that comes at once. */
TEST(signals_are_subscribed_to_in_order) {
  rac_signal *list[] = {cold("1 2 |", NULL), cold("3 |", NULL),
                        cold("4 5 |", NULL)};
  CHECK_SIGNAL(rac_signal_merge(list, 3), "1 2 3 4 5 |");
  for (int i = 0; i < 3; i++) rac_release(list[i]);
}

/* The first error keeps the rest from being subscribed to. */
TEST(an_error_at_once_leaves_the_rest_alone) {
  source before = {0}, after = {0};
  rac_signal *list[] = {cold("1", &before), cold("2 #4", NULL),
                        cold("3 |", &after)};
  CHECK_SIGNAL(rac_signal_merge(list, 3), "1 2 #4");
  CHECK_INT(before.disposed, 1);
  CHECK_INT(after.subscribed, 0);
  for (int i = 0; i < 3; i++) rac_release(list[i]);
}

/* One, none, and one that is there twice. */
TEST(small_lists) {
  rac_signal *one[] = {cold("1 2 |", NULL), NULL};
  one[1] = one[0];
  CHECK_SIGNAL(rac_signal_merge(one, 1), "1 2 |");
  CHECK_SIGNAL(rac_signal_merge(one, 2), "1 2 1 2 |");
  CHECK_SIGNAL(rac_signal_merge(NULL, 0), "|");
  rac_release(one[0]);
}

static void hear_merge(stage *self) {
  stage_open(self);
  rac_signal *both[] = {as_signal(self->a), as_signal(self->b)};
  stage_hear(self, rac_signal_merge(both, 2));
  both[0] = both[1] = NULL; /* the list is the caller's again */
}

/* signal-137: an error of either is the error of all, at once */
TEST(merge_fails_with_whichever_fails) {
  for (int which = 0; which < 2; which++) {
    closed_stage t;
    hear_merge(&t);
    play(t.a, "1");
    play(t.b, "2");
    play(which ? t.b : t.a, "#7");
    play(which ? t.a : t.b, "3 |");
    CHECK_EVENTS(&t.heard, "1 2 #7");
  }
}

/* signal-138: in the order of arrival; the end of one is not the end */
TEST(merge_completes_when_all_have) {
  for (int first = 0; first < 2; first++) {
    closed_stage t;
    hear_merge(&t);
    play(t.a, "1");
    play(t.b, "2 3");
    play(t.a, "4");
    play(first ? t.b : t.a, "|");
    CHECK_EVENTS(&t.heard, "1 2 3 4");
    play(first ? t.a : t.b, "5 |");
    CHECK_EVENTS(&t.heard, "1 2 3 4 5 |");
  }
}

/* signal-140: the list is read once, when the signal is made; every subscriber
 * gets all of it */
TEST(merge_serves_many_subscribers_from_a_list_given_once) {
  source counts = {0};
  rac_signal *parts[] = {cold("1 |", &counts), cold("2 |", &counts)};
  owned rac_signal *s = rac_signal_merge(parts, 2);
  for (int i = 0; i < 2; i++) RAC_ASSIGN(parts[i], NULL);
  for (int i = 0; i < 3; i++) {
    rac_retain(s);
    CHECK_SIGNAL(s, "1 2 |");
  }
  CHECK_INT(counts.subscribed, 6);
}

/* signal-137, signal-138: nothing is subscribed to after an early error; no
 * signals are complete */
TEST(merge_of_signals_that_end_at_once) {
  source counts = {0};
  rac_signal *parts[] = {cold("1 #2", NULL), cold("3 |", &counts)};
  CHECK_SIGNAL(rac_signal_merge(parts, 2), "1 #2");
  CHECK_INT(counts.subscribed, 0);
  CHECK_SIGNAL(rac_signal_merge(parts + 1, 1), "3 |");
  CHECK_SIGNAL(rac_signal_merge(NULL, 0), "|");
  for (int i = 0; i < 2; i++) rac_release(parts[i]);
}
