/* What plain C needs for the same: the floor under each workload.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct call {
  rac_next_fn function;
  void *context;
} call;

typedef struct calls {
  size_t count;
  int64_t sum;
  call each[];
} calls;

static void *open_calls(size_t count) {
  calls *c = malloc(sizeof *c + count * sizeof c->each[0]);
  size_t i;
  if (c == NULL) exit(1);
  c->count = count;
  c->sum = 0;
  for (i = 0; i < count; i++) {
    c->each[i].function = bench_opaque(bench_add);
    c->each[i].context = &c->sum;
  }
  return c;
}

static void *open_1(void) { return open_calls(1); }
static void *open_1000(void) { return open_calls(1000); }

static void deliver(calls *c, rac_value value) {
  size_t i;
  for (i = 0; i < c->count; i++) c->each[i].function(c->each[i].context, value);
}

static uint64_t run_1(void *state, size_t n) {
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i++) deliver(state, rac_value_int64((int64_t)i));
  return bench_now() - start;
}

/* n counts deliveries. */
static uint64_t run_1000(void *state, size_t n) {
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i += 1000) deliver(state, rac_value_int64((int64_t)i));
  return bench_now() - start;
}

/* ---- A chain of callbacks ------------------------------------------------ */

typedef struct chain {
  rac_map_fn map;
  rac_predicate_fn keep;
  rac_reduce_fn reduce;
  rac_next_fn next;
  int64_t sum;
} chain;

static rac_status plus_one(void *context, rac_value value, rac_value *out) {
  (void)context;
  out->kind = RAC_INT64;
  out->bits = value.bits + 1;
  return RAC_OK;
}
static rac_status keep_all(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.kind == RAC_INT64;
  return RAC_OK;
}
static rac_status add(void *context, rac_value running, rac_value next,
                      rac_value *out) {
  (void)context;
  out->kind = RAC_INT64;
  out->bits = running.bits + next.bits;
  return RAC_OK;
}

static void *open_chain(void) {
  chain *c = calloc(1, sizeof *c);
  if (c == NULL) exit(1);
  c->map = plus_one;
  c->keep = keep_all;
  c->reduce = add;
  c->next = bench_opaque(bench_add);
  return c;
}

static uint64_t run_chain(void *state, size_t n) {
  chain *volatile hidden = state;
  rac_value running = rac_value_int64(0);
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i++) {
    const chain *c = hidden;
    rac_value value = rac_value_int64((int64_t)i), mapped = value;
    bool kept = false;
    if (c->map(NULL, value, &mapped) < 0) break;
    if (c->keep(NULL, mapped, &kept) < 0 || !kept) continue;
    if (c->reduce(NULL, running, mapped, &running) < 0) break;
    c->next(&hidden->sum, running);
  }
  return bench_now() - start;
}

static uint64_t run_11(void *state, size_t n) {
  chain *volatile hidden = state;
  uint64_t start = bench_now();
  size_t i, j;
  for (i = 0; i < n; i++) {
    const chain *c = hidden;
    rac_value value = rac_value_int64((int64_t)i);
    for (j = 0; j < 10; j++)
      if (c->map(NULL, value, &value) < 0) break;
    c->next(&hidden->sum, value);
  }
  return bench_now() - start;
}

/* ---- Allocate, link, call, unlink, free --------------------------------- */

typedef struct node {
  struct node *next, *previous;
  rac_next_fn function;
  void *context;
} node;

static void *open_list(void) {
  node *head = calloc(1, sizeof *head);
  if (head == NULL) exit(1);
  head->next = head->previous = head;
  return head;
}

static node *link_node(node *head, int64_t *sum) {
  node *n = malloc(sizeof *n);
  if (n == NULL) exit(1);
  n->function = bench_opaque(bench_add);
  n->context = sum;
  n->next = head;
  n->previous = head->previous;
  head->previous->next = n;
  head->previous = n;
  return n;
}

static void unlink_node(node *n) {
  n->previous->next = n->next;
  n->next->previous = n->previous;
  free(n);
}

static uint64_t run_link(void *state, size_t n) {
  int64_t sum = 0;
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i++) unlink_node(link_node(state, &sum));
  return bench_now() - start;
}

static uint64_t run_link_and_call(void *state, size_t n) {
  int64_t sum = 0;
  uint64_t start = bench_now();
  size_t i;
  for (i = 0; i < n; i++) {
    node *one = link_node(state, &sum);
    one->function(one->context, rac_value_int64((int64_t)i));
    unlink_node(one);
  }
  return bench_now() - start;
}

/* ---- Store values and read them again ----------------------------------- */

static uint64_t run_store(void *state, size_t n) {
  size_t capacity = 0, count = 0, i;
  rac_value *values = NULL;
  uint64_t start = bench_now(), end;
  (void)state;
  for (i = 0; i < n; i++) {
    if (count == capacity) {
      capacity = capacity == 0 ? 16 : capacity * 2;
      values = realloc(values, capacity * sizeof *values);
      if (values == NULL) exit(1);
    }
    values[count++] = rac_value_int64((int64_t)i);
  }
  end = bench_now();
  free(values);
  return end - start;
}

/* ---- Hand values to another thread -------------------------------------- */

typedef struct queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  rac_value values[1024];
  size_t head, tail, total;
  int64_t sum;
} queue;

static void *open_queue(void) {
  queue *q = calloc(1, sizeof *q);
  if (q == NULL) exit(1);
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->changed, NULL);
  return q;
}

static void *take(void *state) {
  queue *q = state;
  size_t i;
  for (i = 0; i < q->total; i++) {
    rac_value value;
    pthread_mutex_lock(&q->lock);
    while (q->head == q->tail) pthread_cond_wait(&q->changed, &q->lock);
    value = q->values[q->head++ % 1024];
    if (q->tail - q->head == 1023) pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    bench_opaque(bench_add)(&q->sum, value);
  }
  return NULL;
}

static uint64_t run_queue(void *state, size_t n) {
  queue *q = state;
  pthread_t thread;
  uint64_t start;
  size_t i;
  q->total = n;
  start = bench_now();
  if (pthread_create(&thread, NULL, take, q) != 0) exit(1);
  for (i = 0; i < n; i++) {
    pthread_mutex_lock(&q->lock);
    while (q->tail - q->head == 1024) pthread_cond_wait(&q->changed, &q->lock);
    q->values[q->tail++ % 1024] = rac_value_int64((int64_t)i);
    if (q->tail - q->head == 1) pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
  }
  pthread_join(thread, NULL);
  return bench_now() - start;
}

static void close_queue(void *state) {
  queue *q = state;
  pthread_mutex_destroy(&q->lock);
  pthread_cond_destroy(&q->changed);
  free(q);
}

const workload floor_workloads[] = {
    {"C loop: 1 call", NULL, open_1, run_1, free, 0},
    {"C loop: a call of 1000", NULL, open_1000, run_1000, free, 0},
    {"C loop: 4 calls in a row", NULL, open_chain, run_chain, free, 0},
    {"C loop: 11 calls in a row", NULL, open_chain, run_11, free, 0},
    {"C: malloc, link, unlink, free", NULL, open_list, run_link, free, 0},
    {"C: the same with a call", NULL, open_list, run_link_and_call, free, 0},
    {"C: append to an array", NULL, open_list, run_store, free, 1000000},
    {"C: queue to a thread", NULL, open_queue, run_queue, close_queue, 1000000},
    {NULL, NULL, NULL, NULL, NULL, 0}};
