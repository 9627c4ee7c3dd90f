/* SPDX-License-Identifier: MIT */
#include "gate.h"

static void apply(source *it, const operation *o, subscription **gone) {
  switch (o->what) {
  case NEXT:
    deliver(it, o->value, true);
    break;
  case ADD:
    if (atomic_load(&o->subscription->is_closed)) {
      o->subscription->gone = *gone;
      *gone = o->subscription;
    } else {
      add(it, o->subscription);
    }
    break;
  case REMOVE:
    remove_one(it, o->subscription, gone);
    break;
  case END:
    remove_all(it, gone);
    break;
  }
}

/* By somebody who keeps the source. */
static inline bool enter(source *it) {
  uint64_t word = atomic_load_explicit(&it->gate->word, memory_order_relaxed);
  while ((word & (BUSY | PENDING)) == 0)
    if (atomic_compare_exchange_weak_explicit(&it->gate->word, &word,
                                              word | BUSY, memory_order_acquire,
                                              memory_order_relaxed))
      return true;
  return false;
}

void leave_slowly(source *it, subscription *gone) {
  slot *s = it->gate;
  while (true) {
    uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
    uint64_t after = word & ~BUSY;
    bool goes;
    if (word & PENDING) {
      operation *newest, *oldest = NULL;
      atomic_fetch_and_explicit(&s->word, ~PENDING, memory_order_acquire);
      newest = atomic_exchange_explicit(&s->queue, NULL, memory_order_acquire);
      while (newest != NULL) {
        operation *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
      }
      while (oldest != NULL) {
        operation *next = oldest->next;
        apply(it, oldest, &gone);
        give(oldest, sizeof *oldest);
        oldest = next;
      }
      continue;
    }
    goes = left(&after);
    if (!atomic_compare_exchange_strong_explicit(
            &s->word, &word, after, memory_order_acq_rel, memory_order_relaxed))
      continue;
    if (goes) finalize(s);
    break;
  }
  end_all(gone);
}

int post(source *it, operation what) {
  operation *o = take(sizeof *o);
  slot *s = it->gate;
  uint64_t word;
  *o = what;
  o->next = atomic_load_explicit(&s->queue, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &s->queue, &o->next, o, memory_order_release, memory_order_relaxed)) {
  }
  word = atomic_load_explicit(&s->word, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &s->word, &word, word | PENDING | BUSY, memory_order_acq_rel,
      memory_order_relaxed)) {
  }
  if (word & BUSY) return JOB_QUEUED;
  leave_slowly(it, NULL);
  return JOB_OK;
}

void submit(source *it, int what, subscription *one) {
  subscription *gone = NULL;
  if (!enter(it)) {
    post(it, (operation){NULL, what, one, {0, 0}});
    return;
  }
  if (what == REMOVE) remove_one(it, one, &gone);
  if (what == END) remove_all(it, &gone);
  if (what == ADD) add(it, one);
  leave_slowly(it, gone);
}
