// Sleeping, waking, and the library's threads.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACWaiting.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "CRACRecord.h"
#include "CRACState.h"
#include "stack.h"

// ---- Sleeping ---------------------------------------------------------------

bool rac_shim_futex_wait(const void *word, uint32_t expected,
                         int64_t deadline) {
  rac_thread *thread = rac_shim_tls;
  if (thread != &rac_shim_no_thread) {
    __atomic_store_n(&thread->sleeps_at, word, __ATOMIC_RELAXED);
  }
  bool in_time = rac_platform_wait(word, expected, deadline);
  if (thread != &rac_shim_no_thread) {
    __atomic_store_n(&thread->sleeps_at, NULL, __ATOMIC_RELAXED);
  }
  return in_time;
}

void rac_shim_futex_wake(const void *word, int32_t count) {
  rac_platform_wake(word, count);
}

void rac_shim_sleep_until(int64_t deadline) {
  static const uint32_t nobody_writes = 0;
  while (rac_shim_load_state() != RAC_CLOSED &&
         rac_shim_futex_wait(&nobody_writes, 0, deadline)) {
  }
}

void rac_shim_yield(void) { (void)sched_yield(); }

int32_t rac_shim_processor_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (int32_t)count;
}

int32_t rac_shim_processor(void) { return rac_platform_processor(); }

// ---- Threads ----------------------------------------------------------------

struct start {
  void (*body)(void *);
  void *context;
  char name[16];
};

static void *run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  rac_platform_name_thread(start.name);
  start.body(start.context);
  return NULL;
}

// The program's handlers do not run on a thread of the library's, nor does such
// a thread take a signal that the program blocks in all of its own. Two kinds
// stay open: faults of the thread itself cannot be blocked, and a profiler
// samples all threads.
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
