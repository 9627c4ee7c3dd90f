/* Sending to a subject, and subscribing beside others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/elsewhere.h"
#include "rac_bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct hot {
  rac_subject *subject;
  rac_signal *signal;
  size_t subscribers;
  int64_t sum;
} hot;

static void *open_subject(size_t subscribers) {
  hot *h = worker_allocate(sizeof *h);
  size_t i;
  h->subject = rac_bench_handle(rac_subject_create());
  h->signal = rac_subject_as_signal(h->subject);
  h->subscribers = subscribers;
  for (i = 0; i < subscribers; i++) rac_bench_listen(h->signal, &h->sum);
  return h;
}

static void close_subject(void *state) {
  hot *h = state;
  rac_bench_status(rac_release(h->subject));
  free(h);
}

/* n counts deliveries. */
static void run_send(void *state, size_t n, outcome *out) {
  hot *h = state;
  uint64_t start;
  out->n = worker_round_up(n, h->subscribers);
  h->sum = 0;
  start = worker_now();
  rac_bench_send(h->subject, out->n / h->subscribers);
  out->ns = worker_now() - start;
  out->sum = h->sum;
}

static void run_elsewhere(void *state, size_t n, outcome *out) {
  worker_elsewhere(run_send, state, n, out);
}

/* The others hear one value at the end; those that left do not. */
static void run_subscribe(void *state, size_t n, outcome *out) {
  hot *h = state;
  uint64_t start = worker_now();
  size_t i;
  for (i = 0; i < n; i++) {
    rac_disposable *one =
        rac_subscribe_next(h->signal, &h->sum, rac_bench_add, NULL);
    rac_dispose_and_release(one);
  }
  out->ns = worker_now() - start;
  out->n = n;
  h->sum = 0;
  rac_subject_send(h->subject, rac_int64(1));
  out->sum = h->sum;
}

/* ---- Strings ------------------------------------------------------------- */

static void add_string(void *context, rac_value value) {
  const char *text = NULL;
  size_t length = 0;
  if (rac_value_get_text(value, &text, &length) == RAC_OK)
    *(int64_t *)context += (int64_t)length + text[0];
}

static void *open_string(size_t subscribers) {
  hot *h = open_subject(0);
  (void)subscribers;
  rac_release(rac_bench_handle(
      rac_subscribe_next(h->signal, &h->sum, add_string, NULL)));
  return h;
}

/* Lent: nothing is copied, as the subscriber keeps nothing. */
static void run_string(void *state, size_t n, outcome *out) {
  hot *h = state;
  uint64_t start;
  size_t i;
  h->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++)
    rac_subject_send(h->subject,
                     rac_value_string_view(WORKER_TEXT, strlen(WORKER_TEXT)));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = h->sum;
}

/* A string of its own for each event, as when the text was put together. */
static void run_string_copied(void *state, size_t n, outcome *out) {
  hot *h = state;
  uint64_t start;
  size_t i;
  h->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    rac_value text = rac_value_string_copy(WORKER_TEXT, strlen(WORKER_TEXT));
    rac_subject_send(h->subject, text);
    rac_value_release(text);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = h->sum;
}

/* ---- Many subjects, one subscriber each ----------------------------------- */

typedef struct crowd {
  size_t count;
  rac_subject **each;
  int64_t sum;
} crowd;

static void *open_subjects(size_t count) {
  crowd *c = worker_allocate(sizeof *c);
  size_t i;
  c->count = count;
  c->each = worker_allocate(count * sizeof *c->each);
  for (i = 0; i < count; i++) {
    c->each[i] = rac_bench_handle(rac_subject_create());
    rac_bench_listen(rac_subject_as_signal(c->each[i]), &c->sum);
  }
  return c;
}

static void run_subjects(void *state, size_t n, outcome *out) {
  crowd *c = state;
  uint64_t start;
  size_t i, next = 0;
  out->n = worker_round_up(n, c->count);
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i++) {
    rac_subject_send(c->each[next], rac_int64(worker_value(i)));
    if (++next == c->count) next = 0;
  }
  out->ns = worker_now() - start;
  out->sum = c->sum;
}

static void close_subjects(void *state) {
  crowd *c = state;
  size_t i;
  for (i = 0; i < c->count; i++) rac_release(c->each[i]);
  free(c->each);
  free(c);
}

const workload rac_subject_workloads[] = {
    {"send", open_subject, run_send, close_subject},
    {"send-library", open_subject, run_send, close_subject},
    {"subscribe", open_subject, run_subscribe, close_subject},
    {"send-elsewhere", open_subject, run_elsewhere, close_subject},
    {"string", open_string, run_string, close_subject},
    {"string-copied", open_string, run_string_copied, close_subject},
    {"subjects", open_subjects, run_subjects, close_subjects},
    {NULL, NULL, NULL, NULL}};
