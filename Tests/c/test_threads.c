/* Senders that have ended, threads that come and go, and subscribers that
 * come from elsewhere while one thread sends. */
#include "operators.h"
#include "witness.h"

/* ---- One after another -------------------------------------------------- */

typedef struct turn {
  rac_subject *subject;
  int64_t number;
} turn;

static void *send_two(void *argument) {
  turn *t = argument;
  CHECK_STATUS(rac_subject_send(t->subject, I(t->number)), RAC_OK);
  CHECK_STATUS(rac_subject_send(t->subject, I(t->number + 1)), RAC_OK);
  return NULL;
}

/* A thread gets the record of one that has ended. Every third time it is a
 * thread that lives on that comes next. */
TEST(a_sender_ends_and_others_go_on) {
  for (int round = 0; round < 50; round++) {
    turn t = {.subject = rac_subject_create(), .number = 1};
    recorder r = {0};
    record(as_signal(t.subject), &r);
    check_join(check_spawn(send_two, &t));
    t.number = 3;
    if (round % 3 == 0)
      send_two(&t);
    else
      check_join(check_spawn(send_two, &t));
    t.number = 5;
    check_join(check_spawn(send_two, &t));
    t.number = 7;
    send_two(&t);
    CHECK_EVENTS(&r, "1 2 3 4 5 6 7 8");
    if (round % 2) {
      finish(&r);
      rac_release(t.subject);
    } else {
      rac_release(t.subject);
      await_end(&r);
    }
  }
}

typedef struct legacy {
  rac_subject *subject;
  recorder heard;
} legacy;

static void *make_and_send(void *argument) {
  legacy *l = argument;
  l->subject = rac_subject_create();
  record(as_signal(l->subject), &l->heard);
  CHECK_STATUS(rac_subject_send(l->subject, I(1)), RAC_OK);
  return NULL;
}

static void *take_over(void *argument) {
  legacy *l = argument;
  CHECK_STATUS(rac_subject_send(l->subject, I(2)), RAC_OK);
  rac_release(l->subject);
  return NULL;
}

TEST(what_a_thread_left_behind_is_released_by_another) {
  for (int round = 0; round < 50; round++) {
    legacy l = {0};
    check_join(check_spawn(make_and_send, &l));
    if (round % 2)
      check_join(check_spawn(take_over, &l));
    else
      rac_release(l.subject);
    CHECK_EVENTS(&l.heard, round % 2 ? "1 2" : "1");
    await_end(&l.heard);
    CHECK_STATUS(rac_subject_send(l.subject, I(3)), RAC_ESTALE);
  }
}

/* ---- The handle here, the object there ------------------------------------ */

/* Read and written so that ThreadSanitizer sees no order: what there is of it
 * has to be the library's. */
typedef struct estate {
  _Atomic(rac_subject *) subject;
  atomic_int turn;
} estate;

static void await_turn(estate *e, int turn) {
  WAIT_UNTIL(atomic_load_explicit(&e->turn, memory_order_relaxed) == turn);
}
static void give_turn(estate *e, int turn) {
  atomic_store_explicit(&e->turn, turn, memory_order_relaxed);
}

enum { ESTATES = 200 };

static void *release_handles(void *argument) {
  estate *e = argument;
  for (int i = 0; i < ESTATES; i++) {
    await_turn(e, 2 * i + 1);
    CHECK_STATUS(
        rac_release(atomic_load_explicit(&e->subject, memory_order_relaxed)),
        RAC_OK);
    give_turn(e, 2 * i + 2);
  }
  return NULL;
}

/* One thread gives back the last reference of the handle; the subject goes
 * later, on another, which uses the handle's place for the next one. */
TEST(the_place_of_a_handle_is_used_again_by_another_thread) {
  estate e = {0};
  pthread_t other = check_spawn(release_handles, &e);
  for (int i = 0; i < ESTATES; i++) {
    rac_subject *subject =
        i % 2 ? rac_subject_create() : rac_replay_subject_create(1);
    owned rac_signal *keeper = rac_signal_skip(as_signal(subject), 1);
    atomic_store_explicit(&e.subject, subject, memory_order_relaxed);
    give_turn(&e, 2 * i + 1);
    await_turn(&e, 2 * i + 2);
  }
  check_join(other);
}

/* ---- Many at a time ----------------------------------------------------- */

enum { ALL = 300, AT_A_TIME = 10, EACH = 20 };

typedef struct crowd {
  rac_subject *subject;
  atomic_int ready;
  atomic_int accepted;
} crowd;

static void *send_some(void *argument) {
  crowd *c = argument;
  start_together(&c->ready, AT_A_TIME);
  for (int i = 0; i < EACH; i++)
    if (rac_subject_send(c->subject, pack(RESENT, 0)) >= 0)
      atomic_fetch_add(&c->accepted, 1);
  return NULL;
}

static void count(void *context, rac_value value) {
  int *heard = context_target(context);
  (void)value;
  ++*heard;
}

/* Most of them with a record that somebody had before. */
TEST(three_hundred_threads_send_and_end) {
  crowd c = {0};
  int heard = 0, all = (int)check_scaled(ALL) / AT_A_TIME;
  atomic_int destroyed = 0;
  for (int wave = 0; wave <= all; wave++) {
    if (wave % 10 == 0) {
      c.subject = rac_subject_create();
      rac_release(rac_subscribe_next(as_signal(c.subject),
                                     context_new(&heard, &destroyed), count,
                                     context_destroy));
    }
    pthread_t threads[AT_A_TIME];
    atomic_store(&c.ready, 0);
    for (int i = 0; i < AT_A_TIME; i++) threads[i] = check_spawn(send_some, &c);
    for (int i = 0; i < AT_A_TIME; i++) check_join(threads[i]);
    if (wave % 10 == 9 || wave == all) {
      rac_release(c.subject);
      WAIT_UNTIL(atomic_load(&destroyed) == wave / 10 + 1);
    }
  }
  CHECK_INT(atomic_load(&c.accepted), (all + 1) * AT_A_TIME * EACH);
  CHECK_INT(heard, (all + 1) * AT_A_TIME * EACH);
}

/* ---- Subscribers from elsewhere ----------------------------------------- */

enum { GUESTS = 2 };

typedef struct stage {
  rac_subject *subject;
  atomic_int ready, sending;
  bool remembers_all;
} stage;

static void *visit(void *argument) {
  stage *self = argument;
  rac_thread_attach();
  start_together(&self->ready, GUESTS + 1);
  while (atomic_load(&self->sending)) {
    witness s;
    memset(&s, 0, sizeof s);
    witness_start(&s, as_signal(self->subject), self->remembers_all ? 0 : -1);
    rac_dispose(s.subscription);
    witness_gone(&s);
    /* The values remembered came before subscribing returned. */
    if (!self->remembers_all) CHECK(s.count > 0);
  }
  witness last;
  memset(&last, 0, sizeof last);
  witness_start(&last, as_signal(self->subject), self->remembers_all ? 0 : -1);
  witness_gone(&last);
  CHECK(last.ended);
  rac_thread_detach();
  return NULL;
}

static void one_sends_others_visit(rac_subject *subject, int64_t first,
                                   bool remembers_all) {
  enum { VALUES = 400 };
  stage self = {.subject = subject, .sending = 1};
  self.remembers_all = remembers_all;
  witness stays;
  memset(&stays, 0, sizeof stays);
  witness_start(&stays, as_signal(subject), 0);
  pthread_t threads[GUESTS];
  for (int i = 0; i < GUESTS; i++) threads[i] = check_spawn(visit, &self);
  start_together(&self.ready, GUESTS + 1);
  for (int64_t i = first; i < VALUES; i++)
    if (rac_subject_send(subject, pack(0, i)) < 0)
      check_fail(__FILE__, __LINE__, "a send failed");
  CHECK(rac_subject_send_completed(subject) >= 0);
  /* Somebody else may have to deliver the end. */
  witness_gone(&stays);
  CHECK_INT(stays.next[0], VALUES);
  CHECK(stays.ended);
  atomic_store(&self.sending, 0);
  for (int i = 0; i < GUESTS; i++) check_join(threads[i]);
  rac_release(subject);
}

TEST(subjects_with_a_memory_are_visited_while_one_sends) {
  rac_thread_attach();
  int64_t rounds = check_scaled(100);
  for (int64_t i = 0; i < rounds; i++) {
    one_sends_others_visit(rac_replay_subject_create(RAC_REPLAY_UNLIMITED), 0,
                           true);
    rac_subject *few = rac_replay_subject_create(5);
    rac_subject_send(few, pack(0, 0));
    one_sends_others_visit(few, 1, false);
  }
  rac_thread_detach();
}
