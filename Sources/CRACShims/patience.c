// How long the memory of a burst is kept: a second at first. Whoever had one burst
// gets its memory back soon; whoever has burst after burst had better keep it,
// because memory costs a microsecond a page to get again.
//
// So when a quarter of what went is needed again, and no later than LONGEST after
// it was needed before, it is kept from then on for twice the time between the
// two. That lasts until nobody has come for so long, and all has gone again.
//
// SPDX-License-Identifier: MIT
#include "patience.h"

static const int64_t SHORTEST = 1000000000;
static const int64_t LONGEST = 30 * INT64_C(1000000000);

void rac_patience_start(rac_patience *patience) {
  *patience = (rac_patience){.time = SHORTEST};
}

int64_t rac_patience_wait(rac_patience *patience, int64_t now) {
  patience->since = now;
  return now + patience->time;
}

void rac_patience_let_go(rac_patience *patience) {
  if (patience->idle_since != patience->since) {
    patience->idle_since = patience->since;
    patience->gone = patience->missed = 0;
  }
  patience->gone++;
}

bool rac_patience_miss(rac_patience *patience) {
  return patience->gone > 0 && ++patience->missed >= (patience->gone + 3) / 4;
}

void rac_patience_learn(rac_patience *patience, int64_t now) {
  int64_t between = now - patience->idle_since;
  patience->gone = 0;
  if (between > LONGEST || 2 * between < patience->time) return;
  patience->time = 2 * between;
}

void rac_patience_end(rac_patience *patience) {
  // What was learnt of the last time is no longer so.
  if (patience->gone > 0) patience->time = SHORTEST;
}
