/* Ships the lines of several logs that have a word in them to a sink:
 *
 *     log_shipper 192.0.2.1:7000 settings
 *
 * The settings have a line for each log, and perhaps one with the word:
 *
 *     file /var/log/app.log
 *     word error
 *
 * SIGHUP reads them again: the word counts from then on, a log that is new is
 * read from its beginning, one that is not named any more is passed over.
 *
 * A batch has up to 500 lines, or those of 0.2 s: "batch SESSION NUMBER LINES",
 * and these. The sink answers with the number when it has stored them, and then
 * the next one comes. When the connection is lost the program connects again
 * and sends the batch once more; a sink that has stored that number answers,
 * and stores nothing. So each line arrives once. While the sink is slow, a
 * batch waits, and the logs are not read on.
 *
 * SIGTERM ends it: what has been read is shipped, or after 5 s given up.
 * by_hand/log_shipper.c is the same program without librac.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* memmem */
#include <rac.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINES = 500, BATCHES = 1, LOGS = 32 };

typedef struct {
  char path[1024];
  bool is_named;
} log_file;

static log_file logs[LOGS];
static int log_count;
static char word[256];
static long session, made, stored; /* batches, by their numbers */

/* ---- The settings -------------------------------------------------------- */

static void name(rac_subject *named, const char *path) {
  for (int i = 0; i < log_count; i++) {
    if (strcmp(logs[i].path, path) == 0) {
      logs[i].is_named = true;
      return;
    }
  }
  if (log_count == LOGS) return;
  log_file *added = &logs[log_count++];
  strcpy(added->path, path);
  added->is_named = true;
  rac_subject_send(named, rac_value_pointer(added, NULL, NULL));
}

static const char *settings;

static void read_settings(void *named, rac_value number) {
  FILE *file = fopen(settings, "r");
  char line[1100], path[1024];
  (void)number;
  if (file == NULL) {
    perror(settings);
    return;
  }
  for (int i = 0; i < log_count; i++) logs[i].is_named = false;
  word[0] = '\0';
  while (fgets(line, sizeof line, file) != NULL) {
    sscanf(line, "word %255[^\n]", word);
    if (sscanf(line, "file %1023[^\n]", path) == 1) name(named, path);
  }
  fclose(file);
}

/* ---- The lines ------------------------------------------------------------ */

static struct {
  char *text;
  size_t end, capacity;
  int lines;
} gathered; /* for the next batch */

static bool append_line(const char *line, size_t length) {
  size_t needed = gathered.end + length + 1;
  if (needed > gathered.capacity) {
    char *larger = realloc(gathered.text, needed * 2);
    if (larger == NULL) return false;
    gathered.text = larger;
    gathered.capacity = needed * 2;
  }
  memcpy(gathered.text + gathered.end, line, length);
  gathered.text[needed - 1] = '\n';
  gathered.end = needed;
  return true;
}

/* Sends the number of the first line of a batch, and of the last one. */
static rac_status gather(void *context, rac_step *step, rac_value line,
                         rac_value *out) {
  log_file *log = context;
  const char *text = "";
  size_t length = 0;
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  rac_value_get_text(line, &text, &length); /* bytes, where it is no UTF-8 */
  if (!log->is_named || !memmem(text, length, word, strlen(word)))
    return RAC_OK;
  if (!append_line(text, length)) return RAC_ENOMEM;
  gathered.lines++;
  if (gathered.lines == 1 || gathered.lines == LINES)
    *out = rac_int64(gathered.lines);
  return RAC_OK;
}

static rac_status follow(void *context, rac_value value, rac_signal **out) {
  log_file *log = NULL;
  (void)context;
  rac_value_get_pointer(value, NULL, (void **)&log);
  RAC_AUTO rac_signal *lines =
      rac_signal_tail(log->path, RAC_TAIL_BEGINNING, false, 0, NULL);
  *out = rac_signal_step(lines, 0, log, gather, NULL, NULL);
  return RAC_OK;
}

/* ---- Batches, one after the other ----------------------------------------- */

static rac_status make_batch(void *context, rac_value ends, rac_value *out) {
  char head[80];
  (void)context, (void)ends;
  snprintf(head, sizeof head, "batch %ld %ld %d\n", session, ++made,
           gathered.lines);
  rac_value parts[] = {rac_value_string(head),
                       rac_value_bytes_view(gathered.text, gathered.end)};
  *out = rac_value_tuple(parts, 2);
  gathered.end = 0;
  gathered.lines = 0;
  return RAC_OK;
}

/* What is sent of a batch: it, and behind that nothing before its answer. */
static rac_status turn(void *answers, rac_value batch, rac_signal **out) {
  RAC_AUTO rac_signal *answer =
      rac_signal_take(rac_subject_as_signal(answers), 1);
  RAC_AUTO rac_signal *quiet = rac_signal_ignore_values(answer);
  *out = rac_signal_start_with(quiet, batch);
  return RAC_OK;
}

/* A batch at its last line, or some time after its first. */
static rac_signal *in_batches(rac_signal *ends, rac_subject *answers,
                              rac_scheduler *clock) {
  RAC_AUTO rac_bound *few = rac_bound_create(BATCHES, RAC_BOUND_WAIT);
  RAC_AUTO rac_signal *batches =
      rac_signal_buffer_with_time_or_count(ends, 0.2, 2, clock);
  RAC_ASSIGN(batches, rac_signal_map(batches, NULL, make_batch, NULL));
  return rac_signal_flatten_map_limited(batches, 1, few, answers, turn, NULL);
}

static void begin(void *subject, rac_value batch) {
  rac_subject_send(subject, batch);
}

/* ---- A connection ----------------------------------------------------------- */

typedef struct {
  rac_subject *batch; /* the one whose turn it is, also for who comes later */
  rac_subject *answers;
} exchange;

static void answered(void *subject, rac_value line) {
  const char *text = "";
  rac_value_get_string(line, &text, NULL);
  if (atol(text) != stored + 1) return; /* to what was sent once more */
  stored++;
  rac_subject_send(subject, line);
}

static rac_status talk(void *context, rac_value connection, rac_signal **out) {
  exchange *with = context;
  int fd = rac_socket_descriptor(connection);
  RAC_AUTO rac_signal *lines =
      rac_signal_lines(fd, RAC_DESCRIPTOR_OWNED, 0, NULL);
  RAC_AUTO rac_signal *lost = rac_signal_error(rac_value_nil());
  RAC_ASSIGN(lines, rac_signal_concat(lines, lost));
  RAC_ASSIGN(lines, rac_signal_do_next(lines, with->answers, answered, NULL));
  RAC_AUTO rac_signal *written = rac_signal_write(
      rac_subject_as_signal(with->batch), fd, RAC_DESCRIPTOR_OWNED, NULL, NULL);
  RAC_ASSIGN(written, rac_signal_ignore_values(written));
  *out = rac_signal_merge_with(lines, written);
  return RAC_OK;
}

/* ---- All together ------------------------------------------------------------ */

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: log_shipper ADDRESS SETTINGS\n");
    return 2;
  }
  settings = argv[2];
  session = (long)time(NULL);
  RAC_AUTO rac_scheduler *here = rac_scheduler_main();
  RAC_AUTO rac_subject *named = rac_replay_subject_create(LOGS);
  RAC_AUTO rac_subject *answers = rac_subject_create();
  RAC_AUTO rac_subject *batch =
      rac_behavior_subject_create(rac_value_string(""));
  RAC_AUTO rac_signal *hup = rac_signal_posix_signal(SIGHUP, NULL);
  RAC_AUTO rac_signal *term = rac_signal_posix_signal(SIGTERM, NULL);

  RAC_AUTO rac_signal *lines =
      rac_signal_flatten_map(rac_subject_as_signal(named), NULL, follow, NULL);
  RAC_ASSIGN(lines, rac_signal_take_until(lines, term));
  RAC_ASSIGN(lines, in_batches(lines, answers, here));
  RAC_ASSIGN(lines, rac_signal_do_next(lines, batch, begin, NULL));
  RAC_AUTO rac_signal *too_late = rac_signal_delay(term, 5, here);
  RAC_AUTO rac_signal *all = rac_signal_ignore_values(lines);
  RAC_ASSIGN(all, rac_signal_take_until(all, too_late));

  exchange with = {batch, answers};
  RAC_AUTO rac_signal *sink = rac_signal_connect(argv[1], 5, NULL);
  RAC_ASSIGN(sink, rac_signal_flatten_map(sink, &with, talk, NULL));
  RAC_ASSIGN(sink,
             rac_signal_retry_with_backoff(sink, 0.05, 2, 1, 0.1, 0, here));
  RAC_AUTO_DISPOSE rac_disposable *talking =
      rac_subscribe_next(sink, NULL, NULL, NULL);
  RAC_AUTO_DISPOSE rac_disposable *reading =
      rac_subscribe_next(hup, named, read_settings, NULL);
  if (talking == NULL || reading == NULL) {
    fprintf(stderr, "log_shipper: %s\n", rac_last_error_message());
    return 1;
  }
  read_settings(named, rac_value_nil());
  RAC_AUTO_VALUE rac_value error = rac_value_nil();
  if (rac_main_run_until(all, &error) != RAC_OK) {
    fprintf(stderr, "log_shipper: %s\n", rac_error_get_message(error));
    return 1;
  }
  printf("%ld of %ld batches\n", stored, made);
  return stored == made ? 0 : 1;
}
