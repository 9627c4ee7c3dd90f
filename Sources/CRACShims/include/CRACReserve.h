// Memory that a thread has put by; see reserve.c and Reserve.swift.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RESERVE_H
#define CRAC_RESERVE_H

#include "CRACRecord.h"

bool rac_shim_fill_reserve(rac_thread *thread, uint32_t blocks);
bool rac_shim_hold_bulk(size_t size);
void rac_shim_release_bulk(const void *until);

#endif
