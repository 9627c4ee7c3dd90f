/* Cold signals: made, subscribed and run to their end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <stdlib.h>

/* Sends as many values as the size_t behind the context says. */
static rac_status count(void *context, rac_subscriber *subscriber,
                        rac_disposable **out) {
  size_t n = *(size_t *)context, i;
  (void)out;
  for (i = 0; i < n; i++)
    rac_subscriber_send(subscriber, rac_value_int64((int64_t)i));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static void *open_sum(void) {
  int64_t *sum = calloc(1, sizeof *sum);
  if (sum == NULL) exit(1);
  return sum;
}

static uint64_t run_one(void *state, size_t n) {
  size_t values = 1, i;
  uint64_t start = bench_now();
  for (i = 0; i < n; i++) {
    rac_signal *signal = rac_signal_create(&values, count, NULL);
    bench_listen(signal, state);
    rac_release(signal);
  }
  return bench_now() - start;
}

/* n counts values. */
static uint64_t run_1000(void *state, size_t n) {
  size_t values = 1000, i;
  rac_signal *signal = bench_handle(rac_signal_create(&values, count, NULL));
  uint64_t start = bench_now(), taken;
  for (i = 0; i < n; i += 1000) bench_listen(signal, state);
  taken = bench_now() - start;
  rac_release(signal);
  return taken;
}

const workload cold_workloads[] = {
    {"create + subscribe + 1 value + end", "C: the same with a call", open_sum,
     run_one, free, 0},
    {"a value of create with 1000", "C loop: a call of 1000", open_sum,
     run_1000, free, 0},
    {NULL, NULL, NULL, NULL, NULL, 0}};
