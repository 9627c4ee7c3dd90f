/* SPDX-License-Identifier: MIT */
#include "job.h"
#include "deliveries.h"
#include "gate.h"
#include "timers.h"

typedef struct signal {
  atomic_uint references;
  job_produce produce;
  void *context;
  job_destroy destroy;
} signal;

static job_handle ended(void) {
  uint64_t none = 0;
  slot *s = &job_slots[1];
  atomic_compare_exchange_strong(
      &s->word, &none, GENERATION | REFERENCE | PUBLISHED | PENDING | IMMORTAL);
  return GENERATION | 1;
}

static void drop_signal(signal *it) {
  if (!drop(&it->references)) return;
  if (it->destroy != NULL) it->destroy(it->context);
  give(it, sizeof *it);
}

/* That of a gate goes with the gate. */
static void let_go(slot *s) {
  void *object = s->object;
  switch (s->kind) {
  case SUBSCRIPTION:
    give_slot(s);
    drop_subscription(object);
    break;
  case SIGNAL:
    give_slot(s);
    drop_signal(object);
    break;
  case QUEUE:
    give_slot(s);
    drop_queue(object);
    break;
  case TIMER:
    give_slot(s);
    drop_timer(object);
    break;
  case RUNNER:
    give_slot(s);
    drop_runner(object);
    break;
  case DELIVERY:
    give_slot(s);
    drop_delivery(object);
    break;
  default:
    if (!atomic_load_explicit(&((source *)object)->is_over,
                              memory_order_acquire))
      submit(object, END, NULL);
    drop_source(object);
    break;
  }
}

__attribute__((constructor)) static void boot(void) { finalize = let_go; }

job_handle job_subject(void) {
  source *it = make_source();
  return publish(it->gate, it, SUBJECT, true);
}

job_handle job_signal(void *context, job_produce produce, job_destroy destroy) {
  signal *it = take(sizeof *it);
  atomic_init(&it->references, 1);
  it->produce = produce;
  it->context = context;
  it->destroy = destroy;
  return publish(take_slot(), it, SIGNAL, false);
}

static job_handle subscribe_signal(signal *it, void *context, floor_next next,
                                   job_destroy destroy) {
  source *emitter = make_source();
  subscription *one = make_subscription(emitter, context, next, destroy);
  job_handle handle;
  add(emitter, one);
  handle = publish(emitter->gate, emitter, EMITTER, true);
  it->produce(it->context, handle);
  job_release(handle);
  if (atomic_load_explicit(&one->is_closed, memory_order_acquire)) {
    drop_subscription(one);
    return ended();
  }
  return publish(take_slot(), one, SUBSCRIPTION, false);
}

job_handle job_subscribe(job_handle handle, void *context, floor_next next,
                         job_destroy destroy) {
  uint64_t word = enter_by(handle);
  job_handle made = 0;
  subscription *one;
  slot *s;
  if (word != 0) {
    s = named(handle);
    one = make_subscription(s->object, context, next, destroy);
    add(s->object, one);
    leave(s, word, NULL);
    return publish(take_slot(), one, SUBSCRIPTION, false);
  }
  s = acquire(handle);
  if (s == NULL) return 0;
  if (s->kind == SIGNAL) {
    made = subscribe_signal(s->object, context, next, destroy);
  } else if (s->kind == SUBJECT) {
    one = make_subscription(s->object, context, next, destroy);
    made = publish(take_slot(), one, SUBSCRIPTION, false);
    submit(s->object, ADD, one);
  }
  unpin(s);
  return made;
}

static __attribute__((noinline)) int send_slowly(job_handle handle, int what,
                                                 floor_value value) {
  slot *s = acquire(handle);
  int status = JOB_STALE;
  if (s == NULL) return JOB_STALE;
  if (s->kind <= EMITTER)
    status = post(s->object, (operation){NULL, what, NULL, value});
  unpin(s);
  return status;
}

int job_send(job_handle handle, floor_value value) {
  uint64_t word = enter_by(handle);
  slot *s = named(handle);
  source *it;
  if (word == 0) return send_slowly(handle, NEXT, value);
  it = s->object;
  if (it->used == 1)
    it->entries->next(it->entries->context, value);
  else
    deliver(it, value, false);
  leave(s, word, NULL);
  return JOB_OK;
}

int job_complete(job_handle handle) {
  floor_value none = {0, 0};
  subscription *gone = NULL;
  uint64_t word = enter_by(handle);
  slot *s = named(handle);
  if (word == 0) return send_slowly(handle, END, none);
  remove_all(s->object, &gone);
  if (s->kind == EMITTER)
    atomic_store_explicit(&((source *)s->object)->is_over, true,
                          memory_order_release);
  leave(s, word, gone);
  return JOB_OK;
}

int job_dispose(job_handle handle) {
  slot *s = acquire(handle);
  subscription *it;
  if (s == NULL) return JOB_STALE;
  it = s->object;
  if (s->kind == TIMER)
    cancel_timer(s->object);
  else if (s->kind == DELIVERY)
    cancel_delivery(s->object);
  else if (s->kind == SUBSCRIPTION && !atomic_exchange(&it->is_closed, true))
    submit(it->source, REMOVE, it);
  unpin(s);
  return JOB_OK;
}
