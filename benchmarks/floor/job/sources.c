/* SPDX-License-Identifier: MIT */
#include "sources.h"

source *make_source(void) {
  source *it = take(sizeof *it);
  it->gate = take_slot();
  it->entries = &it->first;
  it->used = 0;
  it->capacity = 1;
  atomic_init(&it->references, 1);
  atomic_init(&it->is_over, false);
  return it;
}

void drop_source(source *it) {
  if (!drop(&it->references)) return;
  give_slot(it->gate);
  if (it->entries != &it->first) free(it->entries);
  give(it, sizeof *it);
}

subscription *make_subscription(source *from, void *context, floor_next next,
                                job_destroy destroy) {
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

void drop_subscription(subscription *it) {
  if (!drop(&it->references)) return;
  drop_source(it->source);
  give(it, sizeof *it);
}

void end_all(subscription *gone) {
  while (gone != NULL) {
    subscription *it = gone;
    gone = it->gone;
    atomic_store_explicit(&it->is_closed, true, memory_order_release);
    if (it->destroy != NULL) it->destroy(it->context);
    drop_subscription(it);
  }
}

void add(source *it, subscription *one) {
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

void remove_one(source *it, subscription *one, subscription **gone) {
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

void remove_all(source *it, subscription **gone) {
  uint32_t i = it->used;
  while (i-- > 0)
    if (it->entries[i].subscription != NULL)
      remove_one(it, it->entries[i].subscription, gone);
}

void deliver(source *it, floor_value value, bool carefully) {
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
