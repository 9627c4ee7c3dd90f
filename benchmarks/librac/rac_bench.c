/* SPDX-License-Identifier: MIT */
#include "rac_bench.h"

#include <stdio.h>
#include <stdlib.h>

void *rac_bench_handle(void *handle) {
  if (handle == NULL) {
    fprintf(stderr, "%s: %s\n", rac_last_error_function(),
            rac_last_error_message());
    exit(1);
  }
  return handle;
}

void rac_bench_status(rac_status status) {
  if (status < 0) rac_bench_handle(NULL);
}

void rac_bench_add(void *context, rac_value value) {
  *(int64_t *)context += value.bits;
}

void rac_bench_listen(rac_signal *signal, int64_t *sum) {
  rac_release(
      rac_bench_handle(rac_subscribe_next(signal, sum, rac_bench_add, NULL)));
}

void rac_bench_send(rac_subject *subject, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) rac_subject_send(subject, rac_int64(worker_value(i)));
}
