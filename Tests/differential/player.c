/* A case is, as numbers:
 *
 *   when to dispose, after how many events to dispose (-1: never),
 *   when a second subscriber comes (-1: never), when to connect,
 *   below which number a value that is heard is sent back, a node
 *
 * and a node, its operator's place in the table and then, each behind its
 * count, its parameters, the nodes below, and the events of its marble (-1:
 * none).
 *
 * A recording is its own length, the objects that leaked, the contexts that
 * were not destroyed, and of each event that was heard: the time, who heard it
 * and what (10 * line + kind), the value. The lines: 0 the first subscriber,
 * then the groups it was sent; the same from 100 for the second.
 *
 * All of a case happens inside jobs of a virtual scheduler: building and
 * subscribing in the first, at time 0. */

#include "player.h"

#include <stdlib.h>

enum { LINES = 200, KEPT = 16, SECOND = 100, SPARE = 10000 };

rac_scheduler *virtual_time;
int64_t contexts;
rac_signal *first_made;
rac_subject *hot;

static const int64_t *program; /* what is left to read */

/* ---- Writing down -------------------------------------------------------- */

/* What the second subscriber hears is put behind what the first one does. */
static struct tape {
  int64_t *at, *end;
} recording, appendix, *tape = &recording;
static int64_t appended[SPARE];

void write_down(int64_t number) {
  if (tape->at < tape->end) *tape->at++ = number;
}

void write_event(int64_t kind, rac_value value) {
  write_down((int64_t)rac_scheduler_now(virtual_time));
  write_down(kind);
  write_value(value);
}

static struct line {
  int64_t number;
  int64_t left; /* so many events until it disposes itself */
  rac_disposable *subscription;
} lines[LINES];
static int64_t line_count, groups[2]; /* of either subscriber */

static void listen(rac_signal *signal, int64_t number, int64_t left);

/* Of the small values that are heard the first few go, one larger, back into
 * the hot source, from inside the callback. */
enum { SENT_BACK = 6 };
static int64_t sent_back_below, sent_back;

static void send_back(rac_value value) {
  if (number_of(value) >= sent_back_below || sent_back == SENT_BACK) return;
  sent_back++;
  rac_subject_send(hot, rac_int64(number_of(value) + 1));
}

static void heard(struct line *line, int64_t kind, rac_value value) {
  tape = line->number < SECOND ? &recording : &appendix;
  write_event(10 * line->number + kind, value);
  tape = &recording;
  line->left--;
  if (line->left == 0) rac_dispose(line->subscription);
}
static void hear_next(void *line, rac_value value) {
  heard(line, RAC_EVENT_NEXT, value);
  send_back(value);
  if (value.kind != RAC_SIGNAL) return;
  rac_signal *group = rac_value_to_signal(value);
  int64_t which = ((struct line *)line)->number / SECOND;
  listen(group, which * SECOND + ++groups[which], -1);
  rac_release(group);
}
static void hear_error(void *line, rac_value error) {
  heard(line, RAC_EVENT_ERROR, error);
}
static void hear_completed(void *line) {
  heard(line, RAC_EVENT_COMPLETED, rac_value_nil());
}
static void heard_all(void *line) {
  (void)line;
  contexts--;
}

static void listen(rac_signal *signal, int64_t number, int64_t left) {
  struct line *line = &lines[line_count++];
  *line = (struct line){number, left, NULL};
  rac_observer observer = {sizeof observer, line,           hear_next,
                           hear_error,      hear_completed, heard_all};
  contexts++;
  line->subscription = rac_subscribe(signal, &observer);
  /* What came meanwhile, it could not dispose. */
  if (left > 0 && line->left <= 0) rac_dispose(line->subscription);
}

static void logged(void *context, const char *text) {
  (void)context;
  static const char *const words[] = {"", "next", "error", "completed"};
  int64_t kind = 3;
  while (kind > 0 && strstr(text, words[kind]) == NULL) kind--;
  write_event(CALLED, rac_int64(kind));
}

/* ---- A case -------------------------------------------------------------- */

static void *kept[KEPT];
static size_t kept_count;
static rac_connection *connection;
static rac_signal *played;
static int64_t dispose_after;
static const double horizon = 4.5e9;

void keep(void *handle) { kept[kept_count++] = handle; }

void connect_later(rac_connection *made) {
  connection = made;
  keep(made);
}

static rac_signal *read_node(void) {
  struct node node = {0};
  int64_t number = *program++;
  node.parameter_count = (size_t)*program++;
  for (size_t i = 0; i < node.parameter_count; i++)
    node.parameters[i] = *program++;
  node.count = (size_t)*program++;
  for (size_t i = 0; i < node.count; i++) node.signals[i] = read_node();
  if (*program < 0)
    program++; /* it has no marble */
  else
    node.marble = read_marble(&program);
  rac_signal *signal = make(number, &node);
  if (first_made == NULL) {
    first_made = signal;
    keep(rac_retain(signal));
  }
  for (size_t i = 0; i < node.count; i++) rac_release(node.signals[i]);
  return signal;
}

static void first_job(void *context) {
  (void)context;
  played = read_node();
  listen(played, 0, dispose_after);
}
static void second_job(void *context) {
  (void)context;
  listen(played, SECOND, -1);
}
static void connect_job(void *context) {
  (void)context;
  if (connection != NULL) rac_release(rac_connection_connect(connection));
}

static void play_case(void) {
  int64_t *start = recording.at;
  recording.at += 3;
  appendix = (struct tape){appended, appended + SPARE};
  int64_t live = (int64_t)rac_live_objects();
  virtual_time = rac_scheduler_virtual();
  double dispose_at = (double)*program++;
  dispose_after = *program++;
  int64_t second_at = *program++, connect_at = *program++;
  sent_back_below = *program++;
  sent_back = 0;
  kept_count = 0;
  line_count = groups[0] = groups[1] = contexts = 0;
  connection = NULL;
  first_made = NULL;

  rac_release(rac_schedule(virtual_time, NULL, first_job, NULL));
  if (second_at >= 0)
    rac_release(rac_schedule_after(virtual_time, (double)second_at, NULL,
                                   second_job, NULL));
  rac_release(rac_schedule_after(virtual_time, (double)connect_at, NULL,
                                 connect_job, NULL));
  rac_virtual_advance_to(virtual_time, dispose_at);
  for (int64_t i = 0; i < line_count; i++) rac_dispose(lines[i].subscription);
  rac_virtual_advance_to(virtual_time, horizon);

  rac_release(played);
  for (int64_t i = 0; i < line_count; i++) rac_release(lines[i].subscription);
  while (kept_count > 0) rac_release(kept[--kept_count]);
  rac_release(virtual_time);
  for (int64_t *from = appended; from < appendix.at; from++) write_down(*from);
  start[0] = recording.at - start;
  start[1] = (int64_t)rac_live_objects() - live;
  start[2] = contexts;
}

/* Plays `count` cases; how many numbers the recordings take, or more than
 * `capacity` when they do not fit. */
RAC_API int64_t player_play(const int64_t *cases, int64_t count, int64_t *out,
                            int64_t capacity);
int64_t player_play(const int64_t *cases, int64_t count, int64_t *out,
                    int64_t capacity) {
  program = cases;
  recording = (struct tape){out, out + capacity};
  rac_set_log(NULL, logged, NULL);
  for (int64_t i = 0; i < count; i++) {
    if (recording.end - recording.at < 2 * SPARE) return capacity + 1;
    play_case();
  }
  rac_set_log(NULL, NULL, NULL);
  return recording.at - out;
}
