/* Signals inside signals that are made by rac_signal_create(), each
 * subscription to which is one object: what becomes of it while its callback
 * runs, and when it goes on. */
#include "../c/visiting.h"
#include "operators.h"
#include "process.h"

#include <sched.h>

enum { MOST_KEPT = 300 };

typedef struct inner {
  rac_subject *outer;
  recorder heard;
  const char *script; /* what the callback sends, */
  void (*act)(struct inner *self,
              rac_subscriber *subscriber); /* does after it, */
  rac_status status;                       /* and answers */
  bool keeps;
  rac_subscriber *kept[MOST_KEPT];
  int calls;
  atomic_int cleaned;
} inner;

static void clean(void *context) { ((inner *)context)->cleaned++; }

static rac_status produce(void *context, rac_subscriber *subscriber,
                          rac_disposable **out) {
  inner *self = context;
  *out = rac_disposable_create(self, clean, NULL);
  if (self->keeps) self->kept[self->calls] = rac_retain(subscriber);
  self->calls++;
  if (self->script != NULL) play(subscriber, self->script);
  if (self->act != NULL) self->act(self, subscriber);
  return self->status;
}

static rac_status give(void *context, rac_value value, rac_signal **out) {
  inner *self = context_target(context);
  (void)value;
  *out = rac_signal_create(self, produce, NULL);
  return RAC_OK;
}

enum { MERGED, ONE_AT_A_TIME, EXHAUSTED, MANNERS };

static void open_inner(inner *self, int manner) {
  self->outer = rac_subject_create();
  owned rac_signal *s = rac_retain(as_signal(self->outer));
  if (manner == EXHAUSTED)
    APPLY(s, exhaust_map, CALLBACK_FOR(self, give));
  else
    APPLY(s, flatten_map_limited, manner == ONE_AT_A_TIME ? 1 : 0, NULL,
          CALLBACK_FOR(self, give));
  record(s, &self->heard);
}

static void close_inner(inner *self) {
  if (self->heard.ends > 0)
    await_end(&self->heard);
  else
    finish(&self->heard);
  CHECK_INT(self->heard.destroyed, 1);
  for (int i = 0; self->keeps && i < self->calls; i++)
    rac_release(self->kept[i]);
  CHECK_INT(self->cleaned, self->calls);
  CHECK_INT(rac_subject_subscriber_count(self->outer), 0);
  rac_release(self->outer);
}

TEST(over_when_its_callback_returns) {
  for (int manner = 0; manner < MANNERS; manner++) {
    inner self = {.script = "1 2 |"};
    open_inner(&self, manner);
    play(self.outer, "0 0");
    CHECK_INT(self.cleaned, 2);
    play(self.outer, "|");
    CHECK_EVENTS(&self.heard, "1 2 1 2 |");
    close_inner(&self);
  }
}

/* Law 4: nobody has it any more, so that inner signal never ends. */
TEST(without_an_end_and_without_a_sender) {
  inner self = {.script = "1"};
  open_inner(&self, MERGED);
  play(self.outer, "0 0 |");
  CHECK_EVENTS(&self.heard, "1 1");
  CHECK_INT(self.cleaned, 2);
  close_inner(&self);
}

TEST(its_error_ends_the_outer_one) {
  for (int manner = 0; manner < MANNERS; manner++) {
    inner self = {.script = "1 #7 2"}, failing = {.script = "1", .status = -5};
    open_inner(&self, manner);
    play(self.outer, "0 0");
    CHECK_EVENTS(&self.heard, "1 #7");
    CHECK_INT(self.calls, 1);
    close_inner(&self);
    open_inner(&failing, manner);
    play(failing.outer, "0 0");
    CHECK_EVENTS(&failing.heard, "1 #-5");
    close_inner(&failing);
  }
}

static void dispose_here(inner *self, rac_subscriber *subscriber) {
  CHECK_STATUS(rac_dispose(self->heard.subscription), RAC_OK);
  CHECK(!rac_subscriber_is_active(subscriber));
  CHECK_STATUS(rac_subscriber_send(subscriber, I(8)), RAC_EDONE);
  CHECK_STATUS(rac_subscriber_send_completed(subscriber), RAC_EDONE);
}

static void *dispose_it(void *context) {
  inner *self = context;
  CHECK_STATUS(rac_dispose(self->heard.subscription), RAC_OK);
  return NULL;
}
static void dispose_there(inner *self, rac_subscriber *subscriber) {
  check_join(check_spawn(dispose_it, self));
  dispose_here(self, subscriber);
}

/* Law 3: with the outer one it is disposed of while its callback runs, whoever has it besides. */
TEST(disposed_of_while_its_callback_runs) {
  void (*const acts[])(inner *, rac_subscriber *) = {dispose_here,
                                                     dispose_there};
  for (int manner = 0; manner < MANNERS; manner++) {
    for (int how = 0; how < 4; how++) {
      inner self = {.script = "1", .act = acts[how & 1], .keeps = how > 1};
      open_inner(&self, manner);
      play(self.outer, "0 0");
      CHECK_EVENTS(&self.heard, "1");
      CHECK_INT(self.calls, 1);
      CHECK_INT(self.heard.destroyed, 1);
      close_inner(&self);
    }
  }
}

static void dispose_at_2(recorder *self, rac_value value) {
  if (value.bits == 2) CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
}

TEST(disposed_of_by_its_own_value) {
  for (int manner = 0; manner < MANNERS; manner++) {
    inner self = {.script = "1 2 3 |", .heard = {.on_next = dispose_at_2}};
    open_inner(&self, manner);
    play(self.outer, "0 0");
    CHECK_EVENTS(&self.heard, "1 2");
    CHECK_INT(self.calls, 1);
    CHECK_INT(self.heard.destroyed, 1);
    close_inner(&self);
  }
}

static void complete_outer(inner *self, rac_subscriber *subscriber) {
  CHECK(rac_subject_send_completed(self->outer) >= RAC_OK);
  CHECK(rac_subscriber_is_active(subscriber));
  play(subscriber, "2 |");
}
static void fail_outer(inner *self, rac_subscriber *subscriber) {
  rac_value error = test_error(3);
  CHECK(rac_subject_send_error(self->outer, error) >= RAC_OK);
  rac_value_release(error);
  play(subscriber, "2 |");
}
static void release_outer(inner *self, rac_subscriber *subscriber) {
  rac_release(self->outer);
  play(subscriber, "2 |");
  self->outer = rac_subject_create();
}

/* What the outer one's end does comes after the value that the callback is run for. */
TEST(the_outer_one_ends_while_its_callback_runs) {
  struct {
    void (*act)(inner *, rac_subscriber *);
    const char *expected;
  } const cases[] = {{complete_outer, "1 2 |"},
                     {fail_outer, "1 2 #3"},
                     {release_outer, "1 2"}};
  for (int manner = 0; manner < MANNERS; manner++) {
    for (int i = 0; i < 3; i++) {
      inner self = {.script = "1", .act = cases[i].act};
      open_inner(&self, manner);
      play(self.outer, "0");
      CHECK_EVENTS(&self.heard, cases[i].expected);
      close_inner(&self);
    }
  }
}

static void send_outer(inner *self, rac_subscriber *subscriber) {
  if (self->calls < 4) play(self->outer, "0");
  play(subscriber, "2 |");
}

/* They come one after the other, also those that a callback asks for. */
TEST(a_callback_sends_to_the_outer_one) {
  inner self = {.script = "1", .act = send_outer};
  open_inner(&self, MERGED);
  play(self.outer, "0 |");
  CHECK_EVENTS(&self.heard, "1 2 1 2 1 2 1 2 |");
  close_inner(&self);
}

static void *send_and_complete(void *context) {
  play(context, "2 3 |");
  return NULL;
}

TEST(its_subscriber_sends_later_from_another_thread) {
  for (int manner = 0; manner < MANNERS; manner++) {
    inner self = {.script = "1", .keeps = true};
    open_inner(&self, manner);
    play(self.outer, "0");
    check_join(check_spawn(send_and_complete, self.kept[0]));
    CHECK(!rac_subscriber_is_active(self.kept[0]));
    play(self.outer, "0 |");
    CHECK_EVENTS(&self.heard, "1 2 3 1");
    CHECK_INT(self.heard.ends, 0);
    check_join(check_spawn(send_and_complete, self.kept[1]));
    CHECK_EVENTS(&self.heard, "1 2 3 1 2 3 |");
    close_inner(&self);
  }
}

/* Those that go on stand in the scope below, and leave it one by one; the rest is disposed of. */
TEST(many_of_them_go_on) {
  for (int left = 0; left < 2; left++) {
    inner self = {.keeps = true};
    open_inner(&self, MERGED);
    for (int i = 0; i < MOST_KEPT; i++) play(self.outer, "0");
    uint64_t full = rac_live_objects();
    for (int i = 0; i < MOST_KEPT - left; i++)
      play(self.kept[i * 7 % MOST_KEPT], i % 3 == 0 ? "|" : "");
    CHECK(rac_live_objects() < full);
    CHECK_INT(self.cleaned, (MOST_KEPT - left + 2) / 3);
    for (int i = 0; i < MOST_KEPT - left; i++)
      play(self.kept[i * 7 % MOST_KEPT], "|");
    CHECK_INT(self.cleaned, MOST_KEPT - left);
    close_inner(&self);
  }
}

/* A subscriber that goes with its last reference, while another one stays. */
TEST(one_that_is_given_up) {
  inner self = {.keeps = true};
  open_inner(&self, MERGED);
  play(self.outer, "0 0");
  uint64_t both = rac_live_objects();
  rac_release(self.kept[0]);
  self.kept[0] = NULL;
  CHECK_INT(self.cleaned, 1);
  CHECK(rac_live_objects() < both);
  play(self.kept[1], "5 |");
  CHECK_EVENTS(&self.heard, "5");
  close_inner(&self);
}

/* What hangs on the outer subject and on a subscriber that is kept hangs on both. */
TEST(a_collector_sees_what_it_holds) {
  inner self = {.keeps = true};
  visit told;
  open_inner(&self, MERGED);
  play(self.outer, "0");
  rac_release(self.heard.subscription);
  void *both[] = {self.outer, self.kept[0]};
  /* Nothing; nothing; the operator's callback, which goes after what hears, and that.
   * Law 10. */
  CHECK_INT(visits(both, 1, &told), 0);
  CHECK_INT(visits(both + 1, 1, &told), 0);
  if (!IS_THREAD_SANITIZED) CHECK_INT(visits(both, 2, &told), 2);
  rac_release(self.kept[0]);
  rac_release(self.outer);
  CHECK_INT(self.heard.destroyed, 1);
  CHECK_INT(self.cleaned, 1);
}

/* ---- Threads ------------------------------------------------------------- */

typedef struct race {
  rac_subject *outer;
  rac_disposable *subscription;
  atomic_int destroyed, cleaned, ends, late, running;
  atomic_bool is_disposed, is_destroyed;
  pthread_t sender;
  rac_subscriber *subscriber;
  int round, mode;
} race;

static void count_race(void *context, rac_value value) {
  race *self = context;
  (void)value;
  if (atomic_load(&self->is_destroyed)) check_fail(__FILE__, __LINE__, "late");
  if (atomic_fetch_add(&self->running, 1) != 0)
    check_fail(__FILE__, __LINE__, "two at once");
  if (atomic_load(&self->is_disposed)) self->late++;
  atomic_fetch_sub(&self->running, 1);
}
static void end_race(void *context) { ((race *)context)->ends++; }
static void destroy_race(void *context) {
  race *self = context;
  atomic_store(&self->is_destroyed, true);
  self->destroyed++;
}
static void clean_race(void *context) {
  race *self = context;
  if (self->round % 3 == 0) sched_yield();
  self->cleaned++;
}

static void *send_on(void *context) {
  race *self = context;
  for (int i = 0; i < self->round % 20; i++)
    rac_subscriber_send(self->subscriber, I(i));
  if (self->mode & 1) rac_subscriber_send_completed(self->subscriber);
  rac_release(self->subscriber);
  return NULL;
}

static rac_status start_sender(void *context, rac_subscriber *subscriber,
                               rac_disposable **out) {
  race *self = context;
  *out = rac_disposable_create(self, clean_race, NULL);
  self->subscriber = rac_retain(subscriber);
  self->sender = check_spawn(send_on, self);
  for (int i = 0; i < self->round % 7; i++)
    rac_subscriber_send(subscriber, I(i));
  if (self->mode & 2) rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static rac_status give_race(void *context, rac_value value, rac_signal **out) {
  (void)value;
  *out = rac_signal_create(context, start_sender, NULL);
  return RAC_OK;
}

static void *dispose_race(void *context) {
  race *self = context;
  for (int spin = self->round % 97 * 40; spin > 0; spin--)
    atomic_load(&self->ends);
  rac_dispose(self->subscription);
  atomic_store(&self->is_disposed, true);
  return NULL;
}

/* One thread subscribes and sends, one sends on, and one disposes of the outer one. */
TEST(sent_to_ended_and_disposed_of_meanwhile) {
  int64_t rounds = check_scaled(1200);
  for (int round = 0; round < (int)rounds; round++) {
    race self = {.mode = round % 4, .round = round};
    const rac_observer observer = {
        sizeof observer, &self, count_race, NULL, end_race, destroy_race};
    self.outer = rac_subject_create();
    rac_signal *s =
        rac_signal_flatten_map(as_signal(self.outer), &self, give_race, NULL);
    self.subscription = rac_subscribe(s, &observer);
    pthread_t other = check_spawn(dispose_race, &self);
    bool is_heard = rac_subject_send(self.outer, I(0)) >= RAC_OK;
    if (round % 5 == 0) rac_subject_send_completed(self.outer);
    check_join(other);
    if (is_heard && self.subscriber != NULL) {
      check_join(self.sender);
      CHECK_INT(self.cleaned, 1);
    }
    CHECK_STATUS(rac_dispose_and_wait(self.subscription, -1), RAC_OK);
    CHECK_INT(self.destroyed, 1);
    CHECK(self.late <= 1 && self.ends <= 1);
    rac_release(self.subscription);
    rac_release(s);
    rac_release(self.outer);
  }
}
