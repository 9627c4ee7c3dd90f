/* rac_signal_flatten: the signals that are sent, all at once or so many at a time.
 * d sends them. */
#include "stage.h"

/* d sends the signals. */
static void hear_flatten(stage *self, size_t limit) {
  stage_open(self);
  stage_hear(self, rac_signal_flatten(as_signal(self->d), limit));
}

TEST(flatten_without_a_limit_subscribes_at_once) {
  closed_stage t;
  hear_flatten(&t, 0);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
  CHECK_INT(rac_subject_subscriber_count(t.a), 1);
  CHECK_INT(rac_subject_subscriber_count(t.b), 1);
  play(t.a, "1");
  play(t.b, "2");
  send_signal(t.d, t.c);
  play(t.c, "3");
  CHECK_EVENTS(&t.heard, "1 2 3");
  play(t.d, "|");
  play(t.a, "|");
  play(t.b, "|");
  CHECK_EVENTS(&t.heard, "1 2 3");
  play(t.c, "|");
  CHECK_EVENTS(&t.heard, "1 2 3 |");
}

TEST(flatten_in_time) {
  static const struct {
    size_t limit;
    const char *signals, *expected;
  } cases[] = {{0, "a@1 b@1 |@2", "--172--8|"},
               {0, "a@1 c@1 |@2", "--1-2#5"},
               {0, "nil@1 |@2", "--|"},
               {2, "a@1 b@1 |@2", "--172--8|"},
               /* b is hot: what it sends while it waits is not heard. */
               {1, "a@1 b@1 |@2", "--1-2--8|"},
               {1, "a@1 c@1 |@2", "--1-2"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_MARBLES(rac_signal_flatten(d, cases[i].limit), "--1-2-|", "---7---8|",
                  "-----#5", cases[i].signals, cases[i].expected);
}

TEST(flatten_with_a_limit_lets_the_others_wait) {
  closed_stage t;
  hear_flatten(&t, 1);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
  send_signal(t.d, t.c);
  CHECK_INT(rac_subject_subscriber_count(t.a), 1);
  CHECK_INT(rac_subject_subscriber_count(t.b), 0);
  play(t.b, "0");
  play(t.a, "1");
  play(t.d, "|");
  CHECK_INT(rac_subject_subscriber_count(t.b), 0);
  play(t.a, "|");
  CHECK_INT(rac_subject_subscriber_count(t.b), 1);
  CHECK_INT(rac_subject_subscriber_count(t.c), 0);
  play(t.b, "2 |");
  play(t.c, "3");
  CHECK_EVENTS(&t.heard, "1 2 3");
  play(t.c, "|");
  CHECK_EVENTS(&t.heard, "1 2 3 |");
}

TEST(a_limit_of_two) {
  closed_stage t;
  hear_flatten(&t, 2);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
  send_signal(t.d, t.c);
  CHECK_INT(rac_subject_subscriber_count(t.c), 0);
  play(t.b, "|");
  CHECK_INT(rac_subject_subscriber_count(t.c), 1);
}

TEST(constants_that_waited_are_all_started) {
  closed_stage t;
  hear_flatten(&t, 2);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
  for (int i = 1; i <= 3; i++) {
    owned rac_signal *constant = rac_signal_return(I(i));
    owned_value value = rac_value_signal(constant);
    rac_subject_send(t.d, value);
  }
  send_signal(t.d, t.c);
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "1 2 3");
  CHECK_INT(rac_subject_subscriber_count(t.c), 1);
}

TEST(signals_of_one_value_all_get_their_turn) {
  closed_stage t;
  hear_flatten(&t, 1);
  send_signal(t.d, t.a);
  for (int i = 1; i <= 3; i++) give_signal(t.d, rac_signal_return(I(i)));
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "1 2 3 |");
}

TEST(errors_end_a_flatten) {
  for (int which = 0; which < 2; which++) {
    closed_stage t;
    hear_flatten(&t, which);
    send_signal(t.d, t.a);
    send_signal(t.d, t.b);
    play(which ? t.d : t.a, "#3");
    CHECK_EVENTS(&t.heard, "#3");
  }
}

TEST(disposing_a_flatten_drops_those_that_wait) {
  closed_stage t;
  hear_flatten(&t, 1);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
}

TEST(nil_counts_as_an_empty_signal_and_others_fail) {
  closed_stage t;
  hear_flatten(&t, 0);
  play(t.d, "nil");
  send_signal(t.d, t.a);
  play(t.a, "1");
  CHECK_EVENTS(&t.heard, "1");
  play(t.d, "5");
  CHECK_INT(t.heard.ends, 1);
  CHECK(strncmp(t.heard.text, "1 #", 3) == 0);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-141 */
TEST(flatten_without_a_limit_subscribes_to_all_at_once) {
  closed_stage t;
  hear_flatten(&t, 0);
  CHECK_INT(LISTENERS(t.a) + LISTENERS(t.b) + LISTENERS(t.c), 0);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
  CHECK_INT(LISTENERS(t.a), 1);
  CHECK_INT(LISTENERS(t.b), 1);
  CHECK_INT(LISTENERS(t.c), 0);
  play(t.a, "1");
  play(t.b, "2");
  send_signal(t.d, t.c);
  CHECK_INT(LISTENERS(t.c), 1);
  play(t.c, "3");
  CHECK_EVENTS(&t.heard, "1 2 3");
}

/* signal-142, signal-144: with and without a limit, the last of the source and
 * of all signals it sent is the end, those that wait included */
TEST(flatten_completes_with_the_source_and_all_it_sent) {
  for (size_t limit = 0; limit < 2; limit++) {
    closed_stage t;
    hear_flatten(&t, limit);
    send_signal(t.d, t.a);
    play(t.a, "|");
    CHECK_EVENTS(&t.heard, "");
    send_signal(t.d, t.b);
    send_signal(t.d, t.c);
    play(t.d, "|");
    CHECK_EVENTS(&t.heard, "");
    play(t.b, "|");
    CHECK_EVENTS(&t.heard, "");
    play(t.c, "|");
    CHECK_EVENTS(&t.heard, "|");
  }
}

/* signal-143 */
TEST(flatten_of_one_at_a_time_keeps_the_order) {
  closed_stage t;
  hear_flatten(&t, 1);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
  send_signal(t.d, t.c);
  play(t.a, "1");
  play(t.d, "|");
  CHECK_INT(LISTENERS(t.a), 1);
  CHECK_INT(LISTENERS(t.b) + LISTENERS(t.c), 0);
  play(t.a, "|");
  CHECK_INT(LISTENERS(t.b), 1);
  CHECK_INT(LISTENERS(t.c), 0);
  play(t.b, "2 |");
  CHECK_INT(LISTENERS(t.c), 1);
  play(t.c, "3");
  CHECK_EVENTS(&t.heard, "1 2 3");
}

/* signal-141, signal-143: nil is passed over, also where there is a limit; an
 * error drops what waits */
TEST(flatten_passes_over_nil_and_fails_at_once) {
  for (size_t limit = 0; limit < 3; limit++) {
    closed_stage t;
    hear_flatten(&t, limit);
    play(t.d, "nil nil");
    send_signal(t.d, t.a);
    send_signal(t.d, t.b);
    play(t.a, "1 #2");
    CHECK_EVENTS(&t.heard, "1 #2");
    CHECK_INT(LISTENERS(t.b), 0);
  }
}

/* signal-006 */
TEST(flatten_sends_what_the_stream_in_a_stream_sends) {
  owned rac_signal *inner = rac_signal_return(I(7));
  owned_value value = rac_value_signal(inner);
  rac_signal *s = rac_signal_return(value);
  APPLY(s, flatten, 0);
  CHECK_SIGNAL(s, "7 |");
}
