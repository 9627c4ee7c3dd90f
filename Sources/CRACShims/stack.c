// How much of its stack a thread has left.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>

#include "CRACShims.h"
#include "stack.h"
#include "stack_levels.h"

// What is always left to callbacks; of a smaller stack than four times that a
// quarter.
enum { MARGIN = 64 << 10 };

// The first thread's stack grows as far as its limit says, which is not what
// the mappings of the process show. Its upper end is where the kernel has put
// the name of the program. Reading /proc for it, as libc does, would need a
// descriptor.
static bool find_first(uintptr_t *low, uintptr_t *high) {
  uintptr_t name = getauxval(AT_EXECFN);
  struct rlimit limit;
  if (name == 0 || getrlimit(RLIMIT_STACK, &limit) != 0) return false;
  uintptr_t top = (name | 4095) + 1;
  // Without a limit: as much as nobody will need.
  uintptr_t size = (uintptr_t)1 << 30;
  if (limit.rlim_cur < size) size = (uintptr_t)limit.rlim_cur;
  if (size >= top) return false;
  *low = top - size;
  *high = top;
  return true;
}

static bool find_other(uintptr_t *low, uintptr_t *high) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void *start = NULL;
  size_t size = 0, guard = 0;
  bool found = pthread_attr_getstack(&attributes, &start, &size) == 0 &&
               pthread_attr_getguardsize(&attributes, &guard) == 0;
  pthread_attr_destroy(&attributes);
  // Older systems count the guard as a part of the stack.
  if (!found || size <= guard) return false;
  *low = (uintptr_t)start + guard;
  *high = (uintptr_t)start + size;
  return true;
}

void rac_stack_find(rac_thread *thread) {
  uintptr_t low, high;
  bool found =
      thread->is_main ? find_first(&low, &high) : find_other(&low, &high);
  // Where nothing is, if it could not be found.
  if (!found) low = high = 0;
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
