/* rac_signal_concat: one signal after the other, of two and of many. */
#include "pairs.h"
#include "stage.h"

TEST(concat_subscribes_to_the_next_when_the_first_completes) {
  CHECK_PAIR(rac_signal_concat, "b0 a1 b0 a| b2 a9 b|", "1 2 |");
  CHECK_PAIR(rac_signal_concat, "a1 a#3 b4", "1 #3");
  CHECK_PAIR(rac_signal_concat, "a| b#3", "#3");
  CHECK_PAIR(rac_signal_concat, "a1", "1");
}

/* The second is hot: what it sends before its turn is not heard. */
TEST(concat_in_time) {
  CHECK_MARBLES(rac_signal_concat(a, b), "-1|", "-7-8|", "-1-8|");
  CHECK_MARBLES(rac_signal_concat(a, b), "-1#7", "-7-8|", "-1#7");
  CHECK_MARBLES(rac_signal_concat(a, b), "", "---8|", "");
  CHECK_MARBLES(rac_signal_concat(a, b), "-|", "--#5", "--#5");
}

TEST(concat_of_many) {
  CHECK_ARRAY(rac_signal_concat_all, "0 1 2 3 |", "0 |", "|", "1 2 |", "3 |");
  CHECK_ARRAY(rac_signal_concat_all, "0 |", "0 |");
  CHECK_ARRAY(rac_signal_concat_all, "0 1 #5", "0 |", "1 #5", "2 |");
}

TEST(disposing_a_concat_disposes_the_one_that_is_running) {
  source first = {0}, second = {0};
  owned rac_signal *a = cold("1 |", &first), *b = cold("2", &second);
  owned rac_signal *s = rac_signal_concat(a, b);
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "1 2");
  CHECK_INT(first.disposed, 1);
  CHECK_INT(second.disposed, 0);
  finish(&r);
  CHECK_INT(second.disposed, 1);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-003, signal-004, signal-005: two, three, and an empty one between */
TEST(concat_sends_one_stream_after_the_other) {
  owned rac_signal *empty = rac_signal_empty();
  owned rac_signal *one = rac_signal_return(I(1)),
                   *two = rac_signal_return(I(2));
  rac_signal *s = rac_signal_return(I(0));
  APPLY(s, concat, one);
  rac_retain(s);
  CHECK_SIGNAL(s, "0 1 |");
  APPLY(s, concat, two);
  CHECK_SIGNAL(s, "0 1 2 |");
  s = rac_signal_return(I(0));
  APPLY(s, concat, empty);
  APPLY(s, concat, two);
  CHECK_SIGNAL(s, "0 2 |");
}

/* An error of the first ends the whole; the second is not subscribed to. */
TEST(concat_passes_an_error_and_stops) {
  source counts = {0};
  owned rac_signal *next = cold("2 |", &counts);
  rac_signal *s = cold("1 #5", NULL);
  APPLY(s, concat, next);
  CHECK_SIGNAL(s, "1 #5");
  CHECK_INT(counts.subscribed, 0);
}

/* RAC 2.5 lost the second subscription when the first ended at once. */
TEST(concat_disposes_what_follows_a_stream_that_ended_at_once) {
  source counts = {0};
  owned rac_signal *next = cold("2", &counts);
  rac_signal *s = rac_signal_return(I(1));
  APPLY(s, concat, next);
  CHECK_SIGNAL(s, "1 2");
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 1);
}

/* signal-044: empty ones first, last and between */
TEST(concat_all_of_many) {
  static const char *const scripts[] = {"|",   "0 |", "1 2 |", "|",   "|",
                                        "3 |", "4 |", "5 6 |", "7 |", "|"};
  enum { COUNT = sizeof scripts / sizeof *scripts };
  rac_signal *signals[COUNT];
  for (int i = 0; i < COUNT; i++) signals[i] = cold(scripts[i], NULL);
  rac_signal *s = rac_signal_concat_all(signals, COUNT);
  release_all(signals, COUNT);
  memset(signals, 0xFF, sizeof signals);
  CHECK_SIGNAL(s, "0 1 2 3 4 5 6 7 |");
}

TEST(concat_all_of_none_is_empty) {
  CHECK_SIGNAL(rac_signal_concat_all(NULL, 0), "|");
}

/* An error ends it; what follows is not subscribed to. */
TEST(concat_all_stops_at_an_error) {
  source counts = {0};
  rac_signal *signals[] = {cold("1 #4", NULL), cold("2 |", &counts)};
  CHECK_SIGNAL(rac_signal_concat_all(signals, 2), "1 #4");
  CHECK_INT(counts.subscribed, 0);
  release_all(signals, 2);
}

/* signal-233, signal-234: of two, also when the first is over before subscribing
 * has returned; RAC 2.5 lost the second one then */
TEST(disposing_a_concat_of_two_after_a_first_that_ended_at_once) {
  source counts = {0};
  owned rac_signal *s = cold("1 |", NULL), *second = cold("2", &counts);
  APPLY(s, concat, second);
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "1 2");
  finish(&r);
  CHECK_INT(counts.disposed, 1);
}
