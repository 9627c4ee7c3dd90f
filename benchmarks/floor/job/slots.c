/* SPDX-License-Identifier: MIT */
#include "slots.h"

#include "job.h"

#include <stdlib.h>

slot job_slots[SLOTS];
void (*finalize)(slot *s);
static atomic_uint slots_used = 2;
static __thread uint32_t free_slot;

slot *take_slot(void) {
  uint32_t index = free_slot;
  if (index != 0) {
    free_slot = job_slots[index].next_free;
  } else {
    index = atomic_fetch_add(&slots_used, 1);
    if (index >= SLOTS) abort();
    atomic_store(&job_slots[index].word, GENERATION);
  }
  return &job_slots[index];
}

void give_slot(slot *s) {
  atomic_store_explicit(&s->word,
                        atomic_load_explicit(&s->word, memory_order_relaxed) &
                            GENERATIONS,
                        memory_order_relaxed);
  s->next_free = free_slot;
  free_slot = (uint32_t)(s - job_slots);
}

job_handle publish(slot *s, void *object, uint32_t kind, bool is_gate) {
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  s->object = object;
  s->kind = kind;
  atomic_store_explicit(&s->queue, NULL, memory_order_relaxed);
  atomic_store_explicit(
      &s->word, word + (REFERENCE | PUBLISHED | (is_gate ? 0 : PENDING)),
      memory_order_release);
  return (word & GENERATIONS) | (uint64_t)(s - job_slots);
}

int job_release(job_handle handle) {
  slot *s = named(handle);
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  while (is_of(word, handle)) {
    uint64_t after = word - REFERENCE;
    bool goes = false;
    if (word & IMMORTAL) return JOB_OK;
    if ((after & REFERENCES) == 0) {
      after = ((after + GENERATION) | CLOSING) & ~PUBLISHED;
      goes = left(&after);
    }
    if (atomic_compare_exchange_weak_explicit(&s->word, &word, after,
                                              memory_order_acq_rel,
                                              memory_order_relaxed)) {
      if (goes) finalize(s);
      return JOB_OK;
    }
  }
  return JOB_STALE;
}
