/* A subscriber that takes its values in arrays and writes them down:
 * "[1 2] [3] |". It is to recorders what batches are to values. */
#ifndef RAC_BATCH_RECORDER_H
#define RAC_BATCH_RECORDER_H

#include "check.h"

typedef struct batch_recorder batch_recorder;
struct batch_recorder {
  rac_scheduler *clock; /* when set, batches are written as […]@time */
  void (*on_batch)(batch_recorder *self, size_t count);
  void *user;
  rac_disposable *subscription;
  atomic_int batches, values, ends, destroyed;
  atomic_int inside;
  size_t largest;
  int64_t sum;
  size_t used;
  char text[1024];
};

/* The element type of the arrays. */
enum { VALUES, INT64S, DOUBLES };

/* An observer with a context of its own; without a function for values when the
 * form is none of the above. */
rac_batch_observer batch_recorder_observer(batch_recorder *self, int form);
/* Subscribes with every callback. */
void record_batches_as(rac_signal *signal, size_t count, double interval,
                       rac_scheduler *scheduler, batch_recorder *self,
                       int form);
/* The same for arrays of values. */
void record_batches(rac_signal *signal, size_t count, double interval,
                    rac_scheduler *scheduler, batch_recorder *self);
/* Waits until destroy has run by itself, then releases. */
void await_batch_end(batch_recorder *self);
/* Disposes and does the same. */
void finish_batches(batch_recorder *self);

/* The callbacks. */
void record_values(void *context, const rac_value *values, size_t count);
void record_int64s(void *context, const int64_t *numbers, size_t count);
void record_doubles(void *context, const double *numbers, size_t count);
void batch_recorder_destroy(void *context);

#endif
