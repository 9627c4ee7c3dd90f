/* Arrays sent in one call: what callbacks and other threads do meanwhile. */
#include "shared_callbacks.h"

static void send_ints(rac_subject *subject, size_t count, rac_status expected) {
  static const int64_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  CHECK_STATUS(
      rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, count),
      expected);
}

static void send_tenfold(recorder *self, rac_value value) {
  for (int64_t factor = 10; value.bits < 10 && factor <= 100; factor *= 10)
    CHECK_STATUS(rac_subject_send(self->user, I(value.bits * factor)),
                 RAC_QUEUED);
}

/* Law 3: an array is so many sends. */
TEST(a_send_from_inside_comes_before_the_next_element) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder sender = {.on_next = send_tenfold, .user = subject};
  RECORDER(first, as_signal(subject));
  record(as_signal(subject), &sender);
  RECORDER(last, as_signal(subject));
  send_ints(subject, 3, RAC_OK);
  CHECK_EVENTS(&first, "1 10 100 2 20 200 3 30 300");
  CHECK_EVENTS(&sender, "1 10 100 2 20 200 3 30 300");
  CHECK_EVENTS(&last, "1 10 100 2 20 200 3 30 300");
}

static void send_array_once(recorder *self, rac_value value) {
  int64_t numbers[] = {10, 20, 30};
  if (value.bits == 1)
    CHECK_STATUS(
        rac_subject_send_array(self->user, RAC_ARRAY_INT64S, numbers, 3),
        RAC_QUEUED);
}

TEST(an_array_from_inside_comes_before_the_next_element) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder sender = {.on_next = send_array_once, .user = subject};
  record(as_signal(subject), &sender);
  RECORDER(other, as_signal(subject));
  send_ints(subject, 3, RAC_OK);
  CHECK_EVENTS(&sender, "1 10 20 30 2 3");
  CHECK_EVENTS(&other, "1 10 20 30 2 3");
}

TEST(who_disposes_himself_hears_no_more) {
  owned rac_subject *subject = rac_subject_create();
  recorder self = {.on_next = dispose_at_two};
  RECORDER(before, as_signal(subject));
  record(as_signal(subject), &self);
  RECORDER(after, as_signal(subject));
  send_ints(subject, 4, RAC_OK);
  CHECK_EVENTS(&before, "1 2 3 4");
  CHECK_EVENTS(&self, "1 2");
  CHECK_EVENTS(&after, "1 2 3 4");
  await_end(&self);
}

static void dispose_the_other(recorder *self, rac_value value) {
  recorder *other = self->user;
  if (value.bits == 2) rac_dispose(other->subscription);
}

/* Law 7, between the elements. */
TEST(who_is_disposed_by_another_hears_no_more) {
  owned rac_subject *subject = rac_subject_create();
  recorder later = {0};
  finished recorder self = {.on_next = dispose_the_other, .user = &later};
  record(as_signal(subject), &self);
  record(as_signal(subject), &later);
  send_ints(subject, 4, RAC_OK);
  CHECK_EVENTS(&self, "1 2 3 4");
  CHECK_EVENTS(&later, "1");
  await_end(&later);
}

typedef struct joiner {
  rac_subject *subject;
  recorder inner;
} joiner;

static void join_at_two(recorder *self, rac_value value) {
  joiner *j = self->user;
  if (value.bits == 2) record(as_signal(j->subject), &j->inner);
}

/* Law 15, between the elements. */
TEST(who_joins_meanwhile_hears_the_rest) {
  joiner j = {.subject = rac_subject_create()};
  recorder outer = {.on_next = join_at_two, .user = &j};
  record(as_signal(j.subject), &outer);
  send_ints(j.subject, 4, RAC_OK);
  CHECK_EVENTS(&outer, "1 2 3 4");
  CHECK_EVENTS(&j.inner, "3 4");
  finish(&outer);
  finish(&j.inner);
  rac_release(j.subject);
}

static void complete_at_two(recorder *self, rac_value value) {
  if (value.bits == 2) rac_subject_send_completed(self->user);
}

/* Laws 1 and 13, between the elements. */
TEST(an_end_meanwhile_ends_the_subscribers_of_the_moment) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder a = {.on_next = complete_at_two, .user = subject};
  record(as_signal(subject), &a);
  RECORDER(b, as_signal(subject));
  /* The subject does not remember the end: the rest is for whoever comes. */
  send_ints(subject, 4, RAC_OK);
  CHECK_EVENTS(&a, "1 2 |");
  CHECK_EVENTS(&b, "1 2 |");
}

typedef struct producer {
  rac_subscriber *subscriber;
  rac_status status;
} producer;

static rac_status send_five(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  producer *self = context_target(context);
  int64_t numbers[] = {1, 2, 3, 4, 5};
  (void)out;
  self->subscriber = rac_retain(subscriber);
  self->status =
      rac_subscriber_send_array(subscriber, RAC_ARRAY_INT64S, numbers, 5);
  return RAC_OK;
}

static rac_signal *five(producer *self) {
  return rac_signal_create(context_new(self, NULL), send_five, context_destroy);
}

TEST(a_producer_learns_that_nobody_hears_the_rest) {
  producer p = {0};
  rac_signal *signal = five(&p);
  RAC_ASSIGN(signal, rac_signal_take(signal, 2));
  CHECK_SIGNAL(signal, "1 2 |");
  CHECK_STATUS(p.status, RAC_EDONE);
  CHECK(!rac_subscriber_is_active(p.subscriber));
  rac_release(p.subscriber);
}

static void complete_producer(recorder *self, rac_value value) {
  producer *p = self->user;
  if (value.bits == 3)
    CHECK_STATUS(rac_subscriber_send_completed(p->subscriber), RAC_QUEUED);
}

TEST(an_end_from_inside_stops_a_producers_array) {
  producer p = {0};
  owned rac_signal *signal = five(&p);
  recorder r = {.on_next = complete_producer, .user = &p};
  record(signal, &r);
  CHECK_EVENTS(&r, "1 2 3 |");
  CHECK_STATUS(p.status, RAC_EDONE);
  await_end(&r);
  rac_release(p.subscriber);
}

static void release_subject(recorder *self, rac_value value) {
  if (value.bits == 2) CHECK_STATUS(rac_release(self->user), RAC_OK);
  if (value.bits > 2)
    CHECK_STATUS(rac_subject_send(self->user, I(9)), RAC_ESTALE);
}

TEST(the_rest_is_sent_though_the_last_reference_goes) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = release_subject, .user = subject}, other = {0};
  record(as_signal(subject), &r);
  record(as_signal(subject), &other);
  send_ints(subject, 4, RAC_OK);
  CHECK_EVENTS(&r, "1 2 3 4");
  CHECK_EVENTS(&other, "1 2 3 4");
  send_ints(subject, 4, RAC_ESTALE);
  /* Nobody can send any more, so the subscriptions are let go. */
  await_end(&r);
  await_end(&other);
}

static void release_producer(recorder *self, rac_value value) {
  producer *p = self->user;
  if (value.bits == 2) CHECK_STATUS(rac_release(p->subscriber), RAC_OK);
}

static void *send_later(void *argument) {
  producer *p = argument;
  int64_t numbers[] = {1, 2, 3};
  p->status =
      rac_subscriber_send_array(p->subscriber, RAC_ARRAY_INT64S, numbers, 3);
  return NULL;
}

static rac_status keep(void *context, rac_subscriber *subscriber,
                       rac_disposable **out) {
  producer *self = context_target(context);
  (void)out;
  self->subscriber = rac_retain(subscriber);
  return RAC_OK;
}

TEST(the_rest_is_sent_though_the_subscriber_is_released) {
  producer p = {0};
  owned rac_signal *signal =
      rac_signal_create(context_new(&p, NULL), keep, context_destroy);
  recorder r = {.on_next = release_producer, .user = &p};
  record(signal, &r);
  send_later(&p);
  CHECK_STATUS(p.status, RAC_OK);
  CHECK_EVENTS(&r, "1 2 3");
  await_end(&r);
}

static void send_next_array(recorder *self, rac_value value) {
  int64_t numbers[] = {value.bits + 1};
  if (value.bits < check_scaled(100000))
    CHECK_STATUS(
        rac_subject_send_array(self->user, RAC_ARRAY_INT64S, numbers, 1),
        RAC_QUEUED);
}

TEST(arrays_from_inside_use_no_stack) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder r = {.on_next = send_next_array, .user = subject};
  record(as_signal(subject), &r);
  send_ints(subject, 1, RAC_OK);
  CHECK_INT(r.nexts, check_scaled(100000));
}

TEST(an_array_passes_more_subjects_than_the_stack_is_deep) {
  enum { SUBJECTS = 5000 };
  static rac_subject *subjects[SUBJECTS];
  for (int i = 0; i < SUBJECTS; i++) {
    subjects[i] = rac_subject_create();
    if (i > 0)
      rac_release(rac_subscribe_subscriber(
          as_signal(subjects[i - 1]), rac_subject_as_subscriber(subjects[i])));
  }
  recorder r = {0};
  record(as_signal(subjects[SUBJECTS - 1]), &r);
  send_ints(subjects[0], 9, RAC_OK);
  WAIT_UNTIL(atomic_load(&r.nexts) == 9);
  CHECK_EVENTS(&r, "1 2 3 4 5 6 7 8 9");
  finish(&r);
  for (int i = 0; i < SUBJECTS; i++) rac_release(subjects[i]);
}

/* ---- Groups ------------------------------------------------------------- */

static rac_status one_key(void *context, rac_value value, rac_value *out) {
  (void)value;
  (void)context_target(context);
  *out = I(0);
  return RAC_OK;
}

static void send_to_group(recorder *self, rac_value group) {
  owned rac_signal *signal = rac_value_to_signal(group);
  int64_t numbers[] = {7, 8};
  record(signal, self->user);
  CHECK(rac_subject_send_array((rac_subject *)signal, RAC_ARRAY_INT64S, numbers,
                               2) >= RAC_OK);
}

TEST(a_group_is_a_subject) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *groups =
      rac_signal_group_by(as_signal(subject), context_new(NULL, NULL), one_key,
                          NULL, context_destroy);
  finished recorder inner = {0};
  finished recorder outer = {.on_next = send_to_group, .user = &inner};
  record(groups, &outer);
  rac_subject_send(subject, I(1));
  CHECK_EVENTS(&inner, "7 8 1");
}

/* ---- Threads ------------------------------------------------------------ */

enum { SENDERS = 3, LENGTH = 50 };

typedef struct sender {
  rac_subject *subject;
  int64_t name;
  int64_t rounds;
} sender;

/* Arrays of growing length, and single values between them. */
static void *send_mixed(void *argument) {
  sender *self = argument;
  int64_t numbers[LENGTH];
  int64_t next = 0;
  for (int64_t round = 0; round < self->rounds; round++) {
    size_t count = (size_t)round % LENGTH;
    for (size_t i = 0; i < count; i++) numbers[i] = self->name << 32 | next++;
    rac_status status =
        rac_subject_send_array(self->subject, RAC_ARRAY_INT64S, numbers, count);
    CHECK(status == RAC_OK || status == RAC_QUEUED);
    CHECK(rac_subject_send(self->subject, I(self->name << 32 | next++)) >=
          RAC_OK);
  }
  return (void *)(intptr_t)next;
}

typedef struct order {
  int64_t next[SENDERS];
  uint64_t hash;
} order;

static void note_order(recorder *self, rac_value value) {
  order *o = self->user;
  if ((value.bits & 0xffffffff) != o->next[value.bits >> 32]++)
    check_fail(__FILE__, __LINE__, "a sender's values are not in order");
  o->hash = o->hash * 31 + (uint64_t)value.bits;
}

/* Laws 2 and 3: one line for arrays and single values, and nothing is lost. */
TEST(everyone_hears_arrays_and_single_values_in_one_order) {
  owned rac_subject *subject = rac_subject_create();
  order orders[3];
  memset(orders, 0, sizeof orders);
  recorder r[3];
  memset(r, 0, sizeof r);
  for (int i = 0; i < 3; i++) {
    r[i].on_next = note_order;
    r[i].user = &orders[i];
    record(as_signal(subject), &r[i]);
  }
  sender senders[SENDERS];
  pthread_t threads[SENDERS];
  int64_t expected = 0;
  for (int i = 0; i < SENDERS; i++) {
    senders[i] = (sender){subject, i, check_scaled(4000)};
    threads[i] = check_spawn(send_mixed, &senders[i]);
  }
  for (int i = 0; i < SENDERS; i++) {
    void *sent = NULL;
    pthread_join(threads[i], &sent);
    expected += (intptr_t)sent;
  }
  rac_subject_send_completed(subject);
  for (int i = 0; i < 3; i++) {
    await_end(&r[i]);
    CHECK_INT(r[i].nexts, expected);
    CHECK(orders[i].hash == orders[0].hash);
  }
}

typedef struct churn {
  rac_subject *subject;
  atomic_bool over;
} churn;

static void *send_without_a_pause(void *argument) {
  churn *self = argument;
  int64_t numbers[100] = {0};
  while (!atomic_load(&self->over))
    CHECK(rac_subject_send_array(self->subject, RAC_ARRAY_INT64S, numbers,
                                 100) >= RAC_OK);
  return NULL;
}

/* Two without a pause would only fill the queue. */
static void *send_with_pauses(void *argument) {
  churn *self = argument;
  int64_t numbers[100] = {0};
  while (!atomic_load(&self->over)) {
    CHECK(rac_subject_send_array(self->subject, RAC_ARRAY_INT64S, numbers,
                                 100) >= RAC_OK);
    check_pause();
  }
  return NULL;
}

TEST(subscriptions_come_and_go_while_arrays_are_sent) {
  churn c = {.subject = rac_subject_create()};
  pthread_t senders[2] = {check_spawn(send_without_a_pause, &c),
                          check_spawn(send_with_pauses, &c)};
  for (int64_t i = check_scaled(4000); i > 0; i--) {
    recorder r = {0};
    record(as_signal(c.subject), &r);
    int heard = 0;
    if (i % 8 == 0) WAIT_UNTIL(atomic_load(&r.nexts) > 0);
    rac_dispose_and_wait(r.subscription, -1);
    heard = atomic_load(&r.nexts);
    CHECK_INT(atomic_load(&r.destroyed), 1);
    CHECK_INT(atomic_load(&r.nexts), heard);
    let_go(&r);
  }
  atomic_store(&c.over, true);
  for (int i = 0; i < 2; i++) check_join(senders[i]);
  rac_release(c.subject);
}

static void *send_arrays_until_done(void *argument) {
  producer *p = argument;
  int64_t numbers[100] = {0};
  while (rac_subscriber_send_array(p->subscriber, RAC_ARRAY_INT64S, numbers,
                                   100) >= RAC_OK) {
  }
  return NULL;
}

TEST(a_disposal_stops_the_arrays_of_another_thread) {
  for (int64_t i = check_scaled(400); i > 0; i--) {
    producer p = {0};
    owned rac_signal *signal =
        rac_signal_create(context_new(&p, NULL), keep, context_destroy);
    recorder r = {0};
    record(signal, &r);
    pthread_t thread = check_spawn(send_arrays_until_done, &p);
    if (i % 2 == 0) WAIT_UNTIL(atomic_load(&r.nexts) > 0);
    finish(&r);
    check_join(thread);
    rac_release(p.subscriber);
  }
}
