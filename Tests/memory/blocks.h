/* The library's memory alone, without the engine: what is in Sources/CRACShims
 * is compiled into the test. See test_slabs.c. */
#ifndef TEST_BLOCKS_H
#define TEST_BLOCKS_H

#include "CRACShims.h"
#include "allocation.h"

extern rac_slab_range rac_pool_range __attribute__((visibility("hidden")));

/* Goes to the pool, as every free() of this program does. */
void pool_free(void *memory);

/* Whether there is a pool: RAC_POOL=malloc. */
bool has_pool(void);
/* Slabs of the range that are in use. */
size_t busy(const rac_slab_range *range);

/* A block of that size, as an object of Swift's or as any structure, filled
 * with a pattern; and whether it still has it, before it is given back. */
void *filled(size_t size);
void empty(void *block, size_t size);

#endif
