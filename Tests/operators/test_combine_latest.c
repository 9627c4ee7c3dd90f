/* rac_signal_combine_latest: a tuple of the latest values, of two and of many. */
#include "pairs.h"
#include "stage.h"
#include "streams.h"

TEST(combine_latest_waits_for_all_and_follows_each) {
  CHECK_PAIR(rac_signal_combine_latest_with, "a1 a2", "");
  CHECK_PAIR(rac_signal_combine_latest_with, "a1 b2 a3 b4",
             "(1,2) (3,2) (3,4)");
  CHECK_PAIR(rac_signal_combine_latest_with, "anil bnil", "(nil,nil)");
}

TEST(combine_latest_completes_when_all_have) {
  CHECK_PAIR(rac_signal_combine_latest_with, "a1 b2 a| b3 b|", "(1,2) (1,3) |");
  CHECK_PAIR(rac_signal_combine_latest_with, "a| b1", "");
  CHECK_PAIR(rac_signal_combine_latest_with, "a| b|", "|");
  CHECK_PAIR(rac_signal_combine_latest_with, "a1 b#6", "#6");
}

TEST(a_tuple_comes_with_every_change) {
  CHECK_MARBLES(rac_signal_combine_latest_with(a, b), "-1-2--|", "--7-8|",
                "(1,7)@2 (2,7)@3 (2,8)@4 |@6");
  CHECK_MARBLES(rac_signal_combine_latest_with(a, b), "-1|", "---78|",
                "(1,7)@3 (1,8)@4 |@5");
  CHECK_MARBLES(rac_signal_combine_latest_with(a, b), "nil@1", "nil@2",
                "(nil,nil)@2");
  CHECK_MARBLES(rac_signal_combine_latest_with(a, b), "-|", "--7|", "---|");
  CHECK_MARBLES(rac_signal_combine_latest_with(a, b), "-1-#7", "--7-8",
                "(1,7)@2 #7@3");
}

TEST(combine_latest_of_many) {
  CHECK_ARRAY(rac_signal_combine_latest, "(2,20,100) (2,20,200) |", "1 2 |",
              "10 20 |", "100 200 |");
  CHECK_ARRAY(rac_signal_combine_latest, "(1) (2) |", "1 2 |");
}

/* As in RAC there is a tuple for each input that changes, also where one value
 * changes both: docs/Operators.md says what to do where that must not be. */
TEST(combining_what_has_a_common_source) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *ten =
      rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  owned rac_signal *both =
      rac_signal_combine_latest_with(as_signal(subject), ten);
  owned rac_signal *zipped = rac_signal_zip_with(as_signal(subject), ten);
  owned rac_signal *settled = rac_signal_sample(both, as_signal(subject));
  RECORDER(a, both);
  RECORDER(b, zipped);
  RECORDER(c, settled);
  play(subject, "1 2 3");
  CHECK_EVENTS(&a, "(1,10) (2,10) (2,20) (3,20) (3,30)");
  CHECK_EVENTS(&b, "(1,10) (2,20) (3,30)");
  CHECK_EVENTS(&c, "(1,10) (2,20) (3,30)");
}

/* ---- What RAC's specs demand: of two ------------------------------------- */

static void hear_two(stage *self) {
  stage_open(self);
  rac_signal *two[] = {as_signal(self->a), as_signal(self->b)};
  stage_hear(self, rac_signal_combine_latest(two, 2));
}

/* signal-099, signal-100: nothing before both have sent, then every change */
TEST(it_sends_when_all_have_sent) {
  closed_stage t;
  hear_two(&t);
  say(t.a, "1");
  CHECK_EVENTS(&t.heard, "");
  say(t.b, "2");
  CHECK_EVENTS(&t.heard, "(1,2)");
  say(t.a, "3");
  say(t.b, "4");
  CHECK_EVENTS(&t.heard, "(1,2) (3,2) (3,4)");
}

/* nil is a value. */
TEST(a_nil_counts_as_sent) {
  closed_stage t;
  hear_two(&t);
  play(t.a, "nil");
  play(t.b, "nil 1");
  CHECK_EVENTS(&t.heard, "(nil,nil) (nil,1)");
}

/* signal-101: also where one completes that never sent anything */
TEST(it_completes_when_all_have) {
  const char *const scripts[] = {"1 |", "|"};
  for (int i = 0; i < 2; i++) {
    closed_stage t;
    hear_two(&t);
    play(t.a, scripts[i]);
    CHECK_EVENTS(&t.heard, "");
    play(t.b, "2 |");
    CHECK_EVENTS(&t.heard, i == 0 ? "(1,2) |" : "|");
  }
}

static void keep_error(void *context, rac_value error) {
  *(rac_value *)context_target(context) = rac_value_retain(error);
}

/* signal-102: of either, as it is, and the other one is disposed then */
TEST(it_passes_the_error_of_either) {
  rac_value error = rac_value_error("of a test", 7, "and its message");
  for (int i = 0; i < 2; i++) {
    closed_stage t;
    hear_two(&t);
    owned_value passed = rac_value_nil();
    rac_observer observer = RAC_OBSERVER_INIT;
    observer.context = context_new(&passed, NULL);
    observer.error = keep_error;
    observer.destroy = context_destroy;
    rac_release(rac_subscribe(t.result, &observer));
    rac_subject_send_error(i == 0 ? t.a : t.b, error);
    CHECK(rac_value_equal(passed, error));
    CHECK_EVENTS(&t.heard, "#7");
    CHECK_INT(rac_subject_subscriber_count(i == 0 ? t.b : t.a), 0);
  }
  rac_value_release(error);
}

/* signal-103: all of it goes when nobody holds it any more */
TEST(nothing_is_left_of_what_completed) {
  uint64_t before = rac_live_objects();
  rac_subject *subject = rac_subject_create();
  rac_signal *const one[] = {as_signal(subject)};
  rac_signal *s = rac_signal_combine_latest(one, 1);
  recorder r = {0};
  record(s, &r);
  play(subject, "|");
  CHECK_EVENTS(&r, "|");
  await_end(&r);
  rac_release(s);
  rac_release(subject);
  CHECK_INT(rac_live_objects(), before);
}

/* signal-104: one subject on both sides. Its subscribers hear a value one after
 * the other, so there is a step between. */
TEST(a_subject_may_be_combined_with_itself) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s =
      rac_signal_combine_latest_with(as_signal(subject), as_signal(subject));
  RECORDER(r, s);
  say(subject, "foo");
  CHECK_EVENTS(&r, "(foo,foo)");
  say(subject, "bar");
  CHECK_EVENTS(&r, "(foo,foo) (bar,foo) (bar,bar)");
}

/* signal-105 */
TEST(a_cold_signal_combined_with_itself_works_twice) {
  int64_t counter = 0;
  rac_signal *s = counting(&counter);
  APPLY(s, combine_latest_with, s);
  CHECK_INT(counter, 0);
  CHECK_SIGNAL(s, "(1,2) |");
  CHECK_INT(counter, 2);
}

/* ---- Of one, and of none ------------------------------------------------- */

/* signal-106 */
TEST(one_makes_tuples_of_one) {
  owned rac_signal *one = words("foo bar");
  CHECK_SIGNAL(rac_signal_combine_latest(&one, 1), "(foo) (bar) |");
}

/* signal-107 */
TEST(none_completes_at_once) {
  CHECK_SIGNAL(rac_signal_combine_latest(NULL, 0), "|");
  rac_signal *s =
      rac_signal_combine_latest_reduce(NULL, 0, CALLBACK_FOR("", joined));
  CHECK_SIGNAL(s, "|");
}
