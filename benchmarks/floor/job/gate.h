/* The gate of a source: one is inside, and does what the others leave in a
 * queue.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_GATE_H
#define JOB_GATE_H

#include "sources.h"

typedef struct operation {
  struct operation *next;
  enum { NEXT, ADD, REMOVE, END } what;
  struct subscription *subscription;
  floor_value value;
} operation;

/* By a handle that may be anything: one step. The word before, or 0. */
static inline uint64_t enter_by(job_handle handle) {
  slot *s = named(handle);
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  if (((word ^ (handle | PUBLISHED)) & GENERATIONS) != 0 ||
      (word & FLAGS) != PUBLISHED || (uint32_t)handle >= SLOTS)
    return 0;
  return atomic_compare_exchange_strong_explicit(&s->word, &word, word | BUSY,
                                                 memory_order_acquire,
                                                 memory_order_relaxed)
             ? word
             : 0;
}

/* By whoever made its word other than `word`, or had it made so. */
JOB_HIDDEN void leave_slowly(source *it, subscription *gone);

/* The usual case: the word is as this thread has made it. */
static inline void leave(slot *s, uint64_t word, subscription *gone) {
  uint64_t mine = word | BUSY;
  if (atomic_compare_exchange_strong_explicit(
          &s->word, &mine, word, memory_order_release, memory_order_relaxed))
    end_all(gone);
  else
    leave_slowly(s->object, gone);
}

/* Leaves it to whoever is inside; when nobody is, does it here. */
JOB_HIDDEN int post(source *it, operation what);
/* Does it, or leaves it. */
JOB_HIDDEN void submit(source *it, int what, subscription *one);

#endif /* JOB_GATE_H */
