// The few things Swift cannot say; see CRACShims.h.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACShims.h"
#include "pool.h"
#include "stack.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// ---- Errors that callbacks raised ------------------------------------------------

// Alone in its line of memory, as all threads read it.
_Alignas(64) int32_t rac_shim_raised = 0;

// ---- Process -------------------------------------------------------------------

_Noreturn void rac_shim_fatal(const char *message) {
  fprintf(stderr, "librac: %s\n", message);
  abort();
}

const char *rac_shim_environment(const char *name) { return getenv(name); }

uint64_t rac_shim_thread_id(void) { return (uint64_t)syscall(SYS_gettid); }

// ---- What Embedded Swift imports ---------------------------------------------------

#ifdef RAC_EMBEDDED

// Embedded Swift seeds its hasher with this one, which glibc has only since
// 2.36; our own keeps the library loadable on older systems.
__attribute__((visibility("hidden"))) void arc4random_buf(void *buffer,
                                                          size_t size) {
  char *at = buffer;
  while (size > 0) {
    ssize_t got = getrandom(at, size, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      rac_shim_fatal("the system gives no random bytes");
    }
    at += got;
    size -= (size_t)got;
  }
}

#endif

// ---- Memory ---------------------------------------------------------------------

void *rac_shim_allocate(size_t size) {
  void *block = rac_pool_allocate(size ? size : 1);
  if (block == NULL) rac_shim_fatal("out of memory");
  return block;
}

void *rac_shim_allocate_checked(size_t size) {
  return rac_pool_allocate(size ? size : 1);
}

void *rac_shim_allocate_zeroed(size_t size) { return calloc(1, size); }

void *rac_shim_enlarge_checked(void *block, size_t size, size_t larger) {
  // A small block may be the pool's, which realloc() does not know.
  if (size > RAC_RESERVE_BLOCK) return realloc(block, larger);
  void *moved = rac_pool_allocate(larger);
  if (moved != NULL && size > 0) memcpy(moved, block, size);
  if (moved != NULL) free(block);
  return moved;
}

void *rac_shim_enlarge(void *block, size_t size, size_t larger) {
  void *moved = rac_shim_enlarge_checked(block, size, larger);
  if (moved == NULL) rac_shim_fatal("out of memory");
  return moved;
}

void rac_shim_free(void *block) { free(block); }

void rac_shim_copy(void *to, const void *from, size_t size) {
  if (size > 0) memcpy(to, from, size);
}

int rac_shim_compare(const void *a, const void *b, size_t size) {
  return size > 0 ? memcmp(a, b, size) : 0;
}

size_t rac_shim_length(const char *string) { return strlen(string); }

// ---- Locks and waiting -------------------------------------------------------------

static struct timespec timespec_of(int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return time;
}

bool rac_shim_futex_wait(const void *word, uint32_t expected,
                         int64_t deadline) {
  struct timespec time = timespec_of(deadline > 0 ? deadline : 0);
  rac_thread *thread = rac_shim_tls;
  if (thread != &rac_shim_no_thread) {
    __atomic_store_n(&thread->sleeps_at, word, __ATOMIC_RELAXED);
  }
  // Unlike FUTEX_WAIT this one counts from no moment: signals do not prolong it.
  long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected,
                        deadline == RAC_SHIM_NEVER ? NULL : &time, NULL,
                        FUTEX_BITSET_MATCH_ANY);
  int error = errno;
  if (thread != &rac_shim_no_thread) {
    __atomic_store_n(&thread->sleeps_at, NULL, __ATOMIC_RELAXED);
  }
  errno = error;
  return !(result < 0 && errno == ETIMEDOUT);
}

void rac_shim_futex_wake(const void *word, int32_t count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

struct start {
  void (*body)(void *);
  void *context;
  char name[16];
};

static void *run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  pthread_setname_np(pthread_self(), start.name);
  start.body(start.context);
  return NULL;
}

// A thread of the library's is not one that the program's handlers run on, or that
// takes away what the program blocks in all of its own. What a thread does wrong
// itself cannot be blocked, and a profiler looks at all.
static void block_signals(sigset_t *before) {
  static const int let_through[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                    SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof let_through / sizeof *let_through; i++) {
    sigdelset(&blocked, let_through[i]);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, before);
}

uint8_t rac_shim_staff = 0;

bool rac_shim_start_thread(void (*body)(void *), void *context,
                           const char *name) {
  if (rac_shim_load_state() == RAC_IN_CHILD) return false;
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return false;
  start->body = body;
  start->context = context;
  snprintf(start->name, sizeof start->name, "%s", name);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  rac_stack_widen(&attributes);
  pthread_t thread;
  sigset_t before;
  block_signals(&before);
  int result = pthread_create(&thread, &attributes, run_thread, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (result != 0) free(start);
  return result == 0;
}

#ifdef RAC_EMBEDDED
uintptr_t rac_shim_references(const void *object) {
  // The layout is in objects.c.
  const int64_t *references = (const int64_t *)object + 1;
  return (uintptr_t)__atomic_load_n(references, __ATOMIC_ACQUIRE);
}
#else
size_t swift_retainCount(const void *object);
uintptr_t rac_shim_references(const void *object) {
  return swift_retainCount(object);
}
#endif

const void *rac_shim_classes[RAC_CLASS_COUNT];

uint32_t rac_shim_register_class(const void *type) {
  for (uint32_t number = 1; number < RAC_CLASS_COUNT; number++) {
    const void *found = NULL;
    if (__atomic_compare_exchange_n(&rac_shim_classes[number], &found, type,
                                    false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE) ||
        found == type) {
      return number;
    }
  }
  return 0;
}

int32_t rac_shim_processor_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (int32_t)count;
}

int32_t rac_shim_processor(void) { return sched_getcpu(); }

void rac_shim_yield(void) { (void)sched_yield(); }

// ---- Time ------------------------------------------------------------------------

int64_t rac_shim_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void rac_shim_sleep_until(int64_t deadline) {
  static const uint32_t nobody_writes = 0;
  while (rac_shim_load_state() != RAC_CLOSED &&
         rac_shim_futex_wait(&nobody_writes, 0, deadline)) {
  }
}

void rac_shim_pause_until(int64_t deadline) {
  struct timespec time = timespec_of(deadline);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

void rac_shim_stay_awake(int64_t nanoseconds) {
  int64_t end = rac_shim_now() + nanoseconds;
  do {
    for (int pauses = 8; pauses > 0; pauses--) rac_shim_pause();
  } while (rac_shim_now() < end);
}

// ---- Text ------------------------------------------------------------------------

static size_t printed(int length) { return length < 0 ? 0 : (size_t)length; }

size_t rac_shim_print_int(char *buffer, size_t capacity, int64_t value) {
  return printed(snprintf(buffer, capacity, "%" PRId64, value));
}

// The shortest form that reads back as the same number.
size_t rac_shim_print_double(char *buffer, size_t capacity, double value) {
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return printed(snprintf(buffer, capacity, "%s", text));
}

size_t rac_shim_print_pointer(char *buffer, size_t capacity,
                              const void *value) {
  return printed(snprintf(buffer, capacity, "0x%" PRIxPTR, (uintptr_t)value));
}

void rac_shim_write_error(const char *line) { fprintf(stderr, "%s\n", line); }
