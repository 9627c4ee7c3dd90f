/* Executions of commands: where they run, how long they live, and what a
 * callback may do to its own command. */
#include "commands.h"

/* ---- Executions --------------------------------------------------------- */

TEST(the_work_starts_on_a_later_turn) {
  source counts = {0};
  work w = {.signals = {cold("1 2 |", &counts)}};
  rac_command *command = command_for(&w, NULL, NULL);
  rac_signal *execution = rac_command_execute(command, I(1));
  CHECK_INT(atomic_load(&w.calls), 1);
  CHECK_INT(atomic_load(&counts.subscribed), 0);
  run_main();
  CHECK_INT(atomic_load(&counts.subscribed), 1);
  CHECK_SIGNAL(execution, "1 2 |");
  CHECK_INT(atomic_load(&counts.subscribed), 1);
  drop_command(command);
  rac_release(w.signals[0]);
}

/* Nobody listens, or stops listening: it goes on all the same. */
TEST(an_execution_needs_no_subscriber) {
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder r = {0};
  rac_signal *execution = rac_command_execute(command, I(1));
  record(execution, &r);
  run_main();
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  rac_release(execution);
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  CHECK(IS_EXECUTING(command));
  drop_command(command);
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  play(subject, "|");
  run_main();
}

/* Law 11: an execution lives without the command. */
TEST(executions_outlive_the_command) {
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  atomic_int destroyed = 0;
  rac_command *command = rac_command_create(
      NULL, NULL, context_new(&w, &destroyed), do_work, context_destroy);
  finished recorder r = {0}, executing = {0}, errors = {0}, enabled = {0};
  record_of(rac_command_executing(command), &executing);
  record_of(rac_command_errors(command), &errors);
  record_of(rac_command_enabled(command), &enabled);
  record_of(rac_command_execute(command, I(1)), &r);
  run_main();
  rac_release(command);
  CHECK_INT(atomic_load(&destroyed), 1);
  run_main();
  CHECK_EVENTS(&enabled, "true false |");
  CHECK_EVENTS(&executing, "false true");
  play(subject, "1 #2");
  CHECK_EVENTS(&r, "1 #2");
  run_main();
  CHECK_EVENTS(&executing, "false true false |");
  CHECK_EVENTS(&errors, "#2 |");
}

/* Nobody can end it any more: as in RAC it goes on, and holds up nothing. */
TEST(an_execution_without_a_source) {
  rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject, rac_signal_never()}};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder executing = {0};
  record_of(rac_command_executing(command), &executing);
  rac_command_set_allows_concurrent_execution(command, true);
  execute(command, 1);
  execute(command, 2);
  run_main();
  rac_release(subject);
  w.signals[0] = w.signals[1];
  run_main();
  CHECK(IS_EXECUTING(command));
  drop_command(command);
  CHECK_EVENTS(&executing, "false true |");
  await_end(&executing);
  rac_release(w.signals[1]);
}

TEST(an_execution_that_was_announced_may_be_kept) {
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  rac_signal *kept = rac_command_execution_signals(command);
  APPLY0(kept, replay);
  execute(command, 1);
  run_main();
  play(subject, "1 2 #3");
  rac_value value = rac_value_nil();
  CHECK_STATUS(rac_signal_first(kept, 0, &value), RAC_OK);
  rac_signal *execution = rac_value_to_signal(value);
  CHECK_SIGNAL(execution, "1 2 |");
  rac_value_release(value);
  rac_release(kept);
  drop_command(command);
}

/* ---- Schedulers --------------------------------------------------------- */

TEST(on_the_immediate_scheduler_all_is_done_at_once) {
  rac_scheduler *immediate = rac_scheduler_immediate();
  work w = {.signals = {cold("1 |", NULL)}};
  rac_command *command = command_for(&w, NULL, immediate);
  recorder executing = {0}, executions = {0}, enabled = {0};
  record_of(rac_command_executing(command), &executing);
  record_of(rac_command_enabled(command), &enabled);
  record_of(rac_command_execution_signals(command), &executions);
  CHECK_SIGNAL(rac_command_execute(command, I(1)), "1 |");
  CHECK_SIGNAL(rac_command_execute(command, I(1)), "1 |");
  CHECK_EVENTS(&executing, "false true false true false");
  CHECK_EVENTS(&enabled, "true false true false true");
  rac_release(command);
  CHECK_EVENTS(&executions, "? ? |");
  CHECK_EVENTS(&executing, "false true false true false |");
  await_end(&executing);
  await_end(&executions);
  await_end(&enabled);
  rac_release(w.signals[0]);
}

TEST(on_virtual_time) {
  owned rac_scheduler *clock = rac_scheduler_virtual();
  owned rac_signal *login = cold("1 |", NULL);
  APPLY(login, delay, 2, NULL);
  work w = {.signals = {login}};
  rac_command *command = command_for(&w, NULL, clock);
  recorder executing = {.clock = clock}, enabled = {.clock = clock};
  record_of(rac_command_executing(command), &executing);
  record_of(rac_command_enabled(command), &enabled);
  rac_virtual_advance_to(clock, 1);
  execute(command, 1);
  rac_virtual_step_all(clock);
  CHECK_EVENTS(&executing, "false@0 true@1 false@3");
  CHECK_EVENTS(&enabled, "true@0 false@1 true@3");
  rac_release(command);
  rac_virtual_step_all(clock);
  await_end(&executing);
  await_end(&enabled);
}

TEST(on_a_background_scheduler) {
  rac_scheduler *scheduler = rac_scheduler_background(0, "command");
  work w = {.signals = {cold("1 |", NULL)}};
  rac_command *command = command_for(&w, NULL, scheduler);
  recorder executing = {0};
  record_of(rac_command_executing(command), &executing);
  execute(command, 1);
  WAIT_UNTIL(atomic_load(&executing.nexts) == 3);
  rac_release(command);
  await_end(&executing);
  CHECK_EVENTS(&executing, "false true false |");
  rac_release(scheduler);
  rac_release(w.signals[0]);
}

/* ---- What a callback does to its command -------------------------------- */

typedef struct inner {
  rac_command *command;
  rac_signal *signal;
  int64_t depth;
  int calls;
} inner;

static rac_status execute_again(void *context, rac_value input,
                                rac_signal **out) {
  inner *self = context_target(context);
  self->calls++;
  *out = rac_retain(self->signal);
  if (input.bits < self->depth) execute(self->command, input.bits + 1);
  return RAC_OK;
}

TEST(the_callback_executes_its_command) {
  for (int concurrent = 0; concurrent < 2; concurrent++) {
    inner self = {.signal = cold("|", NULL), .depth = 3};
    self.command =
        rac_command_create(NULL, NULL, CALLBACK_FOR(&self, execute_again));
    rac_command_set_allows_concurrent_execution(self.command, concurrent);
    execute(self.command, 0);
    run_main();
    CHECK_INT(self.calls, concurrent ? 4 : 1);
    CHECK(!IS_EXECUTING(self.command));
    drop_command(self.command);
    rac_release(self.signal);
  }
}

static rac_status release_command(void *context, rac_value input,
                                  rac_signal **out) {
  inner *self = context_target(context);
  (void)input;
  CHECK_STATUS(rac_release(self->command), RAC_OK);
  (void)context_target(context); /* not while it is called */
  *out = rac_retain(self->signal);
  return RAC_OK;
}

TEST(the_callback_releases_its_command) {
  inner self = {.signal = cold("1 |", NULL)};
  self.command =
      rac_command_create(NULL, NULL, CALLBACK_FOR(&self, release_command));
  recorder executing = {0};
  record_of(rac_command_executing(self.command), &executing);
  rac_signal *execution = rac_command_execute(self.command, I(1));
  CHECK(rac_command_execute(self.command, I(2)) == NULL);
  run_main();
  CHECK_SIGNAL(execution, "1 |");
  CHECK_EVENTS(&executing, "false true false |");
  await_end(&executing);
  rac_release(self.signal);
}

static void release_user(recorder *self, rac_value value) {
  (void)value;
  rac_release(self->user);
  self->user = NULL;
}

TEST(a_subscriber_releases_the_command) {
  rac_signal *(*functions[])(rac_command *) = {
      rac_command_execution_signals, rac_command_executing, rac_command_enabled,
      rac_command_errors};
  for (int i = 0; i < 4; i++) {
    work w = {.signals = {cold("1 #2", NULL)}};
    rac_command *command = command_for(&w, NULL, NULL);
    recorder r = {0};
    record_of(functions[i](command), &r);
    r.on_next = release_user;
    r.user = command;
    execute(command, 1);
    run_main();
    CHECK(r.user == NULL);
    RUN_MAIN_UNTIL(atomic_load(&r.destroyed) == 1);
    CHECK_INT(atomic_load(&r.ends), 1);
    let_go(&r);
    rac_release(w.signals[0]);
  }
}

typedef struct chain {
  rac_command *command;
  int left;
} chain;

static void execute_next(void *context);

static void execute_and_follow(chain *self) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(self, NULL);
  observer.completed = execute_next;
  observer.destroy = context_destroy;
  owned rac_signal *execution =
      rac_command_execute(self->command, I(self->left));
  rac_release(rac_subscribe(execution, &observer));
}

static void execute_next(void *context) {
  chain *self = context_target(context);
  if (--self->left > 0) execute_and_follow(self);
}

/* The end of one is early enough to begin the next: a long row of them. */
TEST(a_completion_executes_again) {
  work w = {.signals = {cold("|", NULL)}};
  chain self = {command_for(&w, NULL, NULL), 20000};
  execute_and_follow(&self);
  run_main();
  CHECK_INT(atomic_load(&w.calls), 20000);
  drop_command(self.command);
  rac_release(w.signals[0]);
}

/* On the immediate scheduler they lie inside each other, which has a limit. Past
 * the depth of gates a thread of the library goes on with the telling. */
TEST(completions_inside_completions_end) {
  rac_scheduler *immediate = rac_scheduler_immediate();
  work w = {.signals = {cold("|", NULL)}};
  chain self = {command_for(&w, NULL, immediate), 20000};
  execute_and_follow(&self);
  CHECK(self.left > 0);
  CHECK(atomic_load(&w.calls) > 1000);
  /* Between two executions it is, for a moment. */
  CHECK_STATUS(rac_settle(60), RAC_OK);
  CHECK(IS_ENABLED(self.command));
  rac_signal *again = rac_command_execute(self.command, I(1));
  rac_value error = rac_value_nil();
  CHECK_STATUS(rac_signal_first(again, -1, &error), RAC_EEMPTY);
  rac_release(again);
  rac_release(self.command);
  rac_release(w.signals[0]);
}
