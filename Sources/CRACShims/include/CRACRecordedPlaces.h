// Where something was made; see platform/linux/recording_places.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORDED_PLACES_H
#define CRAC_RECORDED_PLACES_H

#include "CRACRecord.h"
#include "CRACRecording.h"

// Before the first of a recording, under the lock.
void rac_places_begin(void);
// The number of a place, of an operator. `text` says where it is; 0: it is that
// of the node in the slot, or else that of the code outside of the library that
// called it.
uint32_t rac_recording_place(const rac_thread *thread, uint32_t operation,
                             uint32_t text, const rac_slot *of);

#endif
