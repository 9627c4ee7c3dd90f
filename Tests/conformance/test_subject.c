/* RACSubject, RACBehaviorSubject, and RACReplaySubject without a limit, as
 * signals and as the subscribers of other signals. */
#include "operators.h"

static rac_subscriber *as_subscriber(rac_subject *subject) {
  return rac_subject_as_subscriber(subject);
}

/* What a subscriber hears that comes now. */
#define CHECK_LATE(subject, expected)                                          \
  CHECK_SIGNAL(rac_retain(as_signal(subject)), expected)

/* ---- A subject as a subscriber ------------------------------------------ */

enum { SENDERS = 4, EACH = 25 };

typedef struct crowd {
  rac_subject *subject;
  atomic_int next_number;
} crowd;

static void *send_a_few(void *argument) {
  crowd *self = argument;
  for (int i = 0; i < EACH; i++)
    rac_subject_send(self->subject, I(atomic_fetch_add(&self->next_number, 1)));
  return NULL;
}

static void count_number(recorder *self, rac_value value) {
  int *seen = self->user;
  seen[value.bits]++;
}

/* subject-002: whichever threads send, every value arrives once, and recorders
 * fail when callbacks overlap */
TEST(values_from_several_threads_all_arrive) {
  int seen[SENDERS * EACH] = {0};
  crowd c = {.subject = rac_subject_create()};
  recorder r = {.on_next = count_number, .user = seen};
  pthread_t threads[SENDERS];
  record(as_signal(c.subject), &r);
  for (int i = 0; i < SENDERS; i++) threads[i] = check_spawn(send_a_few, &c);
  for (int i = 0; i < SENDERS; i++) check_join(threads[i]);
  WAIT_UNTIL(atomic_load(&r.nexts) == SENDERS * EACH);
  rac_subject_send_completed(c.subject);
  await_end(&r);
  for (int i = 0; i < SENDERS * EACH; i++) CHECK_INT(seen[i], 1);
  CHECK(strstr(r.text, "#") == NULL);
  rac_release(c.subject);
}

typedef struct pair {
  rac_subject *first, *second, *subject;
  recorder r;
} pair;

/* The subject is subscribed to two others, and recorded. */
static void begin(pair *self, rac_subject *subject) {
  *self = (pair){rac_subject_create(), rac_subject_create(), subject, {0}};
  rac_release(
      rac_subscribe_subscriber(as_signal(self->first), as_subscriber(subject)));
  rac_release(rac_subscribe_subscriber(as_signal(self->second),
                                       as_subscriber(subject)));
  record(as_signal(subject), &self->r);
}

static void end(pair *self) {
  await_end(&self->r);
  rac_release(self->first);
  rac_release(self->second);
  rac_release(self->subject);
}

/* subject-003: values of several sources come in the order they were sent */
TEST(a_subject_hears_two_sources_in_order) {
  pair p;
  begin(&p, rac_subject_create());
  play(p.first, "1");
  play(p.second, "2");
  play(p.first, "3");
  play(p.second, "4");
  CHECK_EVENTS(&p.r, "1 2 3 4");
  play(p.first, "|");
  end(&p);
}

/* subject-005: one completion ends what comes from both */
TEST(one_completion_ends_both_sources) {
  pair p;
  begin(&p, rac_subject_create());
  play(p.first, "1");
  play(p.second, "2");
  play(p.first, "|");
  play(p.second, "3");
  CHECK_EVENTS(&p.r, "1 2 |");
  end(&p);
}

/* subject-006: what was subscribed along with them goes at that end */
TEST(one_completion_disposes_all_that_was_subscribed) {
  pair p;
  source a = {0}, b = {0};
  rac_signal *more = cold("", &a), *yet_more = cold("", &b);
  begin(&p, rac_subject_create());
  rac_release(rac_subscribe_subscriber(more, as_subscriber(p.subject)));
  rac_release(rac_subscribe_subscriber(yet_more, as_subscriber(p.subject)));
  play(p.second, "1");
  CHECK_INT(a.disposed + b.disposed, 0);
  play(p.first, "|");
  CHECK_INT(a.disposed, 1);
  CHECK_INT(b.disposed, 1);
  rac_release(more);
  rac_release(yet_more);
  end(&p);
}

static void check_lets_go(rac_subject *subject) {
  rac_disposable *compound = rac_compound_disposable_create();
  CHECK_STATUS(rac_subscriber_add_disposable(as_subscriber(subject), compound),
               RAC_OK);
  uint64_t before = rac_live_objects();
  rac_dispose(compound);
  rac_release(compound);
  CHECK(rac_live_objects() < before);
  rac_release(subject);
}

/* subject-008, subject-021: a disposable that was handed over and disposed is
 * not kept */
TEST(a_subject_lets_go_of_what_is_disposed) {
  check_lets_go(rac_subject_create());
  check_lets_go(rac_replay_subject_create(RAC_REPLAY_UNLIMITED));
}

/* subject-017: an error of one source; nothing of the other follows */
TEST(one_error_ends_both_sources) {
  pair p;
  begin(&p, rac_replay_subject_create(RAC_REPLAY_UNLIMITED));
  play(p.first, "1");
  play(p.second, "#5");
  play(p.first, "2");
  CHECK_EVENTS(&p.r, "1 #5");
  CHECK_LATE(p.subject, "1 #5");
  end(&p);
}

/* subject-018: the same with a completion */
TEST(one_completion_ends_both_sources_of_a_replay) {
  pair p;
  begin(&p, rac_replay_subject_create(RAC_REPLAY_UNLIMITED));
  play(p.first, "1");
  play(p.second, "2");
  play(p.first, "|");
  play(p.second, "3");
  CHECK_EVENTS(&p.r, "1 2 |");
  CHECK_LATE(p.subject, "1 2 |");
  end(&p);
}

/* subject-020: whatever an ended subscriber is subscribed to ends at once */
TEST(an_ended_subject_ends_later_subscriptions) {
  rac_subject *kinds[] = {rac_replay_subject_create(RAC_REPLAY_UNLIMITED),
                          rac_subject_create()};
  for (int i = 0; i < 2; i++) {
    pair p;
    source counts = {0};
    rac_signal *more = cold("", &counts);
    begin(&p, kinds[i]);
    play(p.first, "|");
    rac_disposable *d =
        rac_subscribe_subscriber(more, as_subscriber(p.subject));
    CHECK(rac_is_disposed(d));
    CHECK_INT(counts.subscribed, counts.disposed);
    rac_release(d);
    rac_release(more);
    end(&p);
  }
}

/* ---- Lifetimes of subscriptions ----------------------------------------- */

typedef struct custom {
  rac_subject *subject;
  rac_disposable *own;
} custom;

static rac_status subscribe_with_own(void *context, rac_subscriber *subscriber,
                                     rac_disposable **out) {
  custom *self = context_target(context);
  rac_subscriber_add_disposable(subscriber, self->own);
  *out = rac_subscribe_subscriber(as_signal(self->subject), subscriber);
  return RAC_OK;
}

/* subject-029: what a subscriber added to its subscription is disposed with
 * the disposable that subscribing returned */
TEST(disposing_a_subscription_disposes_what_was_added_to_it) {
  custom c = {rac_subject_create(), rac_compound_disposable_create()};
  rac_signal *signal = rac_signal_create(CALLBACK_FOR(&c, subscribe_with_own));
  recorder r = {0};
  record(signal, &r);
  play(c.subject, "1");
  CHECK(!rac_is_disposed(c.own));
  finish(&r);
  CHECK(rac_is_disposed(c.own));
  CHECK_INT(rac_subject_subscriber_count(c.subject), 0);
  CHECK_EVENTS(&r, "1");
  rac_release(signal);
  rac_release(c.own);
  rac_release(c.subject);
}

/* Dead subscribers are not kept. */
TEST(a_subject_forgets_who_has_ended) {
  owned rac_subject *subject = rac_subject_create();
  for (int i = 0; i < 3; i++) {
    owned rac_signal *one = rac_signal_take(as_signal(subject), 1);
    recorder r = {0};
    record(one, &r);
    play(subject, "1");
    CHECK_INT(rac_subject_subscriber_count(subject), 0);
    await_end(&r);
  }
}

/* ---- What a subject remembers -------------------------------------------- */

/* subject-022: everything, then the end */
TEST(an_unlimited_replay_repeats_everything) {
  owned rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  play(subject, "1 2 |");
  CHECK_LATE(subject, "1 2 |");
  CHECK_LATE(subject, "1 2 |");
}

/* What is sent after the end is remembered all the same. */
TEST(a_replay_remembers_what_comes_after_its_end) {
  owned rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  play(subject, "1 | 2");
  CHECK_LATE(subject, "1 2 |");
}
