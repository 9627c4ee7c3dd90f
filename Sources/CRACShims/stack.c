// How much of its stack a thread has left.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "stack.h"
#include "CRACPlatform.h"
#include "stack_levels.h"

// So much is always left to callbacks; of a stack smaller than four times that,
// a quarter.
enum { MARGIN = 64 << 10 };

void rac_stack_find(rac_thread *thread) {
  uintptr_t low, high;
  // Where nothing is, if it could not be found.
  if (!rac_platform_find_stack(thread->is_main, &low, &high)) low = high = 0;
  uintptr_t quarter = (high - low) / 4;
  thread->stack_low = low;
  thread->stack_high = high;
  thread->stack_margin = low + (quarter < MARGIN ? quarter : MARGIN);
}

bool rac_shim_stack_has(const rac_thread *thread, size_t levels,
                        size_t subscriptions) {
  uintptr_t here = rac_shim_stack_pointer();
  if (here < thread->stack_low || here >= thread->stack_high) return true;
  if (here < thread->stack_margin) return false;
  size_t needed =
      levels * RAC_STACK_OF_LEVEL + subscriptions * RAC_STACK_OF_SUBSCRIPTION;
  // A fresh thread of the library has room for anything.
  size_t most = RAC_STACK_OF_WORKER / 4 * 3;
  return here - thread->stack_margin >= (needed < most ? needed : most);
}

void rac_stack_widen(pthread_attr_t *attributes) {
  size_t size = 0;
  if (pthread_attr_getstacksize(attributes, &size) != 0) return;
  if (size < RAC_STACK_OF_WORKER)
    pthread_attr_setstacksize(attributes, RAC_STACK_OF_WORKER);
}
