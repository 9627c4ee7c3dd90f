/* What is sent into, and its list of subscriptions. The list is for whoever is
 * inside the source's gate.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_SOURCES_H
#define JOB_SOURCES_H

#include "memory.h"
#include "slots.h"

/* Held by its source, while it is in that one's list, and by its handle. */
typedef struct subscription {
  atomic_uint references;
  atomic_bool is_closed;
  int32_t index;
  struct source *source; /* kept */
  floor_next next;
  void *context;
  job_destroy destroy;
  struct subscription *gone; /* of those that have left the list, one more */
} subscription;

typedef struct entry {
  floor_next next;
  void *context;
  subscription *subscription;
} entry;

/* A subject or an emitter: a gate, in the slot of its handle. */
typedef struct source {
  slot *gate;
  entry *entries;
  uint32_t used, capacity;
  atomic_uint references;
  atomic_bool is_over; /* nobody is subscribed, nor will be */
  entry first;         /* enough for one */
} source;

static inline bool drop(atomic_uint *references) {
  // The last one is alone.
  return atomic_load_explicit(references, memory_order_acquire) == 1 ||
         atomic_fetch_sub_explicit(references, 1, memory_order_acq_rel) == 1;
}

JOB_HIDDEN source *make_source(void);
JOB_HIDDEN void drop_source(source *it);
JOB_HIDDEN subscription *make_subscription(source *from, void *context,
                                           floor_next next,
                                           job_destroy destroy);
JOB_HIDDEN void drop_subscription(subscription *it);
/* Nobody calls these any more: outside of all gates. */
JOB_HIDDEN void end_all(subscription *gone);

JOB_HIDDEN void add(source *it, subscription *one);
/* What is removed is put before `gone`. */
JOB_HIDDEN void remove_one(source *it, subscription *one, subscription **gone);
JOB_HIDDEN void remove_all(source *it, subscription **gone);
/* Whom a disposal has reached meanwhile hears nothing more. */
JOB_HIDDEN void deliver(source *it, floor_value value, bool carefully);

#endif /* JOB_SOURCES_H */
