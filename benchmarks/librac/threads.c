/* From one thread to another, and from two threads at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/placing.h"
#include "../worker/racing.h"
#include "rac_bench.h"

#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

/* A subject whose values arrive on a scheduler, which the lane takes over. */
typedef struct lane {
  rac_scheduler *scheduler;
  rac_subject *subject;
  rac_disposable *subscription;
} lane;

static void open_lane(lane *l, rac_scheduler *scheduler, void *context,
                      rac_next_fn arrive) {
  rac_signal *signal;
  l->scheduler = rac_bench_handle(scheduler);
  l->subject = rac_bench_handle(rac_subject_create());
  signal = rac_bench_handle(
      rac_signal_deliver_on(rac_subject_as_signal(l->subject), l->scheduler));
  l->subscription =
      rac_bench_handle(rac_subscribe_next(signal, context, arrive, NULL));
  rac_release(signal);
}

static void close_lane(lane *l) {
  rac_bench_status(rac_dispose_and_wait(l->subscription, -1));
  rac_release(l->subscription);
  rac_release(l->subject);
  rac_release(l->scheduler);
}

static rac_scheduler *background(void) {
  return rac_scheduler_background(RAC_PRIORITY_DEFAULT, "bench");
}

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) continue;
}

/* ---- One way ------------------------------------------------------------- */

typedef struct delivery {
  lane lane;
  sem_t done;
  size_t left;
  int64_t sum;
} delivery;

static void arrive(void *context, rac_value value) {
  delivery *d = context;
  d->sum += value.bits;
  if (--d->left == 0) sem_post(&d->done);
}

static void *open_delivery(size_t argument) {
  delivery *d = worker_allocate(sizeof *d);
  (void)argument;
  sem_init(&d->done, 0, 0);
  open_lane(&d->lane, background(), d, arrive);
  return d;
}

static void run_delivery(void *state, size_t n, outcome *out) {
  delivery *d = state;
  uint64_t start;
  d->sum = 0;
  d->left = n;
  start = worker_now();
  rac_bench_send(d->lane.subject, n);
  wait_for(&d->done);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = d->sum;
}

static void close_delivery(void *state) {
  delivery *d = state;
  close_lane(&d->lane);
  sem_destroy(&d->done);
  free(d);
}

/* ---- There and back ------------------------------------------------------
 *
 * Between two background schedulers, which may share a thread, or between a
 * background one and the main thread, which runs the main scheduler. */

typedef struct rally {
  lane there, back;
  bool through_main;
  size_t processors; /* 0: any */
  sem_t done;
  size_t left;
  int64_t sum;
} rally;

static void ping(void *context, rac_value value) {
  rac_subject_send(((rally *)context)->back.subject, value);
}

static void pong(void *context, rac_value value) {
  rally *r = context;
  r->sum += value.bits;
  if (--r->left != 0)
    rac_subject_send(r->there.subject, value);
  else if (r->through_main)
    rac_main_stop();
  else
    sem_post(&r->done);
}

static rally *open_rally(bool through_main) {
  rally *r = worker_allocate(sizeof *r);
  r->through_main = through_main;
  sem_init(&r->done, 0, 0);
  open_lane(&r->there, background(), r, ping);
  open_lane(&r->back, through_main ? rac_scheduler_main() : background(), r,
            pong);
  return r;
}

static void *open_schedulers(size_t argument) {
  (void)argument;
  return open_rally(false);
}
static void *open_threads(size_t processors) {
  rally *r = open_rally(true);
  r->processors = processors;
  return r;
}

static void run_rally(void *state, size_t n, outcome *out) {
  rally *r = state;
  uint64_t start;
  if (r->processors != 0) placing_on(r->processors);
  r->sum = 0;
  r->left = n;
  start = worker_now();
  rac_subject_send(r->there.subject, rac_int64(1));
  if (r->through_main)
    rac_bench_status(rac_main_run());
  else
    wait_for(&r->done);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = r->sum;
}

static void close_rally(void *state) {
  rally *r = state;
  /* What was delivered on the main scheduler is let go on it; the other thread
   * may be on its way out of the subject. */
  if (r->through_main)
    while (rac_dispose_and_wait(r->back.subscription, 0.001) == RAC_ETIMEDOUT)
      rac_main_drain(0);
  close_lane(&r->there);
  close_lane(&r->back);
  if (r->processors != 0) placing_anywhere();
  sem_destroy(&r->done);
  free(r);
}

/* ---- Several senders ----------------------------------------------------- */

typedef struct contention {
  rac_subject *subject;
  racing *race;
} contention;

static void hear(void *context, rac_value value) {
  racing_add(context, value.bits);
}

static void *open_subject(size_t senders, rac_subject *subject) {
  contention *c = worker_allocate(sizeof *c);
  c->race = racing_create(senders);
  c->subject = rac_bench_handle(subject);
  rac_release(rac_bench_handle(rac_subscribe_next(
      rac_subject_as_signal(c->subject), c->race, hear, NULL)));
  return c;
}

static void *open_contention(size_t senders) {
  return open_subject(senders, rac_subject_create());
}

/* Senders wait while so many wait. */
static void *open_waiting(size_t senders) {
  rac_bound *bound = rac_bench_handle(rac_bound_create(64, RAC_BOUND_WAIT));
  void *state = open_subject(senders, rac_subject_create_bounded(bound));
  rac_release(bound);
  return state;
}

static void send_one(void *state, int64_t value) {
  rac_subject_send(((contention *)state)->subject, rac_int64(value));
}

static void run_contention(void *state, size_t n, outcome *out) {
  contention *c = state;
  racing_run(c->race, n, send_one, c, out);
}

static void close_contention(void *state) {
  contention *c = state;
  rac_release(c->subject);
  racing_free(c->race);
  free(c);
}

const workload rac_thread_workloads[] = {
    {"deliver-on", open_delivery, run_delivery, close_delivery},
    {"ping-pong", open_schedulers, run_rally, close_rally},
    {"ping-pong-threads", open_threads, run_rally, close_rally},
    {"two-threads", open_contention, run_contention, close_contention},
    {"senders", open_contention, run_contention, close_contention},
    {"senders-waiting", open_waiting, run_contention, close_contention},
    {NULL, NULL, NULL, NULL}};
