/* What waits in order of its deadlines: a binary heap. Deadlines lie in the
 * heap itself, so that comparing does not touch what waits; each knows its
 * place, so that it can be taken out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FLOOR_LINE_H
#define FLOOR_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The beginning of what waits. */
typedef struct line_item {
  size_t place; /* from 1 */
} line_item;

typedef struct line_entry {
  uint64_t deadline;
  line_item *item;
} line_entry;

typedef struct line {
  line_entry *each; /* from 1 */
  size_t count, room;
} line;

static inline void line_put(line *l, size_t place, line_entry e) {
  l->each[place] = e;
  e.item->place = place;
}

static inline void line_rise(line *l, size_t place, line_entry e) {
  for (; place > 1 && l->each[place / 2].deadline > e.deadline; place /= 2)
    line_put(l, place, l->each[place / 2]);
  line_put(l, place, e);
}

static inline void line_sink(line *l, size_t place, line_entry e) {
  for (;;) {
    size_t child = place * 2;
    if (child > l->count) break;
    if (child < l->count &&
        l->each[child + 1].deadline < l->each[child].deadline)
      child++;
    if (l->each[child].deadline >= e.deadline) break;
    line_put(l, place, l->each[child]);
    place = child;
  }
  line_rise(l, place, e);
}

/* False when there is no memory. */
static inline bool line_insert(line *l, uint64_t deadline, line_item *item) {
  if (l->count + 1 >= l->room) {
    size_t room = l->room == 0 ? 64 : l->room * 2;
    line_entry *each = realloc(l->each, room * sizeof *each);
    if (each == NULL) return false;
    l->each = each;
    l->room = room;
  }
  l->count++;
  line_rise(l, l->count, (line_entry){deadline, item});
  return true;
}

static inline void line_take_out(line *l, const line_item *item) {
  line_entry last = l->each[l->count--];
  if (last.item != item) line_sink(l, item->place, last);
}

/* The first deadline; none is the last there is. */
static inline uint64_t line_first(const line *l) {
  return l->count == 0 ? UINT64_MAX : l->each[1].deadline;
}

#endif /* FLOOR_LINE_H */
