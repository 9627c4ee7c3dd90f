/* Processes that are killed: a test's program starts itself again for each, and
 * what they have heard outlives them in a file of numbers. */
#ifndef RAC_MACHINES_DEATHS_H
#define RAC_MACHINES_DEATHS_H

#include "check.h"

/* How many numbers flow: as the environment says, or so many. */
int64_t count_of(const char *variable, int64_t otherwise);

/* A process's role, its broker and its file. */
typedef struct part {
  const char *name, *broker, *file;
} part;

pid_t start_as(part as);
/* To be asked in a constructor: false in the test itself. The process dies with
 * the test. */
bool has_part(part *out);
void kill_now(pid_t process);

/* For numbers to be added to. */
int open_notes(const char *path);
bool add_note(int notes, int64_t number);

typedef struct noted {
  int64_t count, distinct, last;
} noted;

/* The numbers from 1 to `most`; others only count. */
noted read_notes(const char *path, int64_t most);
int64_t count_notes(const char *path);

#endif
