/* Commands under several threads: who gets the one place, what is told about it,
 * and what becomes of a command that goes meanwhile. */
#include "commands.h"

enum { THREADS = 3 };

typedef struct contest {
  rac_command *command;
  pthread_barrier_t barrier;
  atomic_int refused, begun;
  int rounds;
} contest;

/* Each round all execute at the same time. */
static void *compete(void *argument) {
  contest *self = argument;
  rac_thread_attach();
  for (int i = 0; i < self->rounds; i++) {
    pthread_barrier_wait(&self->barrier);
    rac_signal *execution = rac_command_execute(self->command, I(i));
    rac_value error = rac_value_nil();
    rac_status status = rac_signal_first(execution, 0, &error);
    if (status == RAC_ESTREAM &&
        rac_error_get_code(error) == RAC_COMMAND_NOT_ENABLED)
      atomic_fetch_add(&self->refused, 1);
    if (status == RAC_ETIMEDOUT) atomic_fetch_add(&self->begun, 1);
    rac_value_release(error);
    rac_release(execution);
    pthread_barrier_wait(&self->barrier);
  }
  rac_thread_detach();
  return NULL;
}

/* Writes only whether the truth values come in turns: there are many. */
static void expect_turn(recorder *self, rac_value value) {
  bool *expected = self->user;
  if (value.bits != *expected) check_fail(__FILE__, __LINE__, "not in turns");
  *expected = !*expected;
  self->used = 0;
}

/* Law 3: one decision after another. */
TEST(of_threads_that_execute_at_once_one_does) {
  contest self = {.rounds = (int)check_scaled(1000)};
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  bool next = false;
  recorder executing = {.on_next = expect_turn, .user = &next};
  self.command = command_for(&w, NULL, NULL);
  record_of(rac_command_executing(self.command), &executing);
  pthread_barrier_init(&self.barrier, NULL, THREADS + 1);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) threads[i] = check_spawn(compete, &self);
  for (int i = 0; i < self.rounds; i++) {
    pthread_barrier_wait(&self.barrier);
    pthread_barrier_wait(&self.barrier);
    run_main();
    CHECK(IS_EXECUTING(self.command));
    play(subject, "|");
    run_main();
    CHECK(!IS_EXECUTING(self.command));
  }
  for (int i = 0; i < THREADS; i++) check_join(threads[i]);
  pthread_barrier_destroy(&self.barrier);
  CHECK_INT(atomic_load(&w.calls), self.rounds);
  CHECK_INT(atomic_load(&self.begun), self.rounds);
  CHECK_INT(atomic_load(&self.refused), self.rounds * (THREADS - 1));
  drop_command(self.command);
  await_end(&executing);
}

typedef struct storm {
  rac_command *command;
  rac_subject *enabled;
  int count;
} storm;

static void *execute_often(void *argument) {
  storm *self = argument;
  for (int i = 0; i < self->count; i++)
    rac_release(rac_command_execute(self->command, I(i)));
  return NULL;
}

static void *flip_often(void *argument) {
  storm *self = argument;
  for (int i = 0; i < self->count; i++)
    rac_subject_send(self->enabled, rac_value_bool(i % 2 == 1));
  rac_subject_send(self->enabled, rac_value_bool(false));
  return NULL;
}

static void *allow_often(void *argument) {
  storm *self = argument;
  for (int i = 0; i < self->count; i++)
    rac_command_set_allows_concurrent_execution(self->command, i % 2 == 0);
  return NULL;
}

/* All of it at once, on a scheduler that runs at the same time. What is told is
 * told in turns, and the last word is the truth. */
TEST(what_is_told_stays_in_order) {
  rac_scheduler *scheduler = rac_scheduler_background(0, "command");
  work w = {.signals = {cold("1 |", NULL)}};
  storm self = {.enabled = rac_subject_create(),
                .count = (int)check_scaled(20000)};
  self.command = command_for(&w, as_signal(self.enabled), scheduler);
  bool executing_next = false, enabled_next = true;
  recorder executing = {.on_next = expect_turn, .user = &executing_next};
  recorder enabled = {.on_next = expect_turn, .user = &enabled_next};
  record_of(rac_command_executing(self.command), &executing);
  record_of(rac_command_enabled(self.command), &enabled);
  /* Where threads come late, none of theirs need begin. */
  while (atomic_load(&w.calls) == 0)
    rac_release(rac_command_execute(self.command, I(0)));
  pthread_t threads[] = {
      check_spawn(execute_often, &self), check_spawn(execute_often, &self),
      check_spawn(flip_often, &self), check_spawn(allow_often, &self)};
  for (int i = 0; i < 4; i++) check_join(threads[i]);
  rac_signal *refused = rac_command_execute(self.command, I(1));
  CHECK_SIGNAL(refused, "#1");
  rac_release(self.command);
  await_end(&enabled);
  await_end(&executing);
  CHECK(enabled_next);   /* false was the last */
  CHECK(executing_next); /* here, too */
  rac_release(self.enabled);
  rac_release(scheduler);
  rac_release(w.signals[0]);
}

static void *execute_until_stale(void *argument) {
  storm *self = argument;
  rac_signal *execution;
  while ((execution = rac_command_execute(self->command, I(1))) != NULL)
    rac_release(execution);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  return NULL;
}

/* The last handle goes while others execute: what has begun ends, nothing begins
 * after it, and everybody hears of it. */
TEST(released_while_others_execute) {
  int rounds = (int)check_scaled(300);
  for (int i = 0; i < rounds; i++) {
    rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
    work w = {.signals = {cold("1 |", NULL)}};
    atomic_int destroyed = 0;
    storm self = {.enabled = rac_subject_create()};
    self.command = rac_command_create(as_signal(self.enabled), scheduler,
                                      context_new(&w, &destroyed), do_work,
                                      context_destroy);
    bool next = false;
    recorder executing = {.on_next = expect_turn, .user = &next};
    record_of(rac_command_executing(self.command), &executing);
    pthread_t one = check_spawn(execute_until_stale, &self);
    pthread_t other = check_spawn(execute_until_stale, &self);
    WAIT_UNTIL(atomic_load(&w.calls) > i % 3);
    CHECK_STATUS(rac_release(self.command), RAC_OK);
    check_join(one);
    check_join(other);
    WAIT_UNTIL(atomic_load(&destroyed) == 1);
    await_end(&executing);
    CHECK(next);
    rac_subject_send(self.enabled, rac_value_bool(true));
    rac_release(self.enabled);
    rac_release(scheduler);
    rac_release(w.signals[0]);
  }
}
