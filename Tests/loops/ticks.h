/* Whether a timer of a loop comes when it is due, by the processor time of the
 * loop's thread: what a busy machine takes from it is not in that. A thread that
 * works for longer than three ticks and hears none has missed them. */
#ifndef TICKS_H
#define TICKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct ticks {
  int64_t count;
  double every, begin, last, missed; /* seconds */
} ticks;

static inline double ticks_clock(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static inline void ticks_begin(ticks *self, double every) {
  double now = ticks_clock();
  *self = (ticks){0, every, now, now, 0};
}

static inline void ticks_look(ticks *self) {
  double now = ticks_clock();
  if (now - self->last > 3 * self->every) self->missed += now - self->last;
  self->last = now;
}

static inline void ticks_add(ticks *self) {
  ticks_look(self);
  self->count++;
}

/* For a tenth of the time, and once, it may have. */
static inline bool ticks_kept_up(ticks *self) {
  ticks_look(self);
  return self->count >= 10 &&
         self->missed <= (self->last - self->begin) / 10 + 10 * self->every;
}

#endif
