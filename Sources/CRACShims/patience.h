// How long memory is kept that nobody needs; see patience.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_PATIENCE_H
#define RAC_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

// Times are in nanoseconds, by one clock.
typedef struct rac_patience {
  int64_t time;   // what is looked at is kept for so long at least
  int64_t since;  // when it began to wait for what is looked at next
  // Of what was let go last:
  int64_t idle_since;  // nobody needed it from then on
  uint32_t gone;       // slabs; 0: nothing is to be learnt of them
  uint32_t missed;     // so many of them were needed again
} rac_patience;

void rac_patience_start(rac_patience *patience);
// Begins to wait; when that is over.
int64_t rac_patience_wait(rac_patience *patience, int64_t now);
// A slab goes that nobody needed meanwhile.
void rac_patience_let_go(rac_patience *patience);
// One that went is needed. Whether enough were for a look at the clock, which is
// given to rac_patience_learn.
bool rac_patience_miss(rac_patience *patience);
void rac_patience_learn(rac_patience *patience, int64_t now);
// Nothing is left to wait for.
void rac_patience_end(rac_patience *patience);

#endif
