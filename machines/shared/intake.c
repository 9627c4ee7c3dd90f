#include "intake.h"

#include "arguments.h"

static _Thread_local intake *pumping;

void intake_pump(intake *self) {
  intake *outer = pumping;
  pumping = self;
  for (size_t places = self->room(self->owner);
       places > 0 && !self->owner->is_closed &&
       atomic_exchange(&self->wants_turn, false);
       places = self->room(self->owner))
    rac_scheduler_take_turn(self->gate, places);
  pumping = outer;
  if (!self->owner->is_closed) self->settled(self->owner);
}

static intake *of_context(void *context) { return context; }

static void pump_now(void *context) {
  intake *self = of_context(context);
  atomic_store(&self->is_scheduled, false);
  if (!self->owner->is_closed) intake_pump(self);
}

static void let_go(void *context) { owner_release(of_context(context)->owner); }

/* Something waits at the gate: on any thread. */
static void enqueue(void *context, rac_scheduler *gate) {
  intake *self = of_context(context);
  (void)gate;
  atomic_store(&self->wants_turn, true);
  if (pumping == self || atomic_exchange(&self->is_scheduled, true)) return;
  owner_retain(self->owner);
  rac_release(rac_schedule(self->owner->scheduler, self, pump_now, let_go));
}

rac_disposable *intake_begin(intake *self, rac_signal *source, rac_bound *bound,
                             size_t window, rac_observer *observer) {
  bound = bound != NULL ? retain_bound(bound)
                        : rac_bound_create(window, RAC_BOUND_WAIT);
  owner_retain(self->owner);
  self->gate = rac_scheduler_over_queue("rac_machine", self, enqueue, let_go);
  rac_signal *values = rac_signal_deliver_on_bounded(source, self->gate, bound);
  release_bound(bound);
  observer->context = owner_retain(self->owner);
  observer->destroy = owner_release;
  rac_disposable *hearing = rac_subscribe(values, observer);
  rac_release(values);
  return hearing;
}

void intake_close(intake *self) {
  rac_release(self->gate);
  self->gate = NULL;
}
