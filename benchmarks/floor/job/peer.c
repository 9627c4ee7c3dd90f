/* Plain C that does what librac does, as a contestant.
 *
 * SPDX-License-Identifier: MIT
 */
#include "job.h"

#include "../../worker/racing.h"
#include "peer.h"

#include <stdlib.h>

typedef struct state {
  job_handle subject;
  job_handle *others;
  size_t count;
  int64_t sum;
} state;

static void add(void *context, floor_value value) {
  *(int64_t *)context += value.bits;
}
static floor_next volatile leaf = add;

static job_handle subscribe(job_handle source, state *s) {
  job_handle made = job_subscribe(source, &s->sum, leaf, NULL);
  if (made == 0) worker_fail("no subscription");
  return made;
}

static void *open_subject(size_t subscribers) {
  state *s = worker_allocate(sizeof *s);
  size_t i;
  s->subject = job_subject();
  s->count = subscribers;
  s->others = worker_allocate((subscribers + 1) * sizeof *s->others);
  for (i = 0; i < subscribers; i++) s->others[i] = subscribe(s->subject, s);
  return s;
}

static void close_subject(void *opened) {
  state *s = opened;
  size_t i;
  for (i = 0; i < s->count; i++) {
    job_dispose(s->others[i]);
    job_release(s->others[i]);
  }
  job_release(s->subject);
  free(s->others);
  free(s);
}

/* n counts deliveries. */
static void run_send(void *opened, size_t n, outcome *out) {
  state *s = opened;
  uint64_t start;
  size_t i;
  out->n = worker_round_up(n, s->count);
  s->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n / s->count; i++)
    job_send(s->subject, floor_int64(worker_value(i)));
  out->ns = worker_now() - start;
  out->sum = s->sum;
}

static void run_subscribe(void *opened, size_t n, outcome *out) {
  state *s = opened;
  uint64_t start = worker_now();
  size_t i;
  for (i = 0; i < n; i++) {
    job_handle one = subscribe(s->subject, s);
    job_dispose(one);
    job_release(one);
  }
  out->ns = worker_now() - start;
  out->n = n;
  s->sum = 0;
  job_send(s->subject, floor_int64(1));
  out->sum = s->sum;
}

/* ---- Signals made of a function ------------------------------------------ */

static void count(void *opened, job_handle emitter) {
  size_t n = ((state *)opened)->count, i;
  for (i = 0; i < n; i++) job_send(emitter, floor_int64(worker_value(i)));
  job_complete(emitter);
}

static void *open_values(size_t values) {
  state *s = worker_allocate(sizeof *s);
  s->count = values;
  return s;
}

/* n counts values; each `count` of them are a signal of their own. */
static void run_create(void *opened, size_t n, outcome *out) {
  state *s = opened;
  uint64_t start;
  size_t i;
  out->n = worker_round_up(n, s->count);
  s->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i += s->count) {
    job_handle signal = job_signal(s, count, NULL);
    job_release(subscribe(signal, s));
    job_release(signal);
  }
  out->ns = worker_now() - start;
  out->sum = s->sum;
}

/* ---- Several subjects, several senders ----------------------------------- */

static void *open_subjects(size_t many) {
  state *s = worker_allocate(sizeof *s);
  size_t i;
  s->count = many;
  s->others = worker_allocate(many * sizeof *s->others);
  for (i = 0; i < many; i++) {
    s->others[i] = job_subject();
    job_release(subscribe(s->others[i], s));
  }
  return s;
}

static void run_in_turn(void *opened, size_t n, outcome *out) {
  state *s = opened;
  uint64_t start;
  size_t i, next = 0;
  out->n = worker_round_up(n, s->count);
  s->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i++) {
    job_send(s->others[next], floor_int64(worker_value(i)));
    if (++next == s->count) next = 0;
  }
  out->ns = worker_now() - start;
  out->sum = s->sum;
}

static void close_subjects(void *opened) {
  state *s = opened;
  size_t i;
  for (i = 0; i < s->count; i++) job_release(s->others[i]);
  free(s->others);
  free(s);
}

typedef struct contention {
  job_handle subject;
  racing *race;
} contention;

static void hear(void *context, floor_value value) {
  racing_add(context, value.bits);
}
static floor_next volatile hearing_leaf = hear;

static void *open_contention(size_t senders) {
  contention *c = worker_allocate(sizeof *c);
  c->race = racing_create(senders);
  c->subject = job_subject();
  job_release(job_subscribe(c->subject, c->race, hearing_leaf, NULL));
  return c;
}

static void send_one(void *opened, int64_t value) {
  job_send(((contention *)opened)->subject, floor_int64(value));
}

static void run_contention(void *opened, size_t n, outcome *out) {
  racing_run(((contention *)opened)->race, n, send_one, opened, out);
}

static void close_contention(void *opened) {
  contention *c = opened;
  job_release(c->subject);
  racing_free(c->race);
  free(c);
}

/* ---- What they weigh ----------------------------------------------------- */

static state weighed;

static void subscribe_many(size_t n) {
  size_t i;
  if (weighed.subject == 0) weighed.subject = job_subject();
  for (i = 0; i < n; i++) job_release(subscribe(weighed.subject, &weighed));
}

static void make_subjects(size_t n) {
  static volatile job_handle last;
  size_t i;
  for (i = 0; i < n; i++) last = job_subject();
  (void)last;
}

static void run_subscriptions(void *opened, size_t n, outcome *out) {
  (void)opened;
  worker_weigh(n, subscribe_many, out);
}
static void run_subjects(void *opened, size_t n, outcome *out) {
  (void)opened;
  worker_weigh(n, make_subjects, out);
}

static const workload workloads[] = {
    {"send", open_subject, run_send, close_subject},
    {"subscribe", open_subject, run_subscribe, close_subject},
    {"create", open_values, run_create, free},
    {"subjects", open_subjects, run_in_turn, close_subjects},
    {"two-threads", open_contention, run_contention, close_contention},
    {"senders", open_contention, run_contention, close_contention},
    {"bytes-subscription", open_values, run_subscriptions, free},
    {"bytes-signal", open_values, run_subjects, free},
    {NULL, NULL, NULL, NULL}};
static const workload *const groups[] = {workloads, job_timer_workloads,
                                         job_rally_workloads, NULL};

const contestant contestants[] = {{"same job", groups}, {NULL, NULL}};
