// Beginning and ending a recording; see recorder.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORDER_H
#define CRAC_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRACRecordingFile.h"

// 0, or an errno: EALREADY if another one goes on, and those of
// rac_recording_open().
int rac_recorder_start(const char *path, bool is_idle);
// Says in a line that it does not begin.
void rac_recorder_describe(const char *path, int error, char *into,
                           size_t capacity);
// False: there was none.
bool rac_recorder_stop(void);
// From RAC_RECORD and RAC_RECORD_IDLE in the environment. A line on the standard
// error where that fails.
void rac_recorder_read_environment(void);
void rac_recorder_note(const char *text, size_t length);
void rac_recorder_exits(int64_t leaked, bool is_settled);

// ---- Forks ------------------------------------------------------------------

void rac_recorder_before_fork(void);
void rac_recorder_after_fork(void);
void rac_recorder_in_child(void);

#endif
