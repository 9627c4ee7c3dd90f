/* A signal and another that ends it, or takes over: how often each is subscribed
 * to and disposed. */
#ifndef RAC_TWO_H
#define RAC_TWO_H

#include "streams.h"

typedef struct two {
  rac_subject *first, *second;
  watched receiver, other; /* count the subscriptions to these */
  rac_signal *signal;
  recorder heard;
} two;

typedef rac_signal *(*combine)(rac_signal *, rac_signal *);

static inline void begin(two *self, combine operator) {
  self->first = rac_subject_create();
  self->second = rac_subject_create();
  self->receiver.signal = as_signal(self->first);
  self->other.signal = as_signal(self->second);
  rac_signal *receiver = watch(&self->receiver), *other = watch(&self->other);
  self->signal = operator(receiver, other);
  rac_release(receiver);
  rac_release(other);
  record(self->signal, &self->heard);
}

static inline void end(two *self) {
  finish(&self->heard);
  rac_release(self->signal);
  CHECK_INT(self->receiver.counts.disposed, self->receiver.counts.subscribed);
  CHECK_INT(self->other.counts.disposed, self->other.counts.subscribed);
  rac_release(self->second);
  rac_release(self->first);
}

/* What is heard at the end; `second` is played in the middle. */
static inline void check(int line, combine operator, const char * before,
                         const char *second, const char *after,
                         const char *expected) {
  two t = {0};
  begin(&t, operator);
  play(t.first, before);
  play(t.second, second);
  play(t.first, after);
  check_text(__FILE__, line, second, t.heard.text, expected);
  end(&t);
}

#endif
