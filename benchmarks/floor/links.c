/* Allocate, link, call, unlink, free: the floor under subscriptions and under
 * cold signals.
 *
 * SPDX-License-Identifier: MIT
 */
#include "floor.h"

#include <stdlib.h>

typedef struct node {
  struct node *next, *previous;
  floor_call call;
} node;

typedef struct list {
  node head;
  size_t argument;
  int64_t sum;
} list;

static node *link_node(list *l) {
  node *n = malloc(sizeof *n);
  if (n == NULL) worker_fail("out of memory");
  n->call.function = floor_add;
  n->call.context = &l->sum;
  n->next = &l->head;
  n->previous = l->head.previous;
  l->head.previous->next = n;
  l->head.previous = n;
  return n;
}

static void unlink_node(node *n) {
  n->previous->next = n->next;
  n->next->previous = n->previous;
  free(n);
}

static void *open_list(size_t argument) {
  list *l = worker_allocate(sizeof *l);
  l->head.next = l->head.previous = &l->head;
  l->argument = argument;
  return l;
}

static void *open_linked(size_t others) {
  list *l = open_list(others);
  size_t i;
  for (i = 0; i < others; i++) link_node(l);
  return l;
}

static void close_list(void *state) {
  list *l = state;
  while (l->head.next != &l->head) unlink_node(l->head.next);
  free(l);
}

static void send(list *l, int64_t number) {
  const node *n;
  for (n = l->head.next; n != &l->head; n = n->next)
    n->call.function(n->call.context, floor_int64(number));
}

static void run_subscribe(void *state, size_t n, outcome *out) {
  list *l = state;
  uint64_t start = worker_now();
  size_t i;
  for (i = 0; i < n; i++) unlink_node(link_node(l));
  out->ns = worker_now() - start;
  out->n = n;
  l->sum = 0;
  send(l, 1);
  out->sum = l->sum;
}

/* n counts values; each `argument` of them are sent to a node of their own. */
static void run_create(void *state, size_t n, outcome *out) {
  list *l = state;
  uint64_t start;
  size_t i, j;
  out->n = worker_round_up(n, l->argument);
  l->sum = 0;
  start = worker_now();
  for (i = 0; i < out->n; i += l->argument) {
    node *one = link_node(l);
    for (j = 0; j < l->argument; j++)
      one->call.function(one->call.context, floor_int64(worker_value(j)));
    unlink_node(one);
  }
  out->ns = worker_now() - start;
  out->sum = l->sum;
}

static void run_flatten(void *state, size_t n, outcome *out) {
  list *l = state;
  uint64_t start;
  size_t i;
  l->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    node *one = link_node(l);
    one->call.function(one->call.context, floor_int64(worker_value(i)));
    unlink_node(one);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = l->sum;
}

/* ---- A signal for each value --------------------------------------------- */

typedef void (*produce_fn)(void *context, floor_call *leaf);

static void produce_one(void *context, floor_call *leaf) {
  leaf->function(leaf->context, floor_int64((int64_t)(intptr_t)context));
}
static produce_fn volatile produce = produce_one;

/* What is made of a value: a function and its context, and whom it sends to. */
typedef struct producer {
  produce_fn function;
  void *context;
} producer;

static producer *become_producer(floor_value value) {
  producer *p = malloc(sizeof *p);
  if (p == NULL) worker_fail("out of memory");
  p->function = produce;
  p->context = (void *)(intptr_t)value.bits;
  return p;
}
static producer *(*volatile become)(floor_value) = become_producer;

static void run_flatten_create(void *state, size_t n, outcome *out) {
  list *l = state;
  uint64_t start;
  size_t i;
  l->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    producer *one = become(floor_int64(worker_value(i)));
    node *leaf = link_node(l);
    one->function(one->context, &leaf->call);
    unlink_node(leaf);
    free(one);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = l->sum;
}

/* Each value links a node to what is sent into next, which calls it once. */
static void run_flatten_hot(void *state, size_t n, outcome *out) {
  list *l = state;
  uint64_t start;
  size_t i;
  l->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++) {
    node *one = link_node(l);
    send(l, worker_value(i));
    unlink_node(one);
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = l->sum;
}

/* ---- What they weigh ----------------------------------------------------- */

static list *weighed;

static void link_many(size_t n) {
  size_t i;
  if (weighed == NULL) weighed = open_list(0);
  for (i = 0; i < n; i++) link_node(weighed);
}

static void make_lists(size_t n) {
  static list *volatile last;
  size_t i;
  for (i = 0; i < n; i++) last = open_list(0);
  (void)last;
}

static void make_calls(size_t n) {
  static floor_call *volatile last;
  size_t i;
  for (i = 0; i < n; i++) {
    last = worker_allocate(sizeof *last);
    last->function = floor_add;
  }
}

static void run_nodes(void *state, size_t n, outcome *out) {
  (void)state;
  worker_weigh(n, link_many, out);
}
static void run_lists(void *state, size_t n, outcome *out) {
  (void)state;
  worker_weigh(n, make_lists, out);
}
static void run_disposables(void *state, size_t n, outcome *out) {
  (void)state;
  worker_weigh(n, make_calls, out);
}

const workload floor_link_workloads[] = {
    {"subscribe", open_linked, run_subscribe, close_list},
    {"create", open_list, run_create, close_list},
    {"flatten-map", open_list, run_flatten, close_list},
    {"flatten-map-create", open_list, run_flatten_create, close_list},
    {"flatten-map-hot", open_list, run_flatten_hot, close_list},
    {"bytes-subscription", open_list, run_nodes, close_list},
    {"bytes-signal", open_list, run_lists, close_list},
    {"bytes-disposable", open_list, run_disposables, close_list},
    {NULL, NULL, NULL, NULL}};
