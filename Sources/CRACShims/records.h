// The records of threads, as the shims have them; see threads.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_RECORDS_H
#define RAC_RECORDS_H

#include <pthread.h>

#include "CRACShims.h"

typedef struct rac_record {
  rac_thread thread;
  // Held by the thread while `is_watched`: once that has ended, the kernel says
  // so to whoever tries to take it.
  pthread_mutex_t life;
  bool is_watched;
  uint64_t sleeps;  // before a fork: see process.c
} rac_record;

// Guards the list, and who has which record.
extern pthread_mutex_t rac_records_lock __attribute__((visibility("hidden")));
// The latest first; none ever leaves.
extern rac_record *rac_records __attribute__((visibility("hidden")));

static inline rac_record *next_of(const rac_record *self) {
  return (rac_record *)self->thread.next;
}

// In a forked child, whose calling thread is alone.
void rac_records_take_over(bool is_whole);

#endif
