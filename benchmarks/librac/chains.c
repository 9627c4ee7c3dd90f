/* Operators on one signal, below a subject.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct chain {
  rac_subject *subject;
  rac_signal *signal;
  rac_disposable *subscription;
  int64_t sum;
} chain;

static chain *open_chain(void) {
  chain *c = worker_allocate(sizeof *c);
  c->subject = rac_bench_handle(rac_subject_create());
  c->signal = rac_retain(rac_subject_as_signal(c->subject));
  return c;
}

static void listen(chain *c) {
  rac_bench_handle(c->signal);
  c->subscription = rac_bench_handle(
      rac_subscribe_next(c->signal, &c->sum, rac_bench_add, NULL));
}

static void close_chain(void *state) {
  chain *c = state;
  rac_bench_status(rac_dispose(c->subscription));
  rac_release(c->subscription);
  rac_release(c->signal);
  rac_release(c->subject);
  free(c);
}

static void run_send(void *state, size_t n, outcome *out) {
  chain *c = state;
  uint64_t start;
  c->sum = 0;
  start = worker_now();
  rac_bench_send(c->subject, n);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

static rac_status plus_one(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_int64(value.bits + 1);
  return RAC_OK;
}

static rac_status keep_all(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits >= 0;
  return RAC_OK;
}

static rac_status add(void *context, rac_value running, rac_value next,
                      rac_value *out) {
  (void)context;
  *out = rac_int64(running.bits + next.bits);
  return RAC_OK;
}

/* The scan begins anew in each run, so that its sums do. */
static void *open_three(size_t argument) {
  (void)argument;
  return open_chain();
}

static void run_three(void *state, size_t n, outcome *out) {
  chain *c = state;
  void **s = (void **)&c->signal;
  rac_assign(s, rac_retain(rac_subject_as_signal(c->subject)));
  rac_assign(s, rac_signal_map(c->signal, NULL, plus_one, NULL));
  rac_assign(s, rac_signal_filter(c->signal, NULL, keep_all, NULL));
  rac_assign(s, rac_signal_scan(c->signal, rac_int64(0), NULL, add, NULL));
  if (c->subscription != NULL) {
    rac_bench_status(rac_dispose(c->subscription));
    rac_release(c->subscription);
  }
  listen(c);
  run_send(c, n, out);
}

static void *open_maps(size_t stages) {
  chain *c = open_chain();
  size_t i;
  for (i = 0; i < stages; i++)
    RAC_ASSIGN(c->signal, rac_signal_map(c->signal, NULL, plus_one, NULL));
  listen(c);
  return c;
}

/* Texts that are lent: those that begin with "a", and a copy of each, made anew. */
static rac_status begins_with_a(void *context, rac_value value, bool *out) {
  const char *text = NULL;
  size_t length = 0;
  rac_status status = rac_value_get_text(value, &text, &length);
  (void)context;
  *out = status == RAC_OK && length > 0 && text[0] == 'a';
  return status;
}

static rac_status copied(void *context, rac_value value, rac_value *out) {
  const char *text = NULL;
  size_t length = 0;
  rac_status status = rac_value_get_text(value, &text, &length);
  (void)context;
  if (status == RAC_OK) *out = rac_value_string_copy(text, length);
  return status;
}

static void add_text(void *context, rac_value value) {
  const char *text = NULL;
  size_t length = 0;
  if (rac_value_get_text(value, &text, &length) == RAC_OK)
    *(int64_t *)context += (int64_t)length + text[0];
}

static void *open_texts(size_t argument) {
  chain *c = open_chain();
  void **s = (void **)&c->signal;
  (void)argument;
  rac_assign(s, rac_signal_filter(c->signal, NULL, begins_with_a, NULL));
  rac_assign(s, rac_signal_map(c->signal, NULL, copied, NULL));
  rac_bench_handle(c->signal);
  c->subscription =
      rac_bench_handle(rac_subscribe_next(c->signal, &c->sum, add_text, NULL));
  return c;
}

static void run_texts(void *state, size_t n, outcome *out) {
  chain *c = state;
  uint64_t start;
  size_t i;
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++)
    rac_subject_send(c->subject,
                     rac_value_string_view(WORKER_TEXT, strlen(WORKER_TEXT)));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

/* A running sum three times: by scan, by a step that writes, and one that sends. */
static rac_status add_step(void *context, rac_step *step, rac_value value,
                           rac_value *out) {
  int64_t *sum = step->state;
  (void)context;
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  *out = rac_int64(*sum += value.bits);
  return RAC_OK;
}

static rac_status send_step(void *context, rac_step *step, rac_value value,
                            rac_value *out) {
  int64_t *sum = step->state;
  (void)context;
  (void)out;
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  return rac_step_send(step, rac_int64(*sum += value.bits));
}

static void *open_sums(size_t how) {
  chain *c = open_chain();
  rac_signal *s = c->signal;
  if (how == 0)
    s = rac_signal_scan(s, rac_int64(0), NULL, add, NULL);
  else
    s = rac_signal_step(s, sizeof(int64_t), NULL,
                        how == 1 ? add_step : send_step, NULL, NULL);
  rac_assign((void **)&c->signal, s);
  return c;
}

static void run_sums(void *state, size_t n, outcome *out) {
  chain *c = state;
  if (c->subscription != NULL) {
    rac_bench_status(rac_dispose(c->subscription));
    rac_release(c->subscription);
  }
  listen(c);
  run_send(c, n, out);
}

/* Subscribing to a chain, which nobody sends through. */
static void *open_unheard_maps(size_t stages) {
  chain *c = open_maps(stages);
  rac_bench_status(rac_dispose(c->subscription));
  rac_release(c->subscription);
  return c;
}

static void run_subscribe(void *state, size_t n, outcome *out) {
  chain *c = state;
  uint64_t start = worker_now();
  size_t i;
  for (i = 0; i < n; i++) {
    rac_disposable *one =
        rac_subscribe_next(c->signal, &c->sum, rac_bench_add, NULL);
    rac_dispose_and_release(one);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = 0;
}

static void close_unheard(void *state) {
  chain *c = state;
  rac_release(c->signal);
  rac_release(c->subject);
  free(c);
}

/* What a subscription to a chain weighs: see memory.c. */
static chain *heavy;

static void subscribe_many(size_t n) {
  size_t i;
  for (i = 0; i < n; i++) rac_bench_listen(heavy->signal, &heavy->sum);
}

static void run_weigh(void *state, size_t n, outcome *out) {
  heavy = state;
  worker_weigh(n, subscribe_many, out);
}

/* The same where each subscription has a chain of its own, whose signals nobody
 * keeps. */
static size_t own_stages;

static void subscribe_to_many(size_t n) {
  size_t i, stage;
  for (i = 0; i < n; i++) {
    rac_signal *signal = rac_retain(rac_subject_as_signal(heavy->subject));
    for (stage = 0; stage < own_stages; stage++)
      RAC_ASSIGN(signal, rac_signal_map(signal, NULL, plus_one, NULL));
    rac_bench_listen(signal, &heavy->sum);
    rac_release(signal);
  }
}

static void *open_own_maps(size_t stages) {
  own_stages = stages;
  return open_unheard_maps(0);
}

static void run_weigh_own(void *state, size_t n, outcome *out) {
  heavy = state;
  worker_weigh(n, subscribe_to_many, out);
}

const workload rac_chain_workloads[] = {
    {"map-filter-scan", open_three, run_three, close_chain},
    {"maps", open_maps, run_send, close_chain},
    {"text-map", open_texts, run_texts, close_chain},
    {"running-sum", open_sums, run_sums, close_chain},
    {"subscribe-maps", open_unheard_maps, run_subscribe, close_unheard},
    {"bytes-maps", open_unheard_maps, run_weigh, close_unheard},
    {"bytes-own-maps", open_own_maps, run_weigh_own, close_unheard},
    {NULL, NULL, NULL, NULL}};
