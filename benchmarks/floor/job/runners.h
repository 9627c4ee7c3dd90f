/* Runners: letters from any thread, read by one, in order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_RUNNERS_H
#define JOB_RUNNERS_H

#include "sources.h"

typedef struct runner runner;

/* Copied into the queue, and opened by the runner's thread. */
typedef struct letter {
  void (*open)(void *to, floor_value value);
  void *to;
  floor_value value;
} letter;

JOB_HIDDEN void post_letter(runner *to, letter sent);
JOB_HIDDEN void keep_runner(runner *it);
JOB_HIDDEN void drop_runner(runner *it);

#endif /* JOB_RUNNERS_H */
