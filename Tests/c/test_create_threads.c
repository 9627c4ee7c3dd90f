/* rac_signal_create: where its callback runs, and senders on other threads. */
#include "producer.h"

enum { SENDERS = 3 };

static void *send_a_thousand(void *subscriber) {
  static atomic_int names;
  int64_t name = atomic_fetch_add(&names, 1) % SENDERS;
  for (int64_t i = 0; i < 1000; i++)
    CHECK(rac_subscriber_send(subscriber, I(name * 1000 + i)) >= RAC_OK);
  return NULL;
}

static rac_status send_from_three_threads(producer *self, rac_subscriber *s) {
  (void)self;
  pthread_t threads[SENDERS];
  for (int i = 0; i < SENDERS; i++)
    threads[i] = check_spawn(send_a_thousand, s);
  for (int i = 0; i < SENDERS; i++) check_join(threads[i]);
  rac_subscriber_send_completed(s);
  return RAC_OK;
}

static void each_sender_in_order(recorder *self, rac_value value) {
  int64_t *next = self->user;
  int64_t sender = value.bits / 1000;
  if (value.bits % 1000 != next[sender]++)
    check_fail(__FILE__, __LINE__, "a sender's values are out of order");
}

/* Law 2: one callback after another, whoever sends. */
TEST(three_threads_may_send_from_the_callback) {
  for (int round = 0; round < 20; round++) {
    int64_t next[SENDERS] = {0};
    producer p = {.body = send_from_three_threads};
    rac_signal *signal = create(&p);
    recorder r = {.on_next = each_sender_in_order, .user = next};
    record(signal, &r);
    await_end(&r);
    CHECK_INT(r.nexts, SENDERS * 1000);
    CHECK_INT(r.ends, 1);
    clean_up(&p, signal);
  }
}

static rac_status note_scheduler(producer *self, rac_subscriber *subscriber) {
  rac_scheduler *current = rac_scheduler_current();
  CHECK(current != NULL);
  rac_release(current);
  self->thread = pthread_self();
  return send_and_complete(self, subscriber);
}

/* Not on a thread that has none. */
static void *subscribe_there(void *argument) {
  void **pair = argument;
  recorder *r = pair[1];
  producer *p = pair[2];
  CHECK(rac_scheduler_current() == NULL);
  record(pair[0], r);
  WAIT_UNTIL(atomic_load(&r->destroyed));
  CHECK(!pthread_equal(p->thread, pthread_self()));
  return NULL;
}

TEST(the_callback_always_has_a_current_scheduler) {
  producer p = {.body = note_scheduler};
  rac_signal *signal = create(&p);
  recorder here = {0}, there = {0};
  record(signal, &here);
  CHECK_EVENTS(&here, "1 2 |");
  CHECK(pthread_equal(p.thread, pthread_self()));
  void *pair[] = {signal, &there, &p};
  check_join(check_spawn(subscribe_there, pair));
  await_end(&there);
  CHECK_EVENTS(&there, "1 2 |");
  await_end(&here);
  clean_up(&p, signal);
}

static void *subscribe_attached(void *argument) {
  void **pair = argument;
  CHECK_STATUS(rac_thread_attach(), RAC_OK);
  rac_scheduler *current = rac_scheduler_current();
  CHECK(current != NULL);
  rac_release(current);
  recorder *r = pair[1];
  record(pair[0], r);
  CHECK_EVENTS(r, "1 2 |");
  CHECK_STATUS(rac_thread_detach(), RAC_OK);
  CHECK(rac_scheduler_current() == NULL);
  return NULL;
}

/* Law 14, "where subscribing runs inline". */
TEST(an_attached_thread_subscribes_inline) {
  producer p = {.body = send_and_complete};
  rac_signal *signal = create(&p);
  recorder r = {0};
  void *pair[] = {signal, &r};
  check_join(check_spawn(subscribe_attached, pair));
  await_end(&r);
  clean_up(&p, signal);
}

static void *subscribe_this_one_inline(void *argument) {
  void **pair = argument;
  recorder *r = pair[1];
  rac_observer observer = recorder_observer(r);
  r->subscription = rac_subscribe_inline(pair[0], &observer, pair[2]);
  CHECK_EVENTS(r, "1 2 |");
  CHECK(rac_scheduler_current() == NULL);
  return NULL;
}

/* One subscription, whose thread has the scheduler given, or the immediate one,
 * for so long. */
TEST(one_subscription_can_be_made_inline) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_scheduler *given[] = {background, NULL, rac_scheduler_immediate()};
  for (int i = 0; i < 3; i++) {
    producer p = {.body = note_scheduler};
    rac_signal *signal = create(&p);
    recorder r = {0};
    void *arguments[] = {signal, &r, given[i]};
    check_join(check_spawn(subscribe_this_one_inline, arguments));
    await_end(&r);
    clean_up(&p, signal);
  }
}

static rac_status send_and_note(void *context, rac_subscriber *subscriber,
                                rac_disposable **out) {
  (void)out;
  rac_scheduler **seen = context;
  *seen = rac_scheduler_current();
  rac_subscriber_send(subscriber, I(1));
  rac_subscriber_send(subscriber, I(2));
  return RAC_OK;
}

/* What an operator of time holds back is sent by the scheduler given. */
TEST(an_inline_subscription_has_its_scheduler) {
  rac_scheduler *clock = rac_scheduler_virtual(), *seen = NULL;
  owned rac_signal *signal = rac_signal_create(&seen, send_and_note, NULL);
  RAC_ASSIGN(signal, rac_signal_throttle(signal, 1, NULL));
  recorder r = {.clock = clock};
  rac_observer observer = recorder_observer(&r);
  r.subscription = rac_subscribe_inline(signal, &observer, clock);
  CHECK(seen == clock);
  rac_release(seen);
  rac_scheduler *now = rac_scheduler_current();
  CHECK(now == rac_scheduler_main());
  rac_release(now);
  CHECK_EVENTS(&r, "");
  rac_virtual_advance_by(clock, 2);
  CHECK_EVENTS(&r, "2@1");
  finish(&r);
  rac_release(clock);
}

TEST(an_inline_subscription_is_refused_whole) {
  owned rac_signal *never = rac_signal_never();
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.destroy = context_destroy;
  observer.context = context_new(NULL, NULL);
  CHECK(rac_subscribe_inline(never, &observer, (rac_scheduler *)never) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_clear_last_error();
  observer.context = context_new(NULL, NULL);
  CHECK(rac_subscribe_inline(NULL, &observer, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_subscribe_inline(never, NULL, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK_INT(context_count(), 0);
}

static void *subscribe_inline(void *argument) {
  void **pair = argument;
  recorder *r = pair[1];
  record(pair[0], r);
  CHECK_EVENTS(r, "1 2 |");
  return NULL;
}

TEST(subscriptions_can_be_made_inline_everywhere) {
  producer p = {.body = send_and_complete};
  rac_signal *signal = create(&p);
  recorder r = {0};
  void *pair[] = {signal, &r};
  CHECK_STATUS(rac_set_subscribe_inline(true), RAC_OK);
  check_join(check_spawn(subscribe_inline, pair));
  CHECK_STATUS(rac_set_subscribe_inline(false), RAC_OK);
  await_end(&r);
  clean_up(&p, signal);
}
