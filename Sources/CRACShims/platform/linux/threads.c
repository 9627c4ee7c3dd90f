// Threads of Linux: futexes, stacks, and the barrier in all threads.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACPlatform.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool rac_platform_wait(const void *word, uint32_t expected, int64_t deadline) {
  int64_t at = deadline > 0 ? deadline : 0;
  struct timespec time = {at / 1000000000, at % 1000000000};
  // Unlike FUTEX_WAIT this one counts from no moment: signals do not prolong
  // it.
  long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected,
                        deadline == RAC_SHIM_NEVER ? NULL : &time, NULL,
                        FUTEX_BITSET_MATCH_ANY);
  return !(result < 0 && errno == ETIMEDOUT);
}

void rac_platform_wake(const void *word, int32_t count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

uint64_t rac_platform_thread_id(void) { return (uint64_t)syscall(SYS_gettid); }

void rac_platform_thread_name(char name[16]) { prctl(PR_GET_NAME, name); }

bool rac_platform_is_first_thread(void) {
  return (pid_t)syscall(SYS_gettid) == getpid();
}

void rac_platform_name_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

int32_t rac_platform_processor(void) { return sched_getcpu(); }

bool rac_platform_barrier(void) {
  static const int registering = 16, meeting = 8;  // private, expedited
  return syscall(SYS_membarrier, registering, 0, 0) == 0 &&
         syscall(SYS_membarrier, meeting, 0, 0) == 0;
}

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

bool rac_platform_find_stack(bool is_first, uintptr_t *low, uintptr_t *high) {
  return is_first ? find_first(low, high) : find_other(low, high);
}

bool rac_platform_random(void *buffer, size_t size) {
  char *at = buffer;
  while (size > 0) {
    ssize_t got = getrandom(at, size, GRND_NONBLOCK);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}
