/* What RAC's specs demand of rac_signal_flatten where it ends from inside: by an
 * inner signal, its completion, or its value. d sends the signals. */
#include "stage.h"

static void run_end(int how, stage *t) {
  if (how == 0) play(t->d, "|");
  if (how == 1) play(t->d, "#1");
  if (how == 2) rac_dispose(t->heard.subscription);
  rac_release(t->d); /* how 3: nobody can send any more */
}

/* signal-145: however it ends, nothing stays; RAC 2.5 leaked a flatten that was
 * disposed early */
TEST(a_flatten_that_has_ended_is_gone) {
  for (int how = 0; how < 4; how++) {
    uint64_t before = rac_live_objects();
    stage t = {.d = rac_subject_create()};
    stage_hear(&t, rac_signal_flatten(as_signal(t.d), 1));
    CHECK(rac_live_objects() > before);
    rac_release(t.result);
    run_end(how, &t);
    CHECK_INT(atomic_load(&t.heard.destroyed), 1);
    let_go(&t.heard);
    CHECK_INT(rac_live_objects(), before);
  }
}

/* d sends the signals. */
static void hear_flatten(stage *self, size_t limit) {
  stage_open(self);
  stage_hear(self, rac_signal_flatten(as_signal(self->d), limit));
}

static rac_status dispose_and_complete(void *context, rac_subscriber *to,
                                       rac_disposable **out) {
  (void)out;
  stage *t = context_target(context);
  CHECK_STATUS(rac_dispose(t->heard.subscription), RAC_OK);
  CHECK_STATUS(rac_subscriber_send_completed(to), RAC_EDONE);
  return RAC_OK;
}

/* signal-146 */
TEST(an_inner_signal_may_dispose_the_flatten_that_subscribes_to_it) {
  for (size_t limit = 0; limit < 2; limit++) {
    closed_stage t;
    hear_flatten(&t, limit);
    give_signal(t.d, rac_signal_create(CALLBACK_FOR(&t, dispose_and_complete)));
    CHECK_EVENTS(&t.heard, "");
    CHECK_INT(LISTENERS(t.d), 0);
  }
}

static rac_status complete_and_look(void *context, rac_subscriber *to,
                                    rac_disposable **out) {
  (void)out;
  stage *t = context_target(context);
  CHECK(!rac_is_disposed(t->heard.subscription));
  CHECK_STATUS(rac_subscriber_send_completed(to), RAC_OK);
  CHECK(rac_is_disposed(t->heard.subscription));
  return RAC_OK;
}

/* signal-147: the last completion has taken all of it down when its send
 * returns */
TEST(the_completion_of_the_last_inner_signal_is_synchronous) {
  closed_stage t;
  hear_flatten(&t, 1);
  send_signal(t.d, t.a);
  give_signal(t.d, rac_signal_create(CALLBACK_FOR(&t, complete_and_look)));
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "|");
}

static rac_status send_and_look(void *context, rac_subscriber *to,
                                rac_disposable **out) {
  (void)out;
  stage *t = context_target(context);
  CHECK(!rac_is_disposed(t->heard.subscription));
  CHECK_STATUS(rac_subscriber_send(to, I(1)), RAC_OK);
  CHECK(rac_is_disposed(t->heard.subscription));
  CHECK_STATUS(rac_subscriber_send_completed(to), RAC_EDONE);
  return RAC_OK;
}

static void say_done(recorder *self, rac_value value) {
  if (value.bits == 1) play(self->user, "0");
}

/* signal-148: its own value ends the flatten from below, over and over */
TEST(a_value_of_the_inner_signal_may_end_the_flatten) {
  for (int round = 0; round < 100; round++) {
    STAGE(t);
    t.heard.on_next = say_done;
    t.heard.user = t.b;
    rac_signal *s = rac_signal_flatten(as_signal(t.d), 1);
    APPLY(s, take_until, as_signal(t.b));
    stage_hear(&t, s);
    send_signal(t.d, t.a);
    give_signal(t.d, rac_signal_create(CALLBACK_FOR(&t, send_and_look)));
    play(t.d, "|");
    play(t.a, "|");
    CHECK_EVENTS(&t.heard, "1 |");
  }
}
