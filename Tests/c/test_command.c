/* Commands: what becomes of bad input and of failures, what a callback may do to
 * its own command, and on which scheduler what happens. */
#include "commands.h"

/* ---- Bad input ---------------------------------------------------------- */

static void check_not_created(void *enabled, void *scheduler,
                              rac_execute_fn function, rac_status status) {
  atomic_int destroyed = 0;
  rac_clear_last_error();
  rac_command *command =
      rac_command_create(enabled, scheduler, context_new(NULL, &destroyed),
                         function, context_destroy);
  CHECK(command == NULL);
  CHECK_STATUS(rac_last_error_code(), status);
  CHECK_TEXT(rac_last_error_function(), "rac_command_create");
  CHECK_INT(atomic_load(&destroyed), 1);
}

TEST(creating_with_what_will_not_do) {
  rac_subject *subject = rac_subject_create(), *gone = rac_subject_create();
  rac_scheduler *scheduler = rac_scheduler_main();
  rac_release(gone);
  check_not_created(NULL, NULL, NULL, RAC_ENULL);
  check_not_created(gone, NULL, do_work, RAC_ESTALE);
  check_not_created(scheduler, NULL, do_work, RAC_EKIND);
  check_not_created((void *)12345, NULL, do_work, RAC_ESTALE);
  check_not_created(subject, gone, do_work, RAC_ESTALE);
  check_not_created(subject, subject, do_work, RAC_EKIND);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  rac_release(subject);
}

static void check_refused(void *handle, rac_status status) {
  rac_signal *(*functions[])(rac_command *) = {
      rac_command_execution_signals, rac_command_executing, rac_command_enabled,
      rac_command_errors};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    rac_clear_last_error();
    CHECK(functions[i](handle) == NULL);
    CHECK_STATUS(rac_last_error_code(), status);
  }
  rac_clear_last_error();
  CHECK(rac_command_execute(handle, I(1)) == NULL);
  CHECK_STATUS(rac_last_error_code(), status);
  rac_clear_last_error();
  CHECK(!rac_command_allows_concurrent_execution(handle));
  CHECK_STATUS(rac_last_error_code(), status);
  CHECK_STATUS(rac_command_set_allows_concurrent_execution(handle, true),
               status);
}

TEST(handles_that_are_no_commands) {
  work w = {0};
  rac_command *gone = command_for(&w, NULL, NULL);
  rac_subject *subject = rac_subject_create();
  drop_command(gone);
  check_refused(NULL, RAC_ENULL);
  check_refused(gone, RAC_ESTALE);
  check_refused(subject, RAC_EKIND);
  check_refused((void *)77, RAC_ESTALE);
  rac_release(subject);
}

TEST(a_command_is_no_signal) {
  work w = {0};
  rac_command *command = command_for(&w, NULL, NULL);
  CHECK(rac_signal_take((void *)command, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK_STATUS(rac_subject_send((void *)command, I(1)), RAC_EKIND);
  CHECK_STATUS(rac_dispose((void *)command), RAC_EKIND);
  drop_command(command);
}

TEST(an_input_that_is_no_value) {
  work w = {0};
  rac_command *command = command_for(&w, NULL, NULL);
  rac_value unknown = {99, 0, 0, 0, 1}, no_text = rac_value_string("\xFF");
  CHECK(rac_command_execute(command, unknown) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_command_execute(command, no_text) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EUTF8);
  CHECK_INT(atomic_load(&w.calls), 0);
  CHECK(IS_ENABLED(command));
  drop_command(command);
}

/* ---- Executions that fail to begin -------------------------------------- */

static rac_signal *give_number(work *self, rac_value input) {
  (void)self;
  (void)input;
  return (rac_signal *)(uintptr_t)12345;
}

static rac_signal *give_nothing(work *self, rac_value input) {
  (void)self;
  (void)input;
  return NULL;
}

static rac_signal *give_scheduler(work *self, rac_value input) {
  (void)self;
  (void)input;
  return (rac_signal *)rac_scheduler_virtual();
}

/* The execution fails, `errors` hears why, and the next one goes well. */
TEST(a_callback_that_gives_no_signal) {
  static const struct {
    rac_signal *(*make)(work *, rac_value);
    rac_status status;
    const char *events;
    const char *domain;
  } cases[] = {
      {give_nothing, RAC_OK, "!2", "rac.command"},
      {give_nothing, -7, "!-7", "rac.callback"},
      {give_number, RAC_OK, "!-3", "rac"},
      {give_scheduler, RAC_OK, "!-4", "rac"},
      {give_scheduler, -7, "!-7", "rac.callback"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    work w = {.signals = {cold("1 |", NULL)}};
    rac_command *command = command_for(&w, NULL, NULL);
    recorder r = {0}, errors = {0}, executing = {0};
    record_of(rac_command_errors(command), &errors);
    record_of(rac_command_executing(command), &executing);
    w.make = cases[i].make;
    w.status = cases[i].status;
    rac_signal *execution = rac_command_execute(command, I(1));
    CHECK_EVENTS(&r, "");
    run_main();
    record(execution, &r);
    CHECK_EVENTS(&r, cases[i].events);
    CHECK_EVENTS(&errors, cases[i].events);
    CHECK_EVENTS(&executing, "false true false");
    rac_value error = rac_value_nil();
    CHECK_STATUS(rac_signal_first(execution, 0, &error), RAC_ESTREAM);
    CHECK_TEXT(rac_error_get_domain(error), cases[i].domain);
    rac_value_release(error);
    rac_release(execution);
    w.make = NULL;
    w.status = RAC_OK;
    execution = rac_command_execute(command, I(2));
    run_main();
    CHECK_SIGNAL(execution, "1 |");
    drop_command(command);
    await_end(&r);
    await_end(&errors);
    await_end(&executing);
    rac_release(w.signals[0]);
  }
}

static rac_status raise(void *context, rac_value input, rac_signal **out) {
  (void)context;
  (void)out;
  rac_value error = test_error(input.bits);
  rac_status status = rac_raise(error);
  rac_value_release(error);
  return status;
}

TEST(a_callback_names_its_error) {
  rac_command *command = rac_command_create(NULL, NULL, CALLBACK(raise));
  rac_signal *execution = rac_command_execute(command, I(31));
  run_main();
  CHECK_SIGNAL(execution, "!31");
  drop_command(command);
}

/* ---- The enabled signal ------------------------------------------------- */

TEST(the_enabled_signal_is_sampled_at_once) {
  const char *scripts[] = {"0", "1", "0 1 0 |", "1 |", "|"};
  for (int i = 0; i < 5; i++) {
    rac_signal *enabled = cold(scripts[i], NULL);
    bool expected = i % 2 == 1 || i == 4;
    work w = {.signals = {cold("|", NULL)}};
    rac_command *command = command_for(&w, enabled, NULL);
    CHECK_INT(IS_ENABLED(command), expected);
    execute(command, 1);
    CHECK_INT(atomic_load(&w.calls), expected);
    run_main();
    CHECK_INT(IS_ENABLED(command), expected);
    drop_command(command);
    rac_release(enabled);
    rac_release(w.signals[0]);
  }
}

/* What ends it stays what it says; with an error nobody can say any more. */
TEST(the_enabled_signal_ends) {
  rac_subject *enabled = rac_subject_create(), *failing = rac_subject_create();
  work w = {.signals = {cold("|", NULL)}};
  rac_command *one = command_for(&w, as_signal(enabled), NULL);
  rac_command *other = command_for(&w, as_signal(failing), NULL);
  recorder r = {0};
  record_of(rac_command_enabled(other), &r);
  play(enabled, "|");
  play(failing, "1 !5");
  run_main();
  CHECK(IS_ENABLED(one));
  CHECK_EVENTS(&r, "true !5");
  execute(one, 1);
  CHECK_INT(atomic_load(&w.calls), 1);
  CHECK_SIGNAL(rac_command_execute(other, I(1)), "!1");
  CHECK_INT(atomic_load(&w.calls), 1);
  await_end(&r);
  drop_command(one);
  drop_command(other);
  rac_release(enabled);
  rac_release(failing);
  rac_release(w.signals[0]);
}

TEST(an_enabled_signal_that_fails_at_once) {
  rac_signal *failing = cold("1 !5", NULL);
  work w = {0};
  rac_command *command = command_for(&w, failing, NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  CHECK_EVENTS(&r, "false");
  run_main();
  CHECK_EVENTS(&r, "false !5");
  CHECK_SIGNAL(rac_command_execute(command, I(1)), "!1");
  await_end(&r);
  drop_command(command);
  rac_release(failing);
}

TEST(an_enabled_signal_of_something_else) {
  rac_subject *enabled = rac_subject_create();
  work w = {0};
  rac_command *command = command_for(&w, as_signal(enabled), NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  rac_subject_send(enabled, S("yes"));
  run_main();
  CHECK_EVENTS(&r, "true !-4");
  CHECK_INT(rac_subject_subscriber_count(enabled), 0);
  rac_subject_send(enabled, rac_value_bool(true));
  CHECK_SIGNAL(rac_command_execute(command, I(1)), "!1");
  await_end(&r);
  drop_command(command);
  rac_release(enabled);
}

/* Off and on again before the main scheduler runs: both are heard. */
TEST(no_change_of_enabled_is_skipped) {
  rac_subject *enabled = rac_subject_create();
  work w = {0};
  rac_command *command = command_for(&w, as_signal(enabled), NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  play(enabled, "0 0 1 1 0 1");
  run_main();
  CHECK_EVENTS(&r, "true false true false true");
  drop_command(command);
  await_end(&r);
  rac_release(enabled);
}

TEST(executing_and_allowing_more_change_enabled) {
  rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  execute(command, 1);
  CHECK_SIGNAL(rac_command_execute(command, I(2)), "!1");
  run_main();
  CHECK_EVENTS(&r, "true false");
  rac_command_set_allows_concurrent_execution(command, true);
  run_main();
  CHECK_EVENTS(&r, "true false true");
  execute(command, 3);
  run_main();
  CHECK_EVENTS(&r, "true false true");
  rac_command_set_allows_concurrent_execution(command, false);
  play(subject, "|");
  run_main();
  CHECK_EVENTS(&r, "true false true false true");
  CHECK_TEXT(w.inputs, "1 3");
  drop_command(command);
  await_end(&r);
  rac_release(subject);
}

/* One may go while the other does not. */
TEST(two_commands_that_exclude_each_other) {
  rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *saving = command_for(&w, NULL, NULL);
  rac_signal *idle = rac_command_executing(saving);
  APPLY0(idle, not );
  rac_command *closing = command_for(&w, idle, NULL);
  execute(saving, 1);
  run_main();
  CHECK_SIGNAL(rac_command_execute(closing, I(2)), "!1");
  play(subject, "|");
  run_main();
  execute(closing, 3);
  CHECK_TEXT(w.inputs, "1 3");
  drop_command(closing);
  drop_command(saving);
  rac_release(idle);
  rac_release(subject);
  run_main();
}

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
  rac_subject *subject = rac_subject_create();
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
  rac_release(subject);
}

TEST(executions_outlive_the_command) {
  rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  atomic_int destroyed = 0;
  rac_command *command = rac_command_create(
      NULL, NULL, context_new(&w, &destroyed), do_work, context_destroy);
  recorder r = {0}, executing = {0}, errors = {0}, enabled = {0};
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
  play(subject, "1 !2");
  CHECK_EVENTS(&r, "1 !2");
  run_main();
  CHECK_EVENTS(&executing, "false true false |");
  CHECK_EVENTS(&errors, "!2 |");
  await_end(&r);
  await_end(&executing);
  await_end(&errors);
  await_end(&enabled);
  rac_release(subject);
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
  rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  rac_signal *kept = rac_command_execution_signals(command);
  APPLY0(kept, replay);
  execute(command, 1);
  run_main();
  play(subject, "1 2 !3");
  rac_value value = rac_value_nil();
  CHECK_STATUS(rac_signal_first(kept, 0, &value), RAC_OK);
  rac_signal *execution = rac_value_to_signal(value);
  CHECK_SIGNAL(execution, "1 2 |");
  rac_value_release(value);
  rac_release(kept);
  drop_command(command);
  rac_release(subject);
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
  rac_scheduler *clock = rac_scheduler_virtual();
  rac_signal *login = cold("1 |", NULL);
  APPLY(login, delay, 2);
  work w = {.signals = {login}};
  rac_command *command = command_for(&w, NULL, clock);
  recorder executing = {.clock = clock}, enabled = {.clock = clock};
  record_of(rac_command_executing(command), &executing);
  record_of(rac_command_enabled(command), &enabled);
  rac_virtual_advance_to(clock, 1);
  execute(command, 1);
  rac_virtual_step_all(clock);
  CHECK_EVENTS(&executing, "0:false 1:true 3:false");
  CHECK_EVENTS(&enabled, "0:true 1:false 3:true");
  rac_release(command);
  rac_virtual_step_all(clock);
  await_end(&executing);
  await_end(&enabled);
  rac_release(login);
  rac_release(clock);
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
    work w = {.signals = {cold("1 !2", NULL)}};
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
  rac_signal *execution = rac_command_execute(self->command, I(self->left));
  rac_release(rac_subscribe(execution, &observer));
  rac_release(execution);
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
  WAIT_UNTIL(IS_ENABLED(self.command));
  rac_signal *again = rac_command_execute(self.command, I(1));
  rac_value error = rac_value_nil();
  CHECK_STATUS(rac_signal_first(again, -1, &error), RAC_EEMPTY);
  rac_release(again);
  rac_release(self.command);
  rac_release(w.signals[0]);
}
