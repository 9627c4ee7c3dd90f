// Memory for small objects; see pool.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_POOL_H
#define RAC_POOL_H

#include <stdlib.h>

#include "CRACShims.h"

#ifdef RAC_EMBEDDED

void rac_pool_boot(void);
void rac_pool_before_fork(void);
void rac_pool_after_fork(void);
void rac_pool_thread_exit(rac_thread *thread);
// At least one byte. NULL when there is no memory.
void *rac_pool_allocate(size_t size);

#else

// Ordinary builds leave it to malloc, which sanitizers watch.
static inline void rac_pool_boot(void) {}
static inline void rac_pool_before_fork(void) {}
static inline void rac_pool_after_fork(void) {}
static inline void rac_pool_thread_exit(rac_thread *thread) { (void)thread; }
static inline void *rac_pool_allocate(size_t size) { return malloc(size); }

#endif

#endif
