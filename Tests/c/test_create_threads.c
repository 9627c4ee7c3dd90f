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
