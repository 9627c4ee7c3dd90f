/* rac_signal_materialize and rac_signal_dematerialize: events as values, and back. */
#include "stage.h"

TEST(materialize_makes_values_of_all_events) {
  static const char *const cases[][3] = {
      {"1 nil |", "<1> <nil> <|> |", "1 nil |"},
      {"1 #5", "<1> <#5> |", "1 #5"},
      {"|", "<|> |", "|"},
      {"#6", "<#6> |", "#6"},
      {"1", "<1>", "1"}};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, materialize);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    APPLY0(s, dematerialize);
    CHECK_SIGNAL(s, cases[i][2]);
  }
}

TEST(dematerialize_ends_at_the_first_end) {
  rac_value next = rac_value_event_next(I(1)), error = test_error(3);
  owned_value failure = rac_value_event_error(error);
  owned_value nil_failure = rac_value_event_error(rac_value_nil());
  rac_value lists[][3] = {{next, rac_value_event_completed(), next},
                          {next, failure, next},
                          {next, nil_failure, next},
                          {next, I(4), next},
                          {next, next, next}};
  const char *const expected[] = {"1 |", "1 #3", "1 #nil", "1 #-5004",
                                  "1 1 1 |"};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = rac_signal_from_values(lists[i], 3);
    APPLY0(s, dematerialize);
    CHECK_SIGNAL(s, expected[i]);
  }
  rac_value_release(next);
  rac_value_release(error);
}

TEST(materialize_of_a_take_completes_once) {
  rac_signal *s = cold("1 2 #3", NULL);
  APPLY0(s, materialize);
  APPLY(s, take, 3);
  CHECK_SIGNAL(s, "<1> <2> <#3> |");
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-245: the error is a value, and a completion follows it */
TEST(an_error_is_a_value_and_a_completion_follows) {
  static const char *const cases[][2] = {{"#7", "<#7> |"},
                                         {"1 #7", "<1> <#7> |"},
                                         {"1 nil |", "<1> <nil> <|> |"},
                                         {"1", "<1>"}};
  for (int i = 0; i < 4; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, materialize);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    APPLY0(s, dematerialize);
    CHECK_SIGNAL(s, cases[i][0]);
  }
}

/* Plays events to the operator: numbers, | and ! stand for event values. */
static void send_event(stage *t, const char *what) {
  rac_value error = test_error(7), event = rac_value_event_completed();
  if (*what == '#') event = rac_value_event_error(error);
  if (*what >= '0' && *what <= '9')
    event = rac_value_event_next(I(*what - '0'));
  rac_subject_send(t->a, event);
  rac_value_release(event);
  rac_value_release(error);
}

/* signal-246: the source's completion; signal-247: a completion that is a
 * value; signal-248: an error that is a value */
TEST(dematerialize_ends_with_the_first_end) {
  static const struct {
    const char *events, *expected;
  } cases[] = {{"12", "1 2"}, {"1|2", "1 |"}, {"#", "#7"}, {"1#2|", "1 #7"}};
  for (size_t i = 0; i < 4; i++) {
    STAGE(t);
    stage_hear(&t, rac_signal_dematerialize(as_signal(t.a)));
    for (const char *e = cases[i].events; *e; e++) send_event(&t, e);
    CHECK_EVENTS(&t.heard, cases[i].expected);
    play(t.a, "|");
    if (i == 0) CHECK_EVENTS(&t.heard, "1 2 |");
  }
}

/* signal-248: so a blocking read has no value, but the error */
TEST(the_first_value_of_a_dematerialized_error) {
  rac_value error = test_error(7), event = rac_value_event_error(error);
  owned rac_signal *s = rac_signal_return(event);
  APPLY0(s, dematerialize);
  owned_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(s, 5, &out), RAC_ESTREAM);
  CHECK(rac_value_equal(out, error));
  rac_value_release(event);
  rac_value_release(error);
}
