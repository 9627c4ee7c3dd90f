// The emergency reserve of a thread; see reserve.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RESERVE_H
#define CRAC_RESERVE_H

#include "CRACRecord.h"

// False: there is no memory to fill it.
bool rac_shim_fill_reserve(rac_thread *thread);
// NULL: none is left.
void *rac_shim_reserve_slot(void);
// Sees to it that there is memory for the next block, which is of that size.
// False when there is none.
bool rac_shim_hold(size_t size);
void rac_shim_drop_held(void);

#endif
