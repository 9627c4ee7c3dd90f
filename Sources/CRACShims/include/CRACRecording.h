// A recording: a mapped file in which the program writes down what passes
// through it. docs/Recording.md has the layout, recording.c what all parts share;
// the file is platform/linux/recording_file.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORDING_H
#define CRAC_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRACTime.h"

typedef struct rac_recording {
  char magic[8];
  uint32_t version, order, wanted, state;
  uint64_t pid, parent;
  int64_t start, clock, stop;
  uint64_t slots_at;
  uint32_t slots_room, slots_used;
  uint64_t definitions_at, definitions_room, definitions_used;
  uint64_t rings_at, ring_size;
  uint32_t rings_room, rings_used, ring_events, nodes;
  uint64_t lost_nodes, lost_definitions, lost_events;
  int64_t leaked;
  uint32_t settled;
} rac_recording;

typedef struct rac_slot {
  uint32_t node;
  uint8_t kind, flags;
  uint16_t detail;
  uint32_t below, source, target, place, name, thread;
  uint64_t made, values;
  uint32_t waiting, most, lost, slow;
} rac_slot;

typedef struct rac_recorded_event {
  uint64_t stamp;  // time << 8 | kind
  uint32_t node, cause;
  uint8_t depth, type;
  uint16_t length;
  uint32_t extra;
  uint64_t bits;
} rac_recorded_event;

typedef struct rac_ring {
  uint64_t written, since;
  uint32_t thread, taken;
  char name[16];
} rac_ring;

enum {
  RAC_RECORDING_VERSION = 1,
  RAC_RECORDED_SLOTS = 1 << 16,
  RAC_RECORDED_RINGS = 128,
  RAC_RECORDED_EVENTS = 1 << 16,
  RAC_RECORDED_DEFINITIONS = 1 << 16,
  RAC_RECORDED_PAGE = 4096,
};

enum {
  RAC_RECORDED_RUNS = 1,
  RAC_RECORDED_STOPPED = 2,
  RAC_RECORDED_EXITED = 3
};

enum {
  RAC_NODE_SUBSCRIPTION = 1,
  RAC_NODE_SUBJECT,
  RAC_NODE_PROPERTY,
  RAC_NODE_SCHEDULER,
  RAC_NODE_BOUND,
  RAC_NODE_COMMAND,
  RAC_NODE_EDGE,
  RAC_NODE_COUNTER
};

enum {
  RAC_NODE_COMPLETED = 1,
  RAC_NODE_FAILED = 2,
  RAC_NODE_DISPOSED = 4,
  RAC_NODE_GONE = 8,
  RAC_NODE_UNSENT = 16
};

enum {
  RAC_RECORDED_THREAD = 1,
  RAC_RECORDED_MADE,
  RAC_RECORDED_NEXT,
  RAC_RECORDED_ERROR,
  RAC_RECORDED_COMPLETED,
  RAC_RECORDED_DISPOSED,
  RAC_RECORDED_SENDER_GONE,
  RAC_RECORDED_GONE,
  RAC_RECORDED_HOST_NEXT,
  RAC_RECORDED_HOST_ERROR,
  RAC_RECORDED_HOST_COMPLETED,
  RAC_RECORDED_LOST,
  RAC_RECORDED_HELD,
  RAC_RECORDED_GOES_ON,
  RAC_RECORDED_MORE_WAIT,
  RAC_RECORDED_SLOW,
  RAC_RECORDED_JOB_ASKED,
  RAC_RECORDED_JOB_BEGINS,
  RAC_RECORDED_JOB_ENDS,
  RAC_RECORDED_TIMER_ASKED,
  RAC_RECORDED_TIMER_FIRED,
  RAC_RECORDED_JOB_TAKEN_BACK,
  RAC_RECORDED_EXAMINED,
  RAC_RECORDED_NAMED,
  RAC_RECORDED_EXECUTES,
  RAC_RECORDED_EXECUTED,
  RAC_RECORDED_UNHANDLED,
  RAC_RECORDED_NOTE,
  RAC_RECORDED_REFUSED,
  RAC_RECORDED_EXIT,
  RAC_RECORDED_MORE_TEXT,
  RAC_RECORDED_PROPERTY_BEGINS,
  RAC_RECORDED_PROPERTY_SET,
  RAC_RECORDED_CLOCK_READ
};

enum {
  RAC_SLOTS_SIZE = RAC_RECORDED_SLOTS * 64,
  RAC_DEFINITIONS_SIZE = 4 << 20,
  RAC_RING_SIZE = RAC_RECORDED_PAGE + RAC_RECORDED_EVENTS * 32,
  RAC_SLOTS_AT = RAC_RECORDED_PAGE,
  RAC_DEFINITIONS_AT = RAC_SLOTS_AT + RAC_SLOTS_SIZE,
  RAC_RINGS_AT = RAC_DEFINITIONS_AT + RAC_DEFINITIONS_SIZE
};

// The mapped file, or while none is recorded one where nothing is wanted.
extern rac_recording *rac_shim_recording __attribute__((visibility("hidden")));
// A flag that is looked at where nothing may be lost while it is off: a compare with
// memory and a branch. An atomic load would be an instruction of its own. A thread
// that sees the other value a moment late does no harm.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RAC_LOOK(flag) __atomic_load_n(&(flag), __ATOMIC_RELAXED)
#endif
#endif
#ifndef RAC_LOOK
#define RAC_LOOK(flag) (*(const volatile __typeof__(flag) *)&(flag))
#endif

// Whether there is one.
extern uint8_t rac_shim_is_recording __attribute__((visibility("hidden")));
static inline bool rac_recording_is_on(void) {
  return __builtin_expect(RAC_LOOK(rac_shim_is_recording), 0);
}
// Whether each stage of a subscription gets a sink that sees its events: for the
// trace hook, or for a recording.
extern uint8_t rac_shim_watches_stages __attribute__((visibility("hidden")));
static inline bool rac_stages_are_watched(void) {
  return __builtin_expect(RAC_LOOK(rac_shim_watches_stages), 0);
}
static inline void rac_stages_watch(bool are_watched) {
  __atomic_store_n(&rac_shim_watches_stages, are_watched, __ATOMIC_RELEASE);
}
// Whether somebody wants events.
static inline bool rac_recording_is_wanted(void) {
  return __atomic_load_n(&rac_shim_recording->wanted, __ATOMIC_RELAXED) != 0;
}

// Which recording it is, counted: threads then look for a ring anew.
extern uint32_t rac_recording_session __attribute__((visibility("hidden")));

// Guard all but counters and events. Nothing of the host's is called in between.
void rac_recording_lock(void);
void rac_recording_unlock(void);

// Nanoseconds since the recording began.
int64_t rac_recording_time(void);
int64_t rac_recording_time_of(int64_t monotonic);

// The clock of operators: rac_shim_now(), or while something is recorded a
// function that notes each reading. A jump takes one as well as the other, so a
// reading while nothing is recorded costs no look.
typedef int64_t (*rac_clock_fn)(void);
extern rac_clock_fn rac_recording_clock __attribute__((visibility("hidden")));
static inline int64_t rac_recording_read_clock(void) {
  return RAC_LOOK(rac_recording_clock)();
}

// A clock for short times, quicker to read than the system's.
static inline uint64_t rac_recording_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return (uint64_t)rac_shim_now();
#endif
}
// Nanoseconds of such a time; 0 for what is shorter than some 0.1 milliseconds.
int64_t rac_recording_time_of_ticks(uint64_t ticks);
// How many are so few that their length may be a little wrong, and that length,
// in 2^-20 nanoseconds: 0 before they were measured.
extern uint64_t rac_recording_few_ticks __attribute__((visibility("hidden")));
extern uint64_t rac_recording_tick_length __attribute__((visibility("hidden")));
void rac_recording_measure_ticks(void);

#endif
