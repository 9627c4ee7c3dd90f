// Memory of any size: the pool's, malloc()'s, or, when the system has none, the
// emergency reserve of the thread.
//
// SPDX-License-Identifier: MIT
#include "allocation.h"

#include <stdlib.h>
#include <string.h>

#include "CRACRecord.h"
#include "CRACText.h"
#include "reserve.h"

#ifdef RAC_EMBEDDED

void *rac_allocation_refill(size_t size) {
  void *block = rac_pool_refill(size);
  return block != NULL ? block : rac_reserve_take(size);
}

static void *allocate(size_t size) {
  return rac_allocation_take(rac_pool_aligned(size));
}

// Embedded Swift asks for what is no object by way of this, with an alignment
// that any block has, and gives it back to free(); objects: objects.c. It would
// go on with NULL, so there is no way out but this.
__attribute__((visibility("hidden"))) int
posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = alignment <= RAC_POOL_ALIGNMENT ? allocate(size)
                                            : aligned_alloc(alignment, size);
  if (*memory == NULL) rac_shim_fatal("out of memory");
  return 0;
}

#else

static void *allocate(size_t size) { return malloc(size); }

#endif

void *rac_shim_allocate(size_t size) {
  void *block = allocate(size ? size : 1);
  if (block == NULL) rac_shim_fatal("out of memory");
  return block;
}

void *rac_shim_allocate_checked(size_t size) {
  return allocate(size ? size : 1);
}

void *rac_shim_allocate_zeroed(size_t size) { return calloc(1, size); }

void *rac_shim_enlarge_checked(void *block, size_t size, size_t larger) {
  // A small block may be the pool's, which realloc() does not know.
  if (size > RAC_RESERVE_BLOCK) return realloc(block, larger);
  void *moved = allocate(larger);
  if (moved != NULL && size > 0) memcpy(moved, block, size);
  if (moved != NULL) free(block);
  return moved;
}

void *rac_shim_enlarge(void *block, size_t size, size_t larger) {
  void *moved = rac_shim_enlarge_checked(block, size, larger);
  if (moved == NULL) rac_shim_fatal("out of memory");
  return moved;
}

void rac_shim_free(void *block) { free(block); }
