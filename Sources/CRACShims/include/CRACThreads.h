// How a thread gets its record; see threads.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_THREADS_H
#define CRAC_THREADS_H

#include "CRACRecord.h"

rac_thread *rac_shim_thread_create(void);

static inline rac_thread *rac_shim_thread(void) {
  rac_thread *thread = rac_shim_tls;
  return __builtin_expect(thread != &rac_shim_no_thread, 1)
             ? thread
             : rac_shim_thread_create();
}

static inline void rac_shim_count(int64_t change) {
  rac_thread *thread = rac_shim_thread();
  int64_t now = __atomic_load_n(&thread->live, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->live, now + change, __ATOMIC_RELAXED);
}

// The same for values that wait to be delivered.
static inline void rac_shim_count_queued(int64_t change) {
  rac_thread *thread = rac_shim_thread();
  int64_t now = __atomic_load_n(&thread->queued, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->queued, now + change, __ATOMIC_RELAXED);
}

int64_t rac_shim_live_total(void);
int64_t rac_shim_queued_total(void);

#endif
