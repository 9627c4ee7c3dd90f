/* SPDX-License-Identifier: MIT */
#include "elsewhere.h"

#include <pthread.h>

typedef struct errand {
  void (*run)(void *state, size_t n, outcome *out);
  void *state;
  size_t n;
  outcome *out;
} errand;

static void *do_it(void *context) {
  errand *e = context;
  e->run(e->state, e->n, e->out);
  return NULL;
}

void worker_elsewhere(void (*run)(void *state, size_t n, outcome *out),
                      void *state, size_t n, outcome *out) {
  errand e = {run, state, n, out};
  pthread_t thread;
  if (pthread_create(&thread, NULL, do_it, &e) != 0) worker_fail("no thread");
  pthread_join(thread, NULL);
}
