/* Closing the library: callbacks that know when they may not come. */
#ifndef RAC_CLOSING_H
#define RAC_CLOSING_H

#include "check.h"
#include "children.h"

static atomic_bool closed;
static atomic_int late, inside, calls;

static inline void called(void) {
  atomic_fetch_add(&inside, 1);
  atomic_fetch_add(&calls, 1);
  if (atomic_load(&closed)) atomic_fetch_add(&late, 1);
  atomic_fetch_sub(&inside, 1);
}

static inline void on_value(void *context, rac_value value) {
  (void)context_target(context), (void)value;
  called();
}
static inline void on_error(void *context, rac_value error) {
  on_value(context, error);
}
static inline void on_action(void *context) {
  (void)context_target(context);
  called();
}
static inline rac_status on_map(void *context, rac_value value,
                                rac_value *out) {
  (void)context_target(context);
  called();
  *out = value;
  return RAC_OK;
}
static inline rac_status on_start(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)context_target(context), (void)out;
  called();
  for (int i = 0; i < 100; i++)
    if (rac_subscriber_send(subscriber, I(i)) < 0) return RAC_OK;
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

#define MINE context_new(NULL, NULL)

static inline rac_disposable *listen(rac_signal *signal) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = MINE;
  observer.next = on_value;
  observer.error = on_error;
  observer.completed = on_action;
  observer.destroy = context_destroy;
  return rac_subscribe(signal, &observer);
}

/* From here on a callback is a failure. */
static inline void close_and_watch(void) {
  rac_status status;
  while ((status = rac_close(0.2)) == RAC_ETIMEDOUT) continue;
  atomic_store(&closed, true);
  CHILD(status == RAC_OK);
  CHILD(atomic_load(&inside) == 0);
}

static inline void alone(void (*body)(void *)) {
  CHECK_INT(in_child(body, NULL), 0);
}

#endif
