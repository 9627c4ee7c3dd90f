/* A source's values on their way to a broker.
 *
 * They wait in a deliver_on whose scheduler is a gate: a queue of ours that
 * takes as many values as there is room for. So a full window stops the sources
 * above it, or the bound's policy decides.
 *
 *     source -> deliver_on (gate) -> next -> window -> broker
 *                  ^                            |
 *                  '-------- acknowledged ------'
 */
#ifndef RAC_MACHINES_INTAKE_H
#define RAC_MACHINES_INTAKE_H

#include "owner.h"

typedef struct intake {
  owner *owner;
  rac_scheduler *gate;
  size_t (*room)(owner *self);  /* how many values there are places for */
  void (*settled)(owner *self); /* all for which there was room are taken */
  atomic_bool wants_turn, is_scheduled;
} intake;

/* Hears the source by an observer whose context is the owner. `bound` may be
 * NULL: as many as `window` wait. NULL with the engine's failure. */
rac_disposable *intake_begin(intake *self, rac_signal *source, rac_bound *bound,
                             size_t window, rac_observer *observer);

/* Takes in what there is room for; on the owner's scheduler. */
void intake_pump(intake *self);

/* When the owner is closed; and when it is freed. */
void intake_close(intake *self);

#endif
