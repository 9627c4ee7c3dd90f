/* Subscriptions: which callbacks there are, and disposal from inside them. */
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
  owned rac_signal *signal = cold("1 2", &counts);
  rac_observer observer = RAC_OBSERVER_INIT;
  owned rac_disposable *subscription = rac_subscribe(signal, &observer);
  CHECK_INT(counts.subscribed, 1);
  CHECK_STATUS(rac_dispose(subscription), RAC_OK);
  CHECK_INT(counts.disposed, 1);
}

static void count_destroy(void *context) { ++*(int *)context; }

/* Law 9: once for every call that was given one. */
TEST(a_context_registered_twice_is_destroyed_twice) {
  int destroyed = 0;
  owned rac_subject *subject = rac_subject_create();
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &destroyed;
  observer.destroy = count_destroy;
  owned rac_disposable *a = rac_subscribe(as_signal(subject), &observer);
  owned rac_disposable *b = rac_subscribe(as_signal(subject), &observer);
  rac_dispose(a);
  CHECK_INT(destroyed, 1);
  rac_subject_send_completed(subject);
  CHECK_INT(destroyed, 2);
}

TEST(the_observer_may_lie_on_the_stack) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder r = {0};
  {
    rac_observer observer = recorder_observer(&r);
    r.subscription = rac_subscribe(as_signal(subject), &observer);
    memset(&observer, 0xAA, sizeof observer);
  }
  play(subject, "1 |");
  CHECK_EVENTS(&r, "1 |");
}

/* ---- Disposal from inside the callbacks --------------------------------- */

static void dispose_self(recorder *self, rac_value value) {
  (void)value;
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  CHECK(rac_is_disposed(self->subscription));
}

static void dispose_self_at_end(recorder *self) {
  CHECK(rac_is_disposed(self->subscription));
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
}

TEST(dispose_inside_next) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = dispose_self};
  record(as_signal(subject), &r);
  RECORDER(other, as_signal(subject));
  play(subject, "1 2 |");
  CHECK_EVENTS(&r, "1");
  CHECK_EVENTS(&other, "1 2 |");
  await_end(&r);
}

/* Law 7: it is over when the end is called back. */
TEST(dispose_inside_the_end) {
  const char *const ends[] = {"|", "#1"};
  for (int i = 0; i < 2; i++) {
    owned rac_subject *subject = rac_subject_create();
    recorder r = {.on_end = dispose_self_at_end};
    record(as_signal(subject), &r);
    play(subject, ends[i]);
    CHECK_EVENTS(&r, ends[i]);
    await_end(&r);
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
    owned rac_subject *subject = rac_subject_create();
    recorder r = {0};
    rac_signal *both[] = {rac_signal_create(&r, clean_up_disposing, NULL),
                          as_signal(subject)};
    rac_signal *signal = rac_signal_merge(both, 2);
    RAC_ASSIGN(signal, rac_signal_take(signal, 1));
    record(signal, &r);
    play(subject, i ? "1" : "#1");
    CHECK_EVENTS(&r, i ? "1" : "");
    await_end(&r);
    rac_release(r.user);
    rac_release(signal);
    rac_release(both[0]);
  }
}

static void send_and_dispose(recorder *self, rac_value value) {
  rac_subject_send(self->user, I(value.bits + 1));
  rac_dispose(self->subscription);
}

/* Laws 4 and 7: a disposal leaves nobody to hear it. */
TEST(a_value_sent_before_the_disposal_but_still_queued_is_not_heard) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = send_and_dispose, .user = subject};
  record(as_signal(subject), &r);
  RECORDER(other, as_signal(subject));
  play(subject, "1");
  CHECK_EVENTS(&r, "1");
  CHECK_EVENTS(&other, "1 2");
  await_end(&r);
}

static void dispose_user(recorder *self, rac_value value) {
  (void)value;
  rac_dispose(((recorder *)self->user)->subscription);
}

TEST(a_subscriber_disposed_by_an_earlier_one_hears_nothing_more) {
  owned rac_subject *subject = rac_subject_create();
  recorder second = {0};
  recorder first = {.on_next = dispose_user, .user = &second};
  record(as_signal(subject), &first);
  record(as_signal(subject), &second);
  RECORDER(third, as_signal(subject));
  play(subject, "1 2");
  CHECK_EVENTS(&first, "1 2");
  CHECK_EVENTS(&second, "");
  CHECK_EVENTS(&third, "1 2");
  CHECK_INT(second.destroyed, 1);
  finish(&first);
  await_end(&second);
}

/* Law 7: silent, and any number of times. */
TEST(dispose_twice) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  play(subject, "1");
  CHECK(!rac_is_disposed(r.subscription));
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  CHECK(rac_is_disposed(r.subscription));
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  CHECK_STATUS(rac_dispose(NULL), RAC_OK);
  CHECK_INT(r.destroyed, 1);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  play(subject, "2 |");
  CHECK_EVENTS(&r, "1");
  await_end(&r);
}
