/* A bound with room for whatever a test sends. It may be given to any number of
 * signals: it refuses, and a subject has been given it. */
#ifndef RAC_ROOM_H
#define RAC_ROOM_H

#include "rac.h"

static rac_bound *room;

/* Before all tests, whose live objects are counted. */
__attribute__((constructor)) static void make_room(void) {
  room = rac_bound_create(1 << 20, RAC_BOUND_REFUSE);
  rac_release(rac_subject_create_bounded(room));
}

#endif
