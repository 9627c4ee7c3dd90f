/* Cold signals: made, subscribed and run to their end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <stdlib.h>

typedef struct cold {
  size_t values;
  int64_t sum;
} cold;

static rac_status count(void *context, rac_subscriber *subscriber,
                        rac_disposable **out) {
  size_t n = ((cold *)context)->values, i;
  (void)out;
  for (i = 0; i < n; i++)
    rac_subscriber_send(subscriber, rac_int64(worker_value(i)));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static void *open_cold(size_t values) {
  cold *c = worker_allocate(sizeof *c);
  c->values = values;
  return c;
}

/* n counts values; each `values` of them are a signal of their own. */
static void run_create(void *state, size_t n, outcome *out) {
  cold *c = state;
  uint64_t start;
  size_t i;
  out->n = worker_round_up(n, c->values);
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i += c->values) {
    rac_signal *signal = rac_signal_create(c, count, NULL);
    rac_bench_listen(signal, &c->sum);
    rac_release(signal);
  }
  out->ns = worker_now() - start;
  out->sum = c->sum;
}

const workload rac_cold_workloads[] = {{"create", open_cold, run_create, free},
                                       {NULL, NULL, NULL, NULL}};
