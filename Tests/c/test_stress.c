/* Two threads send ten million values, a third subscribes and disposes, a
 * subscriber sends from inside its callback, everyone releases when they are
 * done: every subscriber sees a gapless, ordered stream that does not overlap,
 * and those who stay see the same order.
 *
 * RAC_STRESS_DIVISOR makes it smaller for the sanitizers. */
#include "operators.h"

#include <sched.h>

enum { SENDERS = 2, STREAMS = 3, STAYING = 3, ROUNDS = 100 };

static int64_t total(void) { return check_scaled(10000000); }
static int64_t per_sender(void) {
  int64_t count = total() / (SENDERS * ROUNDS);
  return count > 0 ? count : 1;
}

static int64_t pack(int64_t sender, int64_t number) {
  return sender << 40 | number;
}

/* What a subscriber saw. Plain memory but for the flag: the library alone puts
 * the callbacks in order. */
typedef struct seen {
  int64_t next[STREAMS]; /* -1: any number may come */
  int64_t count;
  uint64_t order;
  atomic_int inside, destroyed;
  rac_subject *subject; /* for the one that sends */
  int64_t sent;
  rac_disposable *subscription;
  int64_t dispose_after; /* 0: never */
  bool ended;
} seen;

static void see(void *context, rac_value value) {
  seen *self = context_target(context);
  if (atomic_fetch_add_explicit(&self->inside, 1, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "callbacks overlap");
  int64_t sender = value.bits >> 40;
  int64_t number = value.bits & (((int64_t)1 << 40) - 1);
  int64_t *next = &self->next[sender];
  if (*next >= 0 && number != *next)
    check_fail(__FILE__, __LINE__, "a value is missing, doubled or late");
  *next = number + 1;
  self->count++;
  self->order = self->order * 1099511628211u + (uint64_t)value.bits;
  if (self->ended) check_fail(__FILE__, __LINE__, "a value after the end");
  if (self->subject && sender < SENDERS && number % 64 == 0 &&
      rac_subject_send(self->subject, I(pack(SENDERS, self->sent))) >= 0)
    self->sent++;
  if (self->dispose_after > 0 && self->count == self->dispose_after)
    rac_dispose(self->subscription);
  atomic_fetch_sub_explicit(&self->inside, 1, memory_order_relaxed);
}

static void see_completed(void *context) {
  seen *self = context_target(context);
  if (self->ended) check_fail(__FILE__, __LINE__, "two ends");
  self->ended = true;
}

static void see_destroy(void *context) {
  seen *self = context_target(context);
  context_destroy(context);
  atomic_fetch_add_explicit(&self->destroyed, 1, memory_order_release);
}

static void see_start(seen *self, rac_signal *signal, int64_t first) {
  for (int i = 0; i < STREAMS; i++) self->next[i] = first;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(self, NULL);
  observer.next = see;
  observer.completed = see_completed;
  observer.destroy = see_destroy;
  self->subscription = rac_subscribe(signal, &observer);
}

static void see_gone(seen *self) {
  WAIT_UNTIL(atomic_load_explicit(&self->destroyed, memory_order_acquire));
  rac_release(self->subscription);
}

/* ---- The threads of a round --------------------------------------------- */

typedef struct round {
  rac_subject *subject;
  atomic_int ready, sending;
  bool completes;
} round;

typedef struct sender {
  round *round;
  int64_t name;
} sender;

static void start_together(round *self) {
  atomic_fetch_add(&self->ready, 1);
  while (atomic_load(&self->ready) < SENDERS + 1) sched_yield();
}

/* Each thread has a reference of its own; the last to go takes the subject. */
static void *send_all(void *argument) {
  sender *self = argument;
  round *r = self->round;
  start_together(r);
  int64_t count = per_sender();
  for (int64_t i = 0; i < count; i++)
    if (rac_subject_send(r->subject, I(pack(self->name, i))) < 0)
      check_fail(__FILE__, __LINE__, "a send failed");
  bool last = atomic_fetch_sub(&r->sending, 1) == 1;
  if (last && r->completes) rac_subject_send_completed(r->subject);
  rac_release(r->subject);
  return NULL;
}

/* Comes and goes in every way there is. */
static void *come_and_go(void *argument) {
  round *r = argument;
  start_together(r);
  for (int64_t i = 0; atomic_load(&r->sending) > 0; i++) {
    seen s;
    memset(&s, 0, sizeof s);
    rac_signal *signal = rac_retain(r->subject);
    if (i % 4 == 1) APPLY(signal, take, (size_t)(i % 7 + 1));
    if (i % 4 == 2) APPLY(signal, skip, (size_t)(i % 5));
    see_start(&s, signal, -1);
    rac_release(signal);
    for (int64_t spin = i % 200; spin > 0; spin--) atomic_load(&r->sending);
    if (i % 3 == 0) {
      CHECK_STATUS(rac_dispose_and_wait(s.subscription, -1), RAC_OK);
      CHECK_INT(atomic_load(&s.destroyed), 1);
    } else {
      rac_dispose(s.subscription);
    }
    see_gone(&s);
  }
  rac_release(r->subject);
  return NULL;
}

static void run_round(int number, rac_subject *subject) {
  round r = {.subject = subject, .sending = SENDERS};
  r.completes = number % 2 == 0;
  seen staying[STAYING], leaving;
  memset(staying, 0, sizeof staying);
  memset(&leaving, 0, sizeof leaving);
  for (int i = 0; i < STAYING; i++) {
    if (i == 1) staying[i].subject = subject;
    see_start(&staying[i], as_signal(subject), 0);
  }
  leaving.dispose_after = per_sender();
  see_start(&leaving, as_signal(subject), 0);
  sender senders[SENDERS];
  pthread_t threads[SENDERS + 1];
  for (int i = 0; i < SENDERS; i++) {
    senders[i] = (sender){&r, i};
    rac_retain(subject);
    threads[i] = check_spawn(send_all, &senders[i]);
  }
  /* The third thread gets ours. */
  threads[SENDERS] = check_spawn(come_and_go, &r);
  for (int i = 0; i <= SENDERS; i++) check_join(threads[i]);
  for (int i = 0; i < STAYING; i++) {
    see_gone(&staying[i]);
    CHECK_INT(staying[i].next[0], per_sender());
    CHECK_INT(staying[i].next[1], per_sender());
    /* What is sent after the completion is queued and then dropped. */
    CHECK_INT(staying[i].next[2], staying[0].next[2]);
    if (!r.completes) CHECK_INT(staying[i].next[2], staying[1].sent);
    CHECK(staying[i].order == staying[0].order);
    CHECK_INT(staying[i].ended, r.completes);
  }
  see_gone(&leaving);
  CHECK_INT(leaving.count, per_sender());
  CHECK(!leaving.ended);
}

TEST(ten_million_values_through_subjects_made_afresh) {
  for (int i = 0; i < ROUNDS; i++) run_round(i, rac_subject_create());
}

/* ---- Subjects with a memory --------------------------------------------- */

static void *come_later(void *argument) {
  round *r = argument;
  start_together(r);
  rac_thread_attach();
  for (int64_t i = 0; atomic_load(&r->sending) > 0 && i < 30; i++) {
    seen s;
    memset(&s, 0, sizeof s);
    see_start(&s, as_signal(r->subject), 0);
    rac_dispose(s.subscription);
    see_gone(&s);
    /* Whoever comes to an unlimited memory starts from the beginning. */
    CHECK(s.next[0] > 0 || s.next[1] > 0 || s.count == 0);
  }
  rac_thread_detach();
  rac_release(r->subject);
  return NULL;
}

TEST(a_replay_subject_under_the_same_pressure) {
  for (int number = 0; number < 4; number++) {
    rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
    round r = {.subject = subject, .sending = SENDERS, .completes = true};
    seen early;
    memset(&early, 0, sizeof early);
    see_start(&early, as_signal(subject), 0);
    sender senders[SENDERS];
    pthread_t threads[SENDERS + 1];
    for (int i = 0; i < SENDERS; i++) {
      senders[i] = (sender){&r, i};
      rac_retain(subject);
      threads[i] = check_spawn(send_all, &senders[i]);
    }
    rac_retain(subject);
    threads[SENDERS] = check_spawn(come_later, &r);
    for (int i = 0; i <= SENDERS; i++) check_join(threads[i]);
    see_gone(&early);
    seen late;
    memset(&late, 0, sizeof late);
    see_start(&late, as_signal(subject), 0);
    see_gone(&late);
    CHECK(late.ended && early.ended);
    CHECK_INT(late.count, SENDERS * per_sender());
    /* The replay repeats the order that was live. */
    CHECK(late.order == early.order);
    rac_release(subject);
  }
}

/* ---- A subscriber of create --------------------------------------------- */

typedef struct pipe_end {
  rac_subscriber *subscriber;
  int64_t name;
} pipe_end;

static rac_status hand_out(void *context, rac_subscriber *subscriber,
                           rac_disposable **out) {
  pipe_end *ends = context_target(context);
  (void)out;
  for (int i = 0; i < SENDERS; i++) {
    ends[i].subscriber = rac_retain(subscriber);
    ends[i].name = i;
  }
  return RAC_OK;
}

static void *send_into(void *argument) {
  pipe_end *self = argument;
  for (int64_t i = 0; i < per_sender(); i++)
    if (rac_subscriber_send(self->subscriber, I(pack(self->name, i))) < 0)
      break;
  rac_release(self->subscriber);
  return NULL;
}

TEST(two_threads_into_one_subscriber_that_is_dropped_or_disposed) {
  for (int number = 0; number < 50; number++) {
    pipe_end ends[SENDERS];
    memset(ends, 0, sizeof ends);
    rac_signal *signal = rac_signal_create(CALLBACK_FOR(ends, hand_out));
    seen s;
    memset(&s, 0, sizeof s);
    see_start(&s, signal, 0);
    rac_release(signal);
    pthread_t a = check_spawn(send_into, &ends[0]);
    pthread_t b = check_spawn(send_into, &ends[1]);
    if (number % 2) rac_dispose(s.subscription);
    check_join(a);
    check_join(b);
    see_gone(&s);
    CHECK(!s.ended);
    if (number % 2 == 0) CHECK_INT(s.count, SENDERS * per_sender());
  }
}
