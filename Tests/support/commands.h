/* Shared by the tests of commands: a command whose work the test decides on,
 * and the main scheduler, run until something has come about. */
#ifndef RAC_COMMANDS_H
#define RAC_COMMANDS_H

#include "operators.h"

/* The work of a command: each execution gets the signal of its place in the
 * list, the last one if there are fewer, or what `make` makes. */
typedef struct work work;
struct work {
  void *signals[4];
  rac_signal *(*make)(work *self, rac_value input);
  rac_status status; /* what the callback returns */
  atomic_int calls;
  char inputs[100]; /* of tests that execute on one thread */
};

static inline rac_status do_work(void *context, rac_value input,
                                 rac_signal **out) {
  work *self = context_target(context);
  int call = atomic_fetch_add(&self->calls, 1);
  if (call < 20 && input.kind == RAC_INT64) {
    size_t used = strlen(self->inputs);
    snprintf(self->inputs + used, sizeof self->inputs - used, "%s%lld",
             used ? " " : "", (long long)input.bits);
  }
  if (self->make) {
    *out = self->make(self, input);
  } else {
    while (call > 0 && (call > 3 || self->signals[call] == NULL)) call--;
    *out = rac_retain(self->signals[call]);
  }
  return self->status;
}

/* On the main scheduler unless another one is given. */
static inline rac_command *command_for(work *self, rac_signal *enabled,
                                       rac_scheduler *scheduler) {
  rac_command *command =
      rac_command_create(enabled, scheduler, CALLBACK_FOR(self, do_work));
  CHECK(command != NULL);
  return command;
}

/* Runs the main scheduler until then. */
#define RUN_MAIN_UNTIL(condition) WAIT_UNTIL((rac_main_drain(0), (condition)))

/* Runs everything that waits on the main scheduler, and all that it
 * schedules. */
static inline void run_main(void) {
  while (rac_main_drain(0) > 0) {
  }
}

static inline void drop_command(rac_command *command) {
  CHECK_STATUS(rac_release(command), RAC_OK);
  run_main();
}

/* finish() where destroy comes on the main scheduler. */
static inline void finish_on_main(recorder *self) {
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  RUN_MAIN_UNTIL(atomic_load(&self->destroyed) == 1);
  let_go(self);
}

/* The truth value that a signal sends at once. Takes over the reference. */
static inline bool first_of(rac_signal *signal) {
  rac_value value = rac_value_nil();
  bool truth = false;
  CHECK_STATUS(rac_signal_first(signal, 0, &value), RAC_OK);
  CHECK_STATUS(rac_value_get_bool(value, &truth), RAC_OK);
  rac_release(signal);
  return truth;
}

#define IS_EXECUTING(command) first_of(rac_command_executing(command))
#define IS_ENABLED(command) first_of(rac_command_enabled(command))

/* Executes and forgets what comes of it. */
static inline void execute(rac_command *command, int64_t input) {
  rac_signal *execution = rac_command_execute(command, I(input));
  CHECK(execution != NULL);
  rac_release(execution);
}

/* Whether the calling thread runs the main scheduler. */
static inline bool is_on_main(void) {
  rac_scheduler *current = rac_scheduler_current();
  bool is_main = current == rac_scheduler_main();
  rac_release(current);
  return is_main;
}

static inline void check_on_main(recorder *self) {
  (void)self;
  CHECK(is_on_main());
}

static inline void check_next_on_main(recorder *self, rac_value value) {
  (void)value;
  check_on_main(self);
}

/* A recorder that checks where it hears. */
#define RECORDER_ON_MAIN                                                       \
  {.on_next = check_next_on_main, .on_end = check_on_main}

/* Runs a job on a background scheduler and waits until it is over, while
 * nothing runs the main one. */
typedef struct background {
  void (*body)(void *argument);
  void *argument;
  atomic_bool is_done;
} background;

static inline void background_run(void *context) {
  background *self = context;
  self->body(self->argument);
  atomic_store(&self->is_done, true);
}

static inline void on_background(void (*body)(void *), void *argument) {
  background job = {body, argument, false};
  rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
  rac_release(rac_schedule(scheduler, &job, background_run, NULL));
  WAIT_UNTIL(atomic_load(&job.is_done));
  rac_release(scheduler);
}

#endif
