/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- Memory: what a thread has freed it makes anew of ------------------------ */

typedef struct block {
  struct block *next;
} block;

enum { SUBJECT, EMITTER, SIGNAL, SUBSCRIPTION, KINDS, LARGEST = 96 };
static __thread block *free_blocks[LARGEST / 16 + 1];

static inline void *take(size_t size) {
  block **list = &free_blocks[(size + 15) / 16];
  block *b = *list;
  if (b == NULL) {
    b = malloc((size + 15) / 16 * 16);
    if (b == NULL) abort();
  } else {
    *list = b->next;
  }
  return b;
}

static inline void give(void *memory, size_t size) {
  block *b = memory, **list = &free_blocks[(size + 15) / 16];
  b->next = *list;
  *list = b;
}

/* ---- Slots: what handles name -------------------------------------------------- */

#define BUSY ((uint64_t)1)    /* somebody is inside the gate */
#define PENDING ((uint64_t)2) /* something is in the queue; or it is no gate */
#define CLOSING ((uint64_t)4) /* the handle is gone, the object not yet */
#define PUBLISHED ((uint64_t)8) /* a handle names it */
#define IMMORTAL ((uint64_t)16)
#define FLAGS ((uint64_t)31)
#define PIN ((uint64_t)1 << 5)
#define PINS ((uint64_t)0x7FFF << 5)
#define REFERENCE ((uint64_t)1 << 20)
#define REFERENCES ((uint64_t)0xFFF << 20)
#define GENERATION ((uint64_t)1 << 32)
#define GENERATIONS (~(uint64_t)0 << 32)

typedef struct operation {
  struct operation *next;
  enum { NEXT, ADD, REMOVE, END } what;
  struct subscription *subscription;
  floor_value value;
} operation;

typedef struct slot {
  _Atomic uint64_t word;
  _Atomic(operation *) queue;
  void *object;
  uint32_t kind;
  uint32_t next_free;
} slot;

enum { SLOTS = 1 << 22 };
static slot slots[SLOTS]; /* 0 is none, 1 what has ended */
static atomic_uint slots_used = 2;
static __thread uint32_t free_slot;

static slot *take_slot(void) {
  uint32_t index = free_slot;
  if (index != 0) {
    free_slot = slots[index].next_free;
  } else {
    index = atomic_fetch_add(&slots_used, 1);
    if (index >= SLOTS) abort();
    atomic_store(&slots[index].word, GENERATION);
  }
  return &slots[index];
}

static void give_slot(slot *s) {
  atomic_store_explicit(&s->word,
                        atomic_load_explicit(&s->word, memory_order_relaxed) &
                            GENERATIONS,
                        memory_order_relaxed);
  s->next_free = free_slot;
  free_slot = (uint32_t)(s - slots);
}

/* One reference, in a slot that nobody knows yet. */
static job_handle publish(slot *s, void *object, uint32_t kind, bool is_gate) {
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  s->object = object;
  s->kind = kind;
  atomic_store_explicit(&s->queue, NULL, memory_order_relaxed);
  atomic_store_explicit(
      &s->word, word + (REFERENCE | PUBLISHED | (is_gate ? 0 : PENDING)),
      memory_order_release);
  return (word & GENERATIONS) | (uint64_t)(s - slots);
}

static inline slot *named(job_handle handle) {
  return &slots[(uint32_t)handle & (SLOTS - 1)];
}

/* Whether the word is of that handle, which is still valid. */
static inline bool is_of(uint64_t word, job_handle handle) {
  return ((word ^ handle) & GENERATIONS) == 0 && (word & PUBLISHED) != 0 &&
         (uint32_t)handle < SLOTS;
}

/* Keeps the object for the length of a call. */
static inline slot *acquire(job_handle handle) {
  slot *s = named(handle);
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  while (is_of(word, handle) && (word & PINS) != PINS)
    if (atomic_compare_exchange_weak_explicit(&s->word, &word, word + PIN,
                                              memory_order_acquire,
                                              memory_order_relaxed))
      return s;
  return NULL;
}

static void finalize(slot *s);

/* The word for whoever leaves one like that; whether the object is to go. */
static inline bool left(uint64_t *word) {
  if ((*word & CLOSING) == 0 || (*word & (BUSY | PINS)) != 0) return false;
  *word &= ~CLOSING;
  return true;
}

static inline void unpin(slot *s) {
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  while (true) {
    uint64_t after = word - PIN;
    bool goes = left(&after);
    if (atomic_compare_exchange_weak_explicit(&s->word, &word, after,
                                              memory_order_acq_rel,
                                              memory_order_relaxed)) {
      if (goes) finalize(s);
      return;
    }
  }
}

int job_release(job_handle handle) {
  slot *s = named(handle);
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  while (is_of(word, handle)) {
    uint64_t after = word - REFERENCE;
    bool goes = false;
    if (word & IMMORTAL) return JOB_OK;
    if ((after & REFERENCES) == 0) {
      after = ((after + GENERATION) | CLOSING) & ~PUBLISHED;
      goes = left(&after);
    }
    if (atomic_compare_exchange_weak_explicit(&s->word, &word, after,
                                              memory_order_acq_rel,
                                              memory_order_relaxed)) {
      if (goes) finalize(s);
      return JOB_OK;
    }
  }
  return JOB_STALE;
}

/* ---- Subscriptions and what they are subscribed to ------------------------------ */

/* Held by its source, while it is in that one's list, and by its handle. */
typedef struct subscription {
  atomic_uint references;
  atomic_bool is_closed;
  int32_t index;
  struct source *source; /* kept */
  floor_next next;
  void *context;
  job_destroy destroy;
  struct subscription *gone; /* of those that have left the list, one more */
} subscription;

typedef struct entry {
  floor_next next;
  void *context;
  subscription *subscription;
} entry;

/* A subject or an emitter: a gate, in the slot of its handle. */
typedef struct source {
  slot *gate;
  entry *entries;
  uint32_t used, capacity;
  atomic_uint references;
  atomic_bool is_over; /* nobody is subscribed, nor will be */
  entry first;         /* enough for one */
} source;

typedef struct signal {
  atomic_uint references;
  job_produce produce;
  void *context;
  job_destroy destroy;
} signal;

static inline bool drop(atomic_uint *references) {
  // The last one is alone.
  return atomic_load_explicit(references, memory_order_acquire) == 1 ||
         atomic_fetch_sub_explicit(references, 1, memory_order_acq_rel) == 1;
}

static source *make_source(void) {
  source *it = take(sizeof *it);
  it->gate = take_slot();
  it->entries = &it->first;
  it->used = 0;
  it->capacity = 1;
  atomic_init(&it->references, 1);
  atomic_init(&it->is_over, false);
  return it;
}

static void drop_source(source *it) {
  if (!drop(&it->references)) return;
  give_slot(it->gate);
  if (it->entries != &it->first) free(it->entries);
  give(it, sizeof *it);
}

static subscription *make_subscription(source *from, void *context,
                                       floor_next next, job_destroy destroy) {
  subscription *it = take(sizeof *it);
  atomic_init(&it->references, 2);
  atomic_init(&it->is_closed, false);
  it->index = -1;
  it->source = from;
  atomic_fetch_add_explicit(&from->references, 1, memory_order_relaxed);
  it->next = next;
  it->context = context;
  it->destroy = destroy;
  return it;
}

static void drop_subscription(subscription *it) {
  if (!drop(&it->references)) return;
  drop_source(it->source);
  give(it, sizeof *it);
}

/* Nobody calls it any more: outside of all gates. */
static void end_all(subscription *gone) {
  while (gone != NULL) {
    subscription *it = gone;
    gone = it->gone;
    atomic_store_explicit(&it->is_closed, true, memory_order_release);
    if (it->destroy != NULL) it->destroy(it->context);
    drop_subscription(it);
  }
}

/* ---- Inside a gate ----------------------------------------------------------------- */

static void add(source *it, subscription *one) {
  if (it->used == it->capacity) {
    uint32_t i, larger = it->capacity * 4;
    entry *moved = malloc(larger * sizeof *moved);
    if (moved == NULL) abort();
    for (i = 0; i < it->used; i++) moved[i] = it->entries[i];
    if (it->entries != &it->first) free(it->entries);
    it->entries = moved;
    it->capacity = larger;
  }
  one->index = (int32_t)it->used;
  it->entries[it->used++] = (entry){one->next, one->context, one};
}

static void nothing(void *context, floor_value value) {
  (void)context;
  (void)value;
}

static void remove_one(source *it, subscription *one, subscription **gone) {
  uint32_t from, to = 0;
  if (one->index < 0) return;
  it->entries[one->index] = (entry){nothing, NULL, NULL};
  one->index = -1;
  one->gone = *gone;
  *gone = one;
  while (it->used > 0 && it->entries[it->used - 1].subscription == NULL)
    it->used--;
  if (it->used < 16 || it->used < it->capacity) return;
  for (from = 0; from < it->used; from++) {
    if (it->entries[from].subscription == NULL) continue;
    it->entries[to] = it->entries[from];
    it->entries[to].subscription->index = (int32_t)to;
    to++;
  }
  it->used = to;
}

static void remove_all(source *it, subscription **gone) {
  uint32_t i = it->used;
  while (i-- > 0)
    if (it->entries[i].subscription != NULL)
      remove_one(it, it->entries[i].subscription, gone);
}

/* Whom a disposal has reached meanwhile hears nothing more. */
static void deliver(source *it, floor_value value, bool carefully) {
  uint32_t i, end = it->used;
  for (i = 0; i < end; i++) {
    const entry *e = &it->entries[i];
    if (carefully && e->subscription != NULL &&
        atomic_load_explicit(&e->subscription->is_closed, memory_order_relaxed))
      continue;
    e->next(e->context, value);
    if (atomic_load_explicit(&it->gate->word, memory_order_relaxed) & PENDING)
      carefully = true;
  }
}

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

/* ---- The gate ------------------------------------------------------------------------ */

/* By a handle that may be anything: one step. The word before, or 0. */
static inline uint64_t enter_by(job_handle handle) {
  slot *s = named(handle);
  uint64_t word = atomic_load_explicit(&s->word, memory_order_relaxed);
  if (((word ^ (handle | PUBLISHED)) & GENERATIONS) != 0 ||
      (word & FLAGS) != PUBLISHED || (uint32_t)handle >= SLOTS)
    return 0;
  return atomic_compare_exchange_strong_explicit(&s->word, &word, word | BUSY,
                                                 memory_order_acquire,
                                                 memory_order_relaxed)
             ? word
             : 0;
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

static __attribute__((noinline)) void leave_slowly(source *it,
                                                   subscription *gone) {
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

/* The usual case: the word is as this thread has made it. */
static inline void leave(slot *s, uint64_t word, subscription *gone) {
  uint64_t mine = word | BUSY;
  if (atomic_compare_exchange_strong_explicit(
          &s->word, &mine, word, memory_order_release, memory_order_relaxed))
    end_all(gone);
  else
    leave_slowly(s->object, gone);
}

/* Leaves it to whoever is inside; when nobody is, does it here. */
static __attribute__((noinline)) int post(source *it, operation what) {
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

static void submit(source *it, int what, subscription *one) {
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

/* ---- The functions -------------------------------------------------------------------- */

static job_handle ended(void) {
  uint64_t none = 0;
  slot *s = &slots[1];
  atomic_compare_exchange_strong(
      &s->word, &none, GENERATION | REFERENCE | PUBLISHED | PENDING | IMMORTAL);
  return GENERATION | 1;
}

static void drop_signal(signal *it) {
  if (!drop(&it->references)) return;
  if (it->destroy != NULL) it->destroy(it->context);
  give(it, sizeof *it);
}

/* The slot lets go of its object. That of a gate goes with the gate. */
static void finalize(slot *s) {
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
  default:
    if (!atomic_load_explicit(&((source *)object)->is_over,
                              memory_order_acquire))
      submit(object, END, NULL);
    drop_source(object);
    break;
  }
}

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
  if (s->kind == SUBSCRIPTION && !atomic_exchange(&it->is_closed, true))
    submit(it->source, REMOVE, it);
  unpin(s);
  return JOB_OK;
}
