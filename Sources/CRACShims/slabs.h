// Slabs and their owners; see slabs.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_SLABS_H
#define RAC_SLABS_H

#include "slab_ranges.h"

// One with free blocks in its stock, which is the caller's from now on. NULL
// when there is no memory.
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

#endif
