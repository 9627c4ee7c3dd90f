/* What callers and the library's own files say to each other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_TYPES_H
#define JOB_TYPES_H

#include "../floor.h"

typedef uint64_t job_handle; /* 0: none */
typedef void (*job_destroy)(void *context);
typedef void (*job_produce)(void *context, job_handle emitter);

typedef void (*job_action)(void *context);

enum { JOB_OK, JOB_QUEUED, JOB_STALE };

/* Of the library's files, and not of the library. */
#define JOB_HIDDEN __attribute__((visibility("hidden")))

#endif /* JOB_TYPES_H */
