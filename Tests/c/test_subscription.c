/* Subscriptions: which callbacks there are, and disposal from everywhere. */
#include "check.h"

/* ---- Callbacks in any combination --------------------------------------- */

typedef struct tally {
  int nexts, errors, completions;
} tally;

static void count_next(void *context, rac_value value) {
  (void)value;
  ((tally *)context_target(context))->nexts++;
}
static void count_error(void *context, rac_value error) {
  (void)error;
  ((tally *)context_target(context))->errors++;
}
static void count_completed(void *context) {
  ((tally *)context_target(context))->completions++;
}

static void check_combination(unsigned chosen, const char *script) {
  tally heard = {0};
  atomic_int destroyed = 0;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(&heard, &destroyed);
  observer.next = chosen & 1 ? count_next : NULL;
  observer.error = chosen & 2 ? count_error : NULL;
  observer.completed = chosen & 4 ? count_completed : NULL;
  observer.destroy = context_destroy;
  rac_signal *signal = cold(script, NULL);
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  bool failed = strchr(script, '#') != NULL;
  CHECK_INT(heard.nexts, chosen & 1 ? 2 : 0);
  CHECK_INT(heard.errors, chosen & 2 && failed);
  CHECK_INT(heard.completions, chosen & 4 && !failed);
  rac_release(subscription);
  rac_release(signal);
  CHECK_INT(destroyed, 1);
}

TEST(callbacks_in_any_combination) {
  for (unsigned chosen = 0; chosen < 8; chosen++) {
    check_combination(chosen, "1 2 |");
    check_combination(chosen, "1 2 #1");
  }
}

TEST(a_subscription_with_nothing_in_it) {
  source counts = {0};
  rac_signal *signal = cold("1 2", &counts);
  rac_observer observer = RAC_OBSERVER_INIT;
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  CHECK_INT(counts.subscribed, 1);
  CHECK_STATUS(rac_dispose(subscription), RAC_OK);
  CHECK_INT(counts.disposed, 1);
  rac_release(subscription);
  rac_release(signal);
}

TEST(subscribe_next_is_the_short_form) {
  tally heard = {0};
  rac_signal *signal = cold("1 2 #3", NULL);
  rac_disposable *subscription = rac_subscribe_next(
      signal, context_new(&heard, NULL), count_next, context_destroy);
  CHECK_INT(heard.nexts, 2);
  rac_release(subscription);
  rac_release(signal);
}

static void count_destroy(void *context) { ++*(int *)context; }

TEST(a_context_registered_twice_is_destroyed_twice) {
  int destroyed = 0;
  rac_subject *subject = rac_subject_create();
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &destroyed;
  observer.destroy = count_destroy;
  rac_disposable *a = rac_subscribe(as_signal(subject), &observer);
  rac_disposable *b = rac_subscribe(as_signal(subject), &observer);
  rac_dispose(a);
  CHECK_INT(destroyed, 1);
  rac_subject_send_completed(subject);
  CHECK_INT(destroyed, 2);
  rac_release(a);
  rac_release(b);
  rac_release(subject);
}

TEST(the_observer_may_lie_on_the_stack) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  {
    rac_observer observer = recorder_observer(&r);
    r.subscription = rac_subscribe(as_signal(subject), &observer);
    memset(&observer, 0xAA, sizeof observer);
  }
  play(subject, "1 |");
  CHECK_EVENTS(&r, "1 |");
  await_end(&r);
  rac_release(subject);
}

/* ---- Disposal from inside the callbacks --------------------------------- */

static void dispose_self(recorder *self, rac_value value) {
  (void)value;
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  CHECK(rac_is_disposed(self->subscription));
}

static void dispose_self_at_end(recorder *self) {
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
}

TEST(dispose_inside_next) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = dispose_self}, other = {0};
  record(as_signal(subject), &r);
  record(as_signal(subject), &other);
  play(subject, "1 2 |");
  CHECK_EVENTS(&r, "1");
  CHECK_EVENTS(&other, "1 2 |");
  await_end(&r);
  await_end(&other);
  rac_release(subject);
}

TEST(dispose_inside_the_end) {
  const char *const ends[] = {"|", "#1"};
  for (int i = 0; i < 2; i++) {
    rac_subject *subject = rac_subject_create();
    recorder r = {.on_end = dispose_self_at_end};
    record(as_signal(subject), &r);
    play(subject, ends[i]);
    CHECK_EVENTS(&r, ends[i]);
    await_end(&r);
    rac_release(subject);
  }
}

static void dispose_recorder(void *context) {
  recorder *self = context;
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
}

static rac_status clean_up_disposing(void *context, rac_subscriber *subscriber,
                                     rac_disposable **out) {
  recorder *self = context;
  self->user = rac_retain(subscriber);
  *out = rac_disposable_create(self, dispose_recorder, NULL);
  return RAC_OK;
}

/* The end disposes what is above, and that disposes the subscription. */
TEST(dispose_inside_what_the_end_disposes) {
  for (int i = 0; i < 2; i++) {
    rac_subject *subject = rac_subject_create();
    recorder r = {0};
    rac_signal *both[] = {rac_signal_create(&r, clean_up_disposing, NULL),
                          as_signal(subject)};
    rac_signal *signal = rac_signal_merge(both, 2);
    rac_assign((void **)&signal, rac_signal_take(signal, 1));
    record(signal, &r);
    play(subject, i ? "1" : "#1");
    CHECK_EVENTS(&r, i ? "1" : "");
    await_end(&r);
    rac_release(r.user);
    rac_release(signal);
    rac_release(both[0]);
    rac_release(subject);
  }
}

static void send_and_dispose(recorder *self, rac_value value) {
  rac_subject_send(self->user, I(value.bits + 1));
  rac_dispose(self->subscription);
}

TEST(a_value_sent_before_the_disposal_but_still_queued_is_not_heard) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = send_and_dispose, .user = subject}, other = {0};
  record(as_signal(subject), &r);
  record(as_signal(subject), &other);
  play(subject, "1");
  CHECK_EVENTS(&r, "1");
  CHECK_EVENTS(&other, "1 2");
  await_end(&r);
  finish(&other);
  rac_release(subject);
}

static void dispose_user(recorder *self, rac_value value) {
  (void)value;
  rac_dispose(((recorder *)self->user)->subscription);
}

TEST(a_subscriber_disposed_by_an_earlier_one_hears_nothing_more) {
  rac_subject *subject = rac_subject_create();
  recorder second = {0};
  recorder first = {.on_next = dispose_user, .user = &second};
  record(as_signal(subject), &first);
  record(as_signal(subject), &second);
  play(subject, "1 2");
  CHECK_EVENTS(&first, "1 2");
  CHECK_EVENTS(&second, "");
  CHECK_INT(second.destroyed, 1);
  finish(&first);
  await_end(&second);
  rac_release(subject);
}

TEST(dispose_twice) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  CHECK_INT(r.destroyed, 1);
  play(subject, "1");
  CHECK_EVENTS(&r, "");
  await_end(&r);
  rac_release(subject);
}

TEST(destroy_runs_at_once_when_nothing_is_running) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  rac_dispose(r.subscription);
  CHECK_INT(r.destroyed, 1);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  await_end(&r);
  rac_release(subject);
}

/* ---- Disposal before subscribe has returned ----------------------------- */

typedef struct early {
  rac_subject *trigger;
  recorder r;
  atomic_int disposed;
} early;

static void early_disposed(void *context) {
  atomic_fetch_add(&((early *)context_target(context))->disposed, 1);
}

static rac_status trigger_then_send(void *context, rac_subscriber *subscriber,
                                    rac_disposable **out) {
  early *self = context_target(context);
  rac_subscriber_send(subscriber, I(1));
  rac_subject_send(self->trigger, I(0));
  CHECK(!rac_subscriber_is_active(subscriber));
  CHECK_STATUS(rac_subscriber_send(subscriber, I(2)), RAC_EDONE);
  *out = rac_disposable_create(context_new(self, NULL), early_disposed,
                               context_destroy);
  return RAC_OK;
}

TEST(an_end_before_subscribe_has_returned) {
  early self = {.trigger = rac_subject_create()};
  rac_signal *signal = rac_signal_create(context_new(&self, NULL),
                                         trigger_then_send, context_destroy);
  rac_assign((void **)&signal,
             rac_signal_take_until(signal, as_signal(self.trigger)));
  record(signal, &self.r);
  CHECK_EVENTS(&self.r, "1 |");
  CHECK_INT(self.disposed, 1);
  await_end(&self.r);
  rac_release(signal);
  rac_release(self.trigger);
}

static rac_status dispose_early(void *context, rac_subscriber *subscriber,
                                rac_disposable **out) {
  early *self = context_target(context);
  rac_subscriber_send(subscriber, I(1));
  rac_dispose(self->r.subscription);
  rac_subscriber_send(subscriber, I(2));
  *out = rac_disposable_create(context_new(self, NULL), early_disposed,
                               context_destroy);
  return RAC_OK;
}

TEST(a_disposal_before_subscribe_has_returned) {
  /* subscribe_on puts the callback behind the return of rac_subscribe, and
   * the inner subscription is made while the outer one is disposed. */
  early self = {0};
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *signal = rac_signal_create(context_new(&self, NULL),
                                         dispose_early, context_destroy);
  rac_assign((void **)&signal, rac_signal_subscribe_on(signal, v));
  record(signal, &self.r);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&self.r, "1");
  CHECK_INT(self.disposed, 1);
  await_end(&self.r);
  rac_release(signal);
  rac_release(v);
}

/* ---- Disposal by other threads ------------------------------------------ */

static void *dispose_it(void *subscription) {
  CHECK_STATUS(rac_dispose(subscription), RAC_OK);
  return NULL;
}

static void dispose_elsewhere(recorder *self, rac_value value) {
  if (value.bits != 2) return;
  check_join(check_spawn(dispose_it, self->subscription));
}

TEST(another_thread_disposes_during_the_callback) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = dispose_elsewhere};
  record(as_signal(subject), &r);
  play(subject, "1 2 3");
  CHECK_EVENTS(&r, "1 2");
  CHECK_INT(r.destroyed, 1);
  await_end(&r);
  rac_release(subject);
}

typedef struct flow {
  rac_subject *subject;
  atomic_bool stop;
} flow;

static void *keep_sending(void *argument) {
  flow *self = argument;
  for (int64_t i = 0; !atomic_load(&self->stop); i++)
    rac_subject_send(self->subject, I(i));
  return NULL;
}

static void gapless(recorder *self, rac_value value) {
  int64_t *last = self->user;
  if (*last >= 0 && value.bits != *last + 1)
    check_fail(__FILE__, __LINE__, "a value was skipped");
  *last = value.bits;
}

TEST(disposing_while_events_flow) {
  flow self = {rac_subject_create(), false};
  pthread_t sender = check_spawn(keep_sending, &self);
  for (int64_t round = check_scaled(3000); round > 0; round--) {
    int64_t last = -1;
    recorder r = {.on_next = gapless, .user = &last};
    record(as_signal(self.subject), &r);
    for (int64_t spin = round % 300; spin > 0; spin--) atomic_load(&self.stop);
    finish(&r);
  }
  atomic_store(&self.stop, true);
  check_join(sender);
  rac_release(self.subject);
}

typedef struct pair {
  rac_disposable *subscription;
  atomic_int round, done;
} pair;

static void *dispose_each_round(void *argument) {
  pair *self = argument;
  for (int round = 1;; round++) {
    int now;
    while ((now = atomic_load(&self->round)) >= 0 && now < round) continue;
    if (now < 0) return NULL;
    rac_dispose(self->subscription);
    atomic_store(&self->done, round);
  }
}

static void count_nexts(void *context, rac_value value) {
  (void)value;
  ++*(int *)context;
}

/* Whoever comes second must not come back before the first one has done what
 * keeps callbacks from starting. */
TEST(two_threads_dispose_at_once) {
  pair self = {0};
  pthread_t other = check_spawn(dispose_each_round, &self);
  rac_subject *subject = rac_subject_create();
  rac_scheduler *immediate = rac_scheduler_immediate();
  /* The second one has had two links at a time. */
  rac_signal *signals[] = {
      rac_retain(subject),
      rac_signal_subscribe_on(as_signal(subject), immediate)};
  int rounds = (int)check_scaled(5000), heard = 0;
  for (int round = 1; round <= rounds; round++) {
    self.subscription =
        rac_subscribe_next(signals[round % 2], &heard, count_nexts, NULL);
    atomic_store(&self.round, round);
    for (int spin = round % 64; spin > 0; spin--) atomic_load(&self.done);
    rac_dispose(self.subscription);
    for (int i = 0; i < 20; i++) rac_subject_send(subject, I(i));
    while (atomic_load(&self.done) < round) continue;
    rac_release(self.subscription);
  }
  CHECK_INT(heard, 0);
  atomic_store(&self.round, -1);
  check_join(other);
  for (int i = 0; i < 2; i++) rac_release(signals[i]);
  rac_release(immediate);
  rac_release(subject);
}

TEST(dispose_and_wait_returns_after_destroy) {
  flow self = {rac_subject_create(), false};
  pthread_t sender = check_spawn(keep_sending, &self);
  for (int64_t round = check_scaled(3000); round > 0; round--) {
    int64_t last = -1;
    recorder r = {.on_next = gapless, .user = &last};
    record(as_signal(self.subject), &r);
    for (int64_t spin = round % 300; spin > 0; spin--) atomic_load(&self.stop);
    CHECK_STATUS(rac_dispose_and_wait(r.subscription, -1), RAC_OK);
    CHECK_INT(atomic_load(&r.destroyed), 1);
    let_go(&r);
  }
  atomic_store(&self.stop, true);
  check_join(sender);
  rac_release(self.subject);
}

static void dispose_and_wait_inside(recorder *self, rac_value value) {
  (void)value;
  CHECK_STATUS(rac_dispose_and_wait(self->subscription, -1), RAC_PENDING);
  CHECK_INT(self->destroyed, 0);
}

TEST(dispose_and_wait_inside_the_callback_does_not_wait) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = dispose_and_wait_inside};
  record(as_signal(subject), &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "1");
  CHECK_INT(r.destroyed, 1);
  await_end(&r);
  rac_release(subject);
}

typedef struct hold {
  rac_subject *subject;
  atomic_int entered, leave;
} hold;

static void hold_on(recorder *self, rac_value value) {
  (void)value;
  hold *h = self->user;
  atomic_store(&h->entered, 1);
  while (!atomic_load(&h->leave)) check_pause();
}

static void *send_one(void *argument) {
  rac_subject_send(((hold *)argument)->subject, I(1));
  return NULL;
}

TEST(dispose_and_wait_gives_up_after_its_timeout) {
  hold h = {.subject = rac_subject_create()};
  recorder r = {.on_next = hold_on, .user = &h};
  record(as_signal(h.subject), &r);
  pthread_t sender = check_spawn(send_one, &h);
  WAIT_UNTIL(atomic_load(&h.entered));
  /* A plain disposal does not wait for the callback. */
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, 0), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, 0.01), RAC_ETIMEDOUT);
  CHECK_INT(atomic_load(&r.destroyed), 0);
  atomic_store(&h.leave, 1);
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, -1), RAC_OK);
  CHECK_INT(atomic_load(&r.destroyed), 1);
  check_join(sender);
  let_go(&r);
  rac_release(h.subject);
}

TEST(a_send_during_another_threads_callback_is_queued_not_blocked) {
  hold h = {.subject = rac_subject_create()};
  recorder r = {.on_next = hold_on, .user = &h};
  record(as_signal(h.subject), &r);
  pthread_t sender = check_spawn(send_one, &h);
  WAIT_UNTIL(atomic_load(&h.entered));
  CHECK_STATUS(rac_subject_send(h.subject, I(2)), RAC_QUEUED);
  CHECK_STATUS(rac_subject_send_completed(h.subject), RAC_QUEUED);
  CHECK_INT(atomic_load(&r.nexts), 1);
  atomic_store(&h.leave, 1);
  check_join(sender);
  CHECK_EVENTS(&r, "1 2 |");
  await_end(&r);
  rac_release(h.subject);
}
