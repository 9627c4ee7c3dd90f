// The stages of running subscriptions that are watched, by the scope that they end
// with; see recording_stages.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORDED_STAGES_H
#define CRAC_RECORDED_STAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "CRACRecording.h"

typedef struct rac_stage {
  struct rac_stage *next, **place;  // NULL: it is in no list
  const void *scope;
  void *log;  // a reference
  // Called when the scope has ended. Takes the reference over.
  void (*over)(void *log);
} rac_stage;

// It is over when that scope ends, unless it is removed before.
void rac_stages_add(rac_stage *stage, const void *scope, void *log,
                    void (*over)(void *log));
// True: the reference is the caller's again.
bool rac_stages_remove(rac_stage *stage);
// The scope has ended.
void rac_stages_end(const void *scope);

#endif
