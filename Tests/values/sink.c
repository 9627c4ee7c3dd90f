/* Who hears: what came, and what that one does about it. */
#include "values.h"

#include <sched.h>

static void hear_one(sink *self, int64_t value) {
  int count = atomic_load_explicit(&self->count, memory_order_relaxed);
  if (count == MOST_HEARD) {
    atomic_store(&self->broken, __LINE__);
    return;
  }
  self->heard[count] = value;
  atomic_store_explicit(&self->count, count + 1, memory_order_release);
}

static sink *enter(void *context) {
  sink *self = &the.sinks[context_number(context)];
  /* Law 2: callbacks of one subscription never overlap. */
  if (atomic_fetch_add_explicit(&self->inside, 1, memory_order_relaxed) != 0)
    atomic_store(&self->broken, __LINE__);
  /* Law 1: nothing behind an end. Law 7: who waited for destroy hears nothing. */
  if (atomic_load_explicit(&self->ended, memory_order_relaxed) != 0 ||
      atomic_load_explicit(&self->is_over, memory_order_relaxed))
    atomic_store(&self->broken, __LINE__);
  return self;
}

static void leave(sink *self) {
  atomic_fetch_sub_explicit(&self->inside, 1, memory_order_relaxed);
}

static void act(sink *self) {
  int count = atomic_load_explicit(&self->count, memory_order_relaxed);
  numbers *random = &self->sender.random;
  if (self->is_slow && below(random, 16) == 0) sched_yield();
  if (self->sends && below(random, 24) == 0 &&
      atomic_load_explicit(&self->sender.count, memory_order_relaxed) < 100)
    send_some(&self->sender, below(random, the.place_count), 1);
  if (self->disposes_at > 0 && count >= self->disposes_at)
    dispose_sink(self, false);
}

static void hear(void *context, rac_value value) {
  sink *self = enter(context);
  hear_one(self, (int64_t)value.bits);
  act(self);
  leave(self);
}

static void hear_many(void *context, const int64_t *values, size_t count) {
  sink *self = enter(context);
  for (size_t i = 0; i < count; i++) hear_one(self, values[i]);
  act(self);
  leave(self);
}

static void hear_error(void *context, rac_value error) {
  sink *self = enter(context);
  (void)error;
  atomic_store(&self->ended, 2);
  leave(self);
}

static void hear_completed(void *context) {
  sink *self = enter(context);
  atomic_store(&self->ended, 1);
  leave(self);
}

static void forget(void *context) {
  sink *self = &the.sinks[context_number(context)];
  if (atomic_fetch_add(&self->destroyed, 1) != 0)
    atomic_store(&self->broken, __LINE__);
  destroy_context(context);
}

static rac_disposable *subscribe(sink *self, rac_signal *signal) {
  if (self->batch == 0) {
    rac_observer observer = RAC_OBSERVER_INIT;
    observer.context = counted_context(self->number);
    observer.next = hear;
    observer.error = hear_error;
    observer.completed = hear_completed;
    observer.destroy = forget;
    return rac_subscribe(signal, &observer);
  }
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = counted_context(self->number);
  observer.next_int64s = hear_many;
  observer.error = hear_error;
  observer.completed = hear_completed;
  observer.destroy = forget;
  return rac_subscribe_batches(signal, (size_t)self->batch, 0, the.other,
                               &observer);
}

void make_sink(sink *self, int number, numbers *random) {
  int64_t *heard = self->heard;
  memset(self, 0, sizeof *self);
  self->heard = heard ? heard : malloc(MOST_HEARD * sizeof *heard);
  if (self->heard == NULL) abort();
  self->number = number;
  self->sender.number = MOST_THREADS + number;
  self->sender.random = numbers_of(numbers_next(random), 0, 0);
  self->sends = percent(random, 15);
  self->is_slow = percent(random, 40);
  if (percent(random, 15)) self->disposes_at = 1 + below(random, 300);
  if (percent(random, 15)) self->batch = 1 + below(random, 32);
  rac_signal *signal = grow_tree(&self->tree, random);
  for (int i = 0; self->batch > 0 && i < self->tree.lane_count; i++)
    self->tree.lanes[i].is_late = true;
  self->begin = now();
  rac_disposable *subscription = subscribe(self, signal);
  if (subscription == NULL) abort();
  self->end = now();
  atomic_store(&self->subscription, subscription);
  rac_release(signal);
  for (int i = 0; i < self->tree.switcher_count; i++)
    switch_on(&self->tree, &self->tree.switchers[i], random);
}

void dispose_sink(sink *self, bool waits) {
  rac_disposable *subscription = atomic_load(&self->subscription);
  int64_t none = 0;
  if (subscription == NULL) return;
  atomic_compare_exchange_strong(&self->disposed, &none, now());
  if (!waits) rac_dispose(subscription);
  if (waits && rac_dispose_and_wait(subscription, 0.01) == RAC_OK)
    atomic_store(&self->is_over, true);
}

void release_sink(sink *self) {
  dispose_sink(self, false);
  rac_release(atomic_load(&self->subscription));
  release_tree(&self->tree);
}
