// The records of threads: how a thread gets one, and where its content goes
// when the thread has ended. Records form a list that only grows; one whose
// thread has ended is used again. A robust mutex (pthread_mutexattr_setrobust)
// shows which threads have ended without calling the destructor.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "threads.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "CRACAllocation.h"
#include "CRACPlatform.h"
#include "CRACRecordedEvents.h"
#include "CRACState.h"
#include "CRACText.h"
#include "caches.h"
#include "reserve.h"
#include "stack.h"

// The engine's, a Swift function.
void rac_engine_thread_exit(rac_thread *thread);

pthread_mutex_t rac_records_lock = PTHREAD_MUTEX_INITIALIZER;
rac_record *rac_records;
static uint32_t record_count;
// Threads that have one: counted before they touch anything, until they have
// given it back and touch nothing any more.
static uint32_t callers;
// Some thread's end was not told to the library, and more may come.
static bool some_end_untold;
static pthread_key_t exit_key;
static bool has_exit_key;

// Gives the others all that a thread has that has ended, or is about to.
static void hand_over(rac_thread *thread) {
  rac_engine_thread_exit(thread);
  rac_rings_thread_exit(thread);
  rac_reserve_thread_exit(thread);
  rac_caches_thread_exit(thread);
}

static void set_free(rac_thread *thread) {
  pthread_mutex_lock(&rac_records_lock);
  thread->in_use = 0;
  pthread_mutex_unlock(&rac_records_lock);
  __atomic_fetch_sub(&callers, 1, __ATOMIC_RELEASE);
}

// Under the lock.
static void end_watch(rac_record *self) {
  self->is_watched = false;
  pthread_mutex_unlock(&self->life);
}

static void thread_exit(void *ended) {
  rac_record *self = ended;
  hand_over(&self->thread);
  rac_shim_tls = &rac_shim_no_thread;
  rac_thread_is_ending = true;
  pthread_mutex_lock(&rac_records_lock);
  if (self->is_watched) end_watch(self);
  pthread_mutex_unlock(&rac_records_lock);
  set_free(&self->thread);
}

// Has the kernel tell when the calling thread has ended: thread_exit() may not
// be called. It is not when there was no key, and when the thread calls from
// the last of its destructors, which nothing tells apart from any other place.
// Under the lock.
static void watch(rac_record *self) {
  if (pthread_mutex_trylock(&self->life) == 0) self->is_watched = true;
}

// A watched record whose thread is gone, still in use, and no more watched.
static rac_record *take_abandoned(void) {
  pthread_mutex_lock(&rac_records_lock);
  rac_record *self = rac_records;
  for (; self != NULL; self = next_of(self)) {
    if (self->is_watched && pthread_mutex_trylock(&self->life) == EOWNERDEAD) {
      pthread_mutex_consistent(&self->life);
      end_watch(self);
      some_end_untold = true;
      break;
    }
  }
  pthread_mutex_unlock(&rac_records_lock);
  return self;
}

static void collect_abandoned(void) {
  rac_record *self;
  while ((self = take_abandoned()) != NULL) {
    hand_over(&self->thread);
    set_free(&self->thread);
  }
}

// For threads that come when there is no memory: their calls can answer that.
static rac_record *take_static_record(void) {
  static rac_record spare[16];
  static size_t taken;
  if (taken == sizeof spare / sizeof *spare) rac_shim_fatal("out of memory");
  return &spare[taken++];
}

static void make_life(rac_record *self) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&self->life, &attributes);
  self->is_watched = false;
}

static rac_record *make_record(void) {
  rac_record *self = rac_shim_allocate_zeroed(sizeof *self);
  if (self == NULL) self = take_static_record();
  rac_caches_thread_start(&self->thread);
  make_life(self);
  self->thread.next = (rac_thread *)rac_records;
  rac_records = self;
  record_count++;
  return self;
}

// Everything but the counter, which goes on counting, and the link.
static void wipe(rac_thread *thread) {
  int64_t live = thread->live;
  memset(thread, 0, offsetof(rac_thread, next));
  thread->live = live;
}

// Whether to look now for threads whose end was not told: before the next
// record if there was such a thread, and otherwise whenever there are twice as
// many records as the last time. Under the lock.
static bool is_time_to_collect(bool is_new) {
  bool has_doubled = is_new && (record_count & (record_count - 1)) == 0;
  return some_end_untold || has_doubled;
}

static rac_record *take_record(bool *collects) {
  __atomic_fetch_add(&callers, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&rac_records_lock);
  // When all keys are taken there may be one later.
  if (!has_exit_key) {
    has_exit_key = pthread_key_create(&exit_key, thread_exit) == 0;
  }
  rac_record *self = rac_records;
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
  self->thread.is_main = rac_platform_is_first_thread();
  watch(self);
  if (has_exit_key) pthread_setspecific(exit_key, self);
  pthread_mutex_unlock(&rac_records_lock);
  return self;
}

rac_thread *rac_shim_thread_create(void) {
  bool collects;
  rac_record *self = take_record(&collects);
  rac_stack_find(&self->thread);
  rac_shim_tls = &self->thread;
  if (collects) collect_abandoned();
  return &self->thread;
}

// Of a counter that every record has, at that offset.
static int64_t sum(size_t offset) {
  int64_t total = 0;
  pthread_mutex_lock(&rac_records_lock);
  for (rac_record *self = rac_records; self != NULL; self = next_of(self)) {
    int64_t *counter = (int64_t *)((char *)&self->thread + offset);
    total += __atomic_load_n(counter, __ATOMIC_RELAXED);
  }
  pthread_mutex_unlock(&rac_records_lock);
  return total;
}

int64_t rac_shim_live_total(void) { return sum(offsetof(rac_thread, live)); }
int64_t rac_shim_queued_total(void) {
  return sum(offsetof(rac_thread, queued));
}

// ---- Forks ------------------------------------------------------------------

static rac_record *own_record(void) {
  return rac_shim_tls == &rac_shim_no_thread ? NULL
                                             : (rac_record *)rac_shim_tls;
}

bool rac_records_have_others(void) {
  uint32_t mine = own_record() != NULL;
  return __atomic_load_n(&callers, __ATOMIC_ACQUIRE) != mine;
}

void rac_records_forget_others(void) {
  rac_record *mine = own_record();
  pthread_mutex_init(&rac_records_lock, NULL);
  rac_records = mine;
  if (mine != NULL) {
    mine->thread.next = NULL;
    mine->thread.queued = 0;
  }
  record_count = callers = mine != NULL;
  some_end_untold = false;
}

void rac_records_take_over(void) {
  rac_record *mine = own_record();
  if (mine == NULL) return;
  mine->thread.is_main = true;
  make_life(mine);
  watch(mine);
}
