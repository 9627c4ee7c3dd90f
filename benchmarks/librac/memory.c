/* What things weigh: the growth of the resident memory, divided by their
 * number.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rac_bench.h"

#include <stdlib.h>

/* What is made stays: these workloads run once in a process of their own. */
static void *open_nothing(size_t argument) {
  (void)argument;
  return NULL;
}

static int64_t sum;

static void subscribe(size_t n) {
  static rac_subject *subject;
  size_t i;
  if (subject == NULL) subject = rac_bench_handle(rac_subject_create());
  for (i = 0; i < n; i++)
    rac_bench_listen(rac_subject_as_signal(subject), &sum);
}

static void create(size_t n) {
  size_t i;
  for (i = 0; i < n; i++) rac_bench_handle(rac_subject_create());
}

static void nothing(void *context) { (void)context; }

static void make_disposables(size_t n) {
  size_t i;
  for (i = 0; i < n; i++)
    rac_bench_handle(rac_disposable_create(&sum, nothing, NULL));
}

static void run_subscription(void *state, size_t n, outcome *out) {
  (void)state;
  worker_weigh(n, subscribe, out);
}
static void run_signal(void *state, size_t n, outcome *out) {
  (void)state;
  worker_weigh(n, create, out);
}
static void run_disposable(void *state, size_t n, outcome *out) {
  (void)state;
  worker_weigh(n, make_disposables, out);
}

const workload rac_memory_workloads[] = {
    {"bytes-subscription", open_nothing, run_subscription, free},
    {"bytes-signal", open_nothing, run_signal, free},
    {"bytes-disposable", open_nothing, run_disposable, free},
    {NULL, NULL, NULL, NULL}};
