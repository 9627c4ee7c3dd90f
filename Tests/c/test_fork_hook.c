/* A thread that forks in its blocking hook, just before it sleeps, where the library
 * has threads: in the child, in which nothing works, nobody would wake it. */
#define _GNU_SOURCE
#include "forked.h"
#include "shared_callbacks.h"

typedef struct waiter {
  rac_status (*wait)(struct waiter *self);
  void (*wake)(struct waiter *self);
  rac_status expected; /* in the child */
  rac_subject *subject;
} waiter;

static rac_status read_first(waiter *self) {
  rac_value value = rac_value_nil();
  return rac_signal_first(as_signal(self->subject), -1, &value);
}
static void send(waiter *self) {
  CHILD(rac_subject_send(self->subject, I(1)) >= 0);
}

static rac_status send_more(waiter *self) {
  return rac_subject_send(self->subject, I(2));
}
static void drain(waiter *self) {
  (void)self;
  CHILD(rac_main_drain(0) >= 0);
}

static rac_status read_sequence(waiter *self) {
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_DROP_OLDEST);
  owned rac_sequence *sequence =
      rac_sequence_from_signal(as_signal(self->subject), -1, bound);
  rac_value value = rac_value_nil();
  rac_status status = rac_sequence_head(sequence, &value);
  return status;
}

static atomic_bool goes_on;
static void go_on(void *context) {
  (void)context;
  while (!atomic_load(&goes_on)) poll(NULL, 0, 1);
}
static rac_status settle(waiter *self) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  (void)self;
  rac_release(rac_schedule(background, NULL, go_on, NULL));
  rac_status status = rac_settle(-1);
  return status;
}
static void let_go_on(waiter *self) {
  (void)self;
  atomic_store(&goes_on, true);
}

static rac_status run(waiter *self) {
  (void)self;
  return rac_main_run();
}
static void stop(waiter *self) {
  (void)self;
  rac_main_stop();
}

static pid_t forked;

static void fork_once(void *context) {
  (void)context;
  if (forked != -1) return;
  forked = fork();
  if (forked == 0) alarm(CHILD_SECONDS);
}

static atomic_bool is_awake;

static void *wake_later(void *argument) {
  waiter *self = argument;
  while (!atomic_load(&is_awake)) {
    poll(NULL, 0, 20);
    self->wake(self);
  }
  return NULL;
}

/* Room for one, which is taken until the main scheduler has run. */
static rac_subject *make_full(void) {
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  owned rac_scheduler *loop = rac_scheduler_main();
  rac_subject *subject = rac_subject_create_bounded(bound);
  owned rac_signal *late =
      rac_signal_deliver_on_bounded(as_signal(subject), loop, bound);
  rac_release(rac_subscribe_next(late, NULL, ignore_value, NULL));
  CHILD(rac_subject_send(subject, I(1)) == RAC_OK);
  return subject;
}

static void fork_before_sleeping(void *argument) {
  waiter *self = argument;
  forked = -1;
  self->subject = self->wait == send_more ? make_full() : rac_subject_create();
  start_library_threads();
  CHILD(rac_set_blocking_hook(NULL, fork_once, NULL, NULL) == RAC_OK);
  pthread_t thread = check_spawn(wake_later, self);
  rac_status status = self->wait(self);
  if (forked == 0) _exit(status == self->expected ? 0 : 1);
  CHILD(status == RAC_OK);
  atomic_store(&is_awake, true);
  check_join(thread);
  CHILD(await_child(forked) == 0);
  rac_release(self->subject);
}

static void check(rac_status (*wait)(waiter *), void (*wake)(waiter *),
                  rac_status expected) {
  waiter self = {wait, wake, expected, NULL};
  CHECK_INT(in_child(fork_before_sleeping, &self), 0);
}

TEST(a_read_says_that_nothing_works) { check(read_first, send, RAC_EFORK); }
TEST(a_sender_says_that_nothing_works) { check(send_more, drain, RAC_EFORK); }
TEST(a_reader_says_that_nothing_works) {
  check(read_sequence, send, RAC_EFORK);
}
TEST(who_settles_says_that_nothing_works) {
  check(settle, let_go_on, RAC_EFORK);
}
/* As where it is closed. */
TEST(a_run_ends) { check(run, stop, RAC_OK); }
