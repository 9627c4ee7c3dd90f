// The clocks; see time.c. Times are nanoseconds.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_TIME_H
#define CRAC_TIME_H

#include <stdint.h>

#include "CRACPlatform.h"

int64_t rac_shim_now(void);        // CLOCK_MONOTONIC
int64_t rac_shim_clock_now(void);  // CLOCK_REALTIME
// How long ago the last multiple of the interval was; that is above 0.
int64_t rac_shim_clock_past(int64_t time, int64_t interval);
void rac_shim_pause_until(int64_t deadline);
void rac_shim_stay_awake(int64_t nanoseconds);  // looks at nothing meanwhile

// Between two looks at a word that another thread is about to write.
static inline void rac_shim_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

#endif
