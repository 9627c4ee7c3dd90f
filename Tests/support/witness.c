#include "witness.h"

#include <sched.h>

static void witness_next(void *context, rac_value value) {
  witness *self = context_target(context);
  if (atomic_fetch_add_explicit(&self->inside, 1, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "callbacks overlap");
  int64_t stream = value.bits >> 40;
  int64_t number = value.bits & (((int64_t)1 << 40) - 1);
  int64_t *next = &self->next[stream];
  if (*next >= 0 && number != *next)
    check_fail(__FILE__, __LINE__, "a value is missing, doubled or late");
  *next = number + 1;
  self->count++;
  self->order = self->order * 1099511628211u + (uint64_t)value.bits;
  if (self->ended) check_fail(__FILE__, __LINE__, "a value after the end");
  if (self->resend_to && stream < SENDERS && number % self->resend_every == 0 &&
      rac_subscriber_send(self->resend_to, pack(RESENT, self->resent)) >= 0)
    self->resent++;
  if (self->dispose_after > 0 && self->count == self->dispose_after)
    rac_dispose(self->subscription);
  atomic_fetch_sub_explicit(&self->inside, 1, memory_order_relaxed);
}

static void witness_end(witness *self) {
  if (self->ended) check_fail(__FILE__, __LINE__, "two ends");
  self->ended = true;
}

static void witness_error(void *context, rac_value error) {
  (void)error;
  witness_end(context_target(context));
}

static void witness_completed(void *context) {
  witness_end(context_target(context));
}

static void witness_destroy(void *context) {
  witness *self = context_target(context);
  context_destroy(context);
  atomic_fetch_add_explicit(&self->destroyed, 1, memory_order_release);
}

void witness_start(witness *self, rac_signal *signal, int64_t first) {
  for (int i = 0; i < STREAMS; i++) self->next[i] = first;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(self, NULL);
  observer.next = witness_next;
  observer.error = witness_error;
  observer.completed = witness_completed;
  observer.destroy = witness_destroy;
  self->subscription = rac_subscribe(signal, &observer);
}

void witness_gone(witness *self) {
  WAIT_UNTIL(atomic_load_explicit(&self->destroyed, memory_order_acquire));
  CHECK_INT(atomic_load(&self->destroyed), 1);
  rac_release(self->subscription);
}

void start_together(atomic_int *ready, int threads) {
  atomic_fetch_add(ready, 1);
  while (atomic_load(ready) < threads) sched_yield();
}
