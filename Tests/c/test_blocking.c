/* Blocking reads where blocking would wait for itself: they answer at once or
 * say so, and leave nothing behind. */
#include "operators.h"

/* What a read inside a callback answers: one that can be answered at once, and
 * one that cannot. */
static void read_both(rac_signal *never_sends) {
  rac_signal *ready = cold("5 |", NULL);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(ready, -1, &out), RAC_OK);
  CHECK_INT(out.bits, 5);
  CHECK_STATUS(rac_signal_wait_until_completed(ready, -1, NULL), RAC_OK);
  CHECK_STATUS(rac_signal_to_array(ready, -1, &out), RAC_OK);
  CHECK_INT(rac_tuple_count(out), 1);
  rac_value_release(out);
  CHECK_STATUS(rac_signal_first(never_sends, -1, &out), RAC_EDEADLK);
  CHECK_STATUS(rac_signal_wait_until_completed(never_sends, -1, NULL),
               RAC_EDEADLK);
  CHECK_STATUS(rac_signal_to_array(never_sends, 60, &out), RAC_EDEADLK);
  CHECK_STATUS(rac_last_error_code(), RAC_EDEADLK);
  CHECK_TEXT(rac_last_error_function(), "rac_signal_to_array");
  rac_release(ready);
}

static void read_in_next(recorder *self, rac_value value) {
  (void)value;
  read_both(self->user);
}
static void read_at_end(recorder *self) { read_both(self->user); }

/* Law 6: what is there at once is the answer. */
TEST(reading_inside_the_callbacks_of_a_subscriber) {
  rac_subject *subject = rac_subject_create(), *quiet = rac_subject_create();
  recorder r = {
      .on_next = read_in_next, .on_end = read_at_end, .user = as_signal(quiet)};
  record(as_signal(subject), &r);
  play(subject, "1 |");
  CHECK_EVENTS(&r, "1 |");
  CHECK_INT(rac_subject_subscriber_count(quiet), 0);
  await_end(&r);
  rac_release(quiet);
  rac_release(subject);
}

static void read_own_subject(recorder *self, rac_value value) {
  (void)value;
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(self->user, -1, &out), RAC_EDEADLK);
}

/* Law 6: what it waits for waits for this callback. */
TEST(reading_the_very_subject_that_is_sending) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = read_own_subject, .user = as_signal(subject)};
  record(as_signal(subject), &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "1 2");
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  finish(&r);
  rac_release(subject);
}

static rac_status read_in_map(void *context, rac_value value, rac_value *out) {
  read_both(context_target(context));
  *out = value;
  return RAC_OK;
}

TEST(reading_inside_an_operators_callback) {
  rac_subject *quiet = rac_subject_create();
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, map, CALLBACK_FOR(quiet, read_in_map));
  CHECK_SIGNAL(s, "1 |");
  rac_release(quiet);
}

static void read_in_job(void *context) { read_both(context_target(context)); }

TEST(reading_inside_a_drain_and_a_virtual_job) {
  rac_subject *quiet = rac_subject_create();
  rac_scheduler *v = rac_scheduler_virtual();
  rac_release(
      rac_schedule(rac_scheduler_main(), CALLBACK_FOR(quiet, read_in_job)));
  CHECK_INT(rac_main_drain(0), 1);
  rac_release(rac_schedule(v, CALLBACK_FOR(quiet, read_in_job)));
  rac_virtual_step(v);
  CHECK_INT(rac_subject_subscriber_count(quiet), 0);
  rac_release(v);
  rac_release(quiet);
}

TEST(reading_inside_a_background_job) {
  rac_subject *quiet = rac_subject_create();
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  int contexts = context_count();
  rac_release(rac_schedule(background, CALLBACK_FOR(quiet, read_in_job)));
  WAIT_UNTIL(context_count() == contexts);
  rac_release(background);
  rac_release(quiet);
}

TEST(reading_on_the_main_thread_what_the_main_scheduler_would_send) {
  /* Nobody drains while we wait: the timeout is what ends it. */
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, deliver_on, rac_scheduler_main());
  rac_value out = rac_value_nil();
  rac_status status = rac_signal_first(s, 0.02, &out);
  CHECK(status == RAC_ETIMEDOUT || status == RAC_EDEADLK);
  rac_main_drain(0);
  rac_release(s);
}

static void read_what_comes_here(void *context) {
  rac_signal *later = context_target(context);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(later, -1, &out), RAC_EDEADLK);
}

/* Law 6: whoever could send it is waiting for this job. */
TEST(reading_inside_a_job_what_its_scheduler_would_send) {
  rac_signal *later = cold("1 |", NULL);
  APPLY(later, deliver_on, rac_scheduler_main());
  rac_release(rac_schedule(rac_scheduler_main(),
                           CALLBACK_FOR(later, read_what_comes_here)));
  CHECK_INT(rac_main_drain(0), 1);
  rac_main_drain(0);
  rac_release(later);
}

TEST(reading_what_a_background_scheduler_sends) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_signal *s = cold("7 8 |", NULL);
  APPLY(s, subscribe_on, background);
  APPLY(s, delay, 0.001, NULL);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_to_array(s, 10, &out), RAC_OK);
  char text[20];
  format_value(out, text, sizeof text);
  CHECK_TEXT(text, "(7,8)");
  rac_value_release(out);
  CHECK_STATUS(rac_signal_wait_until_completed(s, -1, NULL), RAC_OK);
  rac_release(s);
  rac_release(background);
}

TEST(a_subscription_that_ends_without_an_event_is_waited_for_in_vain) {
  rac_scheduler *scheduler = rac_scheduler_virtual();
  rac_signal *one = rac_signal_return(rac_int64(1));
  rac_signal *s = rac_signal_deliver_on(one, scheduler);
  rac_value out = rac_value_nil();
  /* Nobody can step it any more, so nothing is delivered on it. */
  rac_release(scheduler);
  CHECK_STATUS(rac_signal_first(s, 0.02, &out), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_wait_until_completed(s, 0.02, NULL), RAC_ETIMEDOUT);
  rac_release(s);
  rac_release(one);
}
