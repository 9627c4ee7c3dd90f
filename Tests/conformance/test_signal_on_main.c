/* -deliverOnMainThread: the tests run on the main thread, where the main
 * scheduler runs when it is told to. */
#include "stage.h"

typedef struct message {
  rac_subject *subject;
  const char *script;
} message;

static void *play_message(void *context) {
  message *self = context;
  play(self->subject, self->script);
  return NULL;
}

static void play_elsewhere(rac_subject *subject, const char *script) {
  message message = {subject, script};
  check_join(check_spawn(play_message, &message));
}

static void hear_on_main(stage *self) {
  stage_open(self);
  stage_hear(self, rac_signal_deliver_on_main(as_signal(self->a)));
}

/* signal-269 */
TEST(events_of_the_main_thread_are_delivered_at_once) {
  stage t;
  hear_on_main(&t);
  play(t.a, "1");
  CHECK_EVENTS(&t.heard, "1");
  play(t.a, "2");
  CHECK_EVENTS(&t.heard, "1 2");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "1 2 |");
  stage_close(&t);
}

static void send_three_more(recorder *self, rac_value value) {
  if (value.bits < 4) rac_subject_send(self->user, I(value.bits + 1));
}

/* signal-269: one after another, also those sent from inside one */
TEST(events_sent_from_inside_an_event_do_not_nest) {
  stage t;
  stage_open(&t);
  t.heard.on_next = send_three_more;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_deliver_on_main(as_signal(t.a)));
  play(t.a, "1");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.nexts) == 4);
  CHECK_EVENTS(&t.heard, "1 2 3 4");
  stage_close(&t);
}

/* signal-270 */
TEST(events_of_another_thread_wait_for_the_main_scheduler) {
  stage t;
  hear_on_main(&t);
  play_elsewhere(t.a, "1 2 3 |");
  CHECK_EVENTS(&t.heard, "");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.ends) == 1);
  CHECK_EVENTS(&t.heard, "1 2 3 |");
  stage_close(&t);
}

/* signal-271 */
TEST(events_of_the_main_thread_queue_behind_one_that_waits) {
  stage t;
  hear_on_main(&t);
  play_elsewhere(t.a, "0");
  play(t.a, "1 2");
  CHECK_EVENTS(&t.heard, "");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.nexts) == 3);
  CHECK_EVENTS(&t.heard, "0 1 2");
  /* Now nothing waits any more. */
  play(t.a, "3");
  CHECK_EVENTS(&t.heard, "0 1 2 3");
  stage_close(&t);
}

/* signal-270: what waits is dropped by a disposal */
TEST(events_that_wait_do_not_come_after_a_disposal) {
  stage t;
  hear_on_main(&t);
  play_elsewhere(t.a, "1 2");
  rac_dispose(t.heard.subscription);
  for (int i = 0; i < 3; i++) rac_main_drain(0);
  CHECK_EVENTS(&t.heard, "");
  stage_close(&t);
}
