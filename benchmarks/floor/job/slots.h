/* Slots: what handles name. A word of a slot says who holds it and, when it is
 * a gate, whether somebody is inside.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_SLOTS_H
#define JOB_SLOTS_H

#include "types.h"

#include <stdatomic.h>
#include <stdbool.h>

enum {
  SUBJECT,
  EMITTER,
  SIGNAL,
  SUBSCRIPTION,
  QUEUE,
  TIMER,
  RUNNER,
  DELIVERY,
  KINDS
};

#define BUSY ((uint64_t)1)    /* somebody is inside the gate */
#define PENDING ((uint64_t)2) /* something is in the queue; or it is no gate */
#define CLOSING ((uint64_t)4) /* the handle is gone, the object not yet */
#define PUBLISHED ((uint64_t)8) /* a handle names it */
#define IMMORTAL ((uint64_t)16)
#define FLAGS ((uint64_t)31)
#define PIN ((uint64_t)1 << 5)
#define PINS ((uint64_t)0x7FFF << 5)
#define REFERENCE ((uint64_t)1 << 20)
#define REFERENCES ((uint64_t)0xFFF << 20)
#define GENERATION ((uint64_t)1 << 32)
#define GENERATIONS (~(uint64_t)0 << 32)

struct operation;

typedef struct slot {
  _Atomic uint64_t word;
  _Atomic(struct operation *) queue;
  void *object;
  uint32_t kind;
  uint32_t next_free;
} slot;

enum { SLOTS = 1 << 22 };
/* 0 is none, 1 what has ended. */
extern JOB_HIDDEN slot job_slots[SLOTS];

JOB_HIDDEN slot *take_slot(void);
JOB_HIDDEN void give_slot(slot *s);
/* One reference, in a slot that nobody knows yet. */
JOB_HIDDEN job_handle publish(slot *s, void *object, uint32_t kind,
                              bool is_gate);
/* The slot lets go of its object. job.c, which knows all kinds, sets it. */
extern JOB_HIDDEN void (*finalize)(slot *s);

static inline slot *named(job_handle handle) {
  return &job_slots[(uint32_t)handle & (SLOTS - 1)];
}

/* Whether the word is of that handle, which is still valid. */
static inline bool is_of(uint64_t word, job_handle handle) {
  return ((word ^ handle) & GENERATIONS) == 0 && (word & PUBLISHED) != 0 &&
         (uint32_t)handle < SLOTS;
}

/* Keeps the object for the length of a call. */
static inline slot *acquire(job_handle handle) {
  slot *s = named(handle);
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  while (is_of(word, handle) && (word & PINS) != PINS)
    if (atomic_compare_exchange_weak_explicit(&s->word, &word, word + PIN,
                                              memory_order_acquire,
                                              memory_order_relaxed))
      return s;
  return NULL;
}

/* The word for whoever leaves one like that; whether the object is to go. */
static inline bool left(uint64_t *word) {
  if ((*word & CLOSING) == 0 || (*word & (BUSY | PINS)) != 0) return false;
  *word &= ~CLOSING;
  return true;
}

static inline void unpin(slot *s) {
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  while (true) {
    uint64_t after = word - PIN;
    bool goes = left(&after);
    if (atomic_compare_exchange_weak_explicit(&s->word, &word, after,
                                              memory_order_acq_rel,
                                              memory_order_relaxed)) {
      if (goes) finalize(s);
      return;
    }
  }
}

#endif /* JOB_SLOTS_H */
