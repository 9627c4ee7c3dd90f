/* Two threads send ten million values, a third subscribes and disposes, a
 * subscriber sends from inside its callback, everyone releases when they are
 * done: every subscriber sees a gapless, ordered stream that does not overlap,
 * and those who stay see the same order.
 *
 * RAC_STRESS_DIVISOR makes it smaller for the sanitizers, RAC_STRESS_SECONDS
 * keeps the first test going for so long. */
#include "operators.h"
#include "witness.h"

enum { STAYING = 3, ROUNDS = 100 };

static int64_t total(void) { return check_scaled(10000000); }
static int64_t per_sender(void) {
  int64_t count = total() / (SENDERS * ROUNDS);
  return count > 0 ? count : 1;
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

/* Each thread has a reference of its own; the last to go takes the subject. */
static void *send_all(void *argument) {
  sender *self = argument;
  round *r = self->round;
  start_together(&r->ready, SENDERS + 1);
  int64_t count = per_sender();
  for (int64_t i = 0; i < count; i++)
    if (rac_subject_send(r->subject, pack(self->name, i)) < 0)
      check_fail(__FILE__, __LINE__, "a send failed");
  bool last = atomic_fetch_sub(&r->sending, 1) == 1;
  if (last && r->completes) rac_subject_send_completed(r->subject);
  rac_release(r->subject);
  return NULL;
}

/* Comes and goes in every way there is. */
static void *come_and_go(void *argument) {
  round *r = argument;
  start_together(&r->ready, SENDERS + 1);
  for (int64_t i = 0; atomic_load(&r->sending) > 0; i++) {
    witness s;
    memset(&s, 0, sizeof s);
    rac_signal *signal = rac_retain(r->subject);
    if (i % 4 == 1) APPLY(signal, take, (size_t)(i % 7 + 1));
    if (i % 4 == 2) APPLY(signal, skip, (size_t)(i % 5));
    witness_start(&s, signal, -1);
    rac_release(signal);
    for (int64_t spin = i % 200; spin > 0; spin--) atomic_load(&r->sending);
    if (i % 3 == 0) {
      CHECK_STATUS(rac_dispose_and_wait(s.subscription, -1), RAC_OK);
      CHECK_INT(atomic_load(&s.destroyed), 1);
    } else {
      rac_dispose(s.subscription);
    }
    witness_gone(&s);
  }
  rac_release(r->subject);
  return NULL;
}

static void run_round(int number, rac_subject *subject) {
  round r = {.subject = subject, .sending = SENDERS};
  r.completes = number % 2 == 0;
  witness staying[STAYING], leaving;
  memset(staying, 0, sizeof staying);
  memset(&leaving, 0, sizeof leaving);
  for (int i = 0; i < STAYING; i++) {
    if (i == 1) {
      staying[i].resend_to = subject;
      staying[i].resend_every = 64;
    }
    witness_start(&staying[i], as_signal(subject), 0);
  }
  leaving.dispose_after = per_sender();
  witness_start(&leaving, as_signal(subject), 0);
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
    witness_gone(&staying[i]);
    CHECK_INT(staying[i].next[0], per_sender());
    CHECK_INT(staying[i].next[1], per_sender());
    /* What is sent after the completion is queued and then dropped. */
    CHECK_INT(staying[i].next[RESENT], staying[0].next[RESENT]);
    if (!r.completes) CHECK_INT(staying[i].next[RESENT], staying[1].resent);
    CHECK(staying[i].order == staying[0].order);
    CHECK_INT(staying[i].ended, r.completes);
  }
  witness_gone(&leaving);
  CHECK_INT(leaving.count, per_sender());
  CHECK(!leaving.ended);
}

TEST(ten_million_values_through_subjects_made_afresh) {
  double seconds = check_seconds(), start = check_clock();
  int rounds = 0;
  while (rounds < ROUNDS || check_clock() - start < seconds)
    run_round(rounds++, rac_subject_create());
  if (seconds > 0)
    printf("stress: %d rounds of %lld values in %.0f s\n", rounds,
           (long long)(SENDERS * per_sender()), check_clock() - start);
}

/* ---- Subjects with a memory --------------------------------------------- */

static void *come_later(void *argument) {
  round *r = argument;
  start_together(&r->ready, SENDERS + 1);
  rac_thread_attach();
  for (int64_t i = 0; atomic_load(&r->sending) > 0 && i < 30; i++) {
    witness s;
    memset(&s, 0, sizeof s);
    witness_start(&s, as_signal(r->subject), 0);
    rac_dispose(s.subscription);
    witness_gone(&s);
    /* Whoever comes to an unlimited memory starts from the beginning. */
    CHECK(s.next[0] > 0 || s.next[1] > 0 || s.count == 0);
  }
  rac_thread_detach();
  rac_release(r->subject);
  return NULL;
}

TEST(a_replay_subject_under_the_same_pressure) {
  for (int number = 0; number < 4; number++) {
    owned rac_subject *subject =
        rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
    round r = {.subject = subject, .sending = SENDERS, .completes = true};
    witness early;
    memset(&early, 0, sizeof early);
    witness_start(&early, as_signal(subject), 0);
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
    witness_gone(&early);
    witness late;
    memset(&late, 0, sizeof late);
    witness_start(&late, as_signal(subject), 0);
    witness_gone(&late);
    CHECK(late.ended && early.ended);
    CHECK_INT(late.count, SENDERS * per_sender());
    /* The replay repeats the order that was live. */
    CHECK(late.order == early.order);
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
    if (rac_subscriber_send(self->subscriber, pack(self->name, i)) < 0) break;
  rac_release(self->subscriber);
  return NULL;
}

TEST(two_threads_into_one_subscriber_that_is_dropped_or_disposed) {
  for (int number = 0; number < 50; number++) {
    pipe_end ends[SENDERS];
    memset(ends, 0, sizeof ends);
    rac_signal *signal = rac_signal_create(CALLBACK_FOR(ends, hand_out));
    witness s;
    memset(&s, 0, sizeof s);
    witness_start(&s, signal, 0);
    rac_release(signal);
    pthread_t a = check_spawn(send_into, &ends[0]);
    pthread_t b = check_spawn(send_into, &ends[1]);
    if (number % 2) rac_dispose(s.subscription);
    check_join(a);
    check_join(b);
    witness_gone(&s);
    CHECK(!s.ended);
    if (number % 2 == 0) CHECK_INT(s.count, SENDERS * per_sender());
  }
}

/* However the disposal falls among the values: those that arrive are the first
 * ones of each sender, none of them left out. */
static void *send_a_few(void *argument) {
  pipe_end *self = argument;
  for (int64_t i = 0; i < 200; i++)
    if (rac_subscriber_send(self->subscriber, pack(self->name, i)) < 0) break;
  rac_release(self->subscriber);
  return NULL;
}

TEST(a_disposal_leaves_no_value_out) {
  for (int64_t round = check_scaled(2000); round > 0; round--) {
    pipe_end ends[SENDERS];
    memset(ends, 0, sizeof ends);
    rac_signal *signal = rac_signal_create(CALLBACK_FOR(ends, hand_out));
    witness s;
    memset(&s, 0, sizeof s);
    witness_start(&s, signal, 0);
    rac_release(signal);
    pthread_t a = check_spawn(send_a_few, &ends[0]);
    pthread_t b = check_spawn(send_a_few, &ends[1]);
    rac_dispose(s.subscription);
    check_join(a);
    check_join(b);
    witness_gone(&s);
  }
}
