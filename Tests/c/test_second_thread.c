/* A second thread wants something of a subject that a first one sends into,
 * at every moment there is: while the first is in a callback, between two
 * sends, in a send from inside a callback, and inside another gate. */
#include "operators.h"

/* ---- Two threads, one at a time ----------------------------------------- */

/* What the second thread does, once, when the first one lets it. */
typedef struct other {
  void (*act)(void *target);
  void *target;
  atomic_int step; /* 0: not yet, 1: go, 2: done */
  pthread_t thread;
} other;

static void *act_when_told(void *argument) {
  other *self = argument;
  WAIT_UNTIL(atomic_load(&self->step) == 1);
  self->act(self->target);
  atomic_store(&self->step, 2);
  return NULL;
}

static void other_begin(other *self, void (*act)(void *), void *target) {
  self->act = act;
  self->target = target;
  atomic_store(&self->step, 0);
  self->thread = check_spawn(act_when_told, self);
}

/* The first thread waits for it, wherever it is. Law 5: nobody inside the
 * library waits for the first one meanwhile. */
static void other_acts(other *self) {
  atomic_store(&self->step, 1);
  WAIT_UNTIL(atomic_load(&self->step) == 2);
}

/* ---- The moments -------------------------------------------------------- */

enum { BETWEEN, INSIDE, REENTRANT, NESTED, MOMENTS };

typedef struct meeting {
  int moment;
  rac_subject *subject, *outer;
  other second;
  recorder first_heard, second_heard;
  rac_status status; /* of what the second thread did */
  pthread_t first;
} meeting;

static void meet(recorder *self, rac_value value) {
  meeting *m = self->user;
  /* What a second thread queues comes from the one that is inside. */
  if (m->moment != BETWEEN) CHECK(pthread_equal(pthread_self(), m->first));
  if (value.bits != 3 || m->moment == BETWEEN) return;
  if (m->moment == REENTRANT)
    CHECK_STATUS(rac_subject_send(m->subject, I(4)), RAC_QUEUED);
  other_acts(&m->second);
}

static void send_on(void *context, rac_value value) {
  meeting *m = context_target(context);
  rac_subject_send(m->subject, value);
}

/* The first thread sends 1, 2, 3 and 5; the answer of the last. */
static rac_status hold(meeting *m, int moment, void (*act)(void *)) {
  memset(m, 0, sizeof *m);
  m->moment = moment;
  m->first = pthread_self();
  m->subject = rac_subject_create();
  m->outer = rac_subject_create();
  rac_release(rac_subscribe_next(as_signal(m->outer), context_new(m, NULL),
                                 send_on, context_destroy));
  m->first_heard.user = m;
  m->first_heard.on_next = meet;
  record(as_signal(m->subject), &m->first_heard);
  other_begin(&m->second, act, m);
  CHECK_STATUS(rac_subject_send(m->subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send(m->subject, I(2)), RAC_OK);
  if (moment == BETWEEN) other_acts(&m->second);
  if (moment == NESTED)
    rac_subject_send(m->outer, I(3));
  else
    rac_subject_send(m->subject, I(3));
  rac_status last = rac_subject_send(m->subject, I(5));
  check_join(m->second.thread);
  rac_release(m->outer);
  return last;
}

static void second_sends(void *target) {
  meeting *m = target;
  m->status = rac_subject_send(m->subject, I(7));
}

TEST(the_second_thread_sends) {
  const char *heard[MOMENTS] = {"1 2 7 3 5", "1 2 3 7 5", "1 2 3 4 7 5",
                                "1 2 3 7 5"};
  for (int moment = 0; moment < MOMENTS; moment++) {
    meeting m;
    CHECK_STATUS(hold(&m, moment, second_sends), RAC_OK);
    CHECK_STATUS(m.status, moment == BETWEEN ? RAC_OK : RAC_QUEUED);
    CHECK_EVENTS(&m.first_heard, heard[moment]);
    finish(&m.first_heard);
    rac_release(m.subject);
  }
}

static void second_subscribes(void *target) {
  meeting *m = target;
  record(as_signal(m->subject), &m->second_heard);
}

TEST(the_second_thread_subscribes) {
  for (int moment = 0; moment < MOMENTS; moment++) {
    meeting m;
    CHECK_STATUS(hold(&m, moment, second_subscribes), RAC_OK);
    CHECK_EVENTS(&m.first_heard, moment == REENTRANT ? "1 2 3 4 5" : "1 2 3 5");
    CHECK_EVENTS(&m.second_heard, moment == BETWEEN ? "3 5" : "5");
    finish(&m.first_heard);
    finish(&m.second_heard);
    rac_release(m.subject);
  }
}

static void second_disposes(void *target) {
  meeting *m = target;
  m->status = rac_dispose(m->first_heard.subscription);
}

TEST(the_second_thread_disposes) {
  for (int moment = 0; moment < MOMENTS; moment++) {
    meeting m;
    CHECK_STATUS(hold(&m, moment, second_disposes), RAC_OK);
    CHECK_STATUS(m.status, RAC_OK);
    CHECK_EVENTS(&m.first_heard, moment == BETWEEN ? "1 2" : "1 2 3");
    await_end(&m.first_heard);
    CHECK_INT(rac_subject_subscriber_count(m.subject), 0);
    rac_release(m.subject);
  }
}

static void second_completes(void *target) {
  meeting *m = target;
  m->status = rac_subject_send_completed(m->subject);
}

TEST(the_second_thread_completes) {
  const char *heard[MOMENTS] = {"1 2 |", "1 2 3 |", "1 2 3 4 |", "1 2 3 |"};
  for (int moment = 0; moment < MOMENTS; moment++) {
    meeting m;
    CHECK_STATUS(hold(&m, moment, second_completes), RAC_OK);
    CHECK_STATUS(m.status, moment == BETWEEN ? RAC_OK : RAC_QUEUED);
    CHECK_EVENTS(&m.first_heard, heard[moment]);
    await_end(&m.first_heard);
    rac_release(m.subject);
  }
}

static void second_releases(void *target) {
  meeting *m = target;
  m->status = rac_release(m->subject);
}

TEST(the_second_thread_gives_back_the_last_reference) {
  const char *heard[MOMENTS] = {"1 2", "1 2 3", "1 2 3 4", "1 2 3"};
  for (int moment = 0; moment < MOMENTS; moment++) {
    meeting m;
    CHECK_STATUS(hold(&m, moment, second_releases), RAC_ESTALE);
    CHECK_STATUS(m.status, RAC_OK);
    CHECK_EVENTS(&m.first_heard, heard[moment]);
    await_end(&m.first_heard);
    CHECK(rac_retain(m.subject) == NULL);
    CHECK_STATUS(rac_release(m.subject), RAC_ESTALE);
  }
}

/* ---- A subscriber of create --------------------------------------------- */

typedef struct lending {
  rac_subscriber *subscriber;
  other second;
  int64_t act_at; /* the value in whose callback it acts; 0: before the first */
  rac_status status;
} lending;

static void second_sends_into(void *target) {
  lending *l = target;
  l->status = rac_subscriber_send(l->subscriber, I(7));
}

static void meet_lending(recorder *self, rac_value value) {
  lending *l = self->user;
  if (value.bits == l->act_at) other_acts(&l->second);
}

static rac_status send_four(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  lending *l = context_target(context);
  (void)out;
  l->subscriber = rac_retain(subscriber);
  for (int64_t i = 1; i <= 4; i++) {
    if (l->act_at == 0 && i == 3) other_acts(&l->second);
    CHECK_STATUS(rac_subscriber_send(subscriber, I(i)), RAC_OK);
  }
  return RAC_OK;
}

static void *send_eight(void *argument) {
  lending *l = argument;
  CHECK_STATUS(rac_subscriber_send(l->subscriber, I(8)), RAC_OK);
  return NULL;
}

TEST(a_subscriber_of_create_goes_from_thread_to_thread) {
  rac_thread_attach();
  /* -1: the other thread sends after the callback has returned. */
  for (int64_t at = -1; at <= 4; at++) {
    lending l = {.act_at = at};
    recorder r = {.user = &l, .on_next = meet_lending};
    rac_signal *signal = rac_signal_create(CALLBACK_FOR(&l, send_four));
    other_begin(&l.second, second_sends_into, &l);
    record(signal, &r);
    rac_release(signal);
    if (at == -1) other_acts(&l.second);
    CHECK_STATUS(l.status, at > 0 ? RAC_QUEUED : RAC_OK);
    check_join(l.second.thread);
    /* A third one, and the first again. */
    check_join(check_spawn(send_eight, &l));
    CHECK_STATUS(rac_subscriber_send(l.subscriber, I(9)), RAC_OK);
    const char *heard[] = {"1 2 3 4 7 8 9", "1 2 7 3 4 8 9", "1 7 2 3 4 8 9",
                           "1 2 7 3 4 8 9", "1 2 3 7 4 8 9", "1 2 3 4 7 8 9"};
    CHECK_EVENTS(&r, heard[at + 1]);
    rac_release(l.subscriber);
    CHECK_STATUS(rac_subscriber_send(l.subscriber, I(1)), RAC_ESTALE);
    await_end(&r);
  }
  rac_thread_detach();
}

/* ---- Gates inside each other --------------------------------------------- */

enum { LONGEST = 200 };

typedef struct chain {
  rac_subject *subjects[LONGEST];
  int length;
  int act_at; /* the subject into which the second thread sends */
  other second;
  rac_status status;
} chain;

static void chain_make(chain *self, int length) {
  memset(self, 0, sizeof *self);
  self->length = length;
  for (int i = 0; i < length; i++) self->subjects[i] = rac_subject_create();
  for (int i = 1; i < length; i++)
    rac_release(
        rac_subscribe_subscriber(as_signal(self->subjects[i - 1]),
                                 rac_subject_as_subscriber(self->subjects[i])));
}

static void chain_release(chain *self) {
  for (int i = 0; i < self->length; i++) rac_release(self->subjects[i]);
}

static void second_sends_into_chain(void *target) {
  chain *c = target;
  c->status = rac_subject_send(c->subjects[c->act_at], I(7));
}

static void meet_at_the_end(recorder *self, rac_value value) {
  chain *c = self->user;
  if (value.bits == 2) other_acts(&c->second);
}

TEST(the_second_thread_sends_into_a_chain_of_subjects) {
  static const int lengths[] = {1, 2, 3, 70, 200};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    int length = lengths[i];
    int places[] = {0, length / 2, length - 1};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
      chain c;
      chain_make(&c, length);
      c.act_at = places[p];
      recorder r = {.user = &c, .on_next = meet_at_the_end};
      record(as_signal(c.subjects[length - 1]), &r);
      other_begin(&c.second, second_sends_into_chain, &c);
      for (int64_t n = 1; n <= 3; n++)
        CHECK_STATUS(rac_subject_send(c.subjects[0], I(n)), RAC_OK);
      check_join(c.second.thread);
      CHECK_STATUS(c.status, RAC_QUEUED);
      CHECK_EVENTS(&r, "1 2 7 3");
      chain_release(&c);
      await_end(&r);
    }
  }
}
