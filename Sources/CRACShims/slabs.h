// Memory in slabs, from the bottom up: slab_ranges.c, slabs.c, shelves.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_SLABS_H
#define RAC_SLABS_H

#include "CRACShims.h"

// ---- Ranges ------------------------------------------------------------------

extern rac_slab_range rac_pool_range __attribute__((visibility("hidden")));

// The addresses, so many bytes; false when there are not so many.
bool rac_slab_range_reserve(rac_slab_range *range, size_t size);
// None that has been in use is used again, and all of them are empty. Where one
// thread is alone: in a forked child.
void rac_slab_range_forget(rac_slab_range *range);
// An empty slab that is nobody's; NULL when there is no memory. `whole`: it will
// be used to the end.
rac_slab *rac_slab_range_take(rac_slab_range *range, bool whole);
// Takes one back, and sees to it that memory goes back to the system.
void rac_slab_range_give(rac_slab_range *range, rac_slab *slab);

// None after so many has been in use.
size_t rac_slab_range_used(rac_slab_range *range);

void rac_slab_ranges_boot(void);
void rac_slab_ranges_before_fork(void);
void rac_slab_ranges_after_fork(void);

// ---- Slabs -------------------------------------------------------------------

// One with free blocks in its stock, which is the caller's from now on. NULL when
// there is no memory.
rac_slab *rac_slab_find(uint32_t kind, bool whole);
// Finds more for the stock, if that is worth it or `with_any`.
bool rac_slab_replenish(rac_slab *slab, bool with_any);
// Makes it shared.
void rac_slab_let_go(rac_slab *slab);
// Gives back so many blocks, linked, to the slab they belong to.
void rac_slab_send(rac_slab *slab, rac_block *first, rac_block *last,
                   uint32_t count);
// How many blocks of a shared slab are in use.
uint32_t rac_slab_in_use(rac_slab *slab);

// Shared ones of that kind are not used again.
void rac_slabs_forget(uint32_t kind);

void rac_slabs_before_fork(void);
void rac_slabs_after_fork(void);

static inline rac_slab_range *rac_slab_range_of(uint32_t kind) {
  return kind == RAC_SLOT_KIND ? &rac_slot_range : &rac_pool_range;
}

// ---- Threads -----------------------------------------------------------------

// The record of this thread was given back once: what comes now comes from
// destructors of the host's, and nobody may hear of its end. See threads.c.
extern __thread bool rac_thread_is_ending
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// ---- Shelves -----------------------------------------------------------------

// Before anything else here.
void rac_shelves_boot(void);
void rac_shelves_thread_start(rac_thread *thread);
void rac_shelves_thread_exit(rac_thread *thread);

#endif
