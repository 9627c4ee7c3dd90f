// Memory for small objects; see pool.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_POOL_H
#define RAC_POOL_H

#include <stdlib.h>

#ifdef RAC_EMBEDDED

void rac_pool_boot(void);
// At least one byte. NULL when there is no memory.
void *rac_pool_allocate(size_t size);

#else

// Ordinary builds leave it to malloc, which sanitizers watch.
static inline void rac_pool_boot(void) {}
static inline void *rac_pool_allocate(size_t size) { return malloc(size); }

#endif

#endif
