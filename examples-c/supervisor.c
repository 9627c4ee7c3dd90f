/* Runs commands, and those that fail once more:
 *
 *     supervisor commands
 *     supervisor web "./web --port 8080" worker ./worker
 *
 * A file of commands has one in each line, behind its name. A shell runs them.
 * What they print is printed with their names before it. A command that fails,
 * with a status or by a signal, is started again after 0.1 s, 0.2 s and so on.
 * One that has run for 5 s begins that anew, and one that has failed 6 times in
 * a row is given up.
 *
 *     kill $!      SIGTERM to all of them, and SIGKILL after 3 s
 *
 * It ends when all of them have: with 0, or with 1 if it has given up one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <rac.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { COMMANDS = 64, GRACE = 3, ENOUGH = 5, RETRIES = 5 };

typedef struct {
  char name[64], line[1024];
  pid_t pid; /* 0 while it does not run */
  double began;
} command;

static command commands[COMMANDS];
static size_t count;
static bool is_ending, has_failed;
static rac_scheduler *here;

/* ---- A command -------------------------------------------------------------- */

static void say(command *self, const char *text) {
  printf("%s: %s\n", self->name, text);
  fflush(stdout);
}

/* Its end: an error where it is to be started again. */
static rac_status ended(command *self, rac_step *step, int status) {
  char text[64];
  if (WIFEXITED(status))
    snprintf(text, sizeof text, "[ended with %d]", WEXITSTATUS(status));
  else
    snprintf(text, sizeof text, "[ended by signal %d]", WTERMSIG(status));
  say(self, text);
  self->pid = 0;
  if (status == 0 || is_ending) return RAC_OK;
  /* A value lets the pauses begin anew. */
  if (rac_scheduler_now(here) - self->began >= ENOUGH)
    rac_step_send(step, rac_value_nil());
  return RAC_EUSER;
}

static rac_status look_at(void *context, rac_step *step, rac_value event,
                          rac_value *out) {
  command *self = context;
  const char *text = "[no text]";
  (void)out;
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  rac_value what = rac_tuple_get(event, 1);
  switch (rac_tuple_get(event, 0).bits) {
  case RAC_CHILD_STARTED:
    self->pid = (pid_t)what.bits;
    self->began = rac_scheduler_now(here);
    return RAC_OK;
  case RAC_CHILD_ENDED:
    return ended(self, step, (int)what.bits);
  default:
    rac_value_get_string(what, &text, NULL);
    say(self, text);
    return RAC_OK;
  }
}

static rac_status give_up(void *context, rac_value error, rac_signal **out) {
  (void)error, (void)out;
  say(context, "[given up]");
  has_failed = true;
  return RAC_OK; /* and go on with no signal */
}

static rac_status is_waiting(void *context, rac_value number, bool *out) {
  command *self = context;
  (void)number;
  *out = self->pid == 0;
  return RAC_OK;
}

/* Until it has ended for good, or `stop` comes while it waits for its turn. */
static rac_signal *run(command *self, rac_signal *stop) {
  const char *arguments[] = {"sh", "-c", self->line, NULL};
  rac_signal *running = rac_signal_spawn(
      arguments, NULL, NULL, NULL,
      RAC_SPAWN_OUTPUT | RAC_SPAWN_ERRORS | RAC_SPAWN_GROUP, GRACE, NULL);
  RAC_ASSIGN(running, rac_signal_step(running, 0, self, look_at, NULL, NULL));
  RAC_ASSIGN(running, rac_signal_retry_with_backoff(running, 0.1, 2, 10, 0,
                                                    RETRIES, here));
  RAC_ASSIGN(running, rac_signal_catch(running, self, give_up, NULL));
  RAC_AUTO rac_signal *leave = rac_signal_filter(stop, self, is_waiting, NULL);
  RAC_ASSIGN(running, rac_signal_take_until(running, leave));
  return running;
}

/* ---- All of them -------------------------------------------------------------- */

static void add(const char *name, const char *line) {
  if (count == COMMANDS) {
    fprintf(stderr, "supervisor: more than %d commands\n", COMMANDS);
    exit(2);
  }
  command *self = &commands[count++];
  snprintf(self->name, sizeof self->name, "%s", name);
  snprintf(self->line, sizeof self->line, "%s", line);
}

static void add_file(const char *path) {
  char line[1100], name[64], rest[1024];
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    exit(2);
  }
  while (fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "%63s %1023[^\n]", name, rest) == 2) add(name, rest);
  fclose(file);
}

static void signal_all(void *context, rac_value number) {
  (void)context;
  is_ending = true;
  for (size_t i = 0; i < count; i++)
    if (commands[i].pid != 0) kill(-commands[i].pid, (int)number.bits);
}

int main(int argc, char **argv) {
  if (argc == 2) add_file(argv[1]);
  for (int i = 1; argc % 2 == 1 && i < argc; i += 2) add(argv[i], argv[i + 1]);
  if (count == 0) {
    fprintf(stderr, "usage: supervisor FILE | NAME COMMAND ...\n");
    return 2;
  }
  here = rac_scheduler_main();
  RAC_AUTO rac_signal *term = rac_signal_posix_signal(SIGTERM, NULL);
  RAC_AUTO rac_signal *stop = rac_signal_posix_signal(SIGINT, NULL);
  RAC_ASSIGN(stop, rac_signal_merge_with(stop, term));
  RAC_AUTO rac_signal *late = rac_signal_delay(stop, GRACE, here);
  RAC_ASSIGN(late, rac_signal_map_replace(late, rac_value_int64(SIGKILL)));
  RAC_ASSIGN(late, rac_signal_merge_with(late, stop));
  RAC_AUTO_DISPOSE rac_disposable *ending =
      rac_subscribe_next(late, NULL, signal_all, NULL);

  rac_signal *running[COMMANDS];
  for (size_t i = 0; i < count; i++) running[i] = run(&commands[i], stop);
  RAC_AUTO rac_signal *all = rac_signal_merge(running, count);
  for (size_t i = 0; i < count; i++) rac_release(running[i]);
  RAC_ASSIGN(all, rac_signal_ignore_values(all));
  RAC_AUTO_VALUE rac_value error = rac_value_nil();
  if (ending == NULL || rac_main_run_until(all, &error) != RAC_OK) {
    fprintf(stderr, "supervisor: %s\n", rac_last_error_message());
    return 1;
  }
  return has_failed ? 1 : 0;
}
