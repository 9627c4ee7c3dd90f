/* The main scheduler inside a loop of the program's own, and standard input as
 * a signal:
 *
 *     event_loop < server.log
 *
 * counts the lines of each level (DEBUG, INFO, …). The loop polls two
 * descriptors: standard input, and the one librac makes readable when the main
 * scheduler has something to run.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <rac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 16384, SLICE = 256, IN_FLIGHT_MAX = 4096 };

static struct {
  rac_subject *lines; /* hot: standard input happens once */
  char *partial;      /* a line whose end has not been read yet */
  size_t length, capacity;
  uint64_t sent, counted;
  bool ended;
  int exit_code;
} app;

/* ---- From lines to levels ----------------------------------------------- */

/* map, on a worker: the first word that names a level. */
static rac_status level_of(void *context, rac_value line, rac_value *out) {
  static const char *const levels[] = {"DEBUG", "INFO", "WARN", "ERROR"};
  const void *bytes = NULL;
  size_t length = 0;
  (void)context;
  rac_status status = rac_value_get_bytes(line, &bytes, &length);
  const char *at = bytes, *end = at + length;
  *out = rac_value_string_static("other");
  while (status == RAC_OK && at < end) {
    const char *word = at;
    while (at < end && *at >= 'A' && *at <= 'Z') at++;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
      if ((size_t)(at - word) == strlen(levels[i]) &&
          memcmp(word, levels[i], strlen(levels[i])) == 0) {
        *out = rac_value_string_static(levels[i]);
        return RAC_OK;
      }
    if (at == word) at++;
  }
  return status;
}

static rac_status same(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_retain(value); /* lent in, transferred out */
  return RAC_OK;
}

/* ---- A counter for each group ------------------------------------------- */

typedef struct {
  char level[8];
  uint64_t count;
} counter;

static void count_line(void *context, rac_value value) {
  (void)value;
  ((counter *)context)->count++;
  app.counted++;
}

static void print_count(void *context) {
  counter *self = context;
  printf("%s: %" PRIu64 "\n", self->level, self->count);
}

/* A group comes as a signal before its first line does. The counter lives as
 * long as its subscription: destroy is free(). */
static void count_group(void *context, rac_value group_value) {
  rac_signal *group = rac_value_to_signal(group_value);
  rac_observer observer = RAC_OBSERVER_INIT;
  rac_value key = rac_value_nil();
  const char *level = "?";
  (void)context;
  rac_signal_get_key(group, &key);
  rac_value_get_string(key, &level, NULL);
  counter *self = calloc(1, sizeof *self);
  if (self == NULL) abort();
  snprintf(self->level, sizeof self->level, "%s", level);
  observer.context = self;
  observer.next = count_line;
  observer.completed = print_count;
  observer.destroy = free;
  rac_release(rac_subscribe(group, &observer));
  rac_release(group);
}

static void print_total(void *context) {
  (void)context;
  printf("lines: %" PRIu64 "\n", app.counted);
  app.ended = true;
}

static void print_error(void *context, rac_value error) {
  (void)context;
  fprintf(stderr, "event_loop: %s\n", rac_error_get_message(error));
  app.exit_code = 1;
  app.ended = true;
}

/* ---- From standard input to lines --------------------------------------- */

static void send_line(const char *line, size_t length) {
  /* Bytes: a log may contain anything. A view, copied where it is queued. */
  rac_subject_send(app.lines, rac_value_bytes_view(line, length));
  app.sent++;
}

/* An error ends the stream in its turn, after the lines before it. */
static bool fail(int error) {
  rac_value value = rac_value_error("stdin", error, strerror(error));
  rac_subject_send_error(app.lines, value);
  rac_value_release(value);
  return false;
}

/* Reads once; false when nothing more will come. */
static bool read_lines(void) {
  if (app.capacity - app.length < CHUNK) {
    size_t capacity = 2 * app.capacity + CHUNK;
    char *grown = realloc(app.partial, capacity);
    if (grown == NULL) return fail(ENOMEM);
    app.partial = grown;
    app.capacity = capacity;
  }
  ssize_t count = read(STDIN_FILENO, app.partial + app.length, CHUNK);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count < 0) return fail(errno);
  if (count == 0) {
    if (app.length > 0) /* the last line had no line feed */
      send_line(app.partial, app.length);
    rac_subject_send_completed(app.lines);
    return false;
  }
  char *start = app.partial, *fresh = app.partial + app.length, *feed;
  char *end = fresh + count;
  while ((feed = memchr(fresh, '\n', (size_t)(end - fresh))) != NULL) {
    send_line(start, (size_t)(feed - start));
    start = fresh = feed + 1;
  }
  app.length = (size_t)(end - start);
  memmove(app.partial, start, app.length);
  return true;
}

/* ---- The loop ----------------------------------------------------------- */

static void run_loop(void) {
  bool reading = true;
  while (!app.ended) {
    /* A negative descriptor is skipped: nothing is read while thousands of
     * lines still wait to be counted. */
    bool hungry = reading && app.sent - app.counted < IN_FLIGHT_MAX;
    struct pollfd polled[] = {
        {.fd = hungry ? STDIN_FILENO : -1, .events = POLLIN},
        {.fd = rac_main_fd(), .events = POLLIN},
    };
    if (poll(polled, 2, -1) < 0) continue; /* a signal of the other sort */
    if (polled[0].revents != 0) reading = read_lines();
    /* At most so many lines, and then standard input gets its turn: the
     * descriptor stays readable for the rest. */
    if (polled[1].revents != 0) rac_main_drain(SLICE);
  }
}

int main(void) {
  app.lines = rac_subject_create();
  rac_scheduler *worker = rac_scheduler_background(RAC_PRIORITY_LOW, "levels");
  rac_scheduler *loop = rac_scheduler_main();
  rac_signal *signal =
      rac_signal_deliver_on(rac_subject_as_signal(app.lines), worker);
  RAC_ASSIGN(signal, rac_signal_map(signal, NULL, level_of, NULL));
  RAC_ASSIGN(signal, rac_signal_deliver_on(signal, loop));
  RAC_ASSIGN(signal, rac_signal_group_by(signal, NULL, same, NULL, NULL));

  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = count_group;
  observer.error = print_error;
  observer.completed = print_total;
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  if (subscription != NULL) {
    run_loop();
  } else {
    fprintf(stderr, "event_loop: %s\n", rac_last_error_message());
    app.exit_code = 1;
  }

  rac_release(subscription);
  rac_release(signal);
  rac_release(loop);
  rac_release(worker);
  rac_release(app.lines);
  free(app.partial);
  return app.exit_code;
}
