/* A daemon whose whole loop is rac_main_run(): it runs a command, follows the log
 * that it writes, through rotations, and prints each line that has a word in it.
 *
 *     log_watcher app.log error ./app --log app.log &
 *     kill -HUP $!     prints how many lines there were
 *     kill $!          ends the command, and when that has ended itself
 *
 * The log, the signals and the child are all sources of librac's; there is no
 * thread, no handler and no poll() here.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <rac.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *path, *word;
static int64_t lines, hits;
static pid_t child; /* 0 when it has ended */
static bool ending;

static void require(void *handle) {
  if (handle != NULL) return;
  fprintf(stderr, "log_watcher: %s\n", rac_last_error_message());
  exit(1);
}

/* ---- The log ---------------------------------------------------------------- */

static void look_at(void *context, rac_value line) {
  const char *text = NULL;
  (void)context;
  lines++;
  /* What is no UTF-8 comes as bytes. */
  if (rac_value_get_string(line, &text, NULL) != RAC_OK) return;
  if (strstr(text, word) == NULL) return;
  hits++;
  printf("%s\n", text);
  fflush(stdout);
}

/* ---- The child, and the signals --------------------------------------------- */

static void child_event(void *context, rac_value value) {
  rac_value what = rac_tuple_get(value, 1);
  int status = (int)what.bits;
  (void)context;
  if (rac_tuple_get(value, 0).bits == RAC_CHILD_STARTED) {
    child = (pid_t)what.bits;
    return;
  }
  child = 0;
  if (WIFEXITED(status))
    printf("the command ended with %d\n", WEXITSTATUS(status));
  else
    printf("the command was ended by signal %d\n", WTERMSIG(status));
  fflush(stdout);
  if (ending) rac_main_stop();
}

static void terminate(void *context, rac_value number) {
  (void)context, (void)number;
  ending = true;
  if (child != 0) kill(child, SIGTERM);
  if (child == 0) rac_main_stop();
}

static void report(void *context, rac_value number) {
  (void)context, (void)number;
  printf("%" PRId64 " of %" PRId64 " lines\n", hits, lines);
  fflush(stdout);
}

/* ---- All together ------------------------------------------------------------ */

typedef struct {
  rac_disposable *all[8];
  int count;
} subscriptions;

static void give_up(void *context, rac_value error) {
  (void)context;
  fprintf(stderr, "log_watcher: %s\n", rac_error_get_message(error));
  exit(1);
}

/* Takes over the signal. */
static void listen_to(subscriptions *self, rac_signal *signal,
                      rac_next_fn next) {
  require(signal);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = next;
  observer.error = give_up;
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  require(subscription);
  self->all[self->count++] = subscription;
  rac_release(signal);
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: log_watcher LOG WORD COMMAND [ARGUMENT ...]\n");
    return 2;
  }
  path = arguments[1];
  word = arguments[2];
  subscriptions mine = {{NULL}, 0};
  listen_to(&mine, rac_signal_posix_signal(SIGTERM, NULL), terminate);
  listen_to(&mine, rac_signal_posix_signal(SIGINT, NULL), terminate);
  listen_to(&mine, rac_signal_posix_signal(SIGHUP, NULL), report);
  listen_to(&mine, rac_signal_tail(path, RAC_TAIL_BEGINNING, false, 0, NULL),
            look_at);
  listen_to(&mine,
            rac_signal_spawn((const char *const *)arguments + 3, NULL, NULL,
                             NULL, 0, 5, NULL),
            child_event);

  rac_main_run();

  for (int i = 0; i < mine.count; i++) {
    rac_dispose(mine.all[i]);
    rac_release(mine.all[i]);
  }
  while (rac_main_drain(0) > 0) {
  }
  report(NULL, rac_value_nil());
  return rac_live_objects() == 0 ? 0 : 1;
}
