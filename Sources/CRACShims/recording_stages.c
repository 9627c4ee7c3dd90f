// The stages of running subscriptions that are watched.
//
// A table beside the scopes, so that a scope of a program that is not watched has
// no place for it and asks nobody.
//
// SPDX-License-Identifier: MIT
#include "CRACRecordedStages.h"

#include <stdint.h>

enum { ROW_BITS = 14 };

static rac_stage *rows[1 << ROW_BITS];

// Fibonacci hashing.
static rac_stage **row_of(const void *scope) {
  uint64_t hash = (uint64_t)(uintptr_t)scope * UINT64_C(0x9E3779B97F4A7C15);
  return rows + (hash >> (64 - ROW_BITS));
}

static void take_out(rac_stage *stage) {
  *stage->place = stage->next;
  if (stage->next != NULL) stage->next->place = stage->place;
  stage->place = NULL;
}

void rac_stages_add(rac_stage *stage, const void *scope, void *log,
                    void (*over)(void *log)) {
  rac_stage **row = row_of(scope);
  rac_recording_lock();
  *stage = (rac_stage){*row, row, scope, log, over};
  if (*row != NULL) (*row)->place = &stage->next;
  *row = stage;
  rac_recording_unlock();
}

bool rac_stages_remove(rac_stage *stage) {
  rac_recording_lock();
  bool was_there = stage->place != NULL;
  if (was_there) take_out(stage);
  rac_recording_unlock();
  return was_there;
}

// The latest first, as they are taken apart. They are called outside of the lock.
void rac_stages_end(const void *scope) {
  rac_stage *found = NULL, **last = &found, *next;
  rac_recording_lock();
  for (rac_stage *stage = *row_of(scope); stage != NULL; stage = next) {
    next = stage->next;
    if (stage->scope != scope) continue;
    take_out(stage);
    *last = stage;
    last = &stage->next;
  }
  *last = NULL;
  rac_recording_unlock();
  for (; found != NULL; found = next) {
    next = found->next;
    found->over(found->log);
  }
}
