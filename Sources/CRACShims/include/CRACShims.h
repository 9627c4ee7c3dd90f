// What Swift cannot say on every build of ours: thread-locals, system calls
// without the Glibc overlay (Embedded Swift has none), and printf.
// Nothing here knows what a signal is.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_SHIMS_H
#define CRAC_SHIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRACDescriptors.h"
#include "CRACSlabs.h"

// Of a variable that Swift reads without a lock: it changes while there is one
// thread, when the library is loaded or in a forked child.
#if defined(__swift__)
#define RAC_SHIM_SETTLED __attribute__((swift_attr("nonisolated(unsafe)")))
#else
#define RAC_SHIM_SETTLED
#endif

// ---- The record of a thread ------------------------------------------------

enum {
  RAC_RESERVE_BLOCK = RAC_SLAB_UNIT * RAC_POOL_KINDS
};  // bytes; most objects fit

// One for each thread that ever entered the library. Records are recycled when
// their thread exits and never freed, so that counters can be summed safely.
typedef struct rac_thread {
  void *scheduler;       // the current scheduler, unretained; NULL if none
  uint32_t depth;        // gates and jobs it is inside of
  uint32_t subscribing;  // subscriptions being made, one inside the other
  uint32_t ready;        // for so many objects there is memory: Reserve.swift
  uint32_t attached;     // rac_thread_attach() calls not yet undone
  int64_t live;          // objects made minus objects freed on this thread
  bool is_main;          // the process's first thread
  bool is_blocking;      // between the two calls of the blocking hook
  uint16_t waiting;      // calls that hold no handle and may call a hook yet
  int32_t system_id;     // the system's number for it
  void *graves;          // objects waiting to be released, linked
  uint32_t is_reaping;
  uint32_t feeding;      // see Feeding
  uint64_t change_time;  // of what a terminal is delivering; 0: none. See Tie
  void *raised;          // the errors that callbacks raised; see Callback.swift
  void *step;            // the StepSink whose callback is running; NULL if none
  uint32_t calling;      // callbacks with a status it is inside of elsewhere
  uint32_t awaited;    // callbacks it is inside of elsewhere, see Thread.swift
  uint32_t computing;  // computations that are its own: see Once
  uint32_t deriving;   // callbacks of derived properties it is inside of
  void *unfinished;    // what it has begun and not ended. See Unfinished
  uint32_t
      job_depth;  // `depth` where the job began that it is running; 0: none
  uint32_t away;  // callbacks of other kinds, see Thread.swift
  intptr_t
      together;  // values that its job delivered as batches: Scheduler.swift
  int64_t reads_until;  // when it gives up reading a sequence: see ReadLimit
  int32_t error_code;
  uint8_t chain;  // what a NULL handle may be due to; see Failure.swift
  const char *error_function;
  char error_message[192];
  // Its stack: from where to where, and where the margin ends. See stack.c.
  uintptr_t stack_low, stack_high, stack_margin;
  struct rac_thread *next;
  uint64_t posts;         // operations that it left in gates, for Settling
  const void *sleeps_at;  // the futex it waits at
  uint32_t in_use;
  uint32_t reserve_count;
  uint32_t spare_slot_count;
  void *reserve;      // blocks put by, linked; see reserve.c
  void *bulk;         // the same, of other sizes
  void *spare_slots;  // the same, for handles and gates
  rac_shelves shelves;
} rac_thread;

extern __thread rac_thread *rac_shim_tls
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// The record of threads that have none yet: too deep to enter a gate, and short
// of stack, for all that is known.
extern rac_thread rac_shim_no_thread __attribute__((visibility("hidden")));

rac_thread *rac_shim_thread_create(void);

static inline rac_thread *rac_shim_thread(void) {
  rac_thread *thread = rac_shim_tls;
  return __builtin_expect(thread != &rac_shim_no_thread, 1)
             ? thread
             : rac_shim_thread_create();
}

// For whoever enters gates by it: the record of this thread, or the one above.
static inline rac_thread *rac_shim_thread_if_any(void) { return rac_shim_tls; }

static inline void rac_shim_count(int64_t change) {
  rac_thread *thread = rac_shim_thread();
  int64_t now = __atomic_load_n(&thread->live, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->live, now + change, __ATOMIC_RELAXED);
}

int64_t rac_shim_live_total(void);

// Gives back a reference to an object: Swift's own function.
void swift_release(void *object);
static inline void rac_shim_drop(void *object) { swift_release(object); }

// ---- Errors that callbacks raised ---------------------------------------------

// Above every status while a thread keeps one, else 0: so what a callback has
// returned needs to be looked at only if it is below this. Only a thread's own
// changes have to be seen at once, which they are; a plain load is part of the
// comparison, an atomic one would be an instruction more for each value.
extern int32_t rac_shim_raised __attribute__((visibility("hidden")));

__attribute__((no_sanitize("thread"))) static inline bool
rac_shim_needs_look(int32_t status) {
  return __builtin_expect(status < rac_shim_raised, 0);
}

static inline void rac_shim_count_raised(int32_t change) {
  __atomic_fetch_add(&rac_shim_raised, change * 16, __ATOMIC_RELAXED);
}

// ---- The stack ---------------------------------------------------------------

// Whether the calling thread's stack has room for an event that passes so many
// levels, and beside that for a subscription that passes so many, and for the
// callbacks: see stack.c. True on a stack that is not the one the thread was
// started with, as under ucontext: how much there is of that is not known.
bool rac_shim_stack_has(const rac_thread *thread, size_t levels,
                        size_t subscriptions);

static inline uintptr_t rac_shim_stack_pointer(void) {
#if defined(__x86_64__)
  uintptr_t pointer;
  __asm__("mov %%rsp, %0" : "=r"(pointer));
  return pointer;
#elif defined(__aarch64__)
  uintptr_t pointer;
  __asm__("mov %0, sp" : "=r"(pointer));
  return pointer;
#else
  return (uintptr_t)__builtin_frame_address(0);
#endif
}

// False is certain: there is room beside the margin, or the stack is a foreign
// one.
static inline bool rac_shim_stack_may_be_short(const rac_thread *thread) {
  return rac_shim_stack_pointer() < thread->stack_margin;
}

// Swift has an array in a structure as a tuple, which has no address.
static inline const char *rac_shim_error_message(const rac_thread *thread) {
  return thread->error_message;
}

// ---- Process ----------------------------------------------------------------

// Whether the library works, and if not why; see Process.swift.
enum { RAC_WORKS = 0, RAC_IN_CHILD = 1, RAC_CLOSED = 2 };
extern uint8_t rac_shim_state __attribute__((visibility("hidden")));
__attribute__((always_inline)) static inline uint8_t rac_shim_load_state(void) {
  return __atomic_load_n(&rac_shim_state, __ATOMIC_RELAXED);
}
// How many forks the process comes from after which nothing of the parent's may
// be used. Values and blocks carry it, so that the parent's can be told.
extern uint32_t rac_shim_process RAC_SHIM_SETTLED
    __attribute__((visibility("hidden")));
// What the references of a block are counted from: 1, and above 48 bits the
// number above.
extern int64_t rac_shim_first_reference RAC_SHIM_SETTLED
    __attribute__((visibility("hidden")));
// From here on the state is RAC_CLOSED to every thread: none has yet to see it.
void rac_shim_close(void);
// No callback of another thread's is running.
// `for_good`: nor in a call that waits and will call a hook when it has.
bool rac_shim_others_are_outside(bool for_good);
// Wakes all threads that sleep in the library: they look again.
void rac_shim_wake_sleepers(void);
uint64_t rac_shim_posts(void);
// From here on the exit of the process is told to the engine.
void rac_shim_watch_exit(void);
// In a child where it does not work: a thread of the library's, which is not its
// any more. It sleeps for ever.
_Noreturn void rac_shim_stand_still(void);
// In a child where it does not work: begins anew.
void rac_shim_reinitialize(void);
_Noreturn void rac_shim_fatal(const char *message);
const char *rac_shim_environment(const char *name);
uint64_t rac_shim_thread_id(void);  // the system's, asked for at each call

// ---- Memory -----------------------------------------------------------------

void *rac_shim_allocate(size_t size);          // aborts when there is none
void *rac_shim_allocate_checked(size_t size);  // NULL when there is none
void *rac_shim_allocate_zeroed(size_t size);   // NULL when there is none
// In place of a block of `size` bytes a larger one with the same content. Aborts
// when there is none.
void *rac_shim_enlarge(void *block, size_t size, size_t larger);
void *rac_shim_enlarge_checked(void *block, size_t size, size_t larger);
void rac_shim_free(void *block);
// Memory that a thread has put by: see reserve.c and Reserve.swift.
bool rac_shim_fill_reserve(rac_thread *thread, uint32_t blocks);
bool rac_shim_hold_bulk(size_t size);
void rac_shim_release_bulk(const void *until);
void rac_shim_copy(void *to, const void *from, size_t size);
int rac_shim_compare(const void *a, const void *b, size_t size);
size_t rac_shim_length(const char *string);

// Starts to fetch the line of memory that will be looked at next.
static inline void rac_shim_prefetch(const void *line) {
  __builtin_prefetch(line);
}

// ---- For garbage collectors -------------------------------------------------

// How many references an object has.
uintptr_t rac_shim_references(const void *object);

// ---- Classes of objects ------------------------------------------------------

// A class by its number, from 1; NULL: never registered. The table only grows,
// and without a lock, so that a forked child may use it whatever other threads
// of the parent were doing.
enum { RAC_CLASS_COUNT = 1 << 16 };
extern const void *rac_shim_classes[RAC_CLASS_COUNT]
    __attribute__((visibility("hidden")));
static inline const void *rac_shim_class(uint32_t number) {
  if (number >= RAC_CLASS_COUNT) return NULL;
  return __atomic_load_n(&rac_shim_classes[number], __ATOMIC_ACQUIRE);
}
// Its number, the same each time; 0 when there is no room for it.
uint32_t rac_shim_register_class(const void *type);

// ---- Memory in slabs ---------------------------------------------------------

// The table of handles: its slots are the blocks of this range. What was never
// a slot, or is none for the time being, reads as zeros.
extern rac_slab_range rac_slot_range RAC_SHIM_SETTLED
    __attribute__((visibility("hidden")));

// A table without any slots, of so many bytes; false when there are not so many
// addresses.
bool rac_slots_reserve(size_t size);
// In a forked child: no slot of the parent's is one any more, nor becomes one
// again.
void rac_slots_forget(void);
// One more than the greatest index of a slot that ever was.
size_t rac_slots_count(void);

// Who lets the memory of slabs go that nobody has needed for a while; without one it
// goes at once. It sleeps on the word, which is counted on when there is something
// to look at. NULL: nobody does any more.
void rac_shim_keep_slabs(const void *word);
// When it is to look, by rac_shim_now(); RAC_SHIM_NEVER: not before it is told.
int64_t rac_shim_slabs_time(void);
// Lets a little go, if it is time.
void rac_shim_look_at_slabs(int64_t now);

void *rac_slab_refill(rac_thread *thread, uint32_t kind);
void rac_slab_return(rac_slab *slab, void *memory, rac_thread *thread);
void rac_slab_prefer(rac_thread *thread, rac_slab *slab);

// A block; NULL when there is no memory.
static inline void *rac_slab_take(rac_thread *thread, uint32_t kind) {
  rac_stock *stock = thread->shelves.current[kind];
  rac_block *block = stock->free;
  if (__builtin_expect(block == NULL, 0)) return rac_slab_refill(thread, kind);
  stock->free = block->next;
  stock->taken++;
  return block;
}

static inline void rac_slab_give(rac_thread *thread, rac_slab *slab,
                                 void *memory) {
  if (__builtin_expect(
          __atomic_load_n(&slab->owner, __ATOMIC_RELAXED) != thread, 0)) {
    rac_slab_return(slab, memory, thread);
    return;
  }
  rac_block *block = (rac_block *)memory;
  block->next = slab->stock.free;
  slab->stock.free = block;
  slab->stock.taken--;
  if (__builtin_expect(thread->shelves.current[slab->kind] != &slab->stock,
                       0)) {
    rac_slab_prefer(thread, slab);
  }
}

__attribute__((always_inline)) static inline void *rac_slot_take(void) {
  return rac_slab_take(rac_shim_tls, RAC_SLOT_KIND);
}

static inline void rac_slot_give(void *slot) {
  size_t offset = (size_t)((char *)slot - rac_slot_range.base);
  rac_slab_give(rac_shim_tls, &rac_slot_range.slabs[offset >> RAC_SLAB_SHIFT],
                slot);
}

// ---- Locks and waiting --------------------------------------------------------

#define RAC_SHIM_NEVER INT64_MAX

// Sleep while *word == expected; false when the deadline, a time of
// rac_shim_now() or RAC_SHIM_NEVER, has passed.
bool rac_shim_futex_wait(const void *word, uint32_t expected, int64_t deadline);
void rac_shim_futex_wake(const void *word, int32_t count);

// False when the system gives no thread, and in a child that is to begin anew.
bool rac_shim_start_thread(void (*body)(void *), void *context,
                           const char *name);
int32_t rac_shim_processor_count(void);
// The one that the caller runs on; -1 where the system does not say.
int32_t rac_shim_processor(void);
// Whoever else is ready to run on this processor has it first.
void rac_shim_yield(void);

// Which kinds of the library's threads there are; see Staff.swift.
extern uint8_t rac_shim_staff __attribute__((visibility("hidden")));
static inline uint8_t rac_shim_staff_present(void) {
  return __atomic_load_n(&rac_shim_staff, __ATOMIC_ACQUIRE);
}
static inline void rac_shim_staff_add(uint8_t kind) {
  __atomic_fetch_or(&rac_shim_staff, kind, __ATOMIC_ACQ_REL);
}

// Between two looks at a word that another thread is about to write.
static inline void rac_shim_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

// What lies there is about to be written, and was last in another processor's
// cache. Any address will do.
static inline void rac_shim_prefetch_to_write(const void *place) {
#if defined(__x86_64__)
  // The compiler takes it for what only newer processors have; to older ones it is no operation.
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)place));
#else
  __builtin_prefetch(place, 1);
#endif
}

// ---- Time ---------------------------------------------------------------------

// Of a number that an int64_t can hold, what stands before the point.
static inline int64_t rac_shim_whole(double number) { return (int64_t)number; }
int64_t rac_shim_now(void);  // CLOCK_MONOTONIC, nanoseconds
void rac_shim_pause_until(int64_t deadline);
void rac_shim_stay_awake(int64_t nanoseconds);  // looks at nothing meanwhile
void rac_shim_sleep_until(int64_t deadline);    // less if the library is closed

// ---- The descriptor of the main loop --------------------------------------------

typedef struct rac_wakeup {
  int poll_fd;   // epoll over the two below: what the host polls
  int event_fd;  // work is waiting
  int timer_fd;  // the earliest deadline
} rac_wakeup;

// All of it, or false and nothing is changed.
bool rac_shim_wakeup_open(rac_wakeup *wakeup);
void rac_shim_wakeup_signal(const rac_wakeup *wakeup);
bool rac_shim_wakeup_clear(const rac_wakeup *wakeup);  // whether it was set
void rac_shim_wakeup_arm(const rac_wakeup *wakeup, int64_t deadline);  // 0: off
// In a forked child: others under the same numbers, as the parent reads and
// writes these. False when the system gives none: then there are none.
bool rac_shim_wakeup_renew(rac_wakeup *wakeup);

// An alarm for one thread to sleep on, which others set to another time without
// waking it: a timerfd, or -1.
int rac_shim_alarm_open(void);
void rac_shim_alarm_close(int alarm);
void rac_shim_alarm_set(int alarm, int64_t deadline);  // 0: off
void rac_shim_alarm_wait(int alarm);

// ---- Text ----------------------------------------------------------------------

size_t rac_shim_print_int(char *buffer, size_t capacity, int64_t value);
size_t rac_shim_print_double(char *buffer, size_t capacity, double value);
size_t rac_shim_print_pointer(char *buffer, size_t capacity, const void *value);
void rac_shim_write_error(const char *line);

#endif
