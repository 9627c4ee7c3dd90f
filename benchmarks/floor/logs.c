/* The job by hand: one loop over the lines, a small table of services, and a
 * count for each.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/logs.h"
#include "floor.h"

#include <stdlib.h>
#include <string.h>

typedef struct service {
  char name[24];
  size_t length;
  int64_t count;
} service;

typedef struct counter {
  service services[LOGS_SERVICES];
  size_t used;
  floor_call observer;
  char rest[256]; /* of a line that began in the portion before */
  size_t kept;
} counter;

static service *find(counter *c, const char *name, size_t length) {
  service *s;
  for (s = c->services; s < c->services + c->used; s++)
    if (s->length == length && memcmp(s->name, name, length) == 0) return s;
  c->used++;
  memcpy(s->name, name, length);
  s->length = length;
  return s;
}

static void tell(counter *c, service *s) {
  c->observer.function(c->observer.context, floor_int64(s->count));
  s->count = 0;
}

static void take_line(counter *c, const char *line, size_t length) {
  service *s;
  size_t size;
  const char *name;
  if (!logs_is_wanted(line, length)) return;
  name = logs_service(line, length, &size);
  s = find(c, name, size);
  if (++s->count == LOGS_WINDOW) tell(c, s);
}

static void take_portion(counter *c, const char *text, size_t size) {
  const char *end = text + size, *newline;
  while ((newline = memchr(text, '\n', (size_t)(end - text))) != NULL) {
    size_t length = (size_t)(newline - text);
    if (c->kept > 0) {
      memcpy(c->rest + c->kept, text, length);
      take_line(c, c->rest, c->kept + length);
      c->kept = 0;
    } else {
      take_line(c, text, length);
    }
    text = newline + 1;
  }
  memcpy(c->rest + c->kept, text, (size_t)(end - text));
  c->kept += (size_t)(end - text);
}

static void run_job(void *state, size_t n, outcome *out) {
  const logs_portion *portions = logs_portions();
  counter *c = state;
  int64_t sum = 0;
  size_t round, i;
  uint64_t start;
  memset(c, 0, sizeof *c);
  c->observer.function = floor_add;
  c->observer.context = &sum;
  start = worker_now();
  for (round = 0; round < logs_rounds(n); round++)
    for (i = 0; i < LOGS_PORTIONS; i++)
      take_portion(c, portions[i].text, portions[i].size);
  for (i = 0; i < c->used; i++) tell(c, &c->services[i]);
  out->ns = worker_now() - start;
  out->n = logs_rounds(n) * LOGS_LINES;
  out->sum = sum;
}

static void *open_job(size_t argument) {
  (void)argument;
  logs_portions();
  return worker_allocate(sizeof(counter));
}

const workload floor_log_workloads[] = {{"job", open_job, run_job, free},
                                        {NULL, NULL, NULL, NULL}};
