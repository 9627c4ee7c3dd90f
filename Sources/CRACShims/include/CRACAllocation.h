// Memory of any size; see allocation.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_ALLOCATION_H
#define CRAC_ALLOCATION_H

#include <stddef.h>

void *rac_shim_allocate(size_t size);          // aborts when there is none
void *rac_shim_allocate_checked(size_t size);  // NULL when there is none
void *rac_shim_allocate_zeroed(size_t size);   // NULL when there is none
// In place of a block of `size` bytes a larger one with the same content.
// Aborts when there is none.
void *rac_shim_enlarge(void *block, size_t size, size_t larger);
void *rac_shim_enlarge_checked(void *block, size_t size, size_t larger);
void rac_shim_free(void *block);

#endif
