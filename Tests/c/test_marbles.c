/* Scripts with times: diagrams as lists, and what is played when. */
#include "stage.h"

static void check_list(int line, const char *script, const char *expected) {
  char list[200];
  list_marbles(script, list, sizeof list);
  check_text(__FILE__, line, script, list, expected);
}

TEST(a_character_of_a_diagram_is_a_second) {
  check_list(__LINE__, "--1--2--|", "1@2 2@5 |@8");
  check_list(__LINE__, "1", "1@0");
  check_list(__LINE__, "---", "");
  check_list(__LINE__, "", "");
}

TEST(what_stands_in_parentheses_comes_at_once) {
  check_list(__LINE__, "-(12)-#3", "1@1 2@1 #3@6");
  check_list(__LINE__, "(12|)", "1@0 2@0 |@0");
}

TEST(a_code_belongs_to_its_error) {
  check_list(__LINE__, "-1#22", "1@1 #22@2");
  check_list(__LINE__, "-#", "#@1");
  check_list(__LINE__, "-#--", "#@1");
  check_list(__LINE__, "-#-7", "#-7@1");
}

TEST(a_list_with_times_stays_as_it_is) {
  check_list(__LINE__, "-3@0.1 nil@2 |@3", "-3@0.1 nil@2 |@3");
}

TEST(events_are_played_at_their_times) {
  TIMED_STAGE(t);
  stage_hear(&t, rac_signal_skip(as_signal(t.a), 0));
  stage_play(&t, t.a, "-1@0.1 nil@2 #3@3");
  CHECK_EVENTS(&t.heard, "");
  rac_virtual_advance_to(t.v, 2);
  CHECK_EVENTS(&t.heard, "-1@0.1 nil@2");
  rac_virtual_advance_to(t.v, 9);
  CHECK_EVENTS(&t.heard, "-1@0.1 nil@2 #3@3");
}

TEST(letters_stand_for_signals) {
  CHECK_MARBLES(rac_signal_flatten(d, 0), "--1----|", "---2-|", "-",
                "a@1 b@1 |@1", "--12---|");
}
