// The records of threads, as the shims have them; see threads.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_THREADS_H
#define RAC_THREADS_H

#include <pthread.h>

#include "CRACThreads.h"

typedef struct rac_record {
  rac_thread thread;
  // Held by the thread while `is_watched`: once that has ended, the kernel says
  // so to whoever tries to take it.
  pthread_mutex_t life;
  bool is_watched;
} rac_record;

// Guards the list, and who has which record.
extern pthread_mutex_t rac_records_lock __attribute__((visibility("hidden")));
// The latest first; none ever leaves.
extern rac_record *rac_records __attribute__((visibility("hidden")));

static inline rac_record *next_of(const rac_record *self) {
  return (rac_record *)self->thread.next;
}

// Whether threads have a record beside the caller, or are about to get one.
bool rac_records_have_others(void);
// In a forked child, whose calling thread is alone: the other records stay in
// use for ever, and another thread may have been changing the list.
void rac_records_forget_others(void);
// The same: the caller is the child's first thread.
void rac_records_take_over(void);

#endif
