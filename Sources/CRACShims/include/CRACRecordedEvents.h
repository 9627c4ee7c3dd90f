// The events of a recording; see recording_rings.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORDED_EVENTS_H
#define CRAC_RECORDED_EVENTS_H

#include "CRACRecord.h"
#include "CRACRecording.h"

void rac_recording_event(rac_thread *thread, uint8_t kind, uint32_t node,
                         uint32_t extra, uint64_t bits);
// One with a value; `text` is that of a string or of bytes, else NULL. Returns
// the processor's ticks at the time, or 0.
uint64_t rac_recording_value(rac_thread *thread, uint8_t kind, uint32_t node,
                             uint8_t type, uint32_t length, uint64_t bits,
                             const char *text);

// A rac_clock_fn that notes what it answers.
int64_t rac_recording_note_clock(void);

// Under the lock.
void rac_rings_begin(void);
// The system's number of the calling thread.
uint32_t rac_rings_thread(rac_thread *thread);
void rac_rings_thread_exit(rac_thread *thread);

#endif
