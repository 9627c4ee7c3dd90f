/* What plain C's threads sleep on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FLOOR_FUTEX_H
#define FLOOR_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void floor_futex(_Atomic uint32_t *word, int operation,
                               uint32_t value) {
  syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL,
          0);
}

static inline void floor_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Sleeps while `asleep` is not 0, which this thread has made it. */
static inline void floor_sleep(_Atomic uint32_t *asleep) {
  while (atomic_load_explicit(asleep, memory_order_acquire) != 0)
    floor_futex(asleep, FUTEX_WAIT, 1);
}

/* Wakes who sleeps there, if anybody does. */
static inline void floor_wake(_Atomic uint32_t *asleep) {
  if (atomic_load(asleep) == 0) return;
  if (atomic_exchange_explicit(asleep, 0, memory_order_release) != 0)
    floor_futex(asleep, FUTEX_WAKE, 1);
}

#endif /* FLOOR_FUTEX_H */
