/* A thread that calls a function with what is put into its queue: the best that
 * plain C does for any number of senders. The thread takes all that has
 * gathered at once, and lets some gather; who puts wakes it after letting go of
 * the lock, and only if it sleeps.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FLOOR_LANE_H
#define FLOOR_LANE_H

#include "floor.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct floor_batch {
  floor_value *values;
  size_t count, room;
} floor_batch;

typedef struct floor_lane {
  pthread_mutex_t lock;
  floor_batch waiting; /* under the lock */
  int stopped;         /* under the lock */
  /* On lines of their own: the thread writes what senders only look at. */
  _Alignas(64) _Atomic uint32_t asleep; /* what the thread sleeps on */
  _Alignas(64) floor_batch taken;       /* the thread's */
  floor_call call;
  pthread_t thread;
} floor_lane;

void floor_lane_open(floor_lane *l, floor_next function, void *context);
void floor_lane_put(floor_lane *l, floor_value value);
void floor_lane_close(floor_lane *l);

#endif /* FLOOR_LANE_H */
