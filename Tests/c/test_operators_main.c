/* deliverOnMainThread, and reads that run the main scheduler while they wait. */
#include "operators.h"

#include <math.h>

/* ---- deliverOnMainThread ------------------------------------------------ */

typedef struct sent {
  rac_subject *subject;
  recorder heard;
} sent;

static void begin(sent *self) {
  self->subject = rac_subject_create();
  rac_signal *s = rac_signal_deliver_on_main(as_signal(self->subject));
  record(s, &self->heard);
  rac_release(s);
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

TEST(on_the_main_thread_events_are_delivered_at_once) {
  sent t = {0};
  begin(&t);
  play(t.subject, "1 2");
  CHECK_EVENTS(&t.heard, "1 2");
  play(t.subject, "3 |");
  CHECK_EVENTS(&t.heard, "1 2 3 |");
  CHECK_INT(rac_main_drain(0), 0);
  await_end(&t.heard);
  rac_release(t.subject);
}

TEST(events_of_other_threads_wait_for_the_main_scheduler) {
  sent t = {0};
  begin(&t);
  play_elsewhere(t.subject, "1 2 3");
  CHECK_EVENTS(&t.heard, "");
  rac_main_drain(0);
  CHECK_EVENTS(&t.heard, "1 2 3");
  /* Nothing waits: here it is again. */
  play(t.subject, "4");
  CHECK_EVENTS(&t.heard, "1 2 3 4");
  end(&t);
}

TEST(events_of_the_main_thread_queue_behind_those_that_wait) {
  sent t = {0};
  begin(&t);
  play_elsewhere(t.subject, "0");
  play(t.subject, "1 2");
  CHECK_EVENTS(&t.heard, "");
  rac_main_drain(0);
  CHECK_EVENTS(&t.heard, "0 1 2");
  play_elsewhere(t.subject, "3 !4");
  CHECK_EVENTS(&t.heard, "0 1 2");
  rac_main_drain(0);
  CHECK_EVENTS(&t.heard, "0 1 2 3 !4");
  end(&t);
}

static void send_more(recorder *self, rac_value value) {
  if (value.bits < 3) rac_subject_send(self->user, I(value.bits + 1));
}

TEST(an_event_from_inside_an_event_is_queued) {
  for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
    sent t = {.heard = {.on_next = send_more}};
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

TEST(what_waits_for_the_main_scheduler_is_dropped_at_disposal) {
  sent t = {0};
  begin(&t);
  play_elsewhere(t.subject, "1");
  rac_dispose(t.heard.subscription);
  rac_main_drain(0);
  CHECK_EVENTS(&t.heard, "");
  end(&t);
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

/* ---- first or default --------------------------------------------------- */

TEST(first_or_default) {
  static const struct {
    const char *script;
    rac_status status;
    int64_t value, error;
  } cases[] = {{"1 2 3 |", RAC_OK, 1, 0}, {"|", RAC_OK, 5, 0},
               {"!7", RAC_ESTREAM, 5, 7}, {"1 !7", RAC_OK, 1, 0},
               {"1", RAC_OK, 1, 0},       {"", RAC_ETIMEDOUT, 5, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int pumps = 0; pumps < 2; pumps++) {
      source counts = {0};
      rac_signal *s = cold(cases[i].script, &counts);
      rac_value out = I(99), error = I(99);
      CHECK_STATUS(
          pumps ? rac_signal_asynchronous_first_or_default(s, 0.001, I(5), &out,
                                                           &error)
                : rac_signal_first_or_default(s, 0.001, I(5), &out, &error),
          cases[i].status);
      CHECK_INT(out.bits, cases[i].value);
      CHECK_INT(error.kind, cases[i].error ? RAC_ERROR : RAC_NIL);
      if (cases[i].error) CHECK_INT(rac_error_get_code(error), cases[i].error);
      rac_value_release(error);
      CHECK_INT(counts.disposed, 1);
      rac_release(s);
    }
  }
}

TEST(a_default_is_given_away_owned) {
  rac_value text = rac_value_string_copy("text", 4), out = rac_value_nil();
  rac_signal *empty = rac_signal_empty();
  CHECK_STATUS(rac_signal_first_or_default(empty, 0, text, &out, NULL), RAC_OK);
  rac_value_release(text);
  const char *read = NULL;
  CHECK_STATUS(rac_value_get_string(out, &read, NULL), RAC_OK);
  CHECK_TEXT(read, "text");
  rac_value_release(out);
  CHECK_STATUS(rac_signal_first_or_default(empty, 0, I(1), NULL, NULL), RAC_OK);
  CHECK_STATUS(rac_signal_first_or_default(empty, NAN, I(1), &out, NULL),
               RAC_EINVAL);
  CHECK_INT(out.bits, 1);
  CHECK_STATUS(rac_signal_first_or_default(NULL, 0, I(1), &out, NULL),
               RAC_ENULL);
  CHECK_INT(out.bits, 1);
  rac_value nonsense = {200, 0, 0, 0, 1};
  CHECK_STATUS(rac_signal_first_or_default(empty, 0, nonsense, &out, NULL),
               RAC_EKIND);
  CHECK_INT(out.kind, RAC_NIL);
  rac_release(empty);
}

/* ---- Reads that run the main scheduler ---------------------------------- */

static void count_up(void *context) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}

TEST(an_asynchronous_read_runs_what_waits_on_the_main_scheduler) {
  atomic_int runs = 0;
  rac_release(rac_schedule(rac_scheduler_main(), context_new(&runs, NULL),
                           count_up, context_destroy));
  rac_signal *s = cold("7 |", NULL);
  APPLY(s, delay, 0);
  rac_value out = rac_value_nil();
  CHECK_STATUS(
      rac_signal_asynchronous_first_or_default(s, 10, I(0), &out, NULL),
      RAC_OK);
  CHECK_INT(out.bits, 7);
  CHECK_INT(runs, 1);
  CHECK_STATUS(rac_signal_asynchronously_wait_until_completed(s, 10, NULL),
               RAC_OK);
  rac_release(s);
  CHECK_INT(rac_main_drain(0), 0);
}

TEST(a_value_from_another_thread_wakes_an_asynchronous_read) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  for (int64_t i = check_scaled(500); i > 0; i--) {
    source counts = {0};
    rac_signal *s = cold(i % 2 ? "7" : "!7", &counts);
    APPLY(s, deliver_on, background);
    rac_value out = rac_value_nil(), error = rac_value_nil();
    CHECK_STATUS(
        rac_signal_asynchronous_first_or_default(s, -1, I(5), &out, &error),
        i % 2 ? RAC_OK : RAC_ESTREAM);
    CHECK_INT(out.bits, i % 2 ? 7 : 5);
    rac_value_release(error);
    WAIT_UNTIL(atomic_load(&counts.disposed) == 1);
    rac_release(s);
  }
  rac_release(background);
}

TEST(an_error_ends_an_asynchronous_wait) {
  rac_signal *s = cold("1 !5", NULL);
  rac_value error = rac_value_nil();
  CHECK_STATUS(rac_signal_asynchronously_wait_until_completed(s, 10, &error),
               RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(error), 5);
  rac_value_release(error);
  rac_release(s);
}

static void stop(void *context) {
  (void)context_target(context);
  rac_main_stop();
}

TEST(stopping_the_main_scheduler_ends_an_asynchronous_read) {
  rac_release(rac_schedule(rac_scheduler_main(), context_new(NULL, NULL), stop,
                           context_destroy));
  rac_signal *never = rac_signal_never();
  CHECK_STATUS(
      rac_signal_asynchronous_first_or_default(never, -1, I(0), NULL, NULL),
      RAC_ETIMEDOUT);
  rac_release(never);
}

static void read_inside(recorder *self, rac_value value) {
  (void)value;
  rac_signal *one = cold("1 |", NULL);
  CHECK_STATUS(
      rac_signal_asynchronous_first_or_default(one, 1, I(0), NULL, NULL),
      RAC_EDEADLK);
  CHECK_STATUS(rac_signal_asynchronously_wait_until_completed(one, 1, NULL),
               RAC_EDEADLK);
  rac_release(one);
  self->user = NULL;
}

TEST(an_asynchronous_read_inside_a_callback_is_refused) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = read_inside, .user = &r};
  record(as_signal(subject), &r);
  play(subject, "1");
  CHECK(r.user == NULL);
  finish(&r);
  rac_release(subject);
}

static void *run_main(void *context) {
  (void)context;
  rac_main_run();
  return NULL;
}

TEST(only_one_thread_runs_the_main_scheduler) {
  atomic_int runs = 0;
  pthread_t thread = check_spawn(run_main, NULL);
  rac_release(rac_schedule(rac_scheduler_main(), context_new(&runs, NULL),
                           count_up, context_destroy));
  WAIT_UNTIL(atomic_load(&runs) == 1);
  rac_signal *never = rac_signal_never();
  CHECK_STATUS(
      rac_signal_asynchronous_first_or_default(never, 1, I(0), NULL, NULL),
      RAC_EBUSY);
  CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
  rac_main_stop();
  check_join(thread);
  rac_release(never);
}
