/* RACReplaySubject: its limit, what several threads send, and subscribers on
 * threads without a current scheduler. */
#include "operators.h"

#define CHECK_LATE(subject, expected)                                          \
  CHECK_SIGNAL(rac_retain(as_signal(subject)), expected)

/* ---- A capacity of one ---------------------------------------------------- */

static const struct {
  const char *sent, *heard;
} cases[] = {
    {"1 2", "2"}, {"1 2 |", "2 |"}, {"|", "|"}, {"#7", "#7"}, {"1 #7", "1 #7"}};

/* subject-009, subject-010, subject-011, subject-012: the last value and the
 * end, before subscribing has returned */
TEST(one_value_is_remembered_and_the_end) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    owned rac_subject *subject = rac_replay_subject_create(1);
    play(subject, cases[i].sent);
    CHECK_LATE(subject, cases[i].heard);
  }
}

static void compare_error(void *context, rac_value error) {
  rac_value *expected = context_target(context);
  CHECK(rac_value_equal(error, *expected));
  CHECK(error.bits == expected->bits);
  *expected = rac_value_nil();
}

/* subject-012: the very error that was sent */
TEST(the_same_error_is_replayed) {
  owned rac_subject *subject = rac_replay_subject_create(1);
  rac_value error = test_error(7), expected = error;
  rac_subject_send_error(subject, error);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(&expected, NULL);
  observer.error = compare_error;
  observer.destroy = context_destroy;
  rac_release(rac_subscribe(as_signal(subject), &observer));
  CHECK_INT(expected.kind, RAC_NIL);
  rac_value_release(error);
}

/* subject-013: nil is an error like any other */
TEST(a_nil_error_is_replayed) {
  owned rac_subject *subject = rac_replay_subject_create(1);
  rac_subject_send_error(subject, rac_value_nil());
  CHECK_LATE(subject, "#nil");
}

typedef struct joining {
  recorder main, inner[2];
  rac_signal *once;
  int joined;
} joining;

static void join_once(recorder *self, rac_value value) {
  joining *j = self->user;
  (void)value;
  if (j->joined < 2) record(j->once, &j->inner[j->joined++]);
}

/* subject-030: who joins inside next gets the value that is being delivered,
 * because it already is the one that is remembered, and none twice */
TEST(the_memory_is_trimmed_before_subscribers_hear) {
  owned rac_subject *subject = rac_replay_subject_create(1);
  joining j = {.main = {.on_next = join_once, .user = &j}};
  j.once = rac_signal_take(as_signal(subject), 1);
  record(as_signal(subject), &j.main);
  play(subject, "1 2");
  CHECK_EVENTS(&j.main, "1 2");
  CHECK_EVENTS(&j.inner[0], "1 |");
  CHECK_EVENTS(&j.inner[1], "2 |");
  for (int i = 0; i < 2; i++) await_end(&j.inner[i]);
  finish(&j.main);
  rac_release(j.once);
}

/* ---- Several threads ------------------------------------------------------ */

enum { THREADS = 3 };

typedef struct flood {
  rac_subject *subject;
  atomic_int next_number;
  int64_t count;
} flood;

static void *pour(void *argument) {
  flood *self = argument;
  for (;;) {
    int64_t number = atomic_fetch_add(&self->next_number, 1);
    if (number >= self->count) return NULL;
    rac_subject_send(self->subject, I(number));
  }
}

typedef struct list {
  int64_t *values;
  int64_t count;
} list;

static void append(void *context, rac_value value) {
  list *self = context_target(context);
  self->values[self->count++] = value.bits;
}

static rac_disposable *collect(rac_subject *subject, list *values,
                               atomic_int *destroyed) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(values, destroyed);
  observer.next = append;
  observer.destroy = context_destroy;
  return rac_subscribe(as_signal(subject), &observer);
}

/* subject-023: remembering and forwarding are one step: a replay equals what a
 * live subscriber heard, in the same order, every time */
TEST(what_is_replayed_is_what_was_heard) {
  flood f = {.subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED),
             .count = check_scaled(49317)};
  list lists[3];
  atomic_int gone = 0;
  pthread_t threads[THREADS];
  for (int i = 0; i < 3; i++)
    lists[i] = (list){calloc((size_t)f.count, sizeof(int64_t)), 0};
  rac_release(collect(f.subject, &lists[0], &gone));
  for (int i = 0; i < THREADS; i++) threads[i] = check_spawn(pour, &f);
  for (int i = 0; i < THREADS; i++) check_join(threads[i]);
  rac_subject_send_completed(f.subject);
  WAIT_UNTIL(atomic_load(&gone) == 1);
  for (int i = 1; i < 3; i++) rac_release(collect(f.subject, &lists[i], &gone));
  WAIT_UNTIL(atomic_load(&gone) == 3);
  for (int i = 0; i < 3; i++) {
    CHECK_INT(lists[i].count, f.count);
    CHECK(memcmp(lists[i].values, lists[0].values,
                 (size_t)f.count * sizeof(int64_t)) == 0);
  }
  for (int i = 0; i < 3; i++) free(lists[i].values);
  rac_release(f.subject);
}

/* ---- Threads the library does not know ------------------------------------ */

typedef struct stranger {
  rac_subject *subject;
  recorder r;
  const char *sent; /* right after subscribing */
  atomic_int schedulers, asked;
} stranger;

static void look_for_scheduler(recorder *self, rac_value value) {
  stranger *s = self->user;
  (void)value;
  owned rac_scheduler *current = rac_scheduler_current();
  if (current) atomic_fetch_add(&s->schedulers, 1);
  atomic_fetch_add(&s->asked, 1);
}

static void *subscribe_here(void *argument) {
  stranger *self = argument;
  record(as_signal(self->subject), &self->r);
  if (self->sent) play(self->subject, self->sent);
  return NULL;
}

static stranger stranger_of(const char *remembered, const char *sent) {
  stranger self = {.subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED),
                   .sent = sent};
  play(self.subject, remembered);
  return self;
}

/* subject-024: during the replay there is a current scheduler, on the main
 * thread and on others */
TEST(a_replay_has_a_current_scheduler) {
  for (int on_main = 0; on_main < 2; on_main++) {
    stranger s = stranger_of("1 2 |", NULL);
    s.r.on_next = look_for_scheduler;
    s.r.user = &s;
    if (on_main) {
      subscribe_here(&s);
    } else {
      check_join(check_spawn(subscribe_here, &s));
    }
    await_end(&s.r);
    CHECK_EVENTS(&s.r, "1 2 |");
    CHECK_INT(s.asked, 2);
    CHECK_INT(s.schedulers, 2);
    rac_release(s.subject);
  }
}

typedef struct disposing {
  stranger s;
  pthread_mutex_t lock; /* held until the handle is there */
} disposing;

static void dispose_self(recorder *self, rac_value value) {
  disposing *d = self->user;
  (void)value;
  pthread_mutex_lock(&d->lock);
  CHECK(self->subscription != NULL);
  rac_dispose(self->subscription);
  pthread_mutex_unlock(&d->lock);
}

static void *subscribe_locked(void *argument) {
  disposing *d = argument;
  pthread_mutex_lock(&d->lock);
  record(as_signal(d->s.subject), &d->s.r);
  pthread_mutex_unlock(&d->lock);
  return NULL;
}

/* subject-025: on such a thread subscribing returns before the replay, so that
 * the first next can dispose the subscription, and is the only one */
TEST(the_first_replayed_value_may_dispose_the_subscription) {
  disposing d = {.s = stranger_of("1 2", NULL),
                 .lock = PTHREAD_MUTEX_INITIALIZER};
  d.s.r.on_next = dispose_self;
  d.s.r.user = &d;
  check_join(check_spawn(subscribe_locked, &d));
  await_end(&d.s.r);
  CHECK_EVENTS(&d.s.r, "1");
  rac_release(d.s.subject);
}

/* subject-026, subject-027, subject-028: what is sent right after subscribing,
 * while the replay is on its way, follows it: nothing is lost, nothing twice */
TEST(what_is_sent_before_the_replay_follows_it) {
  static const struct {
    const char *sent, *heard;
  } then[] = {{"|", "1 |"}, {"#3", "1 #3"}, {"2 |", "1 2 |"}};
  for (int64_t n = check_scaled(300); n > 0; n--) {
    stranger s = stranger_of("1", then[n % 3].sent);
    check_join(check_spawn(subscribe_here, &s));
    await_end(&s.r);
    CHECK_EVENTS(&s.r, then[n % 3].heard);
    rac_release(s.subject);
  }
}
