// The state of the process: open, closed, or a forked child; and the handlers
// of fork().
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACProcess.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "CRACDescriptors.h"
#include "CRACRecorder.h"
#include "CRACState.h"
#include "CRACWaiting.h"
#include "caches.h"
#include "objects.h"
#include "pool.h"
#include "slabs.h"
#include "threads.h"

// The engine's entry points below are Swift functions.
void rac_engine_boot(void);
void rac_engine_forked(bool works);
void rac_engine_reinitialize(void);
void rac_engine_exit(void);

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// Looks at what other threads are writing.
#define LOOKS __attribute__((no_sanitize("thread")))
#endif
#endif
#ifndef LOOKS
#define LOOKS
#endif

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

// An asymmetric barrier: every thread passes a full one between two of its own
// steps, and pays nothing otherwise. Where the system has no such call a moment
// does: processors write out their stores soon.
static void meet_all_threads(void) {
  if (rac_platform_barrier()) return;
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

// ---- Forks ------------------------------------------------------------------

// The child makes values, so it must find these locks free. The parent does
// nothing else.
static void before_fork(void) {
  rac_recorder_before_fork();
  rac_slabs_before_fork();
}
static void in_parent(void) {
  rac_slabs_after_fork();
  rac_recorder_after_fork();
}

// Everything works where the calling thread is the only one that may have been
// at something. Otherwise the rest is as a thread that is not here has left it.
static void in_child(void) {
  rac_slabs_after_fork();
  rac_recorder_in_child();
  bool works = rac_shim_state == RAC_WORKS && rac_shim_staff_present() == 0 &&
               !rac_records_have_others();
  if (!works) {
    rac_shim_keep_slabs(NULL);
    __atomic_store_n(&rac_shim_state, RAC_IN_CHILD, __ATOMIC_RELAXED);
    rac_shim_process++;
    rac_shim_tls->step = NULL;
    rac_shim_tls->ready = 0;
    rac_shim_first_reference += INT64_C(1) << 48;
    rac_records_forget_others();
  }
  rac_records_take_over();
  rac_shim_signals_forked();
  rac_engine_forked(works);
}

void rac_shim_stand_still(void) {
  // Settling or closing after rac_reinitialize() has nothing to wait for.
  rac_thread *thread = rac_shim_tls;
  thread->depth = thread->subscribing = thread->calling = 0;
  thread->awaited = thread->away = thread->computing = 0;
  thread->is_reaping = thread->waiting = 0;
  // It blocks them all, and nobody else is here to take what is to end the
  // child.
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  while (true) pause();
}

void rac_shim_watch_exit(void) {
  static int is_watched;
  if (!__atomic_exchange_n(&is_watched, 1, __ATOMIC_RELAXED)) {
    atexit(rac_engine_exit);
  }
}

void rac_shim_reinitialize(void) {
  rac_shim_staff = 0;
  rac_shim_descriptors_begin_anew();
  rac_engine_reinitialize();
  __atomic_store_n(&rac_shim_state, RAC_WORKS, __ATOMIC_RELAXED);
}

__attribute__((constructor)) static void boot(void) {
  rac_shim_no_thread.depth = UINT32_MAX;
  rac_shim_no_thread.stack_margin = UINTPTR_MAX;
  rac_shim_make_secret();
  rac_caches_boot();
  rac_pool_boot();
  pthread_atfork(before_fork, in_parent, in_child);
#ifdef RAC_CHECK_LAYOUT
  rac_objects_check();
#endif
  rac_engine_boot();
}
