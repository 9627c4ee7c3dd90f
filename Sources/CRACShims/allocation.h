// Memory for objects, for the shims themselves; see allocation.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_ALLOCATION_H
#define RAC_ALLOCATION_H

#include "CRACAllocation.h"

#ifdef RAC_EMBEDDED

#include "pool.h"

// From another slab, malloc() or the thread's reserve; NULL when there is none.
void *rac_allocation_refill(size_t size);

// Memory for an object, of two words or more; NULL when there is none.
static inline void *rac_allocation_take(size_t size) {
  void *block = rac_pool_pop(size);
  if (__builtin_expect(block == NULL, 0)) return rac_allocation_refill(size);
  return block;
}

#endif

#endif
