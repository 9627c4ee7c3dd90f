// The table of handles, and when empty slabs decay; see slab_ranges.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_SLAB_RANGES_H
#define CRAC_SLAB_RANGES_H

#include "CRACSlabs.h"
#include "CRACState.h"

// The table of handles: its slots are the blocks of this range. A place that is
// no slot now reads as zeros.
extern rac_slab_range rac_slot_range RAC_SHIM_SETTLED
    __attribute__((visibility("hidden")));

// One more than the greatest index of a slot that ever was.
size_t rac_slots_count(void);

// A thread lets the memory of slabs decay that nobody has needed for a while;
// without one it goes at once. It sleeps on the word, which is counted on when
// there is something to look at. NULL: nobody does any more.
void rac_shim_keep_slabs(const void *word);
// When it is to look, by rac_shim_now(); RAC_SHIM_NEVER: not before it is told.
int64_t rac_shim_slabs_time(void);
// Lets a little go, if it is time.
void rac_shim_look_at_slabs(int64_t now);

#endif
