/* A callback of rac_signal_create() that does what a test says and notes what
 * becomes of it. */
#ifndef RAC_PRODUCER_H
#define RAC_PRODUCER_H

#include "check.h"

typedef struct producer producer;
struct producer {
  rac_status (*body)(producer *self, rac_subscriber *subscriber);
  rac_subscriber *kept;
  rac_disposable *given; /* an extra reference to what was returned */
  rac_subscriber *lent;  /* not retained */
  recorder *listener;
  pthread_t thread; /* of the last subscription, where that is asked for */
  int64_t sent;
  bool returns_disposable;
  atomic_int subscribed, disposed;
  char text[64];
};

static inline void producer_disposed(void *context) {
  producer *self = context_target(context);
  atomic_fetch_add(&self->disposed, 1);
}

static inline rac_status producer_subscribe(void *context,
                                            rac_subscriber *subscriber,
                                            rac_disposable **out) {
  producer *self = context_target(context);
  atomic_fetch_add(&self->subscribed, 1);
  self->lent = subscriber;
  rac_status status = self->body ? self->body(self, subscriber) : RAC_OK;
  if (self->returns_disposable) {
    *out = rac_disposable_create(context_new(self, NULL), producer_disposed,
                                 context_destroy);
    self->given = rac_retain(*out);
  }
  return status;
}

static inline rac_signal *create(producer *self) {
  return rac_signal_create(context_new(self, NULL), producer_subscribe,
                           context_destroy);
}

static inline void clean_up(producer *self, rac_signal *signal) {
  rac_release(self->kept);
  rac_release(self->given);
  rac_release(signal);
}

static inline rac_status send_and_complete(producer *self, rac_subscriber *s) {
  (void)self;
  CHECK(rac_subscriber_is_active(s));
  CHECK_STATUS(rac_subscriber_send(s, I(1)), RAC_OK);
  CHECK_STATUS(rac_subscriber_send(s, I(2)), RAC_OK);
  CHECK_STATUS(rac_subscriber_send_completed(s), RAC_OK);
  CHECK(!rac_subscriber_is_active(s));
  CHECK_STATUS(rac_subscriber_send(s, I(3)), RAC_EDONE);
  CHECK_STATUS(rac_subscriber_send_completed(s), RAC_EDONE);
  CHECK_STATUS(rac_subscriber_send_error(s, rac_value_nil()), RAC_EDONE);
  return RAC_OK;
}

#endif
