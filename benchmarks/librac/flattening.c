/* Values that become signals: flattenMap to what is known at once, to a signal
 * that is made for the value, and to one that others send into.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/elsewhere.h"
#include "rac_bench.h"

#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct flattening {
  rac_signal_fn become;
  rac_subject *subject;
  rac_subject *hot; /* what the values become, where that is hot */
  rac_disposable *subscription;
  int64_t sum;
} flattening;

static void *open_flattening(rac_signal_fn become) {
  flattening *f = worker_allocate(sizeof *f);
  rac_signal *signal;
  f->become = become;
  f->subject = rac_bench_handle(rac_subject_create());
  f->hot = rac_bench_handle(rac_subject_create());
  signal = rac_bench_handle(rac_signal_flatten_map(
      rac_subject_as_signal(f->subject), f, become, NULL));
  f->subscription = rac_bench_handle(
      rac_subscribe_next(signal, &f->sum, rac_bench_add, NULL));
  rac_release(signal);
  return f;
}

static void close_flattening(void *state) {
  flattening *f = state;
  rac_bench_status(rac_dispose(f->subscription));
  rac_release(f->subscription);
  rac_release(f->hot);
  rac_release(f->subject);
  free(f);
}

static rac_status returned(void *context, rac_value value, rac_signal **out) {
  (void)context;
  *out = rac_signal_return(value);
  return *out == NULL ? RAC_EUSER : RAC_OK;
}

/* The value itself is the context: nothing of the program's is allocated. */
static rac_status send_once(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  (void)out;
  rac_subscriber_send(subscriber, rac_int64((int64_t)(intptr_t)context));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static rac_status created(void *context, rac_value value, rac_signal **out) {
  (void)context;
  *out = rac_signal_create((void *)(intptr_t)value.bits, send_once, NULL);
  return *out == NULL ? RAC_EUSER : RAC_OK;
}

static rac_status grow(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_int64(value.bits + 1);
  return RAC_OK;
}

static rac_status mapped(void *context, rac_value value, rac_signal **out) {
  rac_signal *source = rac_signal_return(rac_int64(value.bits - 1));
  (void)context;
  *out = rac_signal_map(source, NULL, grow, NULL);
  rac_release(source);
  return *out == NULL ? RAC_EUSER : RAC_OK;
}

/* Nothing of it is heard: what becomes empty is added here. */
static rac_status emptied(void *context, rac_value value, rac_signal **out) {
  ((flattening *)context)->sum += value.bits;
  *out = rac_signal_empty();
  return *out == NULL ? RAC_EUSER : RAC_OK;
}

static rac_status next_of_hot(void *context, rac_value value,
                              rac_signal **out) {
  (void)value;
  *out =
      rac_signal_take(rac_subject_as_signal(((flattening *)context)->hot), 1);
  return *out == NULL ? RAC_EUSER : RAC_OK;
}

static void *open_returned(size_t argument) {
  (void)argument;
  return open_flattening(returned);
}
static void *open_created(size_t argument) {
  (void)argument;
  return open_flattening(created);
}
static void *open_mapped(size_t argument) {
  (void)argument;
  return open_flattening(mapped);
}
static void *open_empty(size_t argument) {
  (void)argument;
  return open_flattening(emptied);
}
static void *open_hot(size_t argument) {
  (void)argument;
  return open_flattening(next_of_hot);
}

static void run_flattening(void *state, size_t n, outcome *out) {
  flattening *f = state;
  uint64_t start;
  f->sum = 0;
  start = worker_now();
  rac_bench_send(f->subject, n);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = f->sum;
}

/* The same on a thread of the program's that was attached, and on one of librac's. */
static void run_attached(void *state, size_t n, outcome *out) {
  rac_bench_status(rac_thread_attach());
  run_flattening(state, n, out);
  rac_bench_status(rac_thread_detach());
}

static void run_elsewhere(void *state, size_t n, outcome *out) {
  worker_elsewhere(run_attached, state, n, out);
}

typedef struct job {
  flattening *f;
  size_t n;
  outcome *out;
  sem_t done;
} job;

static void do_job(void *context) {
  job *j = context;
  run_flattening(j->f, j->n, j->out);
  sem_post(&j->done);
}

static void run_worker(void *state, size_t n, outcome *out) {
  job j = {state, n, out, {{0}}};
  rac_scheduler *worker =
      rac_bench_handle(rac_scheduler_background(RAC_PRIORITY_DEFAULT, "bench"));
  sem_init(&j.done, 0, 0);
  rac_release(rac_bench_handle(rac_schedule(worker, &j, do_job, NULL)));
  while (sem_wait(&j.done) != 0) continue;
  sem_destroy(&j.done);
  rac_release(worker);
}

/* What `heard` has subscribed to `outer` runs inside that one's gate. */
static void run_within(flattening *f, size_t n, outcome *out,
                       rac_subject *outer, rac_disposable *heard) {
  uint64_t start;
  rac_release(rac_bench_handle(heard));
  f->sum = 0;
  start = worker_now();
  rac_bench_send(outer, n);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = f->sum;
  rac_release(outer);
}

/* The same from inside the gate of another subject. */
static void run_inside(void *state, size_t n, outcome *out) {
  flattening *f = state;
  rac_subject *outer = rac_bench_handle(rac_subject_create());
  run_within(f, n, out, outer,
             rac_subscribe_subscriber(rac_subject_as_signal(outer),
                                      rac_subject_as_subscriber(f->subject)));
}

/* Each value subscribes to the hot signal, which then sends it and is left. */
static void run_hot(void *state, size_t n, outcome *out) {
  flattening *f = state;
  uint64_t start;
  size_t i;
  f->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    rac_value value = rac_int64(worker_value(i));
    rac_subject_send(f->subject, value);
    rac_subject_send(f->hot, value);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = f->sum;
}

/* What the values become, subscribed to as it is: what flattenMap adds to. */
static void run_alone(flattening *f, size_t n, outcome *out, bool is_hot) {
  uint64_t start;
  size_t i;
  f->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    rac_value value = rac_int64(worker_value(i));
    rac_signal *signal = NULL;
    rac_bench_status(f->become(f, value, &signal));
    rac_bench_listen(signal, &f->sum);
    if (is_hot) rac_subject_send(f->hot, value);
    rac_release(signal);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = f->sum;
}

static void run_alone_cold(void *state, size_t n, outcome *out) {
  run_alone(state, n, out, false);
}
static void run_alone_hot(void *state, size_t n, outcome *out) {
  run_alone(state, n, out, true);
}

static void listen_to_one(void *context, rac_value value) {
  flattening *f = context;
  rac_signal *signal = NULL;
  rac_bench_status(f->become(f, value, &signal));
  rac_bench_listen(signal, &f->sum);
  rac_release(signal);
}

/* The same in the delivery of a subject, as what flattenMap does is inside one. */
static void run_alone_inside(void *state, size_t n, outcome *out) {
  flattening *f = state;
  rac_subject *outer = rac_bench_handle(rac_subject_create());
  run_within(
      f, n, out, outer,
      rac_subscribe_next(rac_subject_as_signal(outer), f, listen_to_one, NULL));
}

const workload rac_flatten_workloads[] = {
    {"alone-inside", open_created, run_alone_inside, close_flattening},
    {"alone-mapped", open_mapped, run_alone_cold, close_flattening},
    {"alone-empty", open_empty, run_alone_cold, close_flattening},
    {"alone-hot", open_hot, run_alone_hot, close_flattening},
    {"flatten-map", open_returned, run_flattening, close_flattening},
    {"flatten-map-create", open_created, run_flattening, close_flattening},
    {"flatten-map-elsewhere", open_created, run_elsewhere, close_flattening},
    {"flatten-map-worker", open_created, run_worker, close_flattening},
    {"flatten-map-inside", open_created, run_inside, close_flattening},
    {"flatten-map-mapped", open_mapped, run_flattening, close_flattening},
    {"flatten-map-empty", open_empty, run_flattening, close_flattening},
    {"flatten-map-hot", open_hot, run_hot, close_flattening},
    {NULL, NULL, NULL, NULL}};
