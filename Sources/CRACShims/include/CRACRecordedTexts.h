// The texts of a recording, and what else is defined once; see
// recording_texts.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORDED_TEXTS_H
#define CRAC_RECORDED_TEXTS_H

#include <stddef.h>
#include <stdint.h>

// Before the first definition of a recording, under the lock, as the two below.
void rac_definitions_begin(void);
// The number of a definition; 0: there is no room for it.
uint32_t rac_definition(uint16_t kind, uint16_t count, uint32_t length,
                        const void *content, size_t size);
// The content of one, and its `count`. NULL: there is none.
const void *rac_definition_find(uint32_t id, uint16_t *count);

// The number of a text; 0: nothing is recorded, or there is no room for it.
uint32_t rac_recording_text(const char *text, size_t length);
// The same of an operator's name, such as "interval:onScheduler:", of which the
// first word counts.
uint32_t rac_recording_operation(const char *name);
// The same of what a function writes.
typedef size_t (*rac_recording_writer)(void *context, char *buffer,
                                       size_t capacity);
uint32_t rac_recording_written_text(rac_recording_writer write, void *context);

#endif
