// Sleeping, waking, and the library's threads; see waiting.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_WAITING_H
#define CRAC_WAITING_H

#include <stdbool.h>
#include <stdint.h>

#include "CRACTime.h"

// Sleep while *word == expected; false when the deadline, a time of
// rac_shim_now() or RAC_SHIM_NEVER, has passed.
bool rac_shim_futex_wait(const void *word, uint32_t expected, int64_t deadline);
void rac_shim_futex_wake(const void *word, int32_t count);
void rac_shim_sleep_until(int64_t deadline);  // less if the library is closed

// False when the system gives no thread, and in a child that is to begin anew.
bool rac_shim_start_thread(void (*body)(void *), void *context,
                           const char *name);
int32_t rac_shim_processor_count(void);
// The one that the caller runs on; -1 where the system does not say.
int32_t rac_shim_processor(void);
// Another thread that is ready to run on this processor has it first.
void rac_shim_yield(void);

// The line of memory will be looked at next.
static inline void rac_shim_prefetch(const void *line) {
  __builtin_prefetch(line);
}

// The line is about to be written, and was last in another processor's cache.
// Any address will do.
static inline void rac_shim_prefetch_to_write(const void *place) {
#if defined(__x86_64__)
  // The compiler takes it for an instruction of newer processors alone; to
  // older ones it is no operation.
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)place));
#else
  __builtin_prefetch(place, 1);
#endif
}

#endif
