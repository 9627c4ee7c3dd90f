// The record of a thread; see record.c and, for how it gets one, threads.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORD_H
#define CRAC_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "CRACSlabs.h"

enum {
  RAC_RESERVE_BLOCK = RAC_SLAB_UNIT * RAC_POOL_KINDS
};  // bytes; most objects fit

// The emergency reserve of a thread: see reserve.c.
typedef struct rac_reserve {
  void *blocks, *large, *slots;  // linked
  uint32_t block_count, large_count, slot_count;
  void *held;  // for the list that is about to be made
  size_t held_size;
} rac_reserve;

// One for each thread that ever entered the library. Records are recycled when
// their thread exits and never freed, so that counters can be summed safely.
typedef struct rac_thread {
  void *scheduler;       // the current scheduler, unretained; NULL if none
  uint32_t depth;        // gates and jobs it is inside of
  uint32_t subscribing;  // subscriptions being made, one inside the other
  uint32_t ready;        // whether its emergency reserve is full: reserve.c
  uint32_t attached;     // rac_thread_attach() calls not yet undone
  int64_t live;          // objects made minus objects freed on this thread
  bool is_main;          // the process's first thread
  bool is_blocking;      // between the two calls of the blocking hook
  uint16_t waiting;      // calls that hold no handle and may call a hook yet
  void *graves;          // objects waiting to be released, linked
  uint32_t is_reaping;
  uint32_t feeding;      // see Feeding
  uint64_t change_time;  // of what a terminal is delivering; 0: none. See Tie
  void *raised;          // the errors that callbacks raised; see Callback.swift
  void *step;            // the StepSink whose callback is running; NULL if none
  uint32_t calling;      // callbacks with a status it is inside of elsewhere
  uint32_t awaited;    // callbacks it is inside of elsewhere, see Thread.swift
  uint32_t computing;  // computations that are its own: see Once
  uint32_t deriving;   // evaluations of derived properties it is inside of
  void *unfinished;    // work begun and not ended. See Unfinished
  void *lent;          // the text that its send lends; see LentText
  uint32_t
      job_depth;  // `depth` where the job began that it is running; 0: none
  uint32_t away;  // callbacks of other kinds, see Thread.swift
  intptr_t
      together;  // values that its job delivered as batches: Scheduler.swift
  int64_t reads_until;  // when it gives up reading a sequence: see ReadLimit
  // Its part in a recording; see recording.c.
  struct rac_ring *ring;     // NULL: there is none for it
  uint32_t ring_session;     // of which recording that is
  uint32_t recorded_node;    // whose event it is delivering; 0: none
  uint32_t recorded_depth;   // events that it is inside of
  bool is_locating;          // asks the host where it is
  uint16_t recorded_policy;  // by which a bound dropped a value last
  uint32_t recorded_losses;  // how many were dropped
  uint32_t recorded_number;  // the system's; 0: not asked yet
  int64_t recorded_time;     // of its latest event
  int64_t recorded_clock;    // the clock as it was read last,
  uint64_t recorded_ticks;   // and when that was
  int32_t error_code;
  uint8_t chain;  // the cause of a NULL handle; see Failure.swift
  char error_function[64];
  char error_message[192];
  // Its stack: from where to where, and where the margin ends. See stack.c.
  uintptr_t stack_low, stack_high, stack_margin;
  struct rac_thread *next;
  uint64_t posts;         // operations that it left in gates, for Settling
  int64_t queued;         // values it put in line minus those it took out
  const void *sleeps_at;  // the futex it waits at
  uint32_t in_use;
  rac_reserve reserve;
  rac_caches caches;
} rac_thread;

// glibc keeps room for thread-locals of libraries that are loaded late, so their
// place is an offset from the thread pointer. musl's loader has none: there the
// engine asks for the address, by a call.
#ifdef RAC_LATE_TLS
#define RAC_TLS                                                                \
  __attribute__((tls_model("local-dynamic"), visibility("hidden")))
#else
#define RAC_TLS __attribute__((tls_model("initial-exec"), visibility("hidden")))
#endif

extern __thread rac_thread *rac_shim_tls RAC_TLS;

// The record of threads that have none yet: too deep to enter a gate, and short
// of stack, for all that is known.
extern rac_thread rac_shim_no_thread __attribute__((visibility("hidden")));

// For whoever enters gates by it: the record of this thread, or the one above.
static inline rac_thread *rac_shim_thread_if_any(void) { return rac_shim_tls; }

// The record of this thread was given back once: calls from now on come from
// destructors of the host's, and nobody may hear of its end. See threads.c.
extern __thread bool rac_thread_is_ending RAC_TLS;

// Swift has an array in a structure as a tuple, which has no address.
static inline const char *rac_shim_error_message(const rac_thread *thread) {
  return thread->error_message;
}

static inline const char *rac_shim_error_function(const rac_thread *thread) {
  return thread->error_function;
}

// "function: message", and its length.
size_t rac_shim_describe_failure(const rac_thread *thread, char *into,
                                 size_t capacity);

// Swift's name of a function, "rac_f(_:)", ends with its parameters.
static inline void rac_shim_name_function(rac_thread *thread,
                                          const char *name) {
  size_t length = strcspn(name, "(");
  if (length >= sizeof thread->error_function) {
    length = sizeof thread->error_function - 1;
  }
  memcpy(thread->error_function, name, length);
  thread->error_function[length] = '\0';
}

#endif
