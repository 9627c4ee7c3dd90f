// The state of the process, and what becomes of the library when it is closed
// and when the process forks; see CRACShims.h.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pool.h"
#include "records.h"
#include "slabs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The engine's entry points below are Swift functions.
void rac_engine_boot(void);
void rac_engine_forked(bool works, bool beside_others);
void rac_engine_reinitialize(void);
void rac_engine_exit(void);

uint8_t rac_shim_state = RAC_WORKS;
uint32_t rac_shim_process = 0;
int64_t rac_shim_first_reference = 1;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// Looks at what other threads are writing.
#define LOOKS __attribute__((no_sanitize("thread")))
#endif
#endif
#ifndef LOOKS
#define LOOKS
#endif

// How often a thread has gone to sleep by itself, if it sleeps now; else 0. One
// that does not may be anywhere.
static uint64_t sleeps_of(int32_t system_id) {
  static const char switches[] = "\nvoluntary_ctxt_switches:\t";
  char path[48], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%" PRId32 "/status", system_id);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  const char *count = strstr(text, switches);
  if (count == NULL || strstr(text, "\nState:\tS") == NULL) return 0;
  return strtoull(count + sizeof switches - 1, NULL, 10);
}

// No callback of a thread's is running, and nothing is being computed by it.
LOOKS static bool is_outside(const rac_thread *thread) {
  return (thread->depth | thread->subscribing | thread->calling |
          thread->awaited | thread->away | thread->computing |
          thread->is_reaping) == 0;
}

LOOKS bool rac_shim_others_are_outside(bool for_good) {
  bool all = true;
  pthread_mutex_lock(&rac_records_lock);
  for (rac_record *self = rac_records; self != NULL && all;
       self = next_of(self)) {
    if (self->thread.in_use && &self->thread != rac_shim_tls) {
      all =
          is_outside(&self->thread) && !(for_good && self->thread.waiting > 0);
    }
  }
  pthread_mutex_unlock(&rac_records_lock);
  return all;
}

bool rac_shim_is_alone(void) {
  bool is_alone = true;
  pthread_mutex_lock(&rac_records_lock);
  for (rac_record *self = rac_records; self != NULL; self = next_of(self)) {
    if (self->thread.in_use && &self->thread != rac_shim_tls) is_alone = false;
  }
  pthread_mutex_unlock(&rac_records_lock);
  return is_alone;
}

// Whether each thread has a place among all that others do between two steps of
// its own, which costs those nothing. Where the system has no such call a
// moment does: what a processor has yet to write it writes soon.
static void meet_all_threads(void) {
  static const int registering = 16, meeting = 8;  // private, expedited
  if (syscall(SYS_membarrier, registering, 0, 0) == 0 &&
      syscall(SYS_membarrier, meeting, 0, 0) == 0) {
    return;
  }
  struct timespec moment = {0, 10000000};
  nanosleep(&moment, NULL);
}

void rac_shim_close(void) {
  __atomic_store_n(&rac_shim_state, RAC_CLOSED, __ATOMIC_SEQ_CST);
  meet_all_threads();
}

void rac_shim_wake_sleepers(void) {
  pthread_mutex_lock(&rac_records_lock);
  for (rac_record *self = rac_records; self != NULL; self = next_of(self)) {
    // It may have woken, and the memory be gone: the kernel does not mind.
    const void *word =
        __atomic_load_n(&self->thread.sleeps_at, __ATOMIC_RELAXED);
    if (word != NULL) rac_shim_futex_wake(word, INT32_MAX);
  }
  pthread_mutex_unlock(&rac_records_lock);
}

LOOKS uint64_t rac_shim_posts(void) {
  uint64_t total = 0;
  pthread_mutex_lock(&rac_records_lock);
  for (rac_record *self = rac_records; self != NULL; self = next_of(self)) {
    total += self->thread.posts;
  }
  pthread_mutex_unlock(&rac_records_lock);
  return total;
}

// Whether a child finds all as it should be: the library has no threads, and the
// program's others are neither inside it nor on their way. One that sleeps and
// is inside nothing holds none of its locks. Only if it sleeps through the fork:
// the parent looks again after it, and tells the child by a page that they share.

static bool child_is_whole, child_waits;
static uint64_t fork_number;
static uint64_t *page_of_verdict;

// Under the lock.
static bool looks_whole(void) {
  child_waits = false;
  if (rac_shim_staff_present() != 0 || rac_shim_state != RAC_WORKS) {
    return false;
  }
  for (rac_record *self = rac_records; self != NULL; self = next_of(self)) {
    if (!self->thread.in_use || &self->thread == rac_shim_tls) continue;
    child_waits = true;
    self->sleeps = sleeps_of(self->thread.system_id);
    if (!is_outside(&self->thread) || self->sleeps == 0) return false;
  }
  if (child_waits && page_of_verdict == NULL) {
    void *page = mmap(NULL, sizeof *page_of_verdict, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return false;
    page_of_verdict = page;
  }
  fork_number++;
  return true;
}

// Under the lock, in the parent: the lowest bit says whether all slept.
static void tell_child(void) {
  uint64_t verdict = fork_number << 1 | 1;
  for (rac_record *self = rac_records; self != NULL; self = next_of(self)) {
    if (!self->thread.in_use || &self->thread == rac_shim_tls) continue;
    if (sleeps_of(self->thread.system_id) != self->sleeps)
      verdict &= ~UINT64_C(1);
  }
  __atomic_store_n(page_of_verdict, verdict, __ATOMIC_RELEASE);
}

// The parent has gone on, or is gone, when nothing comes.
static bool hear_parent(void) {
  uint64_t heard = 0;
  for (int tries = 0; tries < 2000; tries++) {
    heard = __atomic_load_n(page_of_verdict, __ATOMIC_ACQUIRE);
    if (heard >> 1 >= fork_number) break;
    struct timespec moment = {0, 100000};
    nanosleep(&moment, NULL);
  }
  return heard == (fork_number << 1 | 1);
}

// Held across fork(), so that the child finds it free.
static void before_fork(void) {
  pthread_mutex_lock(&rac_records_lock);
  child_is_whole = looks_whole();
  rac_slabs_before_fork();
}
static void unlock_after_fork(void) {
  rac_slabs_after_fork();
  pthread_mutex_unlock(&rac_records_lock);
}
static void in_parent(void) {
  if (child_is_whole && child_waits) tell_child();
  unlock_after_fork();
}

static void in_child(void) {
  unlock_after_fork();
  if (child_is_whole && child_waits) child_is_whole = hear_parent();
  if (page_of_verdict != NULL) munmap(page_of_verdict, sizeof *page_of_verdict);
  page_of_verdict = NULL;
  if (!child_is_whole) {
    rac_shim_keep_slabs(NULL);
    __atomic_store_n(&rac_shim_state, RAC_IN_CHILD, __ATOMIC_RELAXED);
    rac_shim_process++;
    rac_shim_tls->step = NULL;
    rac_shim_tls->ready = 0;
    rac_shim_first_reference += INT64_C(1) << 48;
  }
  rac_records_take_over(child_is_whole);
  rac_shim_signals_forked();
  rac_engine_forked(child_is_whole, child_waits);
}

void rac_shim_watch_exit(void) {
  static bool is_watched;
  if (!__atomic_exchange_n(&is_watched, true, __ATOMIC_RELAXED)) {
    atexit(rac_engine_exit);
  }
}

// The parent's other threads are not here: none of them is inside, for ever.
static void forget_others(void) {
  for (rac_record *self = rac_records; self != NULL; self = next_of(self)) {
    rac_thread *thread = &self->thread;
    if (thread == rac_shim_tls) continue;
    thread->depth = thread->subscribing = thread->calling = 0;
    thread->awaited = thread->away = thread->computing = 0;
    thread->is_reaping = thread->waiting = 0;
  }
}

void rac_shim_reinitialize(void) {
  rac_shim_staff = 0;
  forget_others();
  rac_engine_reinitialize();
  __atomic_store_n(&rac_shim_state, RAC_WORKS, __ATOMIC_RELAXED);
}

__attribute__((constructor)) static void boot(void) {
  rac_shim_no_thread.depth = UINT32_MAX;
  rac_shim_no_thread.stack_margin = UINTPTR_MAX;
  rac_shelves_boot();
  rac_pool_boot();
  pthread_atfork(before_fork, in_parent, in_child);
  rac_engine_boot();
}
