/* Subjects without a memory: order, re-entrance, ends, being a subscriber. */
#include "check.h"

TEST(a_subject_sends_to_the_subscribers_of_the_moment) {
  rac_subject *subject = rac_subject_create();
  recorder a = {0}, b = {0};
  play(subject, "1");
  record(as_signal(subject), &a);
  play(subject, "2");
  record(as_signal(subject), &b);
  CHECK_INT(rac_subject_subscriber_count(subject), 2);
  play(subject, "3 nil |");
  CHECK_EVENTS(&a, "2 3 nil |");
  CHECK_EVENTS(&b, "3 nil |");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  await_end(&a);
  await_end(&b);
  rac_release(subject);
}

/* Law 13: later subscribers hear what is sent later. */
TEST(a_subject_forgets_its_end) {
  rac_subject *subject = rac_subject_create();
  recorder early = {0}, late = {0};
  record(as_signal(subject), &early);
  play(subject, "1 |");
  record(as_signal(subject), &late);
  CHECK_EVENTS(&late, "");
  CHECK_STATUS(rac_subject_send(subject, I(2)), RAC_OK);
  rac_value error = test_error(1);
  CHECK_STATUS(rac_subject_send_error(subject, error), RAC_OK);
  rac_value_release(error);
  CHECK_EVENTS(&early, "1 |");
  CHECK_EVENTS(&late, "2 #1");
  await_end(&early);
  await_end(&late);
  rac_release(subject);
}

TEST(nil_is_a_legal_error) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  CHECK_STATUS(rac_subject_send_error(subject, rac_value_nil()), RAC_OK);
  CHECK_EVENTS(&r, "#nil");
  await_end(&r);
  rac_release(subject);
}

TEST(a_send_without_subscribers_is_fine) {
  rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send_completed(subject), RAC_OK);
  CHECK_STATUS(rac_subject_send_completed(subject), RAC_OK);
  rac_release(subject);
}

TEST(subscribers_hear_in_the_order_they_came) {
  enum { COUNT = 200 };
  static recorder r[COUNT];
  memset(r, 0, sizeof r);
  rac_subject *subject = rac_subject_create();
  rac_scheduler *v = rac_scheduler_virtual();
  for (int i = 0; i < COUNT; i++) record(as_signal(subject), &r[i]);
  for (int i = 0; i < COUNT; i += 3) finish(&r[i]);
  CHECK_INT(rac_subject_subscriber_count(subject), COUNT - (COUNT + 2) / 3);
  play(subject, "1 2 |");
  for (int i = 0; i < COUNT; i++) {
    CHECK_EVENTS(&r[i], i % 3 == 0 ? "" : "1 2 |");
    if (i % 3 != 0) await_end(&r[i]);
  }
  rac_release(v);
  rac_release(subject);
}

/* ---- Re-entrance -------------------------------------------------------- */

static void send_tenfold(recorder *self, rac_value value) {
  if (value.bits < 100)
    CHECK_STATUS(rac_subject_send(self->user, I(value.bits * 10)), RAC_QUEUED);
}

/* Laws 3 and 4: all hear the same, before the first send returns. */
TEST(everyone_hears_re_entrant_sends_in_the_same_order) {
  rac_subject *subject = rac_subject_create();
  recorder first = {0}, last = {0};
  recorder sender = {.on_next = send_tenfold, .user = subject};
  record(as_signal(subject), &first);
  record(as_signal(subject), &sender);
  record(as_signal(subject), &last);
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  /* All of it was delivered before the outer send returned. */
  CHECK_EVENTS(&first, "1 10 100");
  CHECK_EVENTS(&sender, "1 10 100");
  CHECK_EVENTS(&last, "1 10 100");
  play(subject, "2 |");
  CHECK_EVENTS(&last, "1 10 100 2 20 200 |");
  await_end(&first);
  await_end(&sender);
  await_end(&last);
  rac_release(subject);
}

static void complete_then_send(recorder *self, rac_value value) {
  (void)value;
  CHECK_STATUS(rac_subject_send(self->user, I(8)), RAC_QUEUED);
  CHECK_STATUS(rac_subject_send_completed(self->user), RAC_QUEUED);
  CHECK_STATUS(rac_subject_send(self->user, I(9)), RAC_QUEUED);
}

/* Law 3: an end stands in the same line. */
TEST(an_end_sent_inside_next_comes_after_what_was_sent_before_it) {
  rac_subject *subject = rac_subject_create();
  recorder a = {.on_next = complete_then_send, .user = subject}, b = {0};
  record(as_signal(subject), &a);
  record(as_signal(subject), &b);
  play(subject, "1 2");
  CHECK_EVENTS(&a, "1 8 |");
  CHECK_EVENTS(&b, "1 8 |");
  await_end(&a);
  await_end(&b);
  rac_release(subject);
}

static void send_at_end(recorder *self) { rac_subject_send(self->user, I(5)); }

TEST(a_send_inside_the_end_reaches_no_one_who_ended) {
  rac_subject *subject = rac_subject_create();
  recorder a = {.on_end = send_at_end, .user = subject}, b = {0};
  record(as_signal(subject), &a);
  record(as_signal(subject), &b);
  play(subject, "|");
  CHECK_EVENTS(&a, "|");
  CHECK_EVENTS(&b, "|");
  await_end(&a);
  await_end(&b);
  rac_release(subject);
}

typedef struct joiner {
  rac_subject *subject;
  recorder inner;
} joiner;

static void join_once(recorder *self, rac_value value) {
  joiner *j = self->user;
  if (value.bits != 1) return;
  rac_subject_send(j->subject, I(2));
  record(as_signal(j->subject), &j->inner);
  rac_subject_send(j->subject, I(3));
}

/* Law 15: not the current value, and not what was queued before. */
TEST(a_subscription_inside_next_hears_what_is_sent_after_it) {
  joiner j = {.subject = rac_subject_create()};
  recorder outer = {.on_next = join_once, .user = &j};
  record(as_signal(j.subject), &outer);
  rac_subject_send(j.subject, I(1));
  CHECK_EVENTS(&outer, "1 2 3");
  CHECK_EVENTS(&j.inner, "3");
  play(j.subject, "4 |");
  CHECK_EVENTS(&j.inner, "3 4 |");
  await_end(&outer);
  await_end(&j.inner);
  rac_release(j.subject);
}

static void rejoin(recorder *self) {
  joiner *j = self->user;
  record(as_signal(j->subject), &j->inner);
}

TEST(a_subscription_inside_the_end_is_a_new_one) {
  joiner j = {.subject = rac_subject_create()};
  recorder outer = {.on_end = rejoin, .user = &j};
  record(as_signal(j.subject), &outer);
  play(j.subject, "1 |");
  play(j.subject, "2");
  CHECK_EVENTS(&outer, "1 |");
  CHECK_EVENTS(&j.inner, "2");
  await_end(&outer);
  finish(&j.inner);
  rac_release(j.subject);
}

TEST(a_million_re_entrant_sends_use_no_stack) {
  /* Each send inside a callback only queues. */
  rac_subject *subject = rac_subject_create();
  rac_signal *signal =
      rac_signal_take(as_signal(subject), (size_t)check_scaled(1000000));
  rac_disposable *loop =
      rac_subscribe_subscriber(signal, rac_subject_as_subscriber(subject));
  recorder r = {0};
  record(as_signal(subject), &r);
  rac_subject_send(subject, I(1));
  CHECK_INT(r.nexts, check_scaled(1000000) + 1);
  CHECK_INT(r.ends, 1);
  await_end(&r);
  rac_release(loop);
  rac_release(signal);
  rac_release(subject);
}

/* ---- A subject as a subscriber ------------------------------------------ */

TEST(a_subject_passes_on_what_it_is_subscribed_to) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  rac_signal *signal = cold("1 2 |", NULL);
  rac_disposable *d =
      rac_subscribe_subscriber(signal, rac_subject_as_subscriber(subject));
  CHECK(d != NULL);
  CHECK_EVENTS(&r, "1 2 |");
  await_end(&r);
  rac_release(d);
  rac_release(signal);
  rac_release(subject);
}

TEST(the_first_end_of_several_sources_ends_them_all) {
  rac_subject *a = rac_subject_create(), *b = rac_subject_create();
  rac_subject *subject = rac_subject_create();
  rac_subscriber *subscriber = rac_subject_as_subscriber(subject);
  recorder r = {0};
  record(as_signal(subject), &r);
  rac_release(rac_subscribe_subscriber(as_signal(a), subscriber));
  rac_release(rac_subscribe_subscriber(as_signal(b), subscriber));
  play(a, "1");
  play(b, "2");
  play(a, "3");
  CHECK_INT(rac_subject_subscriber_count(b), 1);
  play(a, "|");
  CHECK_INT(rac_subject_subscriber_count(b), 0);
  play(b, "4");
  CHECK_EVENTS(&r, "1 2 3 |");
  await_end(&r);
  rac_release(a);
  rac_release(b);
  rac_release(subject);
}

TEST(disposing_that_subscription_leaves_the_subject) {
  rac_subject *source_ = rac_subject_create(), *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  rac_disposable *d = rac_subscribe_subscriber(
      as_signal(source_), rac_subject_as_subscriber(subject));
  play(source_, "1");
  rac_dispose(d);
  CHECK_INT(rac_subject_subscriber_count(source_), 0);
  play(source_, "2");
  play(subject, "3");
  rac_release(d);
  /* It may be subscribed again. */
  d = rac_subscribe_subscriber(as_signal(source_),
                               rac_subject_as_subscriber(subject));
  play(source_, "4 |");
  CHECK_EVENTS(&r, "1 3 4 |");
  await_end(&r);
  rac_release(d);
  rac_release(source_);
  rac_release(subject);
}

TEST(subscribing_a_subject_to_itself_is_refused) {
  rac_subject *subject = rac_subject_create();
  rac_clear_last_error();
  CHECK(rac_subscribe_subscriber(as_signal(subject),
                                 rac_subject_as_subscriber(subject)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  recorder r = {0};
  record(as_signal(subject), &r);
  play(subject, "1 |");
  CHECK_EVENTS(&r, "1 |");
  await_end(&r);
  rac_release(subject);
}

static rac_status add_one(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits + 1);
  return RAC_OK;
}

TEST(a_subject_may_feed_itself_through_operators) {
  rac_subject *subject = rac_subject_create();
  rac_signal *loop = rac_signal_map(as_signal(subject), context_new(NULL, NULL),
                                    add_one, context_destroy);
  rac_assign((void **)&loop, rac_signal_take(loop, 3));
  recorder r = {0};
  record(as_signal(subject), &r);
  rac_release(
      rac_subscribe_subscriber(loop, rac_subject_as_subscriber(subject)));
  play(subject, "0");
  CHECK_EVENTS(&r, "0 1 2 3 |");
  await_end(&r);
  rac_release(loop);
  rac_release(subject);
}

TEST(a_subscription_keeps_the_subject_that_it_feeds) {
  source counts = {0};
  rac_signal *signal = cold("1", &counts);
  rac_subject *subject = rac_subject_create();
  rac_disposable *d =
      rac_subscribe_subscriber(signal, rac_subject_as_subscriber(subject));
  rac_release(subject);
  CHECK_INT(counts.disposed, 0);
  CHECK_STATUS(rac_dispose(d), RAC_OK);
  CHECK_INT(counts.disposed, 1);
  rac_release(d);
  rac_release(signal);
}

TEST(a_million_subscriptions_leave_nothing_behind) {
  rac_subject *subject = rac_subject_create();
  uint64_t before = rac_live_objects();
  for (int64_t i = check_scaled(1000000); i > 0; i--) {
    rac_observer observer = RAC_OBSERVER_INIT;
    rac_disposable *d = rac_subscribe(as_signal(subject), &observer);
    rac_dispose(d);
    rac_release(d);
  }
  CHECK_INT(rac_live_objects(), before);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  rac_release(subject);
}

TEST(upcasts_lend_the_same_handle) {
  rac_subject *subject = rac_subject_create();
  CHECK((void *)rac_subject_as_signal(subject) == (void *)subject);
  CHECK((void *)rac_subject_as_subscriber(subject) == (void *)subject);
  CHECK(rac_subscriber_is_active(rac_subject_as_subscriber(subject)));
  CHECK_STATUS(rac_release(subject), RAC_OK);
  CHECK_STATUS(rac_release(subject), RAC_ESTALE);
}

/* ---- Threads ------------------------------------------------------------ */

enum { SENDERS = 3 };

typedef struct sender {
  rac_subject *subject;
  int64_t name;
} sender;

static void *send_many(void *argument) {
  sender *self = argument;
  for (int64_t i = 0; i < check_scaled(30000); i++)
    CHECK(rac_subject_send(self->subject, I(self->name << 32 | i)) >= RAC_OK);
  return NULL;
}

typedef struct order {
  int64_t next[SENDERS];
  uint64_t hash;
} order;

static void note_order(recorder *self, rac_value value) {
  order *o = self->user;
  int64_t name = value.bits >> 32;
  if ((value.bits & 0xffffffff) != o->next[name]++)
    check_fail(__FILE__, __LINE__, "a sender's values are not in order");
  o->hash = o->hash * 31 + (uint64_t)value.bits;
}

/* Laws 2 and 3: one order for all, and nothing is lost. */
TEST(everyone_hears_racing_senders_in_the_same_order) {
  rac_subject *subject = rac_subject_create();
  order orders[4];
  memset(orders, 0, sizeof orders);
  recorder r[4];
  memset(r, 0, sizeof r);
  for (int i = 0; i < 4; i++) {
    r[i].on_next = note_order;
    r[i].user = &orders[i];
    record(as_signal(subject), &r[i]);
  }
  sender senders[SENDERS];
  pthread_t threads[SENDERS];
  for (int i = 0; i < SENDERS; i++) {
    senders[i] = (sender){subject, i};
    threads[i] = check_spawn(send_many, &senders[i]);
  }
  for (int i = 0; i < SENDERS; i++) check_join(threads[i]);
  rac_subject_send_completed(subject);
  for (int i = 0; i < 4; i++) {
    await_end(&r[i]);
    CHECK_INT(r[i].nexts, SENDERS * check_scaled(30000));
    CHECK(orders[i].hash == orders[0].hash);
  }
  rac_release(subject);
}
