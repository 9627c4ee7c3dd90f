/* ../log_shipper.c without librac: a loop around ppoll() that looks at the logs
 * every 50 ms.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* ppoll, memmem */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  LINES = 500,
  LOGS = 32,
  BATCH_MS = 200,
  LOOK_MS = 50,
  FIRST_MS = 50,
  MOST_MS = 1000,
  CONNECT_MS = 5000,
  DRAIN_MS = 5000,
  HEAD = 80
};

typedef struct {
  char path[1024];
  bool is_named, is_replaced;
  int fd;
  off_t offset;
  size_t start, end; /* of what has been read and not been looked at */
  char text[65536];
} log_file;

typedef struct {
  char *text; /* the lines behind HEAD bytes */
  size_t end, capacity;
  int lines;
  int64_t began;
} batch;

static log_file *logs[LOGS];
static int log_count;
static char word[256];
static long session, made, stored;
static batch gathering, flying;
static size_t sent; /* of the batch that is on its way, from the header on */
static size_t header;

static volatile sig_atomic_t is_over, has_changed = 1;
static sigset_t waiting; /* the signals arrive while the program waits, only */

static void end(int number) {
  (void)number;
  is_over = 1;
}

static void change(int number) {
  (void)number;
  has_changed = 1;
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void fail(const char *what) {
  fprintf(stderr, "log_shipper: %s\n", what);
  exit(1);
}

/* ---- The settings -------------------------------------------------------- */

static void name(const char *path) {
  for (int i = 0; i < log_count; i++) {
    if (strcmp(logs[i]->path, path) == 0) {
      logs[i]->is_named = true;
      return;
    }
  }
  if (log_count == LOGS) return;
  log_file *added = calloc(1, sizeof *added);
  if (added == NULL) fail("no memory");
  strcpy(added->path, path);
  added->is_named = true;
  added->fd = -1;
  logs[log_count++] = added;
}

static void read_settings(const char *settings) {
  FILE *file = fopen(settings, "r");
  char line[1100], path[1024];
  if (file == NULL) {
    perror(settings);
    return;
  }
  for (int i = 0; i < log_count; i++) logs[i]->is_named = false;
  word[0] = '\0';
  while (fgets(line, sizeof line, file) != NULL) {
    sscanf(line, "word %255[^\n]", word);
    if (sscanf(line, "file %1023[^\n]", path) == 1) name(path);
  }
  fclose(file);
}

/* ---- The lines ------------------------------------------------------------ */

/* A line of `length` bytes begins what has been read. */
static void look_at(log_file *log, size_t length) {
  const char *line = log->text + log->start;
  log->start += length;
  if (length > 0 && line[length - 1] == '\r') length--;
  if (!log->is_named || !memmem(line, length, word, strlen(word))) return;
  size_t needed = gathering.end + length + 1;
  if (needed > gathering.capacity) {
    gathering.capacity = needed * 2;
    gathering.text = realloc(gathering.text, gathering.capacity);
    if (gathering.text == NULL) fail("no memory");
  }
  if (gathering.lines == 0) gathering.began = now_ms();
  memcpy(gathering.text + gathering.end, line, length);
  gathering.text[needed - 1] = '\n';
  gathering.end = needed;
  gathering.lines++;
}

/* At the end of the file: whether there is more, in it or in the next one. */
static bool goes_on(log_file *log) {
  struct stat mine, current;
  fstat(log->fd, &mine);
  bool is_cut = mine.st_size < log->offset;
  if (!is_cut) {
    if (stat(log->path, &current) != 0 || current.st_size == 0) return false;
    if (current.st_ino == mine.st_ino) return false;
    /* Its writer may have written since the last read. */
    if (!log->is_replaced) return log->is_replaced = true;
  }
  if (log->end > 0) look_at(log, log->end);
  log->start = log->end = 0;
  close(log->fd);
  log->fd = -1;
  log->is_replaced = false;
  return true;
}

/* Reads until there is no more, or the batch is full. */
static void read_log(log_file *log) {
  char *feed;
  while (true) {
    while (gathering.lines < LINES &&
           (feed = memchr(log->text + log->start, '\n',
                          log->end - log->start)) != NULL) {
      look_at(log, (size_t)(feed - log->text) - log->start);
      log->start++;
    }
    if (gathering.lines == LINES) return;
    log->end -= log->start;
    memmove(log->text, log->text + log->start, log->end);
    log->start = 0;
    if (log->end == sizeof log->text) fail("a line is too long");
    if (log->fd < 0) {
      log->fd = open(log->path, O_RDONLY | O_CLOEXEC);
      if (log->fd < 0) return;
      log->offset = 0;
    }
    ssize_t count =
        read(log->fd, log->text + log->end, sizeof log->text - log->end);
    if (count < 0) fail(strerror(errno));
    log->end += (size_t)count;
    log->offset += count;
    if (count == 0 && !goes_on(log)) return;
  }
}

/* ---- Batches, one after the other ----------------------------------------- */

static void begin_batch(void) {
  char text[HEAD];
  batch empty = flying;
  int length = snprintf(text, sizeof text, "batch %ld %ld %d\n", session,
                        ++made, gathering.lines);
  flying = gathering;
  gathering = empty;
  gathering.end = HEAD;
  header = sent = HEAD - (size_t)length;
  memcpy(flying.text + header, text, (size_t)length);
}

/* ---- A connection ----------------------------------------------------------- */

static struct addrinfo *address;
static int sink = -1;
static bool is_connected;
static int64_t next_try, pause_ms = FIRST_MS;
static char answer[64];
static size_t answer_end;

static void lose_sink(void) {
  if (sink >= 0) close(sink);
  sink = -1;
  next_try = now_ms() + pause_ms;
  pause_ms = pause_ms * 2 < MOST_MS ? pause_ms * 2 : MOST_MS;
}

static void connect_to_sink(void) {
  sink =
      socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  is_connected = false;
  answer_end = 0;
  sent = header;
  next_try = now_ms() + CONNECT_MS;
  if (sink < 0 || (connect(sink, address->ai_addr, address->ai_addrlen) != 0 &&
                   errno != EINPROGRESS))
    lose_sink();
}

static void write_batch(void) {
  ssize_t count =
      send(sink, flying.text + sent, flying.end - sent, MSG_NOSIGNAL);
  if (count >= 0)
    sent += (size_t)count;
  else if (errno != EAGAIN)
    lose_sink();
}

static void read_answers(void) {
  ssize_t count =
      read(sink, answer + answer_end, sizeof answer - 1 - answer_end);
  if (count <= 0) {
    lose_sink();
    return;
  }
  answer_end += (size_t)count;
  char *feed;
  while ((feed = memchr(answer, '\n', answer_end)) != NULL) {
    if (flying.lines > 0 && atol(answer) == stored + 1) {
      stored++;
      flying.lines = 0;
      pause_ms = FIRST_MS;
    }
    answer_end -= (size_t)(feed + 1 - answer);
    memmove(answer, feed + 1, answer_end);
  }
}

static void exchange(void) {
  bool has_more = flying.lines > 0 && sent < flying.end;
  struct pollfd polled = {.fd = sink, .events = POLLIN};
  struct timespec time = {0, LOOK_MS * 1000000};
  if (!is_connected || has_more) polled.events |= POLLOUT;
  if (ppoll(&polled, 1, &time, &waiting) <= 0) return;
  if (!is_connected) {
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(sink, SOL_SOCKET, SO_ERROR, &error, &size);
    is_connected = error == 0;
    if (!is_connected) lose_sink();
    return;
  }
  if (polled.revents & POLLOUT) write_batch();
  if (sink >= 0 && polled.revents & ~POLLOUT) read_answers();
}

/* ---- All together ------------------------------------------------------------ */

static void prepare(char *text) {
  char *port = strrchr(text, ':');
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
  if (port == NULL) fail("the address has no port");
  *port++ = '\0';
  if (getaddrinfo(text, port, &hints, &address) != 0) fail("no such address");
  sigset_t blocked;
  struct sigaction action = {.sa_handler = end};
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigaddset(&blocked, SIGHUP);
  sigprocmask(SIG_BLOCK, &blocked, &waiting);
  sigaction(SIGTERM, &action, NULL);
  action.sa_handler = change;
  sigaction(SIGHUP, &action, NULL);
  session = (long)time(NULL);
  gathering.end = flying.end = HEAD;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: log_shipper ADDRESS SETTINGS\n");
    return 2;
  }
  prepare(argv[1]);
  int64_t deadline = INT64_MAX;
  while (now_ms() < deadline) {
    if (has_changed) {
      has_changed = 0;
      read_settings(argv[2]);
    }
    for (int i = 0; i < log_count && !is_over; i++) read_log(logs[i]);
    bool is_due = gathering.lines == LINES || is_over ||
                  now_ms() >= gathering.began + BATCH_MS;
    if (gathering.lines > 0 && flying.lines == 0 && is_due) begin_batch();
    if (is_over && flying.lines == 0) break;
    if (is_over && deadline == INT64_MAX) deadline = now_ms() + DRAIN_MS;
    if (sink >= 0 && !is_connected && now_ms() >= next_try) lose_sink();
    if (sink < 0 && now_ms() >= next_try) connect_to_sink();
    exchange();
  }
  made += gathering.lines > 0;
  printf("%ld of %ld batches\n", stored, made);
  return stored == made ? 0 : 1;
}
