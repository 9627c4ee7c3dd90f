/* What signals share with other streams: the operators that take several,
 * zip and concat. */
#include "streams.h"

static void release_all(rac_signal **signals, size_t count) {
  while (count > 0) rac_release(signals[--count]);
}

/* ---- zipWith ------------------------------------------------------------ */

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
  rac_scheduler *clock = rac_scheduler_virtual();
  rac_signal *slow = rac_signal_interval(clock, 2);
  rac_signal *fast = rac_signal_interval(clock, 1);
  rac_signal *s = rac_signal_zip_with(slow, fast);
  APPLY(s, take, 2);
  recorder r = {.clock = clock};
  record(s, &r);
  rac_virtual_advance_to(clock, 9);
  CHECK_EVENTS(&r, "2:(0,0) 4:(1,1) 4:|");
  await_end(&r);
  rac_release(s);
  rac_release(fast);
  rac_release(slow);
  rac_release(clock);
}

/* An error does not wait for the values before it. */
TEST(zip_with_passes_an_error_at_once) {
  check_zip_with(__LINE__, cold("1 2 !4", NULL), cold("7", NULL), "!4");
  check_zip_with(__LINE__, cold("1", NULL), cold("7 8 !4", NULL), "(1,7) !4");
}

/* ---- zip with reduce ---------------------------------------------------- */

/* signal-035 */
TEST(zip_reduce_of_three) {
  rac_signal *signals[] = {words("Ada Bob Dea"), words("eats cooks jumps"),
                           words("fish bear rock")};
  rac_signal *s = rac_signal_zip_reduce(signals, 3, CALLBACK_FOR(" ", joined));
  CHECK_SIGNAL(s, "Ada eats fish Bob cooks bear Dea jumps rock |");
  s = rac_signal_zip_reduce(signals, 3, CALLBACK_FOR("+", joined));
  APPLY(s, skip, 2);
  CHECK_SIGNAL(s, "Dea+jumps+rock |");
  release_all(signals, 3);
}

/* signal-036 */
TEST(zip_reduce_of_four_stops_with_the_shortest) {
  rac_signal *signals[] = {words("Ada Bob Dea"), words("eats cooks jumps"),
                           words("fish bear rock"), words("today yesterday")};
  rac_signal *s = rac_signal_zip_reduce(signals, 4, CALLBACK_FOR("-", joined));
  CHECK_SIGNAL(s, "Ada-eats-fish-today Bob-cooks-bear-yesterday |");
  release_all(signals, 4);
}

/* signal-038: the same signals at several positions */
TEST(zip_reduce_keeps_the_positions_of_repeated_signals) {
  rac_signal *a = words("Ada Bob"), *b = words("eats cooks"),
             *c = words("fish bear");
  rac_signal *const signals[] = {a, b, b, c, a, c};
  rac_signal *s = rac_signal_zip_reduce(signals, 6, CALLBACK_FOR(".", joined));
  CHECK_SIGNAL(s,
               "Ada.eats.eats.fish.Ada.fish Bob.cooks.cooks.bear.Bob.bear |");
  rac_release(c);
  rac_release(b);
  rac_release(a);
}

/* The endless one is stopped as soon as the others have nothing left. */
TEST(zip_reduce_ends_an_endless_stream) {
  progression numbers = {5, 1, {0}};
  rac_signal *signals[] = {words("a b c"), words("x y"), endless(&numbers)};
  rac_signal *s = rac_signal_zip_reduce(signals, 3, CALLBACK_FOR("", joined));
  CHECK_SIGNAL(s, "ax5 by6 |");
  CHECK_INT(numbers.counts.disposed, 1);
  release_all(signals, 3);
}

/* nil is an element like others. */
TEST(zip_reduce_is_given_nils) {
  rac_signal *signals[] = {cold("nil 1 |", NULL), cold("2 nil |", NULL)};
  rac_signal *s = rac_signal_zip_reduce(signals, 2, CALLBACK_FOR("+", joined));
  CHECK_SIGNAL(s, "nil+2 1+nil |");
  release_all(signals, 2);
}

/* ---- zip of a list ------------------------------------------------------ */

/* signal-039 */
TEST(zip_of_one_makes_tuples_of_one) {
  rac_signal *one = cold("1 2 |", NULL);
  CHECK_SIGNAL(rac_signal_zip(&one, 1), "(1) (2) |");
  rac_release(one);
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

/* ---- concat of a list --------------------------------------------------- */

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
  rac_signal *signals[] = {cold("1 !4", NULL), cold("2 |", &counts)};
  CHECK_SIGNAL(rac_signal_concat_all(signals, 2), "1 !4");
  CHECK_INT(counts.subscribed, 0);
  release_all(signals, 2);
}
