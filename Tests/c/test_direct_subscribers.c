/* Callbacks subscribed to a create signal with nothing between, which are one
 * object: when they go, and in what order. */
#include "check.h"

#include <sched.h>
#include <string.h>

typedef struct producer {
  rac_signal *signal;
  rac_subscriber *subscriber; /* retained by the callback, if `keeps` */
  bool keeps, has_action;
  const char *script; /* sent by the callback */
  rac_status status;  /* what it answers */
  recorder *heard;
  void (*action)(struct producer *self);
} producer;

static void act(void *context) {
  producer *self = context;
  strcat(self->heard->text, "(action)");
  self->heard->used = strlen(self->heard->text);
  if (self->action != NULL) self->action(self);
}

static rac_status produce(void *context, rac_subscriber *subscriber,
                          rac_disposable **out) {
  producer *self = context;
  if (self->keeps) self->subscriber = rac_retain(subscriber);
  if (self->has_action) *out = rac_disposable_create(self, act, NULL);
  if (self->script != NULL) play(subscriber, self->script);
  return self->status;
}

static void note_destroy(recorder *r) {
  strcat(r->text, "(destroy)");
  r->used = strlen(r->text);
}

static void begin(producer *self, recorder *heard) {
  self->heard = heard;
  heard->on_destroy = note_destroy;
  self->signal = rac_signal_create(self, produce, NULL);
  record(self->signal, heard);
}

static void finish_producer(producer *self) {
  await_end(self->heard);
  CHECK_INT(self->heard->destroyed, 1);
  rac_release(self->subscriber);
  rac_release(self->signal);
}

static void stop(recorder *r, rac_value value) {
  (void)value;
  CHECK_STATUS(rac_dispose(r->subscription), RAC_OK);
}

/* Law 8, and the handle that all share that were over. */
TEST(what_is_over_at_once_shares_a_handle) {
  recorder r = {0}, failed = {0}, dropped = {0};
  producer ends = {.script = "1 2 |"};
  producer fails = {.script = "1", .status = -5};
  producer drops = {.script = "1"};
  begin(&ends, &r);
  begin(&fails, &failed);
  begin(&drops, &dropped);
  CHECK_TEXT(r.text, "1 2 |(destroy)");
  CHECK(strstr(failed.text, "(destroy)") != NULL);
  CHECK_INT(failed.ends, 1);
  CHECK_TEXT(dropped.text, "1(destroy)");
  CHECK(r.subscription == failed.subscription);
  CHECK(r.subscription == dropped.subscription);
  CHECK(rac_is_disposed(r.subscription));
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, 0), RAC_OK);
  finish_producer(&ends);
  finish_producer(&fails);
  finish_producer(&drops);
}

/* Law 8: what is above goes first. */
TEST(an_end_cleans_up_then_calls_then_destroys) {
  const char *ends[] = {"|", "#7"};
  const char *expected[] = {"1(action) |(destroy)", "1(action) #7(destroy)"};
  for (int i = 0; i < 2; i++) {
    recorder r = {0};
    producer p = {.script = "1", .keeps = true, .has_action = true};
    begin(&p, &r);
    CHECK_TEXT(r.text, "1");
    CHECK(!rac_is_disposed(r.subscription));
    CHECK(rac_subscriber_is_active(p.subscriber));
    play(p.subscriber, ends[i]);
    CHECK_TEXT(r.text, expected[i]);
    CHECK(rac_is_disposed(r.subscription));
    /* Law 1: nothing follows, however long the subscriber is kept. */
    CHECK_STATUS(rac_subscriber_send(p.subscriber, I(3)), RAC_EDONE);
    CHECK_STATUS(rac_subscriber_send_completed(p.subscriber), RAC_EDONE);
    CHECK(!rac_subscriber_is_active(p.subscriber));
    CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
    finish_producer(&p);
    CHECK_INT(r.ends, 1);
  }
}

/* Law 7. */
TEST(a_disposal_is_silent_and_cleans_up_first) {
  recorder r = {0};
  producer p = {.script = "1", .keeps = true, .has_action = true};
  begin(&p, &r);
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  CHECK_TEXT(r.text, "1(action)(destroy)");
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  CHECK_STATUS(rac_subscriber_send(p.subscriber, I(2)), RAC_EDONE);
  finish_producer(&p);
  CHECK_TEXT(r.text, "1(action)(destroy)");
}

static void stop_at_end(recorder *r) { stop(r, rac_value_nil()); }
static void stop_at_destroy(recorder *r) {
  note_destroy(r);
  stop(r, rac_value_nil());
  CHECK_STATUS(rac_dispose_and_wait(r->subscription, -1), RAC_PENDING);
}

/* Law 7: from inside each callback. */
TEST(disposed_of_in_its_own_callbacks) {
  recorder nexts = {.on_next = stop}, ends = {.on_end = stop_at_end};
  recorder destroys = {0};
  producer p = {.keeps = true}, q = {.keeps = true}, s = {.keeps = true};
  begin(&p, &nexts);
  CHECK_STATUS(rac_subscriber_send(p.subscriber, I(1)), RAC_OK);
  CHECK_STATUS(rac_subscriber_send(p.subscriber, I(2)), RAC_EDONE);
  CHECK_TEXT(nexts.text, "1(destroy)");
  begin(&q, &ends);
  play(q.subscriber, "1 |");
  CHECK_TEXT(ends.text, "1 |(destroy)");
  begin(&s, &destroys);
  destroys.on_destroy = stop_at_destroy;
  play(s.subscriber, "1 |");
  CHECK_TEXT(destroys.text, "1 |(destroy)");
  finish_producer(&p);
  finish_producer(&q);
  finish_producer(&s);
}

static void dispose_own(producer *self) {
  CHECK_STATUS(rac_dispose(self->heard->subscription), RAC_OK);
  CHECK_INT(self->heard->destroyed, 0);
}
static void *dispose_other(void *heard) {
  rac_dispose(((recorder *)heard)->subscription);
  return NULL;
}
static void dispose_elsewhere(producer *self) {
  check_join(check_spawn(dispose_other, self->heard));
  CHECK_INT(self->heard->destroyed, 0);
}

/* Law 8: disposed of by what its end disposes, it hears no end. And whoever
 * comes while somebody cleans up leaves destroy to that one. */
TEST(what_is_cleaned_up_disposes) {
  void (*const actions[])(producer *) = {dispose_own, dispose_elsewhere};
  for (int i = 0; i < 2; i++) {
    recorder ended = {0}, disposed = {0};
    producer p = {.keeps = true, .has_action = true, .action = actions[i]};
    producer q = p;
    begin(&p, &ended);
    play(p.subscriber, "|");
    CHECK_TEXT(ended.text, "(action)(destroy)");
    begin(&q, &disposed);
    rac_dispose(disposed.subscription);
    CHECK_TEXT(disposed.text, "(action)(destroy)");
    finish_producer(&p);
    finish_producer(&q);
  }
}

static rac_status release_what_was_lent(void *context,
                                        rac_subscriber *subscriber,
                                        rac_disposable **out) {
  (void)context;
  (void)out;
  rac_subscriber_send(subscriber, I(1));
  rac_release(subscriber);
  CHECK_STATUS(rac_subscriber_send(subscriber, I(2)), RAC_ESTALE);
  return -3;
}

TEST(a_callback_may_give_back_what_it_was_lent) {
  recorder r = {0};
  owned rac_signal *signal =
      rac_signal_create(NULL, release_what_was_lent, NULL);
  record(signal, &r);
  CHECK_EVENTS(&r, "1");
  CHECK_INT(r.destroyed, 1);
  await_end(&r);
}

/* The signal's last reference goes in its own callback. */
static rac_status release_signal(void *context, rac_subscriber *subscriber,
                                 rac_disposable **out) {
  (void)out;
  rac_release(*(rac_signal **)context_target(context));
  rac_subscriber_send(subscriber, I(1));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}
TEST(a_signal_released_by_its_callback) {
  rac_signal *signal;
  atomic_int destroyed = 0;
  signal = rac_signal_create(context_new(&signal, &destroyed), release_signal,
                             context_destroy);
  RECORDER(r, signal);
  CHECK_EVENTS(&r, "1 |");
  CHECK_INT(destroyed, 1);
}

/* ---- Threads ------------------------------------------------------------- */

typedef struct race {
  rac_subscriber *subscriber;
  rac_disposable *subscription;
  atomic_int destroyed, actions, late, ends;
  atomic_bool is_disposed, is_given, is_destroyed;
  int mode, round;
} race;

static void count_race(void *context, rac_value value) {
  race *self = context;
  (void)value;
  if (atomic_load(&self->is_destroyed)) check_fail(__FILE__, __LINE__, "late");
  if (atomic_load(&self->is_disposed)) self->late++;
}
static void end_race(void *context) {
  race *self = context;
  self->ends++;
  if (atomic_load(&self->is_destroyed)) check_fail(__FILE__, __LINE__, "late");
}
static void destroy_race(void *context) {
  race *self = context;
  atomic_store(&self->is_destroyed, true);
  self->destroyed++;
}
static void act_in_race(void *context) {
  race *self = context;
  if (self->round % 3 == 0) sched_yield();
  self->actions++;
}

static void *send_on(void *context) {
  race *self = context;
  for (int i = 0; i < 20 + self->round % 30; i++)
    rac_subscriber_send(self->subscriber, I(i));
  if (self->mode & 1) rac_subscriber_send_completed(self->subscriber);
  rac_release(self->subscriber);
  return NULL;
}
static void *dispose_once_given(void *context) {
  race *self = context;
  while (!atomic_load(&self->is_given)) continue;
  rac_dispose(self->subscription);
  atomic_store(&self->is_disposed, true);
  return NULL;
}

static pthread_t sender;
static rac_status start_sender(void *context, rac_subscriber *subscriber,
                               rac_disposable **out) {
  race *self = context;
  self->subscriber = rac_retain(subscriber);
  *out = rac_disposable_create(self, act_in_race, NULL);
  sender = check_spawn(send_on, self);
  return RAC_OK;
}

/* A thread sends while the callback returns and the handle is made; others dispose. */
TEST(sent_to_ended_and_disposed_of_by_several) {
  int64_t rounds = check_scaled(1500);
  for (int round = 0; round < (int)rounds; round++) {
    race self = {.mode = round % 4, .round = round};
    const rac_observer observer = {
        sizeof observer, &self, count_race, NULL, end_race, destroy_race};
    owned rac_signal *signal = rac_signal_create(&self, start_sender, NULL);
    pthread_t other = check_spawn(dispose_once_given, &self);
    self.subscription = rac_subscribe(signal, &observer);
    atomic_store(&self.is_given, true);
    if (self.mode & 2) {
      for (int spin = round % 50; spin > 0; spin--) atomic_load(&self.ends);
      CHECK_STATUS(rac_dispose_and_wait(self.subscription, -1), RAC_OK);
      CHECK_INT(self.destroyed, 1);
    }
    check_join(other);
    check_join(sender);
    CHECK_INT(self.destroyed, 1);
    CHECK_INT(self.actions, 1);
    CHECK(self.late <= 1 && self.ends <= 1);
    rac_release(self.subscription);
  }
}

typedef struct hold {
  rac_subscriber *subscriber;
  atomic_bool entered, leave;
} hold;
static void hold_on(recorder *self, rac_value value) {
  hold *h = self->user;
  (void)value;
  atomic_store(&h->entered, true);
  while (!atomic_load(&h->leave)) check_pause();
}
static void *send_and_release(void *context) {
  hold *h = context;
  rac_subscriber_send(h->subscriber, I(1));
  rac_release(h->subscriber);
  return NULL;
}
static rac_status begin_holding(void *context, rac_subscriber *subscriber,
                                rac_disposable **out) {
  hold *h = context;
  (void)out;
  h->subscriber = rac_retain(subscriber);
  sender = check_spawn(send_and_release, h);
  WAIT_UNTIL(atomic_load(&h->entered));
  return RAC_OK;
}

/* Somebody is inside a callback while subscribing returns: it is waited for. */
TEST(subscribing_returns_during_a_callback) {
  hold h = {0};
  recorder r = {.on_next = hold_on, .user = &h};
  owned rac_signal *signal = rac_signal_create(&h, begin_holding, NULL);
  record(signal, &r);
  CHECK(!rac_is_disposed(r.subscription));
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, 0), RAC_ETIMEDOUT);
  CHECK_INT(r.destroyed, 0);
  atomic_store(&h.leave, true);
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, -1), RAC_OK);
  CHECK_INT(r.destroyed, 1);
  check_join(sender);
  let_go(&r);
}
