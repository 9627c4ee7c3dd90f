/* Blocking reads where blocking would wait for itself: they answer at once or
 * say so, and leave nothing behind. */
#include "operators.h"
#include "shared_callbacks.h"

/* What a read inside a callback answers: one that can be answered at once, and
 * one that cannot. */
static void read_both(rac_signal *never_sends) {
  owned rac_signal *ready = cold("5 |", NULL);
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
}

static void read_in_next(recorder *self, rac_value value) {
  (void)value;
  read_both(self->user);
}
static void read_at_end(recorder *self) { read_both(self->user); }

/* Law 6: what is there at once is the answer. */
TEST(reading_inside_the_callbacks_of_a_subscriber) {
  owned rac_subject *subject = rac_subject_create(),
                    *quiet = rac_subject_create();
  finished recorder r = {
      .on_next = read_in_next, .on_end = read_at_end, .user = as_signal(quiet)};
  record(as_signal(subject), &r);
  play(subject, "1 |");
  CHECK_EVENTS(&r, "1 |");
  CHECK_INT(rac_subject_subscriber_count(quiet), 0);
}

static void read_own_subject(recorder *self, rac_value value) {
  (void)value;
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(self->user, -1, &out), RAC_EDEADLK);
}

/* Law 6: what it waits for waits for this callback. */
TEST(reading_the_very_subject_that_is_sending) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder r = {.on_next = read_own_subject,
                         .user = as_signal(subject)};
  record(as_signal(subject), &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "1 2");
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
}

static rac_status read_in_map(void *context, rac_value value, rac_value *out) {
  read_both(context_target(context));
  *out = value;
  return RAC_OK;
}

TEST(reading_inside_an_operators_callback) {
  owned rac_subject *quiet = rac_subject_create();
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, map, CALLBACK_FOR(quiet, read_in_map));
  CHECK_SIGNAL(s, "1 |");
}

static void read_in_job(void *context) { read_both(context_target(context)); }

TEST(reading_inside_a_drain_and_a_virtual_job) {
  owned rac_subject *quiet = rac_subject_create();
  owned rac_scheduler *v = rac_scheduler_virtual();
  rac_release(
      rac_schedule(rac_scheduler_main(), CALLBACK_FOR(quiet, read_in_job)));
  CHECK_INT(rac_main_drain(0), 1);
  rac_release(rac_schedule(v, CALLBACK_FOR(quiet, read_in_job)));
  rac_virtual_step(v);
  CHECK_INT(rac_subject_subscriber_count(quiet), 0);
}

TEST(reading_inside_a_background_job) {
  owned rac_subject *quiet = rac_subject_create();
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  int contexts = context_count();
  rac_release(rac_schedule(background, CALLBACK_FOR(quiet, read_in_job)));
  WAIT_UNTIL(context_count() == contexts);
}

/* Law 6: on the main thread the main scheduler runs meanwhile. */
TEST(reading_on_the_main_thread_what_the_main_scheduler_would_send) {
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, deliver_on, rac_scheduler_main());
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(s, -1, &out), RAC_OK);
  CHECK_INT(out.bits, 1);
  CHECK_STATUS(rac_signal_first_or_default(s, -1, I(5), &out, NULL), RAC_OK);
  CHECK_INT(out.bits, 1);
  CHECK_STATUS(rac_signal_to_array(s, -1, &out), RAC_OK);
  CHECK_INT(rac_tuple_count(out), 1);
  rac_value_release(out);
  CHECK_STATUS(rac_signal_wait_until_completed(s, -1, NULL), RAC_OK);
  rac_release(s);
  CHECK_INT(rac_main_drain(0), 0);
}

/* Law 6: timers of the main scheduler, too; and what came at once leaves nothing
 * to run. */
TEST(reading_on_the_main_thread_what_its_timers_send) {
  rac_signal *later = rac_signal_interval(0.001, rac_scheduler_main());
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(later, -1, &out), RAC_OK);
  rac_release(later);
  owned rac_signal *now = cold("3 |", NULL), *never = rac_signal_never();
  CHECK_STATUS(rac_signal_first(now, -1, &out), RAC_OK);
  CHECK_INT(rac_main_drain(0), 0);
  CHECK_STATUS(rac_signal_first(never, 0.01, &out), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_first(never, 0, &out), RAC_ETIMEDOUT);
  CHECK_INT(rac_main_drain(0), 0);
}

static void stop_main(void *context) {
  (void)context_target(context);
  rac_main_stop();
}

TEST(stopping_the_main_scheduler_ends_a_read_on_the_main_thread) {
  owned rac_signal *never = rac_signal_never();
  rac_release(rac_schedule(rac_scheduler_main(), CALLBACK(stop_main)));
  CHECK_STATUS(rac_signal_first(never, -1, NULL), RAC_ETIMEDOUT);
}

static void *run_main(void *context) {
  (void)context;
  rac_main_run();
  return NULL;
}

/* Law 6: where another thread runs it the main thread sleeps. */
TEST(reading_on_the_main_thread_while_another_one_runs_the_main_scheduler) {
  atomic_int runs = 0;
  pthread_t thread = check_spawn(run_main, NULL);
  rac_release(
      rac_schedule(rac_scheduler_main(), CALLBACK_FOR(&runs, count_up)));
  WAIT_UNTIL(atomic_load(&runs) == 1);
  for (int64_t i = check_scaled(200); i > 0; i--) {
    owned rac_signal *s = cold("1 |", NULL);
    APPLY(s, deliver_on, rac_scheduler_main());
    rac_value out = rac_value_nil();
    CHECK_STATUS(rac_signal_first(s, -1, &out), RAC_OK);
    CHECK_INT(out.bits, 1);
  }
  rac_main_stop();
  check_join(thread);
  while (rac_main_drain(0) > 0) {
  }
}

/* The answer comes from another thread while the main one is asleep, or about to be. */
TEST(reading_on_the_main_thread_what_another_one_sends) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  for (int64_t i = check_scaled(500); i > 0; i--) {
    source counts = {0};
    owned rac_signal *s = cold(i % 2 ? "7" : "#7", &counts);
    APPLY(s, deliver_on, background);
    rac_value out = rac_value_nil();
    CHECK_STATUS(rac_signal_first(s, -1, &out), i % 2 ? RAC_OK : RAC_ESTREAM);
    rac_value_release(out);
    WAIT_UNTIL(atomic_load(&counts.disposed) == 1);
  }
  rac_release(background);
  while (rac_main_drain(0) > 0) {
  }
}

static void read_what_comes_here(void *context) {
  rac_signal *later = context_target(context);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(later, -1, &out), RAC_EDEADLK);
}

/* Law 6: whoever could send it is waiting for this job. */
TEST(reading_inside_a_job_what_its_scheduler_would_send) {
  owned rac_signal *later = cold("1 |", NULL);
  APPLY(later, deliver_on, rac_scheduler_main());
  rac_release(rac_schedule(rac_scheduler_main(),
                           CALLBACK_FOR(later, read_what_comes_here)));
  CHECK_INT(rac_main_drain(0), 1);
  rac_main_drain(0);
}

TEST(reading_what_a_background_scheduler_sends) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_signal *s = cold("7 8 |", NULL);
  APPLY(s, subscribe_on, background);
  APPLY(s, delay, 0.001, NULL);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_to_array(s, 10, &out), RAC_OK);
  char text[20];
  format_value(out, text, sizeof text);
  CHECK_TEXT(text, "(7,8)");
  rac_value_release(out);
  CHECK_STATUS(rac_signal_wait_until_completed(s, -1, NULL), RAC_OK);
}

TEST(a_subscription_that_ends_without_an_event_is_waited_for_in_vain) {
  rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_signal *one = rac_signal_return(rac_int64(1));
  owned rac_signal *s = rac_signal_deliver_on(one, scheduler);
  rac_value out = rac_value_nil();
  /* Nobody can step it any more, so nothing is delivered on it. */
  rac_release(scheduler);
  CHECK_STATUS(rac_signal_first(s, 0.02, &out), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_wait_until_completed(s, 0.02, NULL), RAC_ETIMEDOUT);
}
