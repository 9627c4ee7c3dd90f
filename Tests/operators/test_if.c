/* rac_signal_if: truth values choose which of two signals is heard. */
#include "stage.h"

static void hear_if(stage *self) {
  stage_open(self);
  stage_hear(self, rac_signal_if(as_signal(self->d), as_signal(self->a),
                                 as_signal(self->b)));
}

TEST(if_sends_what_the_chosen_signal_sends) {
  closed_stage t;
  hear_if(&t);
  play(t.a, "1");
  play(t.d, "1");
  play(t.a, "2 3");
  play(t.b, "7");
  play(t.d, "0");
  play(t.a, "4 #5");
  play(t.b, "8 #6");
  CHECK_EVENTS(&t.heard, "2 3 8 #6");
  CHECK_INT(rac_subject_subscriber_count(t.d), 0);
}

TEST(if_wants_truth_values) {
  closed_stage t;
  hear_if(&t);
  play(t.d, "1 nil");
  CHECK_EVENTS(&t.heard, "#-5004");
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
}

/* ---- What RAC's specs demand: d sends truth values ----------------------- */

static void send_truth(stage *self, bool truth) {
  rac_subject_send(self->d, rac_value_bool(truth));
}

/* signal-163 */
TEST(if_hears_the_one_or_the_other) {
  closed_stage t;
  hear_if(&t);
  play(t.a, "8");
  send_truth(&t, true);
  play(t.a, "1");
  play(t.b, "9");
  play(t.a, "2");
  send_truth(&t, false);
  play(t.a, "8");
  play(t.b, "3");
  play(t.a, "#4");
  CHECK_EVENTS(&t.heard, "1 2 3");
  play(t.b, "#5");
  CHECK_EVENTS(&t.heard, "1 2 3 #5");
}

/* signal-164, signal-165 */
TEST(if_completes_with_the_condition_and_the_chosen_signal) {
  for (int order = 0; order < 2; order++) {
    closed_stage t;
    hear_if(&t);
    send_truth(&t, true);
    play(order ? t.a : t.d, "|");
    CHECK_EVENTS(&t.heard, "");
    play(order ? t.d : t.a, "|");
    CHECK_EVENTS(&t.heard, "|");
  }
}

/* signal-163: an error of the condition is the error */
TEST(an_error_of_the_condition) {
  closed_stage t;
  hear_if(&t);
  send_truth(&t, true);
  play(t.d, "#7");
  CHECK_EVENTS(&t.heard, "#7");
}
