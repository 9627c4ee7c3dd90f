/* Objects that go from thread to thread: here they are arrays of calls, which
 * no thread minds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/hopping.h"
#include "floor.h"

#include <stdlib.h>

typedef struct list {
  floor_call *calls;
  size_t count;
} list;

static void make(void **thing, int64_t *sum) {
  list *l = worker_allocate(sizeof *l);
  l->calls = worker_allocate(sizeof *l->calls);
  l->calls[0].function = floor_add;
  l->calls[0].context = sum;
  l->count = 1;
  thing[0] = l;
}

static void send(void **thing, int64_t value) {
  const list *l = thing[0];
  size_t i;
  for (i = 0; i < l->count; i++)
    l->calls[i].function(l->calls[i].context, floor_int64(value));
}

static void cut(void **thing) { ((list *)thing[0])->count = 0; }

static void release(void **thing) {
  list *l = thing[0];
  free(l->calls);
  free(l);
}

static void nothing(void **thing) { (void)thing; }

static const hopping_kind disposed = {make, send, cut, release};
static const hopping_kind released = {make, send, release, nothing};

static void *open_send(size_t beside) {
  return hopping_open(&disposed, HOP_FIRST_SEND, beside != 0);
}
static void *open_dispose(size_t beside) {
  return hopping_open(&disposed, HOP_END, beside != 0);
}
static void *open_dispose_third(size_t beside) {
  return hopping_open(&disposed, HOP_END_THIRD, beside != 0);
}
static void *open_release(size_t beside) {
  return hopping_open(&released, HOP_END, beside != 0);
}
static void run(void *state, size_t n, outcome *out) {
  hopping_run(state, n, out);
}
static void close_hopping(void *state) { hopping_close(state); }

const workload floor_hop_workloads[] = {
    {"hop-send", open_send, run, close_hopping},
    {"hop-dispose", open_dispose, run, close_hopping},
    {"hop-dispose-third", open_dispose_third, run, close_hopping},
    {"hop-release", open_release, run, close_hopping},
    {"hop-create", open_dispose, run, close_hopping},
    {NULL, NULL, NULL, NULL}};
