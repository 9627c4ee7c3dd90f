/* What a command tells of one execution, from its beginning to its error. */
#include "commands.h"

TEST(an_execution_is_told_by_every_signal) {
  rac_scheduler *immediate = rac_scheduler_immediate();
  owned rac_subject *subject = rac_subject_create();
  work w = {.signals = {subject}};
  rac_command *command = command_for(&w, NULL, immediate);
  recorder executing = {0}, enabled = {0}, errors = {0}, heard = {0};
  record_of(rac_command_executing(command), &executing);
  record_of(rac_command_enabled(command), &enabled);
  record_of(rac_command_errors(command), &errors);
  record_of(rac_command_execute(command, I(1)), &heard);
  /* Refused, which is not among the errors of executions. */
  CHECK_SIGNAL(rac_command_execute(command, I(2)), "#1");
  play(subject, "5 #7");
  CHECK_EVENTS(&heard, "5 #7");
  CHECK_EVENTS(&executing, "false true false");
  CHECK_EVENTS(&enabled, "true false true");
  CHECK_EVENTS(&errors, "#7");
  CHECK_INT(atomic_load(&w.calls), 1);
  rac_release(command);
  await_end(&heard);
  await_end(&executing);
  await_end(&enabled);
  await_end(&errors);
}
