/* A sensor as its driver shows it: one call, which waits for the next reading.
 * This one is made up. It reads 1, 1, 4, 4, 9, 9 … every few milliseconds, is
 * silent for a while in the middle, and is unplugged in the end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SENSOR_H
#define SENSOR_H

#include <errno.h>
#include <time.h>

typedef struct {
  int count; /* of readings so far */
} sensor;

/* Waits for a reading. Returns 0, or an errno when there will be none. */
static inline int sensor_read(sensor *self, double *out) {
  int number = self->count / 2 + 1;
  long milliseconds = self->count == 6 ? 750 : 2;
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
  if (self->count == 10) return ENODEV;
  self->count++;
  *out = number * number;
  return 0;
}

#endif /* SENSOR_H */
