/* For workloads whose objects go from thread to thread: made on one, sent into
 * on a second, ended on the first or a third, one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_HOPPING_H
#define WORKER_HOPPING_H

#include "worker.h"

/* The thread and the step of it that is timed. */
typedef enum hopping_step {
  HOP_FIRST_SEND, /* the second thread's, after one of the first */
  HOP_END,        /* on the first thread, after the second one's send */
  HOP_END_THIRD   /* the same on a third */
} hopping_step;

/* What is made, sent into, ended and, not timed, cleared away. */
typedef struct hopping_kind {
  void (*make)(void **thing, int64_t *sum);
  void (*send)(void **thing, int64_t value);
  void (*end)(void **thing);
  void (*clear)(void **thing);
} hopping_kind;

typedef struct hopping hopping;

/* `beside`: another thread, which the things do not concern, runs meanwhile. */
hopping *hopping_open(const hopping_kind *kind, hopping_step step, int beside);
void hopping_run(hopping *h, size_t n, outcome *out);
void hopping_close(hopping *h);

#endif /* WORKER_HOPPING_H */
