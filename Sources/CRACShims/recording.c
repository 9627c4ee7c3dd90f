// The state that all parts of a recording share: its place, lock and clock.
//
// SPDX-License-Identifier: MIT
#include "CRACRecording.h"

#include <pthread.h>

_Static_assert(sizeof(rac_recording) == 176, "docs/Recording.md");
_Static_assert(sizeof(rac_slot) == 64, "docs/Recording.md");
_Static_assert(sizeof(rac_recorded_event) == 32, "docs/Recording.md");

static rac_recording none;

rac_recording *rac_shim_recording = &none;
uint8_t rac_shim_is_recording;
uint8_t rac_shim_watches_stages;
uint32_t rac_recording_session;
uint64_t rac_recording_few_ticks, rac_recording_tick_length;
rac_clock_fn rac_recording_clock = rac_shim_now;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void rac_recording_lock(void) { pthread_mutex_lock(&lock); }
void rac_recording_unlock(void) { pthread_mutex_unlock(&lock); }

int64_t rac_recording_time_of(int64_t monotonic) {
  return monotonic - rac_shim_recording->start;
}

int64_t rac_recording_time(void) {
  return rac_recording_time_of(rac_shim_now());
}

int64_t rac_recording_time_of_ticks(uint64_t ticks) {
  // A processor has less than four of them in a nanosecond, or little more.
  if (ticks < 250000) return 0;
  double length = (double)rac_recording_tick_length / (1 << 20);
  return (int64_t)((double)ticks * length);
}

// Over a moment in which nothing else is done.
void rac_recording_measure_ticks(void) {
  if (rac_recording_tick_length != 0) return;
  enum { MOMENT = 50000 };
  int64_t start = rac_shim_now(), now;
  uint64_t ticks = rac_recording_ticks();
  do now = rac_shim_now();
  while (now - start < MOMENT);
  uint64_t passed = rac_recording_ticks() - ticks;
  if (passed == 0) passed = 1;
  rac_recording_tick_length = ((uint64_t)(now - start) << 20) / passed;
  // Some four microseconds.
  rac_recording_few_ticks = passed * 4000 / (uint64_t)(now - start);
}
