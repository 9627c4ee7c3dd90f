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
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <rac.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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

/* Whether the file that is open is the log still. */
static bool is_log(int file) {
  struct stat mine, there;
  return fstat(file, &mine) == 0 && stat(path, &there) == 0 &&
         mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

/* How many lines have ended between here and what is the end of it just now. */
static size_t whole_lines(int file) {
  char part[4096];
  size_t count = 0;
  ssize_t got = 0;
  off_t place = lseek(file, 0, SEEK_CUR);
  while ((got = pread(file, part, sizeof part, place)) > 0) {
    place += got;
    for (ssize_t i = 0; i < got; i++) count += part[i] == '\n';
  }
  return count;
}

/* defer: when it is its turn, the lines that are there. The descriptor is lent, so
 * the next one goes on where this one ends: behind the last line taken. What is
 * half written yet is left for then. Of a log that was rotated away the rest, and
 * then an error, which has the next one opened. */
static rac_status read_on(void *file, rac_signal **out) {
  int number = *(int *)file;
  bool is_over = !is_log(number);
  rac_signal *read = rac_signal_lines(number, RAC_DESCRIPTOR_LENT, 0, NULL);
  if (is_over) {
    rac_signal *rotated = rac_signal_error(rac_value_nil());
    RAC_ASSIGN(read, rac_signal_concat(read, rotated));
    rac_release(rotated);
  } else {
    RAC_ASSIGN(read, rac_signal_take(read, whole_lines(number)));
  }
  *out = read;
  return read != NULL ? RAC_OK : rac_last_error_code();
}

/* concat_map: at each change. */
static rac_status read_later(void *file, rac_value change, rac_signal **out) {
  (void)change;
  *out = rac_signal_defer(file, read_on, NULL);
  return *out != NULL ? RAC_OK : rac_last_error_code();
}

static void close_file(void *file) {
  close(*(int *)file);
  free(file);
}

/* defer: the lines of the file that is the log now, until it is rotated away. */
static rac_status follow(void *context, rac_signal **out) {
  (void)context;
  int *file = malloc(sizeof *file);
  if (file == NULL) return RAC_ENOMEM;
  *file = open(path, O_RDONLY | O_CLOEXEC);
  if (*file < 0) {
    rac_status status = rac_raise_errno(errno, path);
    free(file);
    return status;
  }
  /* To begin with, what is there: read when it is watched already. The path may
   * be nobody's by then, which read_on() sees. */
  rac_signal *first = rac_signal_return(rac_value_unit());
  rac_signal *none = rac_signal_empty();
  rac_signal *log = rac_signal_file_changes(path, IN_MODIFY, NULL);
  RAC_ASSIGN(log, rac_signal_catch_to(log, none));
  RAC_ASSIGN(log, rac_signal_merge_with(log, first));
  RAC_ASSIGN(log, rac_signal_concat_map(log, file, read_later, close_file));
  rac_release(none);
  rac_release(first);
  *out = log;
  return log != NULL ? RAC_OK : rac_last_error_code();
}

/* For ever: a log that is not there is tried again, ever more slowly. */
static rac_signal *log_lines(void) {
  rac_signal *log = rac_signal_defer(NULL, follow, NULL);
  RAC_ASSIGN(log, rac_signal_retry_with_backoff(log, 0.01, 2, 1, 0, 0, NULL));
  RAC_ASSIGN(log, rac_signal_repeat(log));
  require(log);
  return log;
}

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

static void child_ended(void *context, rac_value value) {
  int64_t bits = 0;
  (void)context;
  rac_value_get_int64(value, &bits);
  int status = (int)bits;
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

/* Takes over the signal. */
static void listen_to(subscriptions *self, rac_signal *signal,
                      rac_next_fn next) {
  require(signal);
  rac_disposable *subscription = rac_subscribe_next(signal, NULL, next, NULL);
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
  /* Before the child is there, so that no end is missed. */
  listen_to(&mine, rac_signal_posix_signal(SIGTERM, NULL), terminate);
  listen_to(&mine, rac_signal_posix_signal(SIGINT, NULL), terminate);
  listen_to(&mine, rac_signal_posix_signal(SIGHUP, NULL), report);
  listen_to(&mine, log_lines(), look_at);
  int error =
      posix_spawnp(&child, arguments[3], NULL, NULL, arguments + 3, environ);
  if (error != 0) {
    fprintf(stderr, "log_watcher: %s: %s\n", arguments[3], strerror(error));
    return 1;
  }
  listen_to(&mine, rac_signal_child_exit(child, NULL), child_ended);

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
