// Addresses and memory of slabs; see slab_ranges.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_SLAB_RANGES_H
#define RAC_SLAB_RANGES_H

#include "CRACSlabRanges.h"

extern rac_slab_range rac_pool_range __attribute__((visibility("hidden")));

static inline rac_slab_range *rac_slab_range_of(uint32_t kind) {
  return kind == RAC_SLOT_KIND ? &rac_slot_range : &rac_pool_range;
}

// The addresses, so many bytes; false when there are not so many.
bool rac_slab_range_reserve(rac_slab_range *range, size_t size);
// None that has been in use is used again, and all of them are empty. Where one
// thread is alone: in a forked child.
void rac_slab_range_forget(rac_slab_range *range);
// An empty slab that is nobody's; NULL when there is no memory. `whole`: it
// will be used to the end.
rac_slab *rac_slab_range_take(rac_slab_range *range, bool whole);
// Takes one back, and sees to it that memory goes back to the system.
void rac_slab_range_give(rac_slab_range *range, rac_slab *slab);

// None after so many has been in use.
size_t rac_slab_range_used(rac_slab_range *range);

void rac_slab_ranges_boot(void);
void rac_slab_ranges_before_fork(void);
void rac_slab_ranges_after_fork(void);

#endif
