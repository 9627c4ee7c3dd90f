// The emergency reserve of a thread; see reserve.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_RESERVE_H
#define RAC_RESERVE_H

#include "CRACReserve.h"

#ifdef RAC_EMBEDDED

enum { RAC_READY_AT_FIRST = 0 };

// A block for what the system has no memory for; NULL when none is large
// enough.
void *rac_reserve_take(size_t size);
// Of a thread that has ended or is about to.
void rac_reserve_thread_exit(rac_thread *thread);

#else

// Ordinary Swift ends the process by itself when there is no memory.
#define RAC_READY_AT_FIRST 1

static inline void rac_reserve_thread_exit(rac_thread *thread) { (void)thread; }

#endif

#endif
