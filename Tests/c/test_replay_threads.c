/* Behavior and replay subjects: who comes while others send misses nothing. */
#include "check.h"

typedef struct sender {
  rac_subject *subject;
  int64_t name, count;
  atomic_int *started;
} sender;

static void *send_many(void *argument) {
  sender *self = argument;
  atomic_fetch_add(self->started, 1);
  for (int64_t i = 0; i < self->count; i++)
    rac_subject_send(self->subject, I(self->name << 32 | i));
  return NULL;
}

typedef struct order {
  int64_t next[2];
  uint64_t hash;
} order;

static void note_order(recorder *self, rac_value value) {
  order *o = self->user;
  int64_t name = value.bits >> 32, number = value.bits & 0xffffffff;
  if (number != o->next[name]++)
    check_fail(__FILE__, __LINE__, "a value is missing, doubled or late");
  o->hash = o->hash * 31 + (uint64_t)value.bits;
}

/* Law 14: without a gap, and nothing twice. */
TEST(subscribers_that_come_while_two_threads_send_get_everything_once) {
  enum { LATE = 20 };
  int64_t count = check_scaled(50000);
  for (int round = 0; round < 4; round++) {
    owned rac_subject *subject =
        rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
    static order orders[LATE];
    static recorder r[LATE];
    memset(orders, 0, sizeof orders);
    memset(r, 0, sizeof r);
    atomic_int started = 0;
    sender a = {subject, 0, count, &started}, b = {subject, 1, count, &started};
    pthread_t x = check_spawn(send_many, &a), y = check_spawn(send_many, &b);
    while (atomic_load(&started) < 2) check_pause();
    for (int i = 0; i < LATE; i++) {
      r[i].on_next = note_order;
      r[i].user = &orders[i];
      record(as_signal(subject), &r[i]);
    }
    check_join(x);
    check_join(y);
    rac_subject_send_completed(subject);
    for (int i = 0; i < LATE; i++) {
      await_end(&r[i]);
      CHECK_INT(r[i].nexts, 2 * count);
      CHECK(orders[i].hash == orders[0].hash);
    }
  }
}

static void follows(recorder *self, rac_value value) {
  int64_t *last = self->user;
  if (*last >= 0 && value.bits != *last + 1)
    check_fail(__FILE__, __LINE__, "a value is missing, doubled or late");
  *last = value.bits;
}

/* Law 14: without a gap from the current value on. */
TEST(a_behavior_subject_gives_the_current_value_and_all_after_it) {
  atomic_int started = 0;
  owned rac_subject *subject = rac_behavior_subject_create(I(-1));
  sender a = {subject, 0, check_scaled(400000), &started};
  pthread_t x = check_spawn(send_many, &a);
  while (atomic_load(&started) < 1) check_pause();
  for (int64_t round = check_scaled(2000); round > 0; round--) {
    int64_t last = -1;
    recorder r = {.on_next = follows, .user = &last};
    record(as_signal(subject), &r);
    CHECK_STATUS(rac_dispose_and_wait(r.subscription, -1), RAC_OK);
    await_end(&r);
  }
  check_join(x);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(as_signal(subject), -1, &out), RAC_OK);
  CHECK_INT(out.bits, check_scaled(400000) - 1);
}

typedef struct remote {
  rac_subject *subject;
  recorder r;
  int what;
} remote;

/* On a thread without a scheduler the replay comes later, on another one. */
static void *subscribe_and_send(void *argument) {
  remote *self = argument;
  record(as_signal(self->subject), &self->r);
  switch (self->what) {
  case 0:
    play(self->subject, "|");
    break;
  case 1:
    play(self->subject, "#2");
    break;
  default:
    play(self->subject, "2");
    break;
  }
  return NULL;
}

TEST(on_an_unknown_thread_what_is_sent_next_follows_the_replay) {
  const char *const expected[] = {"1 |", "1 #2", "1 2"};
  for (int round = 0; round < 300; round++) {
    remote self = {.subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED)};
    self.what = round % 3;
    play(self.subject, "1");
    check_join(check_spawn(subscribe_and_send, &self));
    if (self.what == 2) {
      WAIT_UNTIL(atomic_load(&self.r.nexts) == 2);
      rac_dispose(self.r.subscription);
    }
    await_end(&self.r);
    CHECK_EVENTS(&self.r, expected[self.what]);
    rac_release(self.subject);
  }
}
