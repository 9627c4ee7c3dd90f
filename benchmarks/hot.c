/* Subjects: sending, subscribing, replaying, and what a subscription weighs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct hot {
  rac_subject *subject;
  rac_signal *signal;
  int64_t sum;
} hot;

static hot *open_subject(size_t subscribers) {
  hot *h = calloc(1, sizeof *h);
  size_t i;
  if (h == NULL) exit(1);
  h->subject = bench_handle(rac_subject_create());
  h->signal = rac_subject_as_signal(h->subject);
  for (i = 0; i < subscribers; i++) bench_listen(h->signal, &h->sum);
  return h;
}

static void *open_0(void) { return open_subject(0); }
static void *open_1(void) { return open_subject(1); }
static void *open_1000(void) { return open_subject(1000); }
static void *open_million(void) { return open_subject(1000000); }

static void close_subject(void *state) {
  hot *h = state;
  bench_status(rac_release(h->subject));
  free(h);
}

static uint64_t run_send(void *state, size_t n) {
  hot *h = state;
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i++)
    rac_subject_send(h->subject, rac_value_int64((int64_t)i));
  return bench_now() - start;
}

/* n counts deliveries. */
static uint64_t run_send_1000(void *state, size_t n) {
  hot *h = state;
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i += 1000)
    rac_subject_send(h->subject, rac_value_int64((int64_t)i));
  return bench_now() - start;
}

static uint64_t run_subscribe(void *state, size_t n) {
  hot *h = state;
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i++) {
    rac_disposable *one =
        rac_subscribe_next(h->signal, &h->sum, bench_add, NULL);
    rac_dispose(one);
    rac_release(one);
  }
  return bench_now() - start;
}

/* ---- Replay -------------------------------------------------------------- */

static uint64_t send_into(rac_subject *subject, size_t n) {
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i++)
    rac_subject_send(subject, rac_value_int64((int64_t)i));
  return bench_now() - start;
}

static uint64_t run_replay_send(void *state, size_t n) {
  rac_subject *subject =
      bench_handle(rac_replay_subject_create(RAC_REPLAY_UNLIMITED));
  uint64_t taken = send_into(subject, n);
  (void)state;
  rac_release(subject);
  return taken;
}

static uint64_t run_replay_100(void *state, size_t n) {
  rac_subject *subject = bench_handle(rac_replay_subject_create(100));
  uint64_t taken = send_into(subject, n);
  (void)state;
  rac_release(subject);
  return taken;
}

static uint64_t run_replay_subscribe(void *state, size_t n) {
  hot *h = state;
  rac_subject *subject =
      bench_handle(rac_replay_subject_create(RAC_REPLAY_UNLIMITED));
  uint64_t start, taken;
  send_into(subject, n);
  start = bench_now();
  bench_listen(rac_subject_as_signal(subject), &h->sum);
  taken = bench_now() - start;
  rac_release(subject);
  return taken;
}

const workload hot_workloads[] = {
    {"send, 1 subscriber", "C loop: 1 call", open_1, run_send, close_subject,
     0},
    {"a delivery of a send, 1000 subscribers", "C loop: a call of 1000",
     open_1000, run_send_1000, close_subject, 0},
    {"subscribe + dispose + release, alone", "C: malloc, link, unlink, free",
     open_0, run_subscribe, close_subject, 0},
    {"the same beside 1000", "C: malloc, link, unlink, free", open_1000,
     run_subscribe, close_subject, 0},
    {"the same beside 1,000,000", "C: malloc, link, unlink, free", open_million,
     run_subscribe, close_subject, 0},
    {"replay subject, unlimited: send", "C: append to an array", open_0,
     run_replay_send, close_subject, 1000000},
    {"replay subject, unlimited: a value again", "C loop: a call of 1000",
     open_0, run_replay_subscribe, close_subject, 1000000},
    {"replay subject of 100: send", "C: append to an array", open_0,
     run_replay_100, close_subject, 0},
    {NULL, NULL, NULL, NULL, NULL, 0}};

/* ---- Memory -------------------------------------------------------------- */

static double resident_bytes(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

double bench_bytes_a_subscription(void) {
  enum { COUNT = 1000000 };
  hot *h = open_subject(1);
  double before = resident_bytes(), after;
  size_t i;
  for (i = 0; i < COUNT; i++) bench_listen(h->signal, &h->sum);
  after = resident_bytes();
  close_subject(h);
  return (after - before) / COUNT;
}
