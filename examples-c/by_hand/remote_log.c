/* ../remote_log.c without librac: a loop that connects, reads and sleeps, and
 * that SIGTERM wakes up wherever it waits.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* ppoll */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 50, MOST_MS = 1000, LINE_MAX_BYTES = 65536 };

static volatile sig_atomic_t is_over;
static sigset_t waiting; /* SIGTERM arrives while the program waits, only */
static const char *word;
static int hits;

static void end(int number) {
  (void)number;
  is_over = 1;
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int log = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(log, (struct sockaddr *)&address, sizeof address) != 0) {
    close(log);
    return -1;
  }
  return log;
}

static void look_at(char *line, size_t length) {
  if (length > 0 && line[length - 1] == '\r') length--;
  line[length] = '\0';
  if (strstr(line, word) == NULL) return;
  puts(line);
  fflush(stdout);
  hits++;
}

/* The lines of one connection, to its end: whether there was one. */
static bool follow(int log) {
  static char buffer[LINE_MAX_BYTES + 1];
  size_t length = 0;
  bool has_line = false;
  struct pollfd polled = {.fd = log, .events = POLLIN};
  while (!is_over) {
    if (ppoll(&polled, 1, NULL, &waiting) < 0) continue;
    ssize_t count = read(log, buffer + length, LINE_MAX_BYTES - length);
    if (count <= 0) break; /* the end, an error, or no room for the line */
    length += (size_t)count;
    char *start = buffer, *feed;
    while ((feed = memchr(start, '\n', length)) != NULL) {
      length -= (size_t)(feed + 1 - start);
      look_at(start, (size_t)(feed - start));
      start = feed + 1;
      has_line = true;
    }
    memmove(buffer, start, length);
  }
  if (length == 0 || is_over) return has_line;
  look_at(buffer, length);
  return true;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: remote_log SOCKET WORD\n");
    return 2;
  }
  word = argv[2];
  sigset_t blocked;
  struct sigaction action = {.sa_handler = end};
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, &waiting);
  sigaction(SIGTERM, &action, NULL);
  long pause = FIRST_MS;
  while (!is_over) {
    int log = connect_to(argv[1]);
    if (log >= 0) {
      if (follow(log)) pause = FIRST_MS;
      close(log);
    }
    if (is_over) break;
    struct timespec time = {pause / 1000, pause % 1000 * 1000000};
    ppoll(NULL, 0, &time, &waiting);
    pause = pause * 2 < MOST_MS ? pause * 2 : MOST_MS;
  }
  printf("%d lines\n", hits);
  return 0;
}
