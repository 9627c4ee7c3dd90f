// Variables of the process that every thread may look at; see state.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_STATE_H
#define CRAC_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Of a variable that Swift reads without a lock: it changes while there is one
// thread, when the library is loaded or in a forked child.
#if defined(__swift__)
#define RAC_SHIM_SETTLED __attribute__((swift_attr("nonisolated(unsafe)")))
#else
#define RAC_SHIM_SETTLED
#endif

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
// The count of a block's references begins here: with 1, and above 48 bits the
// number above.
extern int64_t rac_shim_first_reference RAC_SHIM_SETTLED
    __attribute__((visibility("hidden")));

// Two random numbers that hashes depend on, so that nobody outside the process
// can choose many keys of one hash.
extern uint64_t rac_shim_secret[2] RAC_SHIM_SETTLED
    __attribute__((visibility("hidden")));
void rac_shim_make_secret(void);

// Which kinds of the library's threads there are; see LibraryThread.swift. A
// word: gcc calls a library for atomic operations on bytes of riscv64.
extern uint32_t rac_shim_staff __attribute__((visibility("hidden")));
static inline uint8_t rac_shim_staff_present(void) {
  return (uint8_t)__atomic_load_n(&rac_shim_staff, __ATOMIC_ACQUIRE);
}
static inline void rac_shim_staff_add(uint8_t kind) {
  __atomic_fetch_or(&rac_shim_staff, kind, __ATOMIC_ACQ_REL);
}

// ---- Errors that callbacks raised -------------------------------------------

// Above every status while a thread keeps one, else 0: so the status that a
// callback returns needs to be looked at only if it is below this. Only a
// thread's own changes have to be seen at once, which they are; a plain load is
// part of the comparison, an atomic one would be an instruction more for each
// value.
extern int32_t rac_shim_raised __attribute__((visibility("hidden")));

__attribute__((no_sanitize("thread"))) static inline bool
rac_shim_needs_look(int32_t status) {
  return __builtin_expect(status < rac_shim_raised, 0);
}

static inline void rac_shim_count_raised(int32_t change) {
  __atomic_fetch_add(&rac_shim_raised, change * 16, __ATOMIC_RELAXED);
}

// ---- Classes of objects -----------------------------------------------------

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

#endif
