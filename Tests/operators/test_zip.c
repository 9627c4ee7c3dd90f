/* rac_signal_zip: tuples of the values that belong together, of two and of many. */
#include "pairs.h"
#include "stage.h"
#include "streams.h"

TEST(zip_pairs_the_first_with_the_first) {
  CHECK_PAIR(rac_signal_zip_with, "a1 b2 b3 b4 a5 a6", "(1,2) (5,3) (6,4)");
  CHECK_PAIR(rac_signal_zip_with, "anil b1", "(nil,1)");
}

TEST(zip_completes_when_nothing_can_follow) {
  CHECK_PAIR(rac_signal_zip_with, "a1 b1 a2 a|", "(1,1)");
  CHECK_PAIR(rac_signal_zip_with, "a1 b1 a2 a| b2", "(1,1) (2,2) |");
  CHECK_PAIR(rac_signal_zip_with, "b|", "|");
  CHECK_PAIR(rac_signal_zip_with, "a1 b|", "|");
  CHECK_PAIR(rac_signal_zip_with, "a1 a2 a| b3 b4 b5", "(1,3) (2,4) |");
}

TEST(zip_fails_at_once_and_drops_what_waits) {
  CHECK_PAIR(rac_signal_zip_with, "a1 a2 a#7 b1", "#7");
  CHECK_PAIR(rac_signal_zip_with, "b1 b2 b| a1 a#7", "(1,1) #7");
}

static rac_signal *zip(rac_signal *a, rac_signal *b) {
  rac_signal *const both[] = {a, b};
  return rac_signal_zip(both, 2);
}

TEST(a_pair_comes_with_its_later_value) {
  rac_signal *(*const forms[])(rac_signal *,
                               rac_signal *) = {rac_signal_zip_with, zip};
  for (int i = 0; i < 2; i++) {
    CHECK_MARBLES(forms[i](a, b), "-12--|", "---78-9", "(1,7)@3 (2,8)@4 |@5");
    CHECK_MARBLES(forms[i](a, b), "-1|", "---78", "(1,7)@3 |@3");
    CHECK_MARBLES(forms[i](a, b), "nil@1", "nil@2 |@3", "(nil,nil)@2 |@3");
    CHECK_MARBLES(forms[i](a, b), "-12", "---|", "---|");
    CHECK_MARBLES(forms[i](a, b), "-12", "---#7", "---#7");
  }
}

TEST(zip_of_many) {
  CHECK_ARRAY(rac_signal_zip, "(1,10,100) (2,20,200) |", "1 2 |", "10 20 |",
              "100 200 300 |");
  CHECK_ARRAY(rac_signal_zip, "(1) (2) |", "1 2 |");
  CHECK_ARRAY(rac_signal_zip, "#4", "1 2 |", "#4");
  owned rac_signal *s = cold("1 2 |", NULL);
  rac_signal *same[] = {s, s, s};
  CHECK_SIGNAL(rac_signal_zip(same, 3), "(1,1,1) (2,2,2) |");
}

/* ---- What RAC's specs demand --------------------------------------------- */

static void hear_zip(stage *self) {
  stage_open(self);
  stage_hear(self, rac_signal_zip_with(as_signal(self->a), as_signal(self->b)));
}

/* signal-213: while a value waits its partner may come; with the partner all
 * is said */
TEST(zip_completes_when_no_more_pairs_can_come) {
  closed_stage t;
  hear_zip(&t);
  play(t.a, "1");
  play(t.b, "10");
  CHECK_EVENTS(&t.heard, "(1,10)");
  play(t.a, "2 |");
  CHECK_EVENTS(&t.heard, "(1,10)");
  play(t.b, "20");
  CHECK_EVENTS(&t.heard, "(1,10) (2,20) |");
}

/* signal-214: whichever it is that completes, also after some values */
TEST(zip_completes_at_once_with_an_input_that_has_nothing_waiting) {
  static const struct {
    const char *a, *b, *expected;
  } cases[] = {{"", "|", "|"},
               {"|", "", "|"},
               {"1 2", "|", "|"},
               {"1 2", "3 |", "(1,3) |"},
               {"1 |", "2", "(1,2) |"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    closed_stage t;
    hear_zip(&t);
    play(t.a, cases[i].a);
    play(t.b, cases[i].b);
    CHECK_EVENTS(&t.heard, cases[i].expected);
  }
}

/* signal-215, signal-216, signal-217: an error comes at once, whichever input
 * has values waiting or has completed; what waits is dropped */
TEST(zip_fails_at_once) {
  static const struct {
    const char *first, *second, *expected;
  } cases[] = {{"1 2 #7", "1 2 3 |", "#7"},
               {"1 2 3 #7", "1 2 |", "#7"},
               {"1 2 3 |", "1 2 #7", "(1,1) (2,2) #7"}};
  for (size_t i = 0; i < 3; i++) {
    for (int swapped = 0; swapped < 2; swapped++) {
      closed_stage t;
      hear_zip(&t);
      play(swapped ? t.b : t.a, cases[i].first);
      play(swapped ? t.a : t.b, cases[i].second);
      CHECK_EVENTS(&t.heard, cases[i].expected);
    }
  }
}

/* signal-213, signal-214: one signal makes tuples of one, none completes; nil
 * keeps its place */
TEST(zip_of_one_of_none_and_of_nil) {
  owned rac_signal *s = cold("1 nil |", NULL);
  CHECK_SIGNAL(rac_signal_zip(&s, 1), "(1) (nil) |");
  CHECK_SIGNAL(rac_signal_zip_with(s, s), "(1,1) (nil,nil) |");
  CHECK_SIGNAL(rac_signal_zip(NULL, 0), "|");
}

/* ---- Of two -------------------------------------------------------------- */

static void check_zip_with(int line, rac_signal *first, rac_signal *second,
                           const char *expected) {
  rac_signal *s = rac_signal_zip_with(first, second);
  check_signal(__FILE__, line, "zip_with", s, expected);
  rac_release(first);
  rac_release(second);
}

/* signal-031, signal-032: as long as the other; longer than the other, on either
 * side */
TEST(zip_with_makes_pairs_up_to_the_shorter) {
  check_zip_with(__LINE__, cold("1 2 3 |", NULL), cold("7 8 9 |", NULL),
                 "(1,7) (2,8) (3,9) |");
  check_zip_with(__LINE__, cold("1 2 3 |", NULL), cold("7 8 |", NULL),
                 "(1,7) (2,8) |");
  check_zip_with(__LINE__, cold("1 2 |", NULL), cold("7 8 9 |", NULL),
                 "(1,7) (2,8) |");
  check_zip_with(__LINE__, cold("nil |", NULL), cold("7 |", NULL), "(nil,7) |");
}

/* signal-033: the endless one is stopped */
TEST(zip_with_ends_an_endless_stream) {
  progression units = {5, 0, {0}};
  check_zip_with(__LINE__, cold("1 2 |", NULL), endless(&units),
                 "(1,5) (2,5) |");
  CHECK_INT(units.counts.disposed, 1);
}

/* Two endless ones go side by side, as time does. */
TEST(zip_with_of_two_endless_streams) {
  owned rac_scheduler *clock = rac_scheduler_virtual();
  owned rac_signal *slow = rac_signal_interval(2, clock);
  owned rac_signal *fast = rac_signal_interval(1, clock);
  owned rac_signal *s = rac_signal_zip_with(slow, fast);
  APPLY(s, take, 2);
  finished recorder r = {.clock = clock};
  record(s, &r);
  rac_virtual_advance_to(clock, 9);
  CHECK_EVENTS(&r, "(0,0)@2 (1,1)@4 |@4");
}

/* An error does not wait for the values before it. */
TEST(zip_with_passes_an_error_at_once) {
  check_zip_with(__LINE__, cold("1 2 #4", NULL), cold("7", NULL), "#4");
  check_zip_with(__LINE__, cold("1", NULL), cold("7 8 #4", NULL), "(1,7) #4");
}

/* ---- Of a list ----------------------------------------------------------- */

/* signal-039 */
TEST(zip_of_one_makes_tuples_of_one) {
  owned rac_signal *one = cold("1 2 |", NULL);
  CHECK_SIGNAL(rac_signal_zip(&one, 1), "(1) (2) |");
}

/* signal-040, signal-042: the array is read during the call only, so it may be
 * one that is used for something else afterwards */
TEST(zip_of_three_from_an_array_that_goes_away) {
  rac_signal *signals[] = {words("Ada Bob"), words("eats cooks"),
                           words("fish bear")};
  rac_signal *s = rac_signal_zip(signals, 3);
  release_all(signals, 3);
  memset(signals, 0xFF, sizeof signals);
  rac_retain(s);
  CHECK_SIGNAL(s, "(Ada,eats,fish) (Bob,cooks,bear) |");
  CHECK_SIGNAL(s, "(Ada,eats,fish) (Bob,cooks,bear) |");
}

/* signal-041, signal-043: with an array, and without one */
TEST(zip_of_none_is_empty) {
  rac_signal *none[1] = {NULL};
  CHECK_SIGNAL(rac_signal_zip(none, 0), "|");
  CHECK_SIGNAL(rac_signal_zip(NULL, 0), "|");
  rac_signal *s = rac_signal_zip_reduce(NULL, 0, CALLBACK_FOR("", joined));
  CHECK_SIGNAL(s, "|");
}
