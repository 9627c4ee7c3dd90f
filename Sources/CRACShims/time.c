// The clocks.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACTime.h"

#include <time.h>

static int64_t read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t rac_shim_now(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t rac_shim_clock_now(void) { return read_clock(CLOCK_REALTIME); }

int64_t rac_shim_clock_past(int64_t time, int64_t interval) {
  int64_t past = time % interval;
  return past < 0 ? past + interval : past;
}

void rac_shim_pause_until(int64_t deadline) {
  struct timespec time = {deadline / 1000000000, deadline % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

void rac_shim_stay_awake(int64_t nanoseconds) {
  int64_t end = rac_shim_now() + nanoseconds;
  do {
    for (int pauses = 8; pauses > 0; pauses--) rac_shim_pause();
  } while (rac_shim_now() < end);
}
