#include "owner.h"

void owner_init(owner *self, rac_scheduler *scheduler,
                rac_subscriber *subscriber) {
  atomic_init(&self->references, 1);
  self->scheduler = scheduler;
  self->subscriber = rac_retain(subscriber);
}

owner *owner_retain(owner *self) {
  atomic_fetch_add(&self->references, 1);
  return self;
}

void owner_release(void *context) {
  owner *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_release(self->subscriber);
  self->free(self);
}

void owner_close(owner *self) {
  if (self->is_closed) return;
  self->is_closed = true;
  self->close(self);
}

static void close_now(void *context) { owner_close(context); }

/* On any thread. Where no job can be had the connection's watch finds it. */
static void end(void *context) {
  owner *self = owner_retain(context);
  atomic_store(&self->is_over, true);
  rac_release(rac_schedule(self->scheduler, self, close_now, owner_release));
}

rac_status owner_begin(owner *self, rac_action_fn begin, rac_disposable **out) {
  rac_disposable *ending = rac_disposable_create(self, end, owner_release);
  if (ending == NULL) return rac_last_error_code();
  rac_disposable *job =
      rac_schedule(self->scheduler, owner_retain(self), begin, owner_release);
  rac_release(job);
  *out = ending;
  return job == NULL ? rac_last_error_code() : RAC_OK;
}

bool owner_has_room(owner *self, rac_disposable **waiting,
                    rac_action_fn go_on) {
  rac_subscriber *subscriber = self->subscriber;
  rac_status status =
      rac_subscriber_hold(subscriber, NULL, NULL, NULL, NULL, NULL);
  if (status != RAC_PENDING) return status == RAC_OK;
  drop(waiting);
  return rac_subscriber_hold(subscriber, self->scheduler, waiting,
                             owner_retain(self), go_on,
                             owner_release) == RAC_OK;
}

void owner_fail(owner *self, rac_value error) {
  rac_subscriber_send_error(self->subscriber, error);
  rac_value_release(error);
}
