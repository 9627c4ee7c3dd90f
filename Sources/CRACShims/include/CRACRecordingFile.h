// The file of a recording; see platform/linux/recording_file.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORDING_FILE_H
#define CRAC_RECORDING_FILE_H

#include <stdbool.h>
#include <stdint.h>

// All under the lock.

// Makes and maps it. 0, or an errno: EEXIST if there is a file that is no
// recording.
int rac_recording_open(const char *path);
// From here on there is memory without a file in its place.
void rac_recording_close(void);
// It has room for the first `count` rings, and they are mapped. False: it has not.
bool rac_recording_reach(uint32_t count);
// In a forked child: what there is becomes its own. It gets a file before it
// writes more.
void rac_recording_leave_parent(void);
void rac_recording_need_file(void);
bool rac_recording_has_file(void);

#endif
