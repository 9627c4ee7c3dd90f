// Memory for small objects; see pool.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_POOL_H
#define RAC_POOL_H

#include <stdlib.h>

#ifdef RAC_EMBEDDED

#include "CRACRecord.h"

// A structure of C's may begin at its multiples; an object of Swift's needs no
// more than those of RAC_SLAB_UNIT.
enum { RAC_POOL_ALIGNMENT = 16 };  // bytes

void rac_pool_boot(void);

// A block of two words or more that may begin at any multiple of RAC_SLAB_UNIT,
// compiled into the caller; NULL where no block is at hand, or none is so
// large.
static inline void *rac_pool_pop(size_t size) {
  size_t kind = (size - 1) / RAC_SLAB_UNIT;
  if (__builtin_expect(kind >= RAC_POOL_KINDS, 0)) return NULL;
  rac_stock *stock = rac_shim_tls->caches.current[kind];
  rac_block *block = stock->free;
  if (__builtin_expect(block == NULL, 0)) return NULL;
  stock->free = block->next;
  stock->taken++;
  return block;
}

// The same where none was at hand: from another slab or malloc(). NULL when
// there is no memory.
void *rac_pool_refill(size_t size);

// How large a block has to be to begin where any structure may.
static inline size_t rac_pool_aligned(size_t size) {
  const size_t rest = RAC_POOL_ALIGNMENT - 1;
  return size <= RAC_RESERVE_BLOCK ? (size + rest) & ~rest : size;
}

#else

// Ordinary builds leave it to malloc, which sanitizers watch.
static inline void rac_pool_boot(void) {}

#endif

#endif
