#include "changes.h"

static void keep(rac_value *place, rac_value value) {
  rac_value kept = rac_value_retain(value);
  rac_value_release(*place);
  *place = kept;
}

bool changes_are_idle(const changes *self) {
  return !self->is_on_its_way && !self->has_pending;
}

static void end_if_done(changes *self) {
  if (self->has_ended && changes_are_idle(self))
    rac_subscriber_send_completed(self->owner->subscriber);
}

void changes_tell(changes *self) {
  if (self->is_on_its_way || !self->has_pending || !self->is_open(self->owner))
    return;
  self->has_pending = false;
  self->tell(self->owner, self->pending);
}

void changes_told(changes *self) {
  self->is_on_its_way = self->is_agreed = true;
  keep(&self->agreed, self->pending);
}

void changes_answered(changes *self) {
  self->is_on_its_way = false;
  changes_tell(self);
  end_if_done(self);
}

void changes_lost(changes *self) {
  if (!self->is_on_its_way) return;
  self->is_on_its_way = false;
  if (self->has_pending) return;
  keep(&self->pending, self->agreed);
  self->has_pending = true;
}

void changes_agree(changes *self, rac_value value) {
  keep(&self->agreed, value);
  self->is_agreed = true;
  /* RAC_ESTALE: the property has gone, and its signal completes. */
  rac_property_set(self->property, value);
}

/* ---- What the property has ------------------------------------------------ */

static changes *of_context(void *context) { return context; }

static void let_go(void *context) { owner_release(of_context(context)->owner); }

/* A change, or the echo of what was set from here. */
static void on_next(void *context, rac_value value) {
  changes *self = of_context(context);
  if (self->owner->is_closed) return;
  if (changes_are_idle(self) && self->is_agreed &&
      rac_value_equal(value, self->agreed))
    return;
  keep(&self->pending, value);
  self->has_pending = true;
  changes_tell(self);
}

static void on_completed(void *context) {
  changes *self = of_context(context);
  self->has_ended = true;
  if (!self->owner->is_closed) end_if_done(self);
}

void changes_watch(changes *self) {
  if (self->watching != NULL) return;
  rac_bound *latest = rac_bound_create(1, RAC_BOUND_LATEST);
  rac_signal *values = rac_signal_deliver_on_bounded(
      rac_property_as_signal(self->property), self->owner->scheduler, latest);
  rac_observer observer = RAC_OBSERVER_INIT;
  owner_retain(self->owner);
  observer.context = self;
  observer.next = on_next;
  observer.completed = on_completed;
  observer.destroy = let_go;
  self->watching = rac_subscribe(values, &observer);
  rac_release(values);
  rac_release(latest);
  if (self->watching == NULL)
    rac_subscriber_send_completed(self->owner->subscriber);
}

void changes_close(changes *self) { drop(&self->watching); }

void changes_free(changes *self) {
  rac_release(self->watching);
  rac_value_release(self->agreed);
  rac_value_release(self->pending);
}
