/* rac_signal_deliver_on_main: events on the main thread, at once where that is so
 * already. The tests run on it. */
#include "shared_callbacks.h"
#include "stage.h"

typedef struct sent {
  rac_subject *subject;
  recorder heard;
} sent;

static void begin(sent *self) {
  self->subject = rac_subject_create();
  owned rac_signal *s = rac_signal_deliver_on_main(as_signal(self->subject));
  record(s, &self->heard);
}

static void end(sent *self) {
  rac_main_drain(0);
  finish(&self->heard);
  rac_release(self->subject);
}

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

TEST(an_event_from_inside_an_event_is_queued) {
  for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
    sent t = {.heard = {.on_next = send_next_number}};
    begin(&t);
    t.heard.user = t.subject;
    if (elsewhere) {
      play_elsewhere(t.subject, "1");
    } else {
      play(t.subject, "1");
    }
    for (int i = 0; i < 5; i++) rac_main_drain(0);
    CHECK_EVENTS(&t.heard, "1 2 3");
    end(&t);
  }
}

static void *send_and_complete(void *context) {
  sent *self = context;
  for (int64_t i = check_scaled(20000); i > 0; i--)
    rac_subject_send(self->subject, I(i));
  return NULL;
}

TEST(events_of_both_sides_at_once) {
  sent t = {0};
  begin(&t);
  pthread_t thread = check_spawn(send_and_complete, &t);
  for (int64_t i = check_scaled(20000); i > 0; i--) {
    rac_subject_send(t.subject, I(-i));
    if (i % 64 == 0) rac_main_drain(0);
  }
  check_join(thread);
  WAIT_UNTIL((rac_main_drain(0),
              atomic_load(&t.heard.nexts) == 2 * check_scaled(20000)));
  end(&t);
}

static void *send_two(void *subject) {
  play(subject, "1 2");
  return NULL;
}

TEST(a_source_is_let_go_before_its_end_reaches_the_main_thread) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_take(as_signal(subject), 1);
  APPLY0(s, deliver_on_main);
  recorder r = {0};
  record(s, &r);
  check_join(check_spawn(send_two, subject));
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  CHECK_EVENTS(&r, "");
  rac_main_run_for(0);
  await_end(&r);
  CHECK_EVENTS(&r, "1 |");
}

/* ---- What RAC's specs demand --------------------------------------------- */

static void hear_on_main(stage *self) {
  stage_open(self);
  stage_hear(self, rac_signal_deliver_on_main(as_signal(self->a)));
}

/* signal-269 */
TEST(events_of_the_main_thread_are_delivered_at_once) {
  closed_stage t;
  hear_on_main(&t);
  play(t.a, "1");
  CHECK_EVENTS(&t.heard, "1");
  play(t.a, "2");
  CHECK_EVENTS(&t.heard, "1 2");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "1 2 |");
}

static void send_three_more(recorder *self, rac_value value) {
  if (value.bits < 4) rac_subject_send(self->user, I(value.bits + 1));
}

/* signal-269: one after another, also those sent from inside one */
TEST(events_sent_from_inside_an_event_do_not_nest) {
  STAGE(t);
  t.heard.on_next = send_three_more;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_deliver_on_main(as_signal(t.a)));
  play(t.a, "1");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.nexts) == 4);
  CHECK_EVENTS(&t.heard, "1 2 3 4");
}

/* signal-270 */
TEST(events_of_another_thread_wait_for_the_main_scheduler) {
  closed_stage t;
  hear_on_main(&t);
  play_elsewhere(t.a, "1 2 3 |");
  CHECK_EVENTS(&t.heard, "");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.ends) == 1);
  CHECK_EVENTS(&t.heard, "1 2 3 |");
}

/* signal-271 */
TEST(events_of_the_main_thread_queue_behind_one_that_waits) {
  closed_stage t;
  hear_on_main(&t);
  play_elsewhere(t.a, "0");
  play(t.a, "1 2");
  CHECK_EVENTS(&t.heard, "");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.nexts) == 3);
  CHECK_EVENTS(&t.heard, "0 1 2");
  /* Now nothing waits any more. */
  play(t.a, "3");
  CHECK_EVENTS(&t.heard, "0 1 2 3");
  play_elsewhere(t.a, "4 #5");
  CHECK_EVENTS(&t.heard, "0 1 2 3");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.ends) == 1);
  CHECK_EVENTS(&t.heard, "0 1 2 3 4 #5");
}

/* signal-270: what waits is dropped by a disposal */
TEST(events_that_wait_do_not_come_after_a_disposal) {
  closed_stage t;
  hear_on_main(&t);
  play_elsewhere(t.a, "1 2");
  rac_dispose(t.heard.subscription);
  for (int i = 0; i < 3; i++) rac_main_drain(0);
  CHECK_EVENTS(&t.heard, "");
}
