// Memory for small objects; see pool.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_POOL_H
#define RAC_POOL_H

#include <stdlib.h>

#ifdef RAC_EMBEDDED

#include "CRACShims.h"

// What any structure of C's may begin at; an object of Swift's needs no more than
// RAC_SLAB_UNIT.
enum { RAC_POOL_ALIGNMENT = 16 };  // bytes

void rac_pool_boot(void);
// At least one byte, for any structure. NULL when there is no memory.
void *rac_pool_allocate(size_t size);

// The same where no block is at hand, or none is so large.
void *rac_pool_refill(size_t size);

// The same for two words or more that may begin at any multiple of
// RAC_SLAB_UNIT, compiled into the caller.
static inline void *rac_pool_take(size_t size) {
  size_t kind = (size - 1) / RAC_SLAB_UNIT;
  if (__builtin_expect(kind >= RAC_POOL_KINDS, 0)) return rac_pool_refill(size);
  rac_stock *stock = rac_shim_tls->shelves.current[kind];
  rac_block *block = stock->free;
  if (__builtin_expect(block == NULL, 0)) return rac_pool_refill(size);
  stock->free = block->next;
  stock->taken++;
  return block;
}

#else

// Ordinary builds leave it to malloc, which sanitizers watch.
static inline void rac_pool_boot(void) {}
static inline void *rac_pool_allocate(size_t size) { return malloc(size); }

#endif

#endif
