// Memory for the engine's small objects, in the Embedded build only: every
// Swift object comes from here, see objects.c, and goes to free().
//
// A subscription makes and frees a handful of objects, and malloc with free is
// half of what that costs. Here a block of up to 256 bytes comes from a slab of
// its size, see slabs.c, by way of the thread's cache, see caches.c. All slabs
// lie in one reservation of addresses, so the address of a block says in which
// slab it lies; every other address is malloc's.
//
// RAC_POOL=malloc in the environment leaves all of it to malloc, for valgrind
// and its like.
//
// SPDX-License-Identifier: MIT
#ifdef RAC_EMBEDDED

#include "pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "caches.h"
#include "slab_ranges.h"

static const size_t addresses = (size_t)16 << 30;

// The linker leads calls of free() here; this is the one of libc.
void __real_free(void *memory);
void __wrap_free(void *memory);

void rac_pool_boot(void) {
  const char *choice = getenv("RAC_POOL");
  if (choice != NULL && strcmp(choice, "malloc") == 0) return;
  // Where there are not so many malloc does it all.
  rac_slab_range_reserve(&rac_pool_range, addresses);
}

// Whether the block is of the pool, and in which slab then.
static bool find_slab(const void *memory, rac_slab **slab) {
  size_t offset = (size_t)((const char *)memory - rac_pool_range.base);
  *slab = &rac_pool_range.slabs[offset >> RAC_SLAB_SHIFT];
  return offset < rac_pool_range.size;
}

void *rac_pool_refill(size_t size) {
  size_t kind = (size - 1) / RAC_SLAB_UNIT;
  void *block = kind < RAC_POOL_KINDS
                    ? rac_slab_refill(rac_shim_tls, (uint32_t)kind)
                    : NULL;
  return block != NULL ? block : malloc(size);
}

void __wrap_free(void *memory) {
  rac_slab *slab;
  if (find_slab(memory, &slab)) {
    rac_slab_give(rac_shim_tls, slab, memory);
  } else {
    __real_free(memory);
  }
}

#endif
