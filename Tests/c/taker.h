/* A subscriber that takes its values in arrays and writes them down:
 * "[1 2] [3] |". It is to recorders what batches are to values. */
#ifndef RAC_TAKER_H
#define RAC_TAKER_H

#include "check.h"

typedef struct taker taker;
struct taker {
  rac_scheduler *clock; /* when set, batches are written as […]@time */
  void (*on_batch)(taker *self, size_t count);
  void *user;
  rac_disposable *subscription;
  atomic_int batches, values, ends, destroyed;
  atomic_int inside;
  size_t largest;
  int64_t sum;
  size_t used;
  char text[1024];
};

/* What the arrays are of. */
enum { VALUES, INT64S, DOUBLES };

/* An observer with a context of its own; without a function for values when the
 * form is none of the above. */
rac_batch_observer taker_observer(taker *self, int form);
/* Subscribes with every callback. */
void take_form(rac_signal *signal, size_t count, double interval,
               rac_scheduler *scheduler, taker *self, int form);
/* The same for arrays of values. */
void take(rac_signal *signal, size_t count, double interval,
          rac_scheduler *scheduler, taker *self);
/* Waits until destroy has run by itself, then releases. */
void await_taker(taker *self);
/* Disposes and does the same. */
void stop_taker(taker *self);

/* The callbacks. */
void take_values(void *context, const rac_value *values, size_t count);
void take_int64s(void *context, const int64_t *numbers, size_t count);
void take_doubles(void *context, const double *numbers, size_t count);
void take_destroy(void *context);

#endif
