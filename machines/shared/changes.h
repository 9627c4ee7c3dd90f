/* The changes of a property that is kept equal to something at a broker: they are
 * told one at a time, and of those that wait the latest counts.
 *
 *     property --change--> pending --tell--> broker
 *     property <-------- changes_agree ------'
 */
#ifndef RAC_MACHINES_CHANGES_H
#define RAC_MACHINES_CHANGES_H

#include "owner.h"

typedef struct changes {
  owner *owner;
  rac_property *property; /* a handle, not a reference */
  bool (*is_open)(const owner *self);
  /* Calls changes_told(), and tells the broker; or else the value cannot
   * travel. */
  void (*tell)(owner *self, rac_value value);
  rac_disposable *watching;
  rac_value agreed; /* what both sides have, or are about to */
  rac_value pending;
  bool is_agreed, is_on_its_way, has_pending, has_ended;
} changes;

/* Begins with what the property has. */
void changes_watch(changes *self);
/* Tells what waits, when there is a connection. */
void changes_tell(changes *self);
/* The value that is being told is on its way. */
void changes_told(changes *self);
/* The broker has it. */
void changes_answered(changes *self);
/* It is told again, unless a later one is. */
void changes_lost(changes *self);
/* Nothing is on its way, and nothing waits: the broker's values count. */
bool changes_are_idle(const changes *self);
/* A value of the broker's, which the property takes. */
void changes_agree(changes *self, rac_value value);

void changes_close(changes *self);
void changes_free(changes *self);

#endif
