// The records of threads, and what happens to them and to the library when the
// process forks or the library is closed; see CRACShims.h.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACShims.h"
#include "pool.h"
#include "reserve.h"
#include "slabs.h"
#include "stack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The engine's entry points below are Swift functions.
void rac_engine_boot(void);
void rac_engine_thread_exit(rac_thread *thread);
void rac_engine_forked(bool works, bool beside_others);
void rac_engine_reinitialize(void);
void rac_engine_exit(void);

// ---- The record of a thread --------------------------------------------------

rac_thread rac_shim_no_thread;  // as boot() makes it
__thread rac_thread *rac_shim_tls
    __attribute__((tls_model("initial-exec"), visibility("hidden"))) =
        &rac_shim_no_thread;

// What belongs to a record and is the shims' own.
typedef struct record {
  rac_thread thread;
  // Held by the thread while `is_watched`: once that has ended, the kernel says
  // so to whoever tries to take it.
  pthread_mutex_t life;
  bool is_watched;
  uint64_t sleeps;  // see looks_whole()
} record;

static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER;
static record *records;
static uint32_t record_count;
// Some thread's end was not told to the library, and more may come.
static bool some_end_untold;
static pthread_key_t exit_key;
static bool has_exit_key;
__thread bool rac_thread_is_ending
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

static record *next_of(const record *self) {
  return (record *)self->thread.next;
}

// What a thread that has ended, or is about to, leaves to the others.
static void hand_over(rac_thread *thread) {
  rac_engine_thread_exit(thread);
  rac_reserve_thread_exit(thread);
  rac_shelves_thread_exit(thread);
}

static void set_free(rac_thread *thread) {
  pthread_mutex_lock(&records_lock);
  thread->in_use = 0;
  pthread_mutex_unlock(&records_lock);
}

// Under the lock.
static void end_watch(record *self) {
  self->is_watched = false;
  pthread_mutex_unlock(&self->life);
}

static void thread_exit(void *ended) {
  record *self = ended;
  hand_over(&self->thread);
  rac_shim_tls = &rac_shim_no_thread;
  rac_thread_is_ending = true;
  pthread_mutex_lock(&records_lock);
  if (self->is_watched) end_watch(self);
  self->thread.in_use = 0;
  pthread_mutex_unlock(&records_lock);
}

// Has the kernel tell when the calling thread has ended: thread_exit() may not
// be called. It is not when there was no key, and when the thread calls from the
// last of its destructors, which nothing tells apart from any other place. Under
// the lock.
static void watch(record *self) {
  if (pthread_mutex_trylock(&self->life) == 0) self->is_watched = true;
}

// A watched record whose thread is gone, still in use, and no more watched.
static record *take_abandoned(void) {
  pthread_mutex_lock(&records_lock);
  record *self = records;
  for (; self != NULL; self = next_of(self)) {
    if (self->is_watched && pthread_mutex_trylock(&self->life) == EOWNERDEAD) {
      pthread_mutex_consistent(&self->life);
      end_watch(self);
      some_end_untold = true;
      break;
    }
  }
  pthread_mutex_unlock(&records_lock);
  return self;
}

static void collect_abandoned(void) {
  record *self;
  while ((self = take_abandoned()) != NULL) {
    hand_over(&self->thread);
    set_free(&self->thread);
  }
}

// For threads that come when there is no memory: their calls can answer that.
static record *take_static_record(void) {
  static record spare[16];
  static size_t taken;
  if (taken == sizeof spare / sizeof *spare) rac_shim_fatal("out of memory");
  return &spare[taken++];
}

static void make_life(record *self);

static record *make_record(void) {
  record *self = rac_shim_allocate_zeroed(sizeof *self);
  if (self == NULL) self = take_static_record();
  rac_shelves_thread_start(&self->thread);
  make_life(self);
  self->thread.next = (rac_thread *)records;
  records = self;
  record_count++;
  return self;
}

// Everything but the counter, which goes on counting, and the link.
static void wipe(rac_thread *thread) {
  int64_t live = thread->live;
  memset(thread, 0, offsetof(rac_thread, next));
  thread->live = live;
}

// Whether to look now for threads whose end was not told: before the next record
// if there was such a thread, and otherwise whenever there are twice as many
// records as the last time. Under the lock.
static bool is_time_to_collect(bool is_new) {
  bool has_doubled = is_new && (record_count & (record_count - 1)) == 0;
  return some_end_untold || has_doubled;
}

static record *take_record(bool *collects) {
  pthread_mutex_lock(&records_lock);
  // When all keys are taken there may be one later.
  if (!has_exit_key) {
    has_exit_key = pthread_key_create(&exit_key, thread_exit) == 0;
  }
  record *self = records;
  while (self != NULL && self->thread.in_use) self = next_of(self);
  bool is_new = self == NULL;
  if (is_new) {
    self = make_record();
  } else {
    wipe(&self->thread);
  }
  *collects = is_time_to_collect(is_new);
  self->thread.in_use = 1;
  uint8_t state = __atomic_load_n(&rac_shim_state, __ATOMIC_RELAXED);
  self->thread.ready = state == RAC_IN_CHILD ? 0 : RAC_READY_AT_FIRST;
  self->thread.system_id = (pid_t)syscall(SYS_gettid);
  self->thread.is_main = self->thread.system_id == getpid();
  watch(self);
  if (has_exit_key) pthread_setspecific(exit_key, self);
  pthread_mutex_unlock(&records_lock);
  return self;
}

rac_thread *rac_shim_thread_create(void) {
  bool collects;
  record *self = take_record(&collects);
  rac_stack_find(&self->thread);
  rac_shim_tls = &self->thread;
  if (collects) collect_abandoned();
  return &self->thread;
}

int64_t rac_shim_live_total(void) {
  int64_t total = 0;
  pthread_mutex_lock(&records_lock);
  for (record *self = records; self != NULL; self = next_of(self)) {
    total += __atomic_load_n(&self->thread.live, __ATOMIC_RELAXED);
  }
  pthread_mutex_unlock(&records_lock);
  return total;
}

// ---- Process -------------------------------------------------------------------

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

LOOKS bool rac_shim_others_are_outside(void) {
  bool all = true;
  pthread_mutex_lock(&records_lock);
  for (record *self = records; self != NULL && all; self = next_of(self)) {
    if (self->thread.in_use && &self->thread != rac_shim_tls) {
      all = is_outside(&self->thread);
    }
  }
  pthread_mutex_unlock(&records_lock);
  return all;
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
  pthread_mutex_lock(&records_lock);
  for (record *self = records; self != NULL; self = next_of(self)) {
    // It may have woken, and the memory be gone: the kernel does not mind.
    const void *word =
        __atomic_load_n(&self->thread.sleeps_at, __ATOMIC_RELAXED);
    if (word != NULL) rac_shim_futex_wake(word, INT32_MAX);
  }
  pthread_mutex_unlock(&records_lock);
}

LOOKS uint64_t rac_shim_posts(void) {
  uint64_t total = 0;
  pthread_mutex_lock(&records_lock);
  for (record *self = records; self != NULL; self = next_of(self)) {
    total += self->thread.posts;
  }
  pthread_mutex_unlock(&records_lock);
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
  for (record *self = records; self != NULL; self = next_of(self)) {
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
  for (record *self = records; self != NULL; self = next_of(self)) {
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
  pthread_mutex_lock(&records_lock);
  child_is_whole = looks_whole();
  rac_slabs_before_fork();
}
static void unlock_after_fork(void) {
  rac_slabs_after_fork();
  pthread_mutex_unlock(&records_lock);
}
static void in_parent(void) {
  if (child_is_whole && child_waits) tell_child();
  unlock_after_fork();
}

static void make_life(record *self) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&self->life, &attributes);
  self->is_watched = false;
}

// The other threads are not there; what they have, if it is in order, is
// everybody's.
static void take_over(bool is_whole) {
  for (record *self = records; self != NULL; self = next_of(self)) {
    make_life(self);
    if (&self->thread == rac_shim_tls) {
      self->thread.system_id = getpid();
      self->thread.is_main = true;
      watch(self);
    } else if (is_whole && self->thread.in_use) {
      hand_over(&self->thread);
      self->thread.in_use = 0;
    }
  }
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
  take_over(child_is_whole);
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
  for (record *self = records; self != NULL; self = next_of(self)) {
    rac_thread *thread = &self->thread;
    if (thread == rac_shim_tls) continue;
    thread->depth = thread->subscribing = thread->calling = 0;
    thread->awaited = thread->away = thread->computing = 0;
    thread->is_reaping = 0;
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
