/* Commands and lifted functions in a forked child, where nothing works and
 * nothing crashes. */
#include "children.h"

#include "commands.h"

/* How many answers were wrong. */
static int try_all(rac_command *command, rac_subject *subject) {
  rac_signal *signals[] = {as_signal(subject)};
  rac_disposable *subscription = NULL;
  int wrong = 0;
  wrong += rac_command_create(NULL, NULL, NULL, do_work, NULL) != NULL;
  wrong += rac_last_error_code() != RAC_EFORK;
  wrong += rac_command_execute(command, I(1)) != NULL;
  wrong += rac_command_executing(command) != NULL;
  wrong += rac_command_enabled(command) != NULL;
  wrong += rac_command_is_executing(command) || rac_command_is_enabled(command);
  wrong += rac_command_errors(command) != NULL;
  wrong += rac_command_execution_signals(command) != NULL;
  wrong += rac_command_allows_concurrent_execution(command);
  wrong +=
      rac_command_set_allows_concurrent_execution(command, true) != RAC_EFORK;
  wrong += rac_lift(NULL, 0, &subscription, NULL, NULL, NULL) != NULL;
  wrong += rac_lift(signals, 1, &subscription, NULL, NULL, NULL) != NULL;
  wrong += rac_lift_arguments(signals[0], NULL, NULL, NULL, NULL) != NULL;
  wrong += subscription != NULL;
  wrong += rac_release(command) != RAC_OK;
  return wrong;
}

/* Law 22. */
TEST(a_forked_child) {
  rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, NULL);
  execute(command, 1);
  run_main();
  start_library_threads();
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(CHILD_SECONDS);
    _exit(try_all(command, subject));
  }
  CHECK_INT(await_child(child), 0);
  CHECK(IS_EXECUTING(command));
  play(subject, "|");
  drop_command(command);
  rac_release(subject);
}
