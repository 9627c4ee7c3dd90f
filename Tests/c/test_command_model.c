/* A command against a model that is as plain as can be: random executions, ends,
 * switches of the enabled signal and of concurrency, and now and then a turn of
 * the scheduler. All that was told must be what the model says, in its order. */
#include "commands.h"

enum { STEPS = 80, CASES = 3000 };

typedef struct model {
  work work; /* first: `make` gets it */
  rac_subject *running[STEPS];
  int count;
  bool is_on, is_concurrent, was_executing, was_enabled;
  char executing[1000], enabled[1000], errors[1000], executions[1000];
} model;

static void note(char *text, const char *word) {
  size_t used = strlen(text);
  snprintf(text + used, 1000 - used, "%s%s", used ? " " : "", word);
}

static bool may_execute(model *self) {
  return self->is_on && (self->is_concurrent || self->count == 0);
}

/* What has changed is told. */
static void tell(model *self) {
  bool is_executing = self->count > 0, is_enabled = may_execute(self);
  if (is_executing != self->was_executing)
    note(self->executing, is_executing ? "true" : "false");
  if (is_enabled != self->was_enabled)
    note(self->enabled, is_enabled ? "true" : "false");
  self->was_executing = is_executing;
  self->was_enabled = is_enabled;
}

static rac_signal *begin_one(work *base, rac_value input) {
  model *self = (model *)base;
  (void)input;
  CHECK(may_execute(self));
  self->running[self->count] = rac_subject_create();
  return rac_retain(self->running[self->count++]);
}

static void execute_one(model *self, rac_command *command) {
  int before = self->count;
  bool is_granted = may_execute(self);
  execute(command, 1);
  CHECK_INT(self->count, before + is_granted);
  if (is_granted) note(self->executions, "?");
}

/* Its work has begun when the scheduler had a turn. */
static void end_one(model *self, int place, uint64_t dice) {
  char script[8];
  if (dice % 3 == 0) {
    snprintf(script, sizeof script, "#%d", (int)(dice / 3 % 9));
    note(self->errors, script);
  } else {
    strcpy(script, dice % 3 == 1 ? "|" : "1 |");
  }
  owned rac_subject *subject = self->running[place];
  self->running[place] = self->running[--self->count];
  play(subject, script);
}

static void run_case(uint64_t seed) {
  const uint64_t first = seed;
  model self = {.work.make = begin_one, .is_on = true, .was_enabled = true};
  owned rac_scheduler *clock = rac_scheduler_virtual();
  owned rac_subject *on = rac_subject_create();
  rac_command *command = command_for(&self.work, as_signal(on), clock);
  recorder executing = {0}, enabled = {0}, errors = {0}, executions = {0};
  record_of(rac_command_executing(command), &executing);
  record_of(rac_command_enabled(command), &enabled);
  record_of(rac_command_errors(command), &errors);
  record_of(rac_command_execution_signals(command), &executions);
  note(self.executing, "false");
  note(self.enabled, "true");
  for (int i = 0; i < STEPS; i++) {
    uint64_t dice = check_random(&seed), more = dice >> 8;
    switch (dice % 8) {
    case 0:
      self.is_on = more % 4 != 0;
      rac_subject_send(on, rac_value_bool(self.is_on));
      break;
    case 1:
      self.is_concurrent = more % 2;
      rac_command_set_allows_concurrent_execution(command, self.is_concurrent);
      break;
    case 2:
    case 3:
    case 4:
      execute_one(&self, command);
      break;
    case 5:
      rac_virtual_step_all(clock);
      break;
    default:
      if (self.count == 0) break;
      rac_virtual_step_all(clock);
      end_one(&self, (int)(more % (uint64_t)self.count), more >> 8);
    }
    tell(&self);
  }
  rac_virtual_step_all(clock);
  rac_release(command);
  note(self.enabled, "|");
  note(self.executions, "|");
  self.was_enabled = may_execute(&self);
  while (self.count > 0) end_one(&self, 0, 1);
  self.was_enabled = may_execute(&self); /* nobody is told any more */
  tell(&self);
  note(self.executing, "|");
  note(self.errors, "|");
  rac_virtual_step_all(clock);
  CHECK_EVENTS(&executing, self.executing);
  CHECK_EVENTS(&enabled, self.enabled);
  CHECK_EVENTS(&errors, self.errors);
  CHECK_EVENTS(&executions, self.executions);
  if (strcmp(executing.text, self.executing) != 0 ||
      strcmp(enabled.text, self.enabled) != 0 ||
      strcmp(errors.text, self.errors) != 0 ||
      strcmp(executions.text, self.executions) != 0)
    fprintf(stderr, "with the seed %llu\n", (unsigned long long)first);
  await_end(&executing);
  await_end(&enabled);
  await_end(&errors);
  await_end(&executions);
}

TEST(a_command_does_what_the_model_says) {
  int64_t cases = check_scaled(CASES);
  for (int64_t i = 1; i <= cases; i++) run_case((uint64_t)i);
}
