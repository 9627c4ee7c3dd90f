/* Operators about time and threads, on virtual time where time matters. */
#include "operators.h"

/* ---- delay -------------------------------------------------------------- */

static void check_timed(int line, rac_signal *(*operator)(rac_signal *, double),
                        double seconds, const char *const *events,
                        const char *expected) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *s = operator(as_signal(subject), seconds);
  recorder r = {.clock = v};
  record(s, &r);
  /* One event a second, from 1 on. */
  for (int i = 0; events[i]; i++) play_at(v, i + 1, subject, events[i]);
  rac_virtual_advance_to(v, 100);
  check_text(__FILE__, line, "the result", r.text, expected);
  finish(&r);
  rac_release(s);
  rac_release(subject);
  rac_release(v);
}
#define CHECK_TIMED(operator, seconds, expected, ...)                          \
  check_timed(__LINE__, operator, seconds,                                     \
              (const char *const[]){__VA_ARGS__, NULL}, expected)

TEST(delay_sends_values_and_the_completion_later) {
  CHECK_TIMED(rac_signal_delay, 0.5, "1.5:1 2.5:2 3.5:|", "1", "2", "|");
  CHECK_TIMED(rac_signal_delay, 10, "11:1 12:2 13:|", "1", "2", "|");
  CHECK_TIMED(rac_signal_delay, 0, "1:1 2:|", "1", "|");
  /* Values of one moment keep their order, and the completion is last. */
  CHECK_TIMED(rac_signal_delay, 1, "2:1 2:2 2:3 2:|", "1 2 3 |");
}

TEST(an_error_overtakes_what_is_delayed) {
  CHECK_TIMED(rac_signal_delay, 10, "2:!5", "1", "!5");
}

/* ---- delay and retry ------------------------------------------------------ */

typedef struct attempts {
  rac_scheduler *clock;
  int count;
  char times[100];
} attempts;

static rac_status fail_at_once(void *context, rac_subscriber *subscriber,
                               rac_disposable **out) {
  attempts *self = context_target(context);
  (void)out;
  size_t used = strlen(self->times);
  if (self->count++ < 8)
    snprintf(self->times + used, sizeof self->times - used, "%g ",
             rac_scheduler_now(self->clock));
  rac_value error = test_error(5);
  rac_subscriber_send_error(subscriber, error);
  rac_value_release(error);
  return RAC_OK;
}

/* What the header and docs/Debugging.md recommend. */
static rac_status fail_in_a_second(void *context, rac_value error,
                                   rac_signal **out) {
  (void)context_target(context);
  rac_signal *pause = rac_signal_empty(), *failure = rac_signal_error(error);
  APPLY(pause, delay, 1);
  *out = rac_signal_concat(pause, failure);
  rac_release(pause);
  rac_release(failure);
  return RAC_OK;
}

static void check_attempts(int line, bool waits, const char *times,
                           const char *events) {
  rac_scheduler *v = rac_scheduler_virtual();
  attempts a = {.clock = v};
  recorder r = {.clock = v};
  rac_signal *s = rac_signal_create(CALLBACK_FOR(&a, fail_at_once));
  if (waits)
    APPLY(s, catch, CALLBACK(fail_in_a_second));
  else
    APPLY(s, delay, 1);
  APPLY(s, retry, 3);
  APPLY(s, subscribe_on, v);
  record(s, &r);
  rac_virtual_advance_to(v, 100);
  CHECK_INT(a.count, 4);
  check_text(__FILE__, line, "the times", a.times, times);
  check_text(__FILE__, line, "the events", r.text, events);
  await_end(&r);
  rac_release(s);
  rac_release(v);
}

/* Law 16: the error overtakes the delay, so nothing waits. */
TEST(a_delay_makes_no_pause_between_tries) {
  check_attempts(__LINE__, false, "0 0 0 0 ", "0:!5");
}

TEST(an_error_that_waits_makes_a_pause_between_tries) {
  check_attempts(__LINE__, true, "0 1 2 3 ", "4:!5");
}

TEST(delay_of_nothing_is_still_later) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_delay(as_signal(subject), 0);
  recorder r = {0};
  record(s, &r);
  play_at(v, 0, subject, "1 |");
  rac_virtual_step(v);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(v);
  CHECK_EVENTS(&r, "1 |");
  await_end(&r);
  rac_release(s);
  rac_release(subject);
  rac_release(v);
}

TEST(disposing_a_delay_drops_what_it_holds) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_delay(as_signal(subject), 1);
  recorder r = {0};
  record(s, &r);
  uint64_t before = rac_live_objects();
  play_at(v, 0, subject, "1 2 3");
  rac_virtual_step(v);
  CHECK(rac_live_objects() > before);
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  /* The timers and what they hold go with the subscription, not later. */
  CHECK(rac_live_objects() <= before);
  rac_virtual_advance_to(v, 10);
  CHECK_EVENTS(&r, "");
  await_end(&r);
  rac_release(s);
  rac_release(subject);
  rac_release(v);
}

TEST(delay_without_a_current_scheduler_uses_a_background_one) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, delay, 0.001);
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  APPLY(s, subscribe_on, background);
  recorder r = {0};
  record(s, &r);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  await_end(&r);
  CHECK_EVENTS(&r, "1 2 |");
  rac_release(s);
  rac_release(background);
}

/* ---- throttle ----------------------------------------------------------- */

TEST(throttle_sends_what_nothing_followed) {
  CHECK_TIMED(rac_signal_throttle, 0.5, "1.5:1 2.5:2 3:|", "1", "2", "|");
  CHECK_TIMED(rac_signal_throttle, 5, "8:3", "1", "2", "3");
  CHECK_TIMED(rac_signal_throttle, 0.5, "1.5:3 2:|", "1 2 3", "|");
}

TEST(the_completion_sends_the_value_that_waits) {
  CHECK_TIMED(rac_signal_throttle, 5, "3:2 3:|", "1", "2", "|");
  CHECK_TIMED(rac_signal_throttle, 5, "1:|", "|");
}

TEST(an_error_drops_the_value_that_waits) {
  CHECK_TIMED(rac_signal_throttle, 5, "2:!3", "1", "!3");
}

TEST(a_value_sent_by_throttle_is_not_sent_again) {
  CHECK_TIMED(rac_signal_throttle, 0.1, "1.1:1 3:|", "1", "", "|");
}

TEST(disposing_a_throttle_drops_its_value) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_throttle(as_signal(subject), 1);
  recorder r = {0};
  record(s, &r);
  play_at(v, 0, subject, "1");
  rac_virtual_step(v);
  finish(&r);
  rac_virtual_advance_to(v, 10);
  CHECK_EVENTS(&r, "");
  rac_release(s);
  rac_release(subject);
  rac_release(v);
}

TEST(throttles_that_feed_a_take_do_not_deadlock) {
  /* RAC held its lock while it sent from the timer. */
  for (int round = 0; round < 50; round++) {
    rac_subject *subject = rac_subject_create();
    rac_signal *s = rac_signal_throttle(as_signal(subject), 0.0001);
    APPLY(s, take, 1);
    recorder r = {0};
    record(s, &r);
    rac_scheduler *background = rac_scheduler_background(0, NULL);
    play_at(background, 0, subject, "1");
    for (int i = 0; i < 20; i++)
      rac_release(rac_schedule_after(background, 0.0001, NULL, NULL, NULL));
    WAIT_UNTIL(atomic_load(&r.ends) == 1);
    await_end(&r);
    CHECK_EVENTS(&r, "1 |");
    rac_release(background);
    rac_release(s);
    rac_release(subject);
  }
}

/* ---- deliverOn ---------------------------------------------------------- */

TEST(deliver_on_sends_on_the_scheduler_in_order) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, deliver_on, v);
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(v);
  CHECK_EVENTS(&r, "1 2 3 |");
  await_end(&r);
  rac_assign((void **)&s, cold("1 !2", NULL));
  APPLY(s, deliver_on, v);
  recorder failing = {0};
  record(s, &failing);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&failing, "1 !2");
  await_end(&failing);
  rac_release(s);
  rac_release(v);
}

TEST(what_waits_in_deliver_on_is_dropped_by_a_disposal) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_deliver_on(as_signal(subject), v);
  recorder r = {0};
  record(s, &r);
  play(subject, "1 2");
  rac_virtual_step(v);
  rac_dispose(r.subscription);
  play(subject, "3");
  rac_virtual_step_all(v);
  CHECK(strcmp(r.text, "1") == 0 || strcmp(r.text, "1 2") == 0);
  await_end(&r);
  rac_release(s);
  rac_release(subject);
  rac_release(v);
}

/* ---- The source does not wait for the delivery of its end ----------------- */

static void check_let_go(int line, rac_signal *late, const source *counts,
                         rac_scheduler *v) {
  recorder r = {0};
  record(late, &r);
  check_int(__FILE__, line, "disposed", counts->disposed, 1);
  if (v != NULL) {
    rac_virtual_step_all(v);
    CHECK_EVENTS(&r, "1 2 |");
  }
  finish(&r);
  rac_release(late);
}

static rac_signal *two_of(source *counts) {
  rac_signal *s = cold("1 2 3", counts);
  APPLY(s, take, 2);
  return s;
}

TEST(a_source_is_disposed_before_its_end_is_delivered) {
  rac_scheduler *v = rac_scheduler_virtual();
  source delivered = {0}, delayed = {0};
  rac_signal *s = two_of(&delivered);
  APPLY(s, deliver_on, v);
  check_let_go(__LINE__, s, &delivered, v);
  s = two_of(&delayed);
  APPLY(s, delay, 60);
  check_let_go(__LINE__, s, &delayed, NULL);
  /* Otherwise this would subscribe for ever. */
  s = cold("1 2 |", NULL);
  APPLY0(s, repeat);
  APPLY(s, take, 2);
  APPLY(s, deliver_on, v);
  source none = {.disposed = 1};
  check_let_go(__LINE__, s, &none, v);
  rac_release(v);
}

static void *send_two(void *subject) {
  play(subject, "1 2");
  return NULL;
}

TEST(a_source_is_let_go_before_its_end_reaches_the_main_thread) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_take(as_signal(subject), 1);
  APPLY0(s, deliver_on_main);
  recorder r = {0};
  record(s, &r);
  check_join(check_spawn(send_two, subject));
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  CHECK_EVENTS(&r, "");
  rac_main_run_for(0);
  await_end(&r);
  CHECK_EVENTS(&r, "1 |");
  rac_release(s);
  rac_release(subject);
}

typedef struct place {
  pthread_t thread;
  int wrong;
} place;

static void check_place(recorder *self, rac_value value) {
  (void)value;
  place *p = self->user;
  if (!pthread_equal(pthread_self(), p->thread)) p->wrong++;
}
static void check_end_place(recorder *self) {
  place *p = self->user;
  if (!pthread_equal(pthread_self(), p->thread)) p->wrong++;
}

static void *send_a_thousand(void *subject) {
  for (int i = 0; i < 1000; i++) rac_subject_send(subject, I(i));
  rac_subject_send_completed(subject);
  return NULL;
}

TEST(deliver_on_the_main_scheduler_from_another_thread) {
  rac_scheduler *main_scheduler = rac_scheduler_main();
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_deliver_on(as_signal(subject), main_scheduler);
  place p = {.thread = pthread_self()};
  recorder r = {.on_next = check_place,
                .on_end = check_end_place,
                .on_destroy = check_end_place,
                .user = &p};
  record(s, &r);
  pthread_t sender = check_spawn(send_a_thousand, subject);
  while (atomic_load(&r.destroyed) == 0) rac_main_run_for(0.01);
  check_join(sender);
  CHECK_INT(r.nexts, 1000);
  CHECK_INT(p.wrong, 0);
  await_end(&r);
  rac_release(s);
  rac_release(subject);
}

TEST(deliver_on_a_background_scheduler_keeps_the_order) {
  rac_scheduler *background = rac_scheduler_background(0, "line");
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_deliver_on(as_signal(subject), background);
  int64_t count = check_scaled(50000);
  APPLY(s, take, (size_t)count);
  APPLY0(s, collect);
  recorder r = {0};
  record(s, &r);
  for (int64_t i = 0; i < count; i++) rac_subject_send(subject, I(i));
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  await_end(&r);
  CHECK(strncmp(r.text, "(0,1,2,3,4,5,", 13) == 0 || count < 6);
  rac_release(s);
  rac_release(subject);
  rac_release(background);
}

/* ---- subscribeOn -------------------------------------------------------- */

TEST(subscribe_on_subscribes_on_the_scheduler) {
  source counts = {0};
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *s = cold("1 |", &counts);
  APPLY(s, subscribe_on, v);
  recorder r = {0};
  record(s, &r);
  CHECK_INT(counts.subscribed, 0);
  rac_virtual_step_all(v);
  CHECK_INT(counts.subscribed, 1);
  CHECK_EVENTS(&r, "1 |");
  await_end(&r);
  rac_release(s);
  rac_release(v);
}

TEST(a_disposal_before_its_turn_cancels_subscribe_on) {
  source counts = {0};
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *s = cold("1 |", &counts);
  APPLY(s, subscribe_on, v);
  recorder r = {0};
  record(s, &r);
  finish(&r);
  rac_virtual_step_all(v);
  CHECK_INT(counts.subscribed, 0);
  CHECK_EVENTS(&r, "");
  rac_release(s);
  rac_release(v);
}

TEST(subscribe_on_and_deliver_on_together) {
  rac_scheduler *a = rac_scheduler_virtual(), *b = rac_scheduler_virtual();
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, subscribe_on, a);
  APPLY(s, deliver_on, b);
  recorder r = {0};
  record(s, &r);
  rac_virtual_step_all(b);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(a);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(b);
  CHECK_EVENTS(&r, "1 2 |");
  await_end(&r);
  rac_release(s);
  rac_release(a);
  rac_release(b);
}

TEST(a_scheduler_may_go_while_its_jobs_wait) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_deliver_on(as_signal(subject), v);
  rac_release(v);
  recorder r = {0};
  record(s, &r);
  play(subject, "1 2 |");
  /* Nobody can step it any more: what waits goes when all of it goes. */
  rac_release(s);
  rac_release(subject);
  finish(&r);
  CHECK_EVENTS(&r, "");
}
