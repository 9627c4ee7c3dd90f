/* Follows a log that another process sends through a UNIX socket, prints each
 * line that has a word in it, and connects again when the connection is lost:
 *
 *     remote_log /run/app.log error
 *
 * It tries again after 0.05 s, 0.1 s, 0.2 s and so on, at most 1 s; a line that
 * arrives begins that anew. SIGTERM ends it, and it says how many lines it has
 * printed. by_hand/remote_log.c is the same program without librac.
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <rac.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int hits;

/* defer: the lines of one connection, made whenever somebody subscribes. */
static rac_status connect_to(void *path, rac_signal **out) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int log = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(log, (struct sockaddr *)&address, sizeof address) != 0) {
    int error = errno;
    close(log);
    return -error;
  }
  *out = rac_signal_lines(log, RAC_DESCRIPTOR_OWNED, 0, NULL);
  return *out != NULL ? RAC_OK : rac_last_error_code();
}

/* What is no UTF-8 is no line of a log. */
static rac_status has_word(void *word, rac_value line, bool *out) {
  const char *text = "";
  rac_value_get_string(line, &text, NULL);
  *out = strstr(text, word) != NULL;
  return RAC_OK;
}

static void print(void *context, rac_value line) {
  const char *text = "";
  (void)context;
  rac_value_get_string(line, &text, NULL);
  puts(text);
  fflush(stdout);
  hits++;
}

static void end(void *context, rac_value number) {
  (void)context, (void)number;
  rac_main_stop();
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: remote_log SOCKET WORD\n");
    return 2;
  }
  RAC_AUTO rac_scheduler *here = rac_scheduler_main();
  RAC_AUTO rac_signal *lost = rac_signal_error(rac_value_nil());
  RAC_AUTO rac_signal *log = rac_signal_defer(argv[1], connect_to, NULL);
  RAC_ASSIGN(log, rac_signal_concat(log, lost)); /* its end is a failure, too */
  RAC_ASSIGN(log, rac_signal_retry_with_backoff(log, 0.05, 2, 1, 0, 0, here));
  RAC_ASSIGN(log, rac_signal_filter(log, argv[2], has_word, NULL));
  RAC_AUTO_DISPOSE rac_disposable *watching =
      rac_subscribe_next(log, NULL, print, NULL);
  RAC_AUTO rac_signal *terminate = rac_signal_posix_signal(SIGTERM, here);
  RAC_AUTO_DISPOSE rac_disposable *ending =
      rac_subscribe_next(terminate, NULL, end, NULL);
  if (watching == NULL || ending == NULL) {
    fprintf(stderr, "remote_log: %s\n", rac_last_error_message());
    return 1;
  }
  rac_main_run();
  printf("%d lines\n", hits);
  return 0;
}
