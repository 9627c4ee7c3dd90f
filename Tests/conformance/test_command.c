/* RACCommand. */
#include "commands.h"

/* ---- One execution ------------------------------------------------------ */

/* command-001, command-002: what holds before the first execution */
TEST(a_command_starts_enabled_and_idle) {
  work w = {0};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder errors = {0}, executions = {0};
  record_of(rac_command_errors(command), &errors);
  record_of(rac_command_execution_signals(command), &executions);
  CHECK(IS_ENABLED(command));
  CHECK(!IS_EXECUTING(command));
  CHECK(!rac_command_allows_concurrent_execution(command));
  run_main();
  CHECK_EVENTS(&errors, "");
  CHECK_EVENTS(&executions, "");
  drop_command(command);
  await_end(&errors);
  await_end(&executions);
}

/* command-004, command-006, command-017: what execute() returns has the values
 * and the completion; errors has none of it */
TEST(an_execution_delivers_and_completes) {
  work w = {.signals = {cold("1 2 |", NULL)}};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder errors = {0}, r = {0};
  record_of(rac_command_errors(command), &errors);
  record_of(rac_command_execute(command, I(7)), &r);
  CHECK_EVENTS(&r, "");
  run_main();
  CHECK_EVENTS(&r, "1 2 |");
  CHECK_EVENTS(&errors, "");
  CHECK_TEXT(w.inputs, "7");
  await_end(&r);
  drop_command(command);
  CHECK_EVENTS(&errors, "|");
  await_end(&errors);
  rac_release(w.signals[0]);
}

static void execute_one(void *command) { execute(command, 1); }

/* command-005: from a background scheduler nothing comes before the main
 * scheduler runs, and then it comes there */
TEST(executions_are_announced_on_the_main_scheduler) {
  work w = {.signals = {cold("1 |", NULL)}};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder executions = RECORDER_ON_MAIN;
  record_of(rac_command_execution_signals(command), &executions);
  on_background(execute_one, command);
  CHECK_INT(atomic_load(&executions.nexts), 0);
  run_main();
  CHECK_INT(atomic_load(&executions.nexts), 1);
  drop_command(command);
  await_end(&executions);
  rac_release(w.signals[0]);
}

static void executing_inside(recorder *self, rac_value value) {
  (void)value;
  CHECK(IS_EXECUTING(self->user));
}

/* command-007: executing is true while a value is delivered and false after the
 * completion */
TEST(executing_spans_the_execution) {
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder r = {.on_next = executing_inside, .user = command};
  record_of(rac_command_execute(command, I(1)), &r);
  run_main();
  rac_subject_send(subject, I(1));
  CHECK_EVENTS(&r, "1");
  rac_subject_send_completed(subject);
  run_main();
  CHECK(!IS_EXECUTING(command));
  await_end(&r);
  drop_command(command);
}

static void execute_and_look(void *command) {
  execute(command, 1);
  CHECK(!IS_EXECUTING(command));
}

/* command-008: from a background scheduler executing changes on the main one,
 * and not before that runs */
TEST(executing_changes_on_the_main_scheduler) {
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  finished recorder executing = {0};
  record_of(rac_command_executing(command), &executing);
  executing.on_next = check_next_on_main;
  on_background(execute_and_look, command);
  CHECK_EVENTS(&executing, "false");
  run_main();
  CHECK_EVENTS(&executing, "false true");
  CHECK(IS_EXECUTING(command));
  rac_subject_send_completed(subject);
  drop_command(command);
  CHECK_EVENTS(&executing, "false true false |");
}

typedef struct ends {
  work work;
  recorder executions, executing, enabled, errors;
} ends;

static void make_and_drop(void *argument) {
  ends *e = argument;
  owned rac_command *command = command_for(&e->work, NULL, NULL);
  record_of(rac_command_execution_signals(command), &e->executions);
  record_of(rac_command_executing(command), &e->executing);
  record_of(rac_command_enabled(command), &e->enabled);
  record_of(rac_command_errors(command), &e->errors);
  e->executions.on_end = e->executing.on_end = check_on_main;
  e->enabled.on_end = e->errors.on_end = check_on_main;
}

/* command-010: made, subscribed to and released in the background, all four
 * signals complete on the main scheduler */
TEST(all_signals_complete_with_the_command) {
  ends e = {0};
  on_background(make_and_drop, &e);
  CHECK_EVENTS(&e.executions, "");
  CHECK_EVENTS(&e.executing, "false");
  CHECK_EVENTS(&e.enabled, "true");
  CHECK_EVENTS(&e.errors, "");
  run_main();
  CHECK_EVENTS(&e.executions, "|");
  CHECK_EVENTS(&e.executing, "false |");
  CHECK_EVENTS(&e.enabled, "true |");
  CHECK_EVENTS(&e.errors, "|");
  await_end(&e.executions);
  await_end(&e.executing);
  await_end(&e.enabled);
  await_end(&e.errors);
}

/* ---- Several executions ------------------------------------------------- */

/* command-011: the callback runs once an execution, with its input */
TEST(each_execution_calls_once_with_its_input) {
  work w = {.signals = {cold("|", NULL)}};
  rac_command *command = command_for(&w, NULL, NULL);
  execute(command, 1);
  CHECK_TEXT(w.inputs, "1");
  run_main();
  execute(command, 2);
  CHECK_TEXT(w.inputs, "1 2");
  drop_command(command);
  rac_release(w.signals[0]);
}

/* command-012: the values of one execution after the other, in their order */
TEST(execution_signals_concatenated) {
  owned rac_subject *first = rac_subject_create(),
                    *second = rac_subject_create();
  work w = {.signals = {first, second}};
  rac_command *command = command_for(&w, NULL, NULL);
  rac_signal *values = rac_command_execution_signals(command);
  finished recorder r = {0};
  APPLY(values, flatten, 1);
  record_of(values, &r);
  execute(command, 1);
  run_main();
  play(first, "1 2 |");
  run_main();
  execute(command, 2);
  run_main();
  play(second, "3 4 |");
  run_main();
  CHECK_EVENTS(&r, "1 2 3 4");
  drop_command(command);
  CHECK_EVENTS(&r, "1 2 3 4 |");
}

/* command-013: executing until the last of two concurrent executions has ended,
 * whatever became of the first */
TEST(concurrent_executions_count) {
  owned rac_subject *first = rac_subject_create(),
                    *second = rac_subject_create();
  work w = {.signals = {first, second}};
  rac_command *command = command_for(&w, NULL, NULL);
  CHECK_STATUS(rac_command_set_allows_concurrent_execution(command, true),
               RAC_OK);
  CHECK(rac_command_allows_concurrent_execution(command));
  execute(command, 1);
  execute(command, 2);
  run_main();
  CHECK(IS_EXECUTING(command));
  play(first, "#1");
  run_main();
  CHECK(IS_EXECUTING(command));
  play(second, "1");
  run_main();
  CHECK(IS_EXECUTING(command));
  play(second, "|");
  run_main();
  CHECK(!IS_EXECUTING(command));
  drop_command(command);
}

/* ---- Errors ------------------------------------------------------------- */

/* command-014: flattened, the execution signals have the values and no error;
 * the unit is a value */
TEST(execution_signals_have_no_errors) {
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  rac_signal *events = rac_command_execution_signals(command);
  recorder r = {0};
  APPLY(events, flatten, 0);
  APPLY0(events, materialize);
  record_of(events, &r);
  execute(command, 1);
  run_main();
  CHECK(IS_EXECUTING(command));
  rac_subject_send(subject, rac_value_unit());
  play(subject, "5 #1");
  run_main();
  CHECK_EVENTS(&r, "<unit> <5>");
  CHECK(!IS_EXECUTING(command));
  drop_command(command);
  await_end(&r);
}

/* command-015: what execute() returns has the values and the error */
TEST(an_execution_has_its_error) {
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  rac_signal *events = rac_command_execute(command, I(1));
  recorder r = {0};
  APPLY0(events, materialize);
  record_of(events, &r);
  run_main();
  play(subject, "1 2 #3");
  CHECK_EVENTS(&r, "<1> <2> <#3> |");
  run_main();
  CHECK(!IS_EXECUTING(command));
  await_end(&r);
  drop_command(command);
}

/* command-016: who subscribes to errors after the executions have begun hears
 * them too, in the order in which they come */
TEST(errors_of_executions_that_are_under_way) {
  owned rac_subject *first = rac_subject_create(),
                    *second = rac_subject_create();
  work w = {.signals = {first, second}};
  rac_command *command = command_for(&w, NULL, NULL);
  finished recorder r = {0};
  rac_command_set_allows_concurrent_execution(command, true);
  execute(command, 1);
  execute(command, 2);
  run_main();
  record_of(rac_command_errors(command), &r);
  play(first, "#1");
  run_main();
  CHECK_EVENTS(&r, "#1");
  CHECK(IS_EXECUTING(command));
  play(second, "#2");
  run_main();
  CHECK_EVENTS(&r, "#1 #2");
  CHECK(!IS_EXECUTING(command));
  drop_command(command);
}

/* command-018: the error of an execution that began in the background comes on
 * the main scheduler */
TEST(errors_come_on_the_main_scheduler) {
  work w = {.signals = {cold("#4", NULL)}};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder r = RECORDER_ON_MAIN;
  record_of(rac_command_errors(command), &r);
  on_background(execute_one, command);
  CHECK_EVENTS(&r, "");
  run_main();
  CHECK_EVENTS(&r, "#4");
  drop_command(command);
  await_end(&r);
  rac_release(w.signals[0]);
}

/* ---- The enabled signal ------------------------------------------------- */

/* command-020: enabled follows what the signal said last */
TEST(enabled_follows_the_signal) {
  owned rac_subject *enabled = rac_subject_create();
  work w = {0};
  rac_command *command = command_for(&w, as_signal(enabled), NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  for (int i = 0; i < 3; i++) {
    rac_subject_send(enabled, rac_value_bool(i == 1));
    run_main();
    CHECK_INT(IS_ENABLED(command), i == 1);
  }
  CHECK_EVENTS(&r, "true false true false");
  drop_command(command);
  await_end(&r);
}

static void check_refusal(void *context, rac_value error) {
  void *cause = NULL;
  CHECK_TEXT(rac_error_get_domain(error), RAC_COMMAND_ERROR_DOMAIN);
  CHECK_INT(rac_error_get_code(error), RAC_COMMAND_NOT_ENABLED);
  CHECK_STATUS(rac_value_get_pointer(rac_error_get_underlying(error),
                                     "rac_command", &cause),
               RAC_OK);
  CHECK(cause == context_target(context));
}

/* command-024: a disabled command answers with an error that names it */
TEST(a_disabled_command_refuses) {
  owned rac_subject *enabled =
      rac_behavior_subject_create(rac_value_bool(false));
  work w = {0};
  rac_command *command = command_for(&w, as_signal(enabled), NULL);
  rac_observer observer = RAC_OBSERVER_INIT;
  atomic_int destroyed = 0;
  observer.context = context_new(command, &destroyed);
  observer.error = check_refusal;
  observer.destroy = context_destroy;
  rac_signal *execution = rac_command_execute(command, I(1));
  rac_release(rac_subscribe(execution, &observer));
  CHECK_INT(atomic_load(&destroyed), 1);
  CHECK_INT(atomic_load(&w.calls), 0);
  CHECK_SIGNAL(execution, "#1");
  drop_command(command);
}

typedef struct switching {
  rac_subject *enabled;
  rac_command *command;
} switching;

static void switch_off(void *argument) {
  switching *s = argument;
  rac_subject_send(s->enabled, rac_value_bool(false));
  CHECK(IS_ENABLED(s->command));
}

/* command-025: a change in the background comes on the main scheduler, and not
 * before that runs */
TEST(enabled_changes_on_the_main_scheduler) {
  work w = {0};
  switching s = {.enabled = rac_subject_create()};
  s.command = command_for(&w, as_signal(s.enabled), NULL);
  recorder r = {0};
  record_of(rac_command_enabled(s.command), &r);
  r.on_next = check_next_on_main;
  on_background(switch_off, &s);
  CHECK_EVENTS(&r, "true");
  run_main();
  CHECK_EVENTS(&r, "true false");
  CHECK(!IS_ENABLED(s.command));
  drop_command(s.command);
  await_end(&r);
  rac_release(s.enabled);
}

/* command-026: the enabled signal does not keep the command */
TEST(a_command_goes_while_its_enabled_signal_lives) {
  owned rac_subject *enabled = rac_subject_create();
  work w = {0};
  atomic_int destroyed = 0;
  rac_command *command =
      rac_command_create(as_signal(enabled), NULL, context_new(&w, &destroyed),
                         do_work, context_destroy);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  CHECK_INT(rac_subject_subscriber_count(enabled), 1);
  rac_release(command);
  CHECK_INT(atomic_load(&destroyed), 1);
  CHECK_INT(rac_subject_subscriber_count(enabled), 0);
  run_main();
  CHECK_EVENTS(&r, "true |");
  await_end(&r);
  CHECK_STATUS(rac_subject_send(enabled, rac_value_bool(false)), RAC_OK);
}
