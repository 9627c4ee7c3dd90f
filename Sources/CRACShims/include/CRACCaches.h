// Blocks of slabs, by way of each thread's cache; see caches.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_CACHES_H
#define CRAC_CACHES_H

#include "CRACRecord.h"
#include "CRACSlabRanges.h"

// A table without any slots, of so many bytes; false when there are not so many
// addresses.
bool rac_slots_reserve(size_t size);
// In a forked child: no slot of the parent's is one any more, nor becomes one
// again.
void rac_slots_forget(void);

void *rac_slab_refill(rac_thread *thread, uint32_t kind);
void rac_slab_return(rac_slab *slab, void *memory, rac_thread *thread);
void rac_slab_prefer(rac_thread *thread, rac_slab *slab);

// A block; NULL when there is no memory.
static inline void *rac_slab_take(rac_thread *thread, uint32_t kind) {
  rac_stock *stock = thread->caches.current[kind];
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
  if (__builtin_expect(thread->caches.current[slab->kind] != &slab->stock, 0)) {
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

#endif
