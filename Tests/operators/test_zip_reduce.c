/* rac_signal_zip_reduce: the values that belong together made into one. */
#include "pairs.h"
#include "stage.h"
#include "streams.h"
#include "three.h"

TEST(zip_reduce_takes_the_values_that_belong_together) {
  three t = {0};
  rac_subject **subjects = start_three(&t);
  rac_signal *s = rac_signal_zip_reduce(signals_of(&t), 3, CALLBACK(join));
  record(s, &t.heard);
  play(subjects[0], "1 2 3");
  play(subjects[1], "1");
  play(subjects[2], "1 2");
  CHECK_EVENTS(&t.heard, "111");
  play(subjects[1], "2 3 4 |");
  CHECK_EVENTS(&t.heard, "111 222");
  play(subjects[2], "3 4 5 #7");
  CHECK_EVENTS(&t.heard, "111 222 333 #7");
  play(subjects[0], "4");
  rac_release(s);
  end_three(&t);
}

TEST(a_failing_zip_reduce_ends_the_stream) {
  owned rac_signal *a = cold("1 9 3 |", NULL), *b = cold("1 2 3 |", NULL);
  rac_signal *both[] = {a, b};
  CHECK_SIGNAL(rac_signal_zip_reduce(both, 2, CALLBACK(join)), "11 #-90");
}

TEST(the_same_signal_at_several_places) {
  owned rac_signal *a = cold("1 2 |", NULL), *b = cold("7 8 |", NULL);
  rac_signal *six[] = {a, b, a, a, b, a};
  CHECK_SIGNAL(rac_signal_zip_reduce(six, 6, CALLBACK(join)),
               "171171 282282 |");
}

/* ---- What RAC's specs demand --------------------------------------------- */

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
  owned rac_signal *a = words("Ada Bob"), *b = words("eats cooks"),
                   *c = words("fish bear");
  rac_signal *const signals[] = {a, b, b, c, a, c};
  rac_signal *s = rac_signal_zip_reduce(signals, 6, CALLBACK_FOR(".", joined));
  CHECK_SIGNAL(s,
               "Ada.eats.eats.fish.Ada.fish Bob.cooks.cooks.bear.Bob.bear |");
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

/* signal-219 */
TEST(zip_of_three_that_send_at_their_own_pace) {
  STAGE(t);
  rac_signal *parts[] = {as_signal(t.a), as_signal(t.b), as_signal(t.c)};
  stage_hear(&t, rac_signal_zip_reduce(parts, 3, CALLBACK(join)));
  play(t.a, "1 2 3");
  play(t.b, "1");
  play(t.c, "1 2");
  CHECK_EVENTS(&t.heard, "111");
  play(t.b, "2 3 4 |");
  CHECK_EVENTS(&t.heard, "111 222");
  play(t.c, "3 4 5 #7");
  CHECK_EVENTS(&t.heard, "111 222 333 #7");
  play(t.a, "4 5");
  CHECK_EVENTS(&t.heard, "111 222 333 #7");
}

/* signal-220 */
TEST(a_signal_zipped_with_itself_is_subscribed_to_twice) {
  source counts = {0};
  owned rac_signal *s = cold("1 |", &counts);
  rac_signal *twice[] = {s, s};
  CHECK_SIGNAL(rac_signal_zip_reduce(twice, 2, CALLBACK(join)), "11 |");
  CHECK_INT(counts.subscribed, 2);
}
