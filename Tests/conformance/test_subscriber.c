/* RACSubscriber: the subscriber that a create callback is given, kept and used
 * like one that was made by hand. */
#include <sched.h>

#include "operators.h"

/* A subscriber whose events the recorder hears. */
typedef struct made {
  rac_subscriber *subscriber;
  recorder r;
} made;

static rac_status keep_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)out;
  *(rac_subscriber **)context_target(context) = rac_retain(subscriber);
  return RAC_OK;
}

static void begin(made *self) {
  owned rac_signal *signal =
      rac_signal_create(CALLBACK_FOR(&self->subscriber, keep_subscriber));
  record(signal, &self->r);
}

static void end(made *self) {
  await_end(&self->r);
  rac_release(self->subscriber);
}

/* subscriber-001: a nil error is a failure, without values */
TEST(a_nil_error_is_a_failure) {
  made m = {0};
  begin(&m);
  CHECK_STATUS(rac_subscriber_send_error(m.subscriber, rac_value_nil()),
               RAC_OK);
  CHECK_EVENTS(&m.r, "#nil");
  end(&m);
}

/* A second end is ignored, as are values. */
TEST(only_the_first_end_counts) {
  made m = {0};
  begin(&m);
  rac_subscriber_send(m.subscriber, I(1));
  CHECK_STATUS(rac_subscriber_send_completed(m.subscriber), RAC_OK);
  CHECK_STATUS(rac_subscriber_send(m.subscriber, I(2)), RAC_EDONE);
  CHECK_STATUS(rac_subscriber_send_error(m.subscriber, rac_value_nil()),
               RAC_EDONE);
  CHECK_STATUS(rac_subscriber_send_completed(m.subscriber), RAC_EDONE);
  CHECK_EVENTS(&m.r, "1 |");
  end(&m);
}

/* ---- Several threads ------------------------------------------------------ */

enum { SENDERS = 4, EACH = 25 };

typedef struct crowd {
  made m;
  atomic_int next_number;
  int seen[SENDERS * EACH];
} crowd;

static void *send_a_few(void *argument) {
  crowd *self = argument;
  for (int i = 0; i < EACH; i++)
    rac_subscriber_send(self->m.subscriber,
                        I(atomic_fetch_add(&self->next_number, 1)));
  return NULL;
}

static void count_number(recorder *self, rac_value value) {
  crowd *c = self->user;
  c->seen[value.bits]++;
}

/* subscriber-002: values from several threads all arrive, one at a time */
TEST(values_from_several_threads_all_arrive) {
  crowd c = {.m.r = {.on_next = count_number, .user = &c}};
  pthread_t threads[SENDERS];
  begin(&c.m);
  for (int i = 0; i < SENDERS; i++) threads[i] = check_spawn(send_a_few, &c);
  for (int i = 0; i < SENDERS; i++) check_join(threads[i]);
  WAIT_UNTIL(atomic_load(&c.m.r.nexts) == SENDERS * EACH);
  for (int i = 0; i < SENDERS * EACH; i++) CHECK_INT(c.seen[i], 1);
  CHECK_INT(c.m.r.ends, 0);
  rac_subscriber_send_completed(c.m.subscriber);
  end(&c.m);
}

typedef struct race {
  made m;
  atomic_int ready, has_ended, late;
  bool fails;
} race;

static void note_late(recorder *self, rac_value value) {
  race *r = self->user;
  (void)value;
  if (atomic_load(&r->has_ended)) atomic_fetch_add(&r->late, 1);
}

static void wait_for_all(race *r) {
  atomic_fetch_add(&r->ready, 1);
  while (atomic_load(&r->ready) < 3) sched_yield();
}

static void *send_some(void *argument) {
  race *r = argument;
  wait_for_all(r);
  for (int i = 0; i < 15; i++) rac_subscriber_send(r->m.subscriber, I(i));
  return NULL;
}

static void *send_the_end(void *argument) {
  race *r = argument;
  wait_for_all(r);
  rac_status status =
      r->fails ? rac_subscriber_send_error(r->m.subscriber, rac_value_nil())
               : rac_subscriber_send_completed(r->m.subscriber);
  /* RAC waited for a sender that is delivering; here the end queues behind
   * it, says so, and may come after this call has returned. */
  if (status == RAC_OK) atomic_store(&r->has_ended, 1);
  return NULL;
}

static void check_race(bool fails) {
  for (int64_t n = check_scaled(100); n > 0; n--) {
    race r = {.m.r = {.on_next = note_late, .user = &r}, .fails = fails};
    begin(&r.m);
    pthread_t threads[] = {check_spawn(send_some, &r),
                           check_spawn(send_the_end, &r),
                           check_spawn(send_some, &r)};
    for (int i = 0; i < 3; i++) check_join(threads[i]);
    WAIT_UNTIL(atomic_load(&r.m.r.ends) == 1);
    CHECK_INT(atomic_load(&r.late), 0);
    CHECK(strstr(r.m.r.text, fails ? "#nil" : "|") != NULL);
    end(&r.m);
  }
}

/* subscriber-009: after a completion that was delivered no next begins,
 * whatever other threads send; recorders fail for one after the end */
TEST(no_value_after_the_completion) { check_race(false); }

/* subscriber-010: the same with an error */
TEST(no_value_after_the_error) { check_race(true); }

/* ---- Several sources ------------------------------------------------------ */

typedef struct pair {
  made m;
  rac_subject *first, *second;
} pair;

static void begin_pair(pair *self) {
  *self = (pair){.first = rac_subject_create(), .second = rac_subject_create()};
  begin(&self->m);
  rac_release(
      rac_subscribe_subscriber(as_signal(self->first), self->m.subscriber));
  rac_release(
      rac_subscribe_subscriber(as_signal(self->second), self->m.subscriber));
}

static void end_pair(pair *self) {
  end(&self->m);
  rac_release(self->first);
  rac_release(self->second);
}

/* subscriber-003: values of both sources in the order they were sent */
TEST(a_subscriber_hears_two_sources_in_order) {
  pair p;
  begin_pair(&p);
  play(p.first, "1");
  play(p.second, "2");
  play(p.first, "3");
  play(p.second, "4");
  CHECK_EVENTS(&p.m.r, "1 2 3 4");
  play(p.second, "|");
  end_pair(&p);
}

/* subscriber-004: an error of one ends both */
TEST(one_error_ends_both_sources) {
  pair p;
  begin_pair(&p);
  play(p.first, "1");
  play(p.second, "#5");
  play(p.first, "2");
  CHECK_EVENTS(&p.m.r, "1 #5");
  CHECK_INT(rac_subject_subscriber_count(p.first), 0);
  end_pair(&p);
}

/* subscriber-005: a completion of one ends both */
TEST(one_completion_ends_both_sources) {
  pair p;
  begin_pair(&p);
  play(p.first, "1");
  play(p.second, "2");
  play(p.first, "|");
  play(p.second, "3");
  CHECK_EVENTS(&p.m.r, "1 2 |");
  CHECK_INT(rac_subject_subscriber_count(p.second), 0);
  end_pair(&p);
}

static rac_status note_whether_active(void *context, rac_subscriber *subscriber,
                                      rac_disposable **out) {
  source *counts = context_target(context);
  (void)out;
  counts->subscribed++;
  CHECK(!rac_subscriber_is_active(subscriber));
  CHECK_STATUS(rac_subscriber_send(subscriber, I(9)), RAC_EDONE);
  return RAC_OK;
}

/* subscriber-007: an ended subscriber ends what it is subscribed to later: the
 * block runs, and what it returned is disposed */
TEST(an_ended_subscriber_ends_later_subscriptions) {
  pair p;
  source counts = {0}, inactive = {0};
  rac_signal *more = cold("", &counts);
  rac_signal *mapped = rac_signal_map(more, CALLBACK(times_ten));
  rac_signal *asking =
      rac_signal_create(CALLBACK_FOR(&inactive, note_whether_active));
  rac_signal *signals[] = {more, mapped, asking};
  begin_pair(&p);
  play(p.first, "|");
  for (int i = 0; i < 3; i++) {
    rac_disposable *d = rac_subscribe_subscriber(signals[i], p.m.subscriber);
    CHECK(rac_is_disposed(d));
    rac_release(d);
    rac_release(signals[i]);
  }
  CHECK_INT(counts.subscribed, 2);
  CHECK_INT(counts.disposed, 2);
  CHECK_INT(inactive.subscribed, 1);
  end_pair(&p);
}

/* The same with a subscriber whose subscription was disposed, and with a
 * subject that was sent an end. */
TEST(so_do_a_disposed_subscriber_and_a_subject_that_ended) {
  made m = {0};
  source counts = {0};
  rac_subject *subject = rac_subject_create();
  rac_signal *more = cold("", &counts);
  begin(&m);
  rac_dispose(m.r.subscription);
  rac_subject_send_completed(subject);
  rac_disposable *d[] = {
      rac_subscribe_subscriber(more, m.subscriber),
      rac_subscribe_subscriber(more, rac_subject_as_subscriber(subject))};
  for (int i = 0; i < 2; i++) {
    CHECK(rac_is_disposed(d[i]));
    rac_release(d[i]);
  }
  CHECK_INT(counts.subscribed, 2);
  CHECK_INT(counts.disposed, 2);
  rac_release(more);
  rac_release(subject);
  end(&m);
}

static void *subscribe_elsewhere(void *context) {
  made *m = context;
  source counts = {0};
  rac_signal *more = cold("", &counts);
  rac_disposable *d = rac_subscribe_subscriber(more, m->subscriber);
  CHECK(rac_is_disposed(d));
  rac_release(d);
  rac_release(more);
  CHECK_INT(counts.subscribed, 0);
  return NULL;
}

/* Where the block would run on another scheduler it is taken back before. */
TEST(without_a_current_scheduler_the_block_does_not_run) {
  made m = {0};
  begin(&m);
  rac_subscriber_send_completed(m.subscriber);
  check_join(check_spawn(subscribe_elsewhere, &m));
  end(&m);
}

/* ---- Lifetimes ------------------------------------------------------------ */

/* subscriber-008: a disposable that was handed over and disposed is not kept */
TEST(a_subscriber_lets_go_of_what_is_disposed) {
  made m = {0};
  begin(&m);
  rac_disposable *compound = rac_compound_disposable_create();
  rac_subscriber_add_disposable(m.subscriber, compound);
  uint64_t before = rac_live_objects();
  rac_dispose(compound);
  rac_release(compound);
  CHECK(rac_live_objects() < before);
  rac_subscriber_send_completed(m.subscriber);
  end(&m);
}

typedef struct watched {
  recorder *r;
  atomic_int nexts, ends;
} watched;

static void note_disposal(void *context) {
  watched *self = context_target(context);
  self->nexts = self->r->nexts;
  self->ends = self->r->ends + 1;
}

/* At an end what was handed over is disposed before the callback runs. */
TEST(disposables_go_before_the_end_is_heard) {
  made m = {0};
  watched w = {.r = &m.r};
  begin(&m);
  rac_disposable *d = rac_disposable_create(CALLBACK_FOR(&w, note_disposal));
  rac_subscriber_add_disposable(m.subscriber, d);
  rac_subscriber_send(m.subscriber, I(1));
  rac_subscriber_send_completed(m.subscriber);
  CHECK_INT(w.nexts, 1);
  CHECK_INT(w.ends, 1);
  CHECK_EVENTS(&m.r, "1 |");
  rac_release(d);
  end(&m);
}

static void add_and_dispose_many(rac_subscriber *subscriber) {
  uint64_t before = rac_live_objects();
  for (int i = 0; i < 1000; i++) {
    owned rac_disposable *d = rac_disposable_create(NULL, NULL, NULL);
    rac_subscriber_add_disposable(subscriber, d);
    rac_dispose(d);
  }
  CHECK(rac_live_objects() < before + 100);
}

/* Disposables that were handed over and disposed do not pile up. */
TEST(disposed_disposables_do_not_pile_up) {
  made m = {0};
  begin(&m);
  add_and_dispose_many(m.subscriber);
  rac_subscriber_send_completed(m.subscriber);
  end(&m);
  owned rac_subject *subject = rac_subject_create();
  add_and_dispose_many(rac_subject_as_subscriber(subject));
}

/* A subject that goes disposes what it was handed. */
TEST(a_subject_that_goes_disposes_its_disposables) {
  for (int compound = 0; compound < 2; compound++) {
    rac_subject *subject = rac_subject_create();
    owned rac_disposable *d = compound
                                  ? rac_compound_disposable_create()
                                  : rac_disposable_create(NULL, NULL, NULL);
    rac_subscriber_add_disposable(rac_subject_as_subscriber(subject), d);
    CHECK(!rac_is_disposed(d));
    rac_release(subject);
    CHECK(rac_is_disposed(d));
  }
}
