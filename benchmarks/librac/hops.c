/* Objects that go from thread to thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/hopping.h"
#include "rac_bench.h"

/* The places of a thing: what is sent into, and the subscription. */
enum { TARGET, SUBSCRIPTION };

static void make_subject(void **thing, int64_t *sum) {
  rac_subject *subject = rac_bench_handle(rac_subject_create());
  thing[TARGET] = subject;
  thing[SUBSCRIPTION] = rac_bench_handle(rac_subscribe_next(
      rac_subject_as_signal(subject), sum, rac_bench_add, NULL));
}

static void send_subject(void **thing, int64_t value) {
  rac_subject_send(thing[TARGET], rac_int64(value));
}

static void dispose(void **thing) { rac_dispose(thing[SUBSCRIPTION]); }

static void release_target(void **thing) { rac_release(thing[TARGET]); }

static void release_subscription(void **thing) {
  rac_release(thing[SUBSCRIPTION]);
}

static void release_both(void **thing) {
  release_target(thing);
  release_subscription(thing);
}

/* ---- The subscriber of a create callback ----------------------------------- */

static rac_status hand_out(void *context, rac_subscriber *subscriber,
                           rac_disposable **out) {
  (void)out;
  ((void **)context)[TARGET] = rac_retain(subscriber);
  return RAC_OK;
}

static void make_create(void **thing, int64_t *sum) {
  rac_signal *signal =
      rac_bench_handle(rac_signal_create(thing, hand_out, NULL));
  thing[SUBSCRIPTION] =
      rac_bench_handle(rac_subscribe_next(signal, sum, rac_bench_add, NULL));
  rac_release(signal);
}

static void send_create(void **thing, int64_t value) {
  rac_subscriber_send(thing[TARGET], rac_int64(value));
}

/* ---------------------------------------------------------------------------- */

static const hopping_kind disposed = {make_subject, send_subject, dispose,
                                      release_both};
static const hopping_kind released = {make_subject, send_subject,
                                      release_target, release_subscription};
static const hopping_kind created = {make_create, send_create, dispose,
                                     release_both};

static void *open_send(size_t beside) {
  return hopping_open(&disposed, HOP_FIRST_SEND, beside != 0);
}
static void *open_dispose(size_t beside) {
  return hopping_open(&disposed, HOP_END, beside != 0);
}
static void *open_dispose_third(size_t beside) {
  return hopping_open(&disposed, HOP_END_THIRD, beside != 0);
}
static void *open_release(size_t beside) {
  return hopping_open(&released, HOP_END, beside != 0);
}
static void *open_create(size_t beside) {
  return hopping_open(&created, HOP_END, beside != 0);
}
static void run(void *state, size_t n, outcome *out) {
  hopping_run(state, n, out);
}
static void close_hopping(void *state) { hopping_close(state); }

const workload rac_hop_workloads[] = {
    {"hop-send", open_send, run, close_hopping},
    {"hop-dispose", open_dispose, run, close_hopping},
    {"hop-dispose-third", open_dispose_third, run, close_hopping},
    {"hop-release", open_release, run, close_hopping},
    {"hop-create", open_create, run, close_hopping},
    {NULL, NULL, NULL, NULL}};
