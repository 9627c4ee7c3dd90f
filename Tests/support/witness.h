/* A subscriber for stress tests: it checks that its callbacks do not overlap,
 * that what each sender sent comes without a gap and in order, and that
 * nothing comes after an end. */
#ifndef RAC_WITNESS_H
#define RAC_WITNESS_H

#include "check.h"

/* Each stream of numbers starts at 0. */
enum {
  SENDERS = 2,
  RESENT = SENDERS,         /* from inside a callback */
  LATE = RESENT + 1,        /* with a handle that may be stale, one a sender */
  INITIAL = LATE + SENDERS, /* a behavior subject's */
  STREAMS
};

/* The number of a stream, as a value. */
static inline rac_value pack(int64_t stream, int64_t number) {
  return I(stream << 40 | number);
}

/* Plain memory but for the flags: the library alone puts callbacks in order. */
typedef struct witness {
  int64_t next[STREAMS]; /* -1: any number may come */
  int64_t count;
  uint64_t order; /* the same for two that heard the same */
  atomic_int inside, destroyed;
  void *resend_to; /* a subscriber or subject; NULL: it does not send */
  int64_t resend_every;
  int64_t resent;
  int64_t dispose_after; /* 0: never */
  rac_disposable *subscription;
  bool ended;
} witness;

/* Subscribes; every stream has to begin with `first`. */
void witness_start(witness *self, rac_signal *signal, int64_t first);
/* Waits for destroy, which must have come once, and releases. */
void witness_gone(witness *self);
/* Threads that got here start together. */
void start_together(atomic_int *ready, int threads);

#endif
