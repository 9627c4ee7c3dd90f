/* One entry that is being worked on. */
#include <stdio.h>

#include "worker.h"

item *item_find(worker *self, const char *position) {
  for (item *each = self->newest; each != NULL; each = each->older)
    if (strcmp(each->position, position) == 0) return each;
  return NULL;
}

void item_release(void *context) {
  item *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  worker *worker = self->worker;
  rac_value_release(self->value);
  free(self);
  owner_release(&worker->owner);
}

void item_remove(item *self) {
  worker *worker = self->worker;
  if (self->newer != NULL)
    self->newer->older = self->older;
  else
    worker->newest = self->older;
  if (self->older != NULL) self->older->newer = self->newer;
  worker->count--;
  drop(&self->work);
  item_release(self);
}

void items_end(worker *self) {
  while (self->newest != NULL) item_remove(self->newest);
}

/* ---- Its work, on the scheduler ------------------------------------------ */

static void end_as(item *self, item_state state) {
  if (self->worker->owner.is_closed || self->state != ITEM_RUNS) return;
  self->state = state;
  worker_tell(self->worker, self);
}

static void on_next(void *of, rac_value value) {
  item *self = of;
  if (self->state == ITEM_RUNS)
    rac_subscriber_send(self->worker->owner.subscriber, value);
}

static void on_error(void *of, rac_value error) {
  item *self = of;
  const char *message = rac_error_get_message(error);
  snprintf(self->error, sizeof self->error, "%s",
           *message != 0 ? message : rac_error_get_domain(error));
  redis_count(self->worker->of->redis, FAILED, 1);
  end_as(self, ITEM_FAILED);
}

static void on_completed(void *of) { end_as(of, ITEM_IS_DONE); }

/* In a callback of the engine's, so that `handle` may raise errors. */
static rac_status handle(void *of, rac_signal **out) {
  item *self = of;
  const working *signal = self->worker->of;
  return signal->handle(signal->context, self->value, out);
}

item *item_add(worker *worker, const char *position, item_state state) {
  item *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  atomic_init(&self->references, 1);
  owner_retain(&worker->owner);
  self->worker = worker;
  self->state = state;
  snprintf(self->position, POSITION, "%s", position);
  self->older = worker->newest;
  if (self->older != NULL) self->older->newer = self;
  worker->newest = self;
  worker->count++;
  return self;
}

bool item_begin(item *self, rac_value value) {
  self->value = rac_value_retain(value);
  if (self->value.kind == RAC_NIL && value.kind != RAC_NIL) return false;
  atomic_fetch_add(&self->references, 2); /* of the two contexts */
  rac_signal *made = rac_signal_defer(self, handle, item_release);
  rac_signal *here = rac_signal_deliver_on(made, self->worker->owner.scheduler);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = self;
  observer.next = on_next;
  observer.error = on_error;
  observer.completed = on_completed;
  observer.destroy = item_release;
  self->work = rac_subscribe(here, &observer);
  rac_release(made);
  rac_release(here);
  return self->work != NULL;
}
