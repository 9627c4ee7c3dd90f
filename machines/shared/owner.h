/* A subscription of ours: what a connection works for. It lives on the
 * scheduler of its machine, where everything of it runs, one at a time. */
#ifndef RAC_MACHINES_OWNER_H
#define RAC_MACHINES_OWNER_H

#include <rac.h>
#include <stdatomic.h>

typedef struct owner owner;
struct owner {
  atomic_int references;
  atomic_bool is_over; /* nobody listens any more */
  bool is_closed;
  rac_scheduler *scheduler; /* kept by what `free` lets go of */
  rac_subscriber *subscriber;
  void (*close)(owner *self); /* lets go of what leads back to it */
  void (*free)(owner *self);
};

/* Retains the subscriber. */
void owner_init(owner *self, rac_scheduler *scheduler,
                rac_subscriber *subscriber);

owner *owner_retain(owner *self);
/* A destroy, too. */
void owner_release(void *self);

/* Has `begin` run on the scheduler, and the owner closed there when the
 * subscription ends or is disposed. Takes over the caller's reference. */
rac_status owner_begin(owner *self, rac_action_fn begin, rac_disposable **out);

/* Whether the subscriber has room. Else `go_on` runs with the owner, on the
 * scheduler, when there is; `waiting` is for that. */
bool owner_has_room(owner *self, rac_disposable **waiting, rac_action_fn go_on);

/* Ends the subscription with an error, which this releases. */
void owner_fail(owner *self, rac_value error);

/* Closes it now; on the scheduler. */
void owner_close(owner *self);

static inline void drop(rac_disposable **disposable) {
  rac_disposable *old = *disposable;
  *disposable = NULL;
  rac_dispose_and_release(old);
}

#endif
