/* What RAC's specs demand of -concat without an argument: what a signal of signals
 * sends, one after the other. It is rac_signal_flatten(1). */
#include "shared_callbacks.h"
#include "stage.h"

/* The signals come through a replay subject. */
static void hear_concat(stage *self) {
  stage_open(self);
  RAC_ASSIGN(self->d, rac_replay_subject_create(RAC_REPLAY_UNLIMITED));
}

static rac_signal *concat(stage *self) {
  return rac_signal_flatten(as_signal(self->d), 1);
}

/* signal-229 */
TEST(concat_sends_one_signal_after_the_other) {
  closed_stage t;
  hear_concat(&t);
  give_signal(t.d, rac_signal_return(I(1)));
  give_signal(t.d, rac_signal_return(I(2)));
  give_signal(t.d, rac_signal_empty());
  give_signal(t.d, rac_signal_return(I(3)));
  stage_hear(&t, concat(&t));
  CHECK_EVENTS(&t.heard, "1 2 3");
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "1 2 3 |");
}

/* signal-230: the source has completed, a signal it sent has not */
TEST(concat_waits_for_the_last_signal) {
  closed_stage t;
  hear_concat(&t);
  rac_subject *inner = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  give_signal(t.d, rac_signal_return(I(1)));
  send_signal(t.d, inner);
  play(t.d, "|");
  rac_signal *s = concat(&t);
  rac_value all = rac_value_nil();
  CHECK_STATUS(rac_signal_to_array(s, 0, &all), RAC_ETIMEDOUT);
  stage_hear(&t, s);
  CHECK_EVENTS(&t.heard, "1");
  play(inner, "2 |");
  CHECK_EVENTS(&t.heard, "1 2 |");
  CHECK_STATUS(rac_signal_to_array(s, 0, &all), RAC_OK);
  CHECK_INT(rac_tuple_count(all), 2);
  rac_value_release(all);
  rac_release(inner);
}

/* signal-231: those after it are left alone */
TEST(concat_fails_with_a_signal) {
  source counts = {0};
  closed_stage t;
  hear_concat(&t);
  give_signal(t.d, rac_signal_return(I(1)));
  give_signal(t.d, cold("2 #7", NULL));
  give_signal(t.d, cold("3 |", &counts));
  stage_hear(&t, concat(&t));
  CHECK_EVENTS(&t.heard, "1 2 #7");
  CHECK_INT(counts.subscribed, 0);
}

/* signal-232 */
TEST(concat_of_signals_that_come_and_send_later) {
  closed_stage t;
  hear_concat(&t);
  give_signal(t.d, rac_signal_return(I(1)));
  stage_hear(&t, concat(&t));
  CHECK_EVENTS(&t.heard, "1");
  atomic_int completed = 0;
  rac_signal *late = rac_signal_return(I(2));
  APPLY(late, delay, 0, NULL);
  APPLY(late, do_completed, CALLBACK_FOR(&completed, count_up));
  give_signal(t.d, late);
  CHECK_EVENTS(&t.heard, "1");
  RUN_MAIN_UNTIL(atomic_load(&completed) == 1);
  CHECK_EVENTS(&t.heard, "1 2");
  give_signal(t.d, rac_signal_return(I(3)));
  CHECK_EVENTS(&t.heard, "1 2 3");
}

/* signal-233: the first, which came at once */
TEST(disposing_a_concat_disposes_the_signal_that_is_running) {
  source counts = {0};
  closed_stage t;
  hear_concat(&t);
  stage_hear(&t, concat(&t));
  give_signal(t.d, cold("1", &counts));
  CHECK_INT(counts.disposed, 0);
  rac_dispose(t.heard.subscription);
  CHECK_INT(counts.disposed, 1);
}

/* signal-234: a later one, which had to wait */
TEST(disposing_a_concat_disposes_a_later_signal) {
  source counts = {0};
  closed_stage t;
  hear_concat(&t);
  stage_hear(&t, concat(&t));
  send_signal(t.d, t.a);
  give_signal(t.d, cold("1", &counts));
  CHECK_INT(counts.subscribed, 0);
  play(t.a, "|");
  CHECK_INT(counts.subscribed, 1);
  rac_dispose(t.heard.subscription);
  CHECK_INT(counts.disposed, 1);
}
