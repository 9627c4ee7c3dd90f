/* Several signals at once, whether known from the start or sent: +merge: and
 * -flatten:. */
#include "stage.h"

/* ---- merge -------------------------------------------------------------- */

static void hear_merge(stage *self) {
  stage_open(self);
  rac_signal *both[] = {as_signal(self->a), as_signal(self->b)};
  stage_hear(self, rac_signal_merge(both, 2));
  both[0] = both[1] = NULL; /* the list is the caller's again */
}

/* signal-137: an error of either is the error of all, at once */
TEST(merge_fails_with_whichever_fails) {
  for (int which = 0; which < 2; which++) {
    stage t;
    hear_merge(&t);
    play(t.a, "1");
    play(t.b, "2");
    play(which ? t.b : t.a, "!7");
    play(which ? t.a : t.b, "3 |");
    CHECK_EVENTS(&t.heard, "1 2 !7");
    stage_close(&t);
  }
}

/* signal-138: in the order of arrival; the end of one is not the end */
TEST(merge_completes_when_all_have) {
  for (int first = 0; first < 2; first++) {
    stage t;
    hear_merge(&t);
    play(t.a, "1");
    play(t.b, "2 3");
    play(t.a, "4");
    play(first ? t.b : t.a, "|");
    CHECK_EVENTS(&t.heard, "1 2 3 4");
    play(first ? t.a : t.b, "5 |");
    CHECK_EVENTS(&t.heard, "1 2 3 4 5 |");
    stage_close(&t);
  }
}

/* signal-140: the list is read once, when the signal is made; every subscriber
 * gets all of it */
TEST(merge_serves_many_subscribers_from_a_list_given_once) {
  source counts = {0};
  rac_signal *parts[] = {cold("1 |", &counts), cold("2 |", &counts)};
  rac_signal *s = rac_signal_merge(parts, 2);
  for (int i = 0; i < 2; i++) rac_assign((void **)&parts[i], NULL);
  for (int i = 0; i < 3; i++) {
    rac_retain(s);
    CHECK_SIGNAL(s, "1 2 |");
  }
  CHECK_INT(counts.subscribed, 6);
  rac_release(s);
}

/* signal-137, signal-138: nothing is subscribed to after an early error; no
 * signals are complete */
TEST(merge_of_signals_that_end_at_once) {
  source counts = {0};
  rac_signal *parts[] = {cold("1 !2", NULL), cold("3 |", &counts)};
  CHECK_SIGNAL(rac_signal_merge(parts, 2), "1 !2");
  CHECK_INT(counts.subscribed, 0);
  CHECK_SIGNAL(rac_signal_merge(parts + 1, 1), "3 |");
  CHECK_SIGNAL(rac_signal_merge(NULL, 0), "|");
  for (int i = 0; i < 2; i++) rac_release(parts[i]);
}

/* ---- flatten ------------------------------------------------------------ */

/* d sends the signals. */
static void hear_flatten(stage *self, size_t limit) {
  stage_open(self);
  stage_hear(self, rac_signal_flatten(as_signal(self->d), limit));
}

/* signal-141 */
TEST(flatten_without_a_limit_subscribes_to_all_at_once) {
  stage t;
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
  stage_close(&t);
}

/* signal-142, signal-144: with and without a limit, the last of the source and
 * of all signals it sent is the end, those that wait included */
TEST(flatten_completes_with_the_source_and_all_it_sent) {
  for (size_t limit = 0; limit < 2; limit++) {
    stage t;
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
    stage_close(&t);
  }
}

/* signal-143 */
TEST(flatten_of_one_at_a_time_keeps_the_order) {
  stage t;
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
  stage_close(&t);
}

/* signal-141, signal-143: nil is passed over, also where there is a limit; an
 * error drops what waits */
TEST(flatten_passes_over_nil_and_fails_at_once) {
  for (size_t limit = 0; limit < 3; limit++) {
    stage t;
    hear_flatten(&t, limit);
    play(t.d, "nil nil");
    send_signal(t.d, t.a);
    send_signal(t.d, t.b);
    play(t.a, "1 !2");
    CHECK_EVENTS(&t.heard, "1 !2");
    CHECK_INT(LISTENERS(t.b), 0);
    stage_close(&t);
  }
}

static void run_end(int how, stage *t) {
  if (how == 0) play(t->d, "|");
  if (how == 1) play(t->d, "!1");
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
    stage t;
    hear_flatten(&t, limit);
    give_signal(t.d, rac_signal_create(CALLBACK_FOR(&t, dispose_and_complete)));
    CHECK_EVENTS(&t.heard, "");
    CHECK_INT(LISTENERS(t.d), 0);
    stage_close(&t);
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
  stage t;
  hear_flatten(&t, 1);
  send_signal(t.d, t.a);
  give_signal(t.d, rac_signal_create(CALLBACK_FOR(&t, complete_and_look)));
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "|");
  stage_close(&t);
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
    stage t;
    stage_open(&t);
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
    stage_close(&t);
  }
}
