/* Commands: what becomes of bad input, of functions that give no signal, and of
 * what the enabled signal says. */
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
  owned rac_subject *subject = rac_subject_create();
  drop_command(gone);
  check_refused(NULL, RAC_ENULL);
  check_refused(gone, RAC_ESTALE);
  check_refused(subject, RAC_EKIND);
  check_refused((void *)77, RAC_ESTALE);
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

static void count_commands(void *context, const char *kind, const char *name,
                           size_t references, size_t subscribers) {
  (void)name;
  (void)subscribers;
  if (strcmp(kind, "command") == 0) *(size_t *)context += references;
}

TEST(a_command_is_reported_while_it_lives) {
  work w = {0};
  size_t references = 0;
  rac_command *command = command_for(&w, NULL, NULL);
  rac_retain(command);
  rac_report_live_handles(&references, count_commands);
  CHECK_INT(references, 2);
  rac_release(command);
  drop_command(command);
  references = 0;
  rac_report_live_handles(&references, count_commands);
  CHECK_INT(references, 0);
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
      {give_nothing, RAC_OK, "#2", "rac.command"},
      {give_nothing, -7, "#-7", "rac.callback"},
      {give_number, RAC_OK, "#-5003", "rac"},
      {give_scheduler, RAC_OK, "#-5004", "rac"},
      {give_scheduler, -7, "#-7", "rac.callback"},
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
  owned_value error = test_error(input.bits);
  rac_status status = rac_raise(error);
  return status;
}

TEST(a_callback_names_its_error) {
  rac_command *command = rac_command_create(NULL, NULL, CALLBACK(raise));
  rac_signal *execution = rac_command_execute(command, I(31));
  run_main();
  CHECK_SIGNAL(execution, "#31");
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

/* The answers are those of now; what the signals say comes with the scheduler. */
TEST(what_it_is_now) {
  owned rac_subject *enabled = rac_subject_create(),
                    *work_done = rac_subject_create();
  work w = {.signals = {work_done}};
  rac_command *command = command_for(&w, as_signal(enabled), NULL);
  CHECK(rac_command_is_enabled(command) && !rac_command_is_executing(command));
  play(enabled, "0");
  CHECK(!rac_command_is_enabled(command));
  play(enabled, "1");
  execute(command, 1);
  CHECK(rac_command_is_executing(command) && !rac_command_is_enabled(command));
  rac_command_set_allows_concurrent_execution(command, true);
  CHECK(rac_command_is_executing(command) && rac_command_is_enabled(command));
  run_main();
  play(work_done, "|");
  CHECK(!rac_command_is_executing(command));
  play(enabled, "#5");
  CHECK(!rac_command_is_enabled(command));
  drop_command(command);
  CHECK(!rac_command_is_executing(command) && !rac_command_is_enabled(command));
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
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
  play(failing, "1 #5");
  run_main();
  CHECK(IS_ENABLED(one));
  CHECK_EVENTS(&r, "true #5");
  execute(one, 1);
  CHECK_INT(atomic_load(&w.calls), 1);
  CHECK_SIGNAL(rac_command_execute(other, I(1)), "#1");
  CHECK_INT(atomic_load(&w.calls), 1);
  await_end(&r);
  drop_command(one);
  drop_command(other);
  rac_release(enabled);
  rac_release(failing);
  rac_release(w.signals[0]);
}

TEST(an_enabled_signal_that_fails_at_once) {
  owned rac_signal *failing = cold("1 #5", NULL);
  work w = {0};
  rac_command *command = command_for(&w, failing, NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  CHECK_EVENTS(&r, "false");
  run_main();
  CHECK_EVENTS(&r, "false #5");
  CHECK_SIGNAL(rac_command_execute(command, I(1)), "#1");
  await_end(&r);
  drop_command(command);
}

TEST(an_enabled_signal_of_something_else) {
  owned rac_subject *enabled = rac_subject_create();
  work w = {0};
  rac_command *command = command_for(&w, as_signal(enabled), NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  rac_subject_send(enabled, S("yes"));
  run_main();
  CHECK_EVENTS(&r, "true #-5004");
  CHECK_INT(rac_subject_subscriber_count(enabled), 0);
  rac_subject_send(enabled, rac_value_bool(true));
  CHECK_SIGNAL(rac_command_execute(command, I(1)), "#1");
  await_end(&r);
  drop_command(command);
}

/* Off and on again before the main scheduler runs: both are heard. */
TEST(no_change_of_enabled_is_skipped) {
  owned rac_subject *enabled = rac_subject_create();
  work w = {0};
  rac_command *command = command_for(&w, as_signal(enabled), NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  play(enabled, "0 0 1 1 0 1");
  run_main();
  CHECK_EVENTS(&r, "true false true false true");
  drop_command(command);
  await_end(&r);
}

TEST(executing_and_allowing_more_change_enabled) {
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  recorder r = {0};
  record_of(rac_command_enabled(command), &r);
  execute(command, 1);
  CHECK_SIGNAL(rac_command_execute(command, I(2)), "#1");
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
  CHECK_SIGNAL(rac_command_execute(closing, I(2)), "#1");
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

/* ---- Where it sends -------------------------------------------------------- */

typedef struct places {
  pthread_t main_thread;
  atomic_int signals_on_main, values_elsewhere;
} places;

static void note_value_place(void *context, rac_value value) {
  places *self = context_target(context);
  (void)value;
  if (!pthread_equal(pthread_self(), self->main_thread))
    atomic_fetch_add(&self->values_elsewhere, 1);
}

static void note_signal_place(void *context, rac_value value) {
  places *self = context_target(context);
  owned rac_signal *execution = rac_value_to_signal(value);
  if (pthread_equal(pthread_self(), self->main_thread))
    atomic_fetch_add(&self->signals_on_main, 1);
  rac_release(
      rac_subscribe_next(execution, CALLBACK_FOR(self, note_value_place)));
}

static rac_signal *work_elsewhere(work *self, rac_value input) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_signal *result = rac_signal_return(input);
  (void)self;
  RAC_ASSIGN(result, rac_signal_deliver_on(result, background));
  return result;
}

/* The signals come on the command's scheduler, what is in them does not. */
TEST(an_execution_sends_where_its_signal_does) {
  work w = {.make = work_elsewhere};
  places p = {.main_thread = pthread_self()};
  rac_command *command = command_for(&w, NULL, NULL);
  rac_signal *executions = rac_command_execution_signals(command);
  rac_disposable *listening =
      rac_subscribe_next(executions, CALLBACK_FOR(&p, note_signal_place));
  rac_release(executions);
  rac_release(rac_command_execute(command, I(1)));
  RUN_MAIN_UNTIL(p.values_elsewhere == 1);
  CHECK_INT(p.signals_on_main, 1);
  rac_dispose(listening);
  rac_release(listening);
  drop_command(command);
  RUN_MAIN_UNTIL(context_count() == 0);
}
