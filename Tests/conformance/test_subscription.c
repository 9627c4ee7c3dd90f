/* Subscribing to a created signal, and disposing the subscription. */
#include "streams.h"

/* ---- Subscribing -------------------------------------------------------- */

static rac_status send_text(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  (void)context_target(context), (void)out;
  rac_subscriber_send(subscriber, S("1"));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

/* signal-064, signal-066: before subscribing has returned, and no error; a
 * subscription that wants to hear of values only gets them, too */
TEST(a_created_signal_sends_to_its_subscriber) {
  owned rac_signal *s = rac_signal_create(CALLBACK(send_text));
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "1 |");
  await_end(&r);
  recorder values = {0};
  rac_observer all = recorder_observer(&values);
  values.subscription =
      rac_subscribe_next(s, all.context, all.next, all.destroy);
  CHECK_EVENTS(&values, "1");
  await_end(&values);
}

/* An error may be nil, as NSError pointers may. */
TEST(a_nil_error_is_an_error) {
  CHECK_SIGNAL(rac_signal_error(rac_value_nil()), "#nil");
}

/* ---- Sending later ------------------------------------------------------ */

typedef struct later {
  rac_scheduler *scheduler;
  rac_subscriber *subscriber;
} later;

static void send_one(void *context) {
  later *self = context_target(context);
  rac_subscriber_send(self->subscriber, I(1));
}
static void later_destroy(void *context) {
  later *self = context_target(context);
  rac_release(self->subscriber);
  self->subscriber = NULL;
  context_destroy(context);
}

/* Returns no disposable, so that nothing takes the job back. */
static rac_status send_now_and_later(void *context, rac_subscriber *subscriber,
                                     rac_disposable **out) {
  (void)out;
  later *self = context_target(context);
  self->subscriber = rac_retain(subscriber);
  rac_release(rac_schedule(self->scheduler, context_new(self, NULL), send_one,
                           later_destroy));
  rac_subscriber_send(subscriber, I(0));
  return RAC_OK;
}

/* signal-067 */
TEST(nothing_comes_after_disposal) {
  for (int dispose = 0; dispose < 2; dispose++) {
    later t = {.scheduler = rac_scheduler_virtual()};
    rac_signal *s = rac_signal_create(CALLBACK_FOR(&t, send_now_and_later));
    recorder r = {0};
    record(s, &r);
    CHECK_EVENTS(&r, "0");
    if (dispose) rac_dispose(r.subscription);
    rac_virtual_step(t.scheduler);
    CHECK_EVENTS(&r, dispose ? "0" : "0 1");
    await_end(&r);
    rac_release(s);
    rac_release(t.scheduler);
  }
}

/* ---- The current scheduler ---------------------------------------------- */

typedef struct whereabouts {
  rac_signal *signal;
  pthread_t thread;
  recorder heard;
  bool has_scheduler;
} whereabouts;

static rac_status look_around(void *context, rac_subscriber *subscriber,
                              rac_disposable **out) {
  (void)out;
  whereabouts *self = context_target(context);
  rac_scheduler *current = rac_scheduler_current();
  self->has_scheduler = current != NULL;
  self->thread = pthread_self();
  rac_release(current);
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static void *subscribe_there(void *context) {
  whereabouts *self = context;
  CHECK(rac_scheduler_current() == NULL);
  record(self->signal, &self->heard);
  self->thread = pthread_self();
  return NULL;
}

/* signal-068: on the main thread at once; from a thread that has no scheduler
 * the work moves to one that has */
TEST(a_subscription_always_has_a_current_scheduler) {
  whereabouts here = {0}, there = {0};
  here.signal = rac_signal_create(CALLBACK_FOR(&here, look_around));
  record(here.signal, &here.heard);
  CHECK_EVENTS(&here.heard, "|");
  CHECK(here.has_scheduler);
  CHECK(pthread_equal(here.thread, pthread_self()));
  await_end(&here.heard);
  whereabouts callback = {0};
  there.signal = rac_signal_create(CALLBACK_FOR(&callback, look_around));
  check_join(check_spawn(subscribe_there, &there));
  await_end(&there.heard);
  CHECK_EVENTS(&there.heard, "|");
  CHECK(callback.has_scheduler);
  CHECK(!pthread_equal(callback.thread, there.thread));
  rac_release(there.signal);
  rac_release(here.signal);
}

/* ---- Subscribing a subscriber ------------------------------------------- */

/* signal-069: the callback passes its own subscriber on and returns nothing;
 * the inner subscription lives as long as the outer one */
TEST(what_a_subscriber_is_subscribed_to_is_disposed_with_it) {
  source counts = {0};
  watched outer = {.signal = cold("1", &counts)};
  rac_signal *s = watch(&outer);
  recorder r = {0};
  CHECK(record(s, &r) != NULL);
  CHECK_EVENTS(&r, "1");
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 0);
  rac_dispose(r.subscription);
  CHECK_INT(counts.disposed, 1);
  await_end(&r);
  rac_release(s);
  rac_release(outer.signal);
}

static rac_status keep_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)out;
  *(rac_subscriber **)context_target(context) = rac_retain(subscriber);
  return RAC_OK;
}

/* RAC 2.5 kept every subscription that was ever made with a subscriber. Here
 * they go with an end, a disposal, or their last sender. */
TEST(a_subscriber_does_not_collect_what_is_over) {
  owned rac_subscriber *subscriber = NULL;
  owned rac_signal *s =
      rac_signal_create(CALLBACK_FOR(&subscriber, keep_subscriber));
  owned rac_signal *never = rac_signal_never();
  owned rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(s, &r);
  uint64_t before = rac_live_objects();
  for (int i = 0; i < 1000; i++) {
    rac_disposable *silent = rac_subscribe_subscriber(never, subscriber);
    CHECK(rac_is_disposed(silent));
    rac_release(silent);
    owned rac_disposable *other =
        rac_subscribe_subscriber(as_signal(subject), subscriber);
    rac_dispose(other);
  }
  CHECK(rac_live_objects() < before + 20);
  /* What is not over stays, however much comes and goes. */
  rac_release(rac_subscribe_subscriber(as_signal(subject), subscriber));
  for (int i = 0; i < 100; i++)
    rac_release(rac_subscribe_subscriber(never, subscriber));
  rac_dispose(r.subscription);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  await_end(&r);
}

/* ---- Disposal ----------------------------------------------------------- */

/* signal-082: not before, and once */
TEST(disposing_runs_the_disposable_of_the_callback) {
  source counts = {0};
  owned rac_signal *s = cold("", &counts);
  CHECK_INT(counts.subscribed, 0);
  CHECK_INT(counts.disposed, 0);
  recorder r = {0};
  REQUIRE(record(s, &r) != NULL);
  CHECK_INT(counts.disposed, 0);
  rac_dispose(r.subscription);
  CHECK_INT(counts.disposed, 1);
  rac_dispose(r.subscription);
  CHECK_INT(counts.disposed, 1);
  CHECK_EVENTS(&r, "");
  await_end(&r);
}

typedef struct brief {
  rac_signal *signal;
  recorder heard;
} brief;

static void subscribe_and_dispose(void *context) {
  brief *self = context_target(context);
  rac_dispose(record(self->signal, &self->heard));
}

/* signal-083 */
TEST(disposing_in_the_background_runs_it_too) {
  source counts = {0};
  brief t = {.signal = cold("", &counts)};
  rac_scheduler *background = rac_scheduler_background(0, "conformance");
  rac_release(rac_schedule(background, context_new(&t, NULL),
                           subscribe_and_dispose, context_destroy));
  WAIT_UNTIL(counts.disposed == 1);
  await_end(&t.heard);
  CHECK_INT(counts.subscribed, 1);
  rac_release(background);
  rac_release(t.signal);
}
