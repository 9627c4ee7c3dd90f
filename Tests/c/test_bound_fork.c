/* Forks by who waits for room in a bound, and beside one who looks at it. */
#define _GNU_SOURCE
#include "forked.h"
#include "sleeping.h"

typedef struct narrow {
  rac_subject *subject;
  rac_signal *delivered;
  rac_disposable *subscription;
  atomic_int heard;
} narrow;

static void hear(void *context, rac_value value) {
  narrow *self = context;
  (void)value;
  atomic_fetch_add(&self->heard, 1);
}

/* Room for so many until the main scheduler has run. */
static void fill(narrow *self, int room) {
  rac_bound *bound = rac_bound_create((size_t)room, RAC_BOUND_WAIT);
  rac_scheduler *loop = rac_scheduler_main();
  self->subject = rac_subject_create_bounded(bound);
  self->delivered =
      rac_signal_deliver_on_bounded(as_signal(self->subject), loop, bound);
  self->subscription = rac_subscribe_next(self->delivered, self, hear, NULL);
  rac_release(loop);
  rac_release(bound);
  for (int i = 0; i < room; i++)
    CHILD(rac_subject_send(self->subject, I(i)) == RAC_OK);
}

static void empty(narrow *self) {
  rac_release(self->subscription);
  rac_release(self->delivered);
  rac_release(self->subject);
}

static void drain_until_heard(narrow *self, int count) {
  for (int tries = 0; atomic_load(&self->heard) < count; tries++) {
    CHILD(tries < 20000);
    CHILD(rac_main_drain(0) >= 0);
    poll(NULL, 0, 1);
  }
}

static void *send_one(void *argument) {
  narrow *self = argument;
  atomic_store(&sleeper, gettid());
  CHILD(rac_subject_send(self->subject, I(1)) == RAC_OK);
  return NULL;
}

/* ---- By the sender ------------------------------------------------------------ */

static pid_t forked = -1;
static pthread_t drainer, sender;

static void *drain_later(void *argument) {
  poll(NULL, 0, 50);
  drain_until_heard(argument, forked == 0 ? 3 : 2);
  return NULL;
}

/* In the child another one sleeps there first. */
static void fork_once(void *context) {
  if (forked != -1) return;
  forked = fork();
  if (forked == 0) {
    alarm(CHILD_SECONDS);
    sender = check_spawn(send_one, context);
    while (!atomic_load(&sleeper)) check_pause();
    let_it_sleep();
  }
  drainer = check_spawn(drain_later, context);
}

/* It sleeps on both sides, and each has somebody to wake it. */
static void fork_in_a_hook(void *argument) {
  (void)argument;
  narrow self = {0};
  fill(&self, 1);
  CHILD(rac_set_blocking_hook(&self, fork_once, NULL, NULL) == RAC_OK);
  CHILD(rac_subject_send(self.subject, I(1)) == RAC_OK);
  check_join(drainer);
  if (forked == 0) check_join(sender);
  CHILD(atomic_load(&self.heard) == (forked == 0 ? 3 : 2));
  CHILD(rac_set_blocking_hook(NULL, NULL, NULL, NULL) == RAC_OK);
  empty(&self);
  if (forked == 0) _exit(0);
  CHILD(await_child(forked) == 0);
}

TEST(a_sender_forks_before_it_sleeps) { alone(fork_in_a_hook); }

/* ---- Beside one who looks ------------------------------------------------------ */

static atomic_bool looks, is_over;

static void *look(void *bound) {
  while (!atomic_load(&is_over)) {
    CHILD(rac_bound_get(bound, RAC_BOUND_LENGTH) == 0);
    atomic_store(&looks, true);
  }
  return NULL;
}

static void say_so(void *bound) {
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(rac_bound_get(bound, RAC_BOUND_LENGTH) == 0);
  CHILD(rac_reinitialize() == RAC_OK);
  CHILD(rac_close(5) == RAC_OK);
}

static void fork_beside_one_who_looks(void *argument) {
  (void)argument;
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  pthread_t thread = check_spawn(look, bound);
  while (!atomic_load(&looks)) check_pause();
  for (int i = 0; i < 40; i++) {
    poll(NULL, 0, 1);
    CHILD(in_child(say_so, bound) == 0);
  }
  atomic_store(&is_over, true);
  check_join(thread);
}

/* Law 22: it calls nothing else, and may have been in the middle of it. */
TEST(a_child_beside_one_who_looks_says_so) { alone(fork_beside_one_who_looks); }
