// Variables that Swift cannot declare: a thread's, and one without a guard.
//
// SPDX-License-Identifier: MIT
#ifndef C_REACTIVE_H
#define C_REACTIVE_H

#include <stdbool.h>
#include <stdint.h>

/// The calling thread's word for ThreadStore, NULL until that writes it. Read
/// with each observation, where pthread_getspecific() would be three times as
/// long.
void *_Nullable *_Nonnull reactive_thread_word(void);

/// Whether the calling thread is the one that the process began with. Known
/// once a thread.
bool reactive_is_first_thread(void);

/// The classes by which the engine handles instances of Swift's and boxes of
/// values, 0 before they are registered. Read with each value that is no
/// number: a `static let` would ask each time whether it was made.
extern uint32_t reactive_registered_classes[2];

static inline uint32_t reactive_object_class(void) {
  return __atomic_load_n(&reactive_registered_classes[0], __ATOMIC_RELAXED);
}

static inline uint32_t reactive_box_class(void) {
  return __atomic_load_n(&reactive_registered_classes[1], __ATOMIC_RELAXED);
}

void reactive_set_object_class(uint32_t number);
void reactive_set_box_class(uint32_t number);

#endif
