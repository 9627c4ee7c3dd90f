// The record of a thread.
//
// SPDX-License-Identifier: MIT
#include "CRACRecord.h"

#include <stdio.h>

rac_thread rac_shim_no_thread;  // as boot() makes it
__thread rac_thread *rac_shim_tls RAC_TLS = &rac_shim_no_thread;
__thread bool rac_thread_is_ending RAC_TLS;

size_t rac_shim_describe_failure(const rac_thread *thread, char *into,
                                 size_t capacity) {
  int length = snprintf(into, capacity, "%s: %s", thread->error_function,
                        thread->error_message);
  if (length < 0) return 0;
  return (size_t)length < capacity ? (size_t)length : capacity - 1;
}
