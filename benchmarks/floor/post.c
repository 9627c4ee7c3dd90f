/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "post.h"

#include "futex.h"

#include <sched.h>
#include <stdlib.h>

/* Some fifty microseconds, as falling asleep and waking up take where nobody
 * else runs: an answer takes less than one. */
enum { LOOKS = 1000 };
/* The sender, that waits for this processor, answers meanwhile. */
enum { YIELDS = 20 };

static floor_letter *write_letter(floor_value value) {
  floor_letter *fresh = malloc(sizeof *fresh);
  if (fresh == NULL) worker_fail("out of memory");
  atomic_init(&fresh->next, NULL);
  fresh->value = value;
  return fresh;
}

void floor_post_open(floor_post *p, int is_apart) {
  p->oldest = write_letter(floor_int64(0));
  atomic_init(&p->newest, p->oldest);
  atomic_init(&p->asleep, 0);
  p->is_apart = is_apart;
}

void floor_post_close(floor_post *p) { free(p->oldest); }

void floor_post_send(floor_post *p, floor_value value) {
  floor_letter *fresh = write_letter(value);
  floor_letter *before =
      atomic_exchange_explicit(&p->newest, fresh, memory_order_acq_rel);
  /* In one order with the look at the sleeper: of that and the sleeper's look
   * at the letters one sees the other. */
  atomic_store_explicit(&before->next, fresh, memory_order_seq_cst);
  floor_wake(&p->asleep);
}

static floor_letter *next_letter(const floor_post *p, memory_order order) {
  return atomic_load_explicit(&p->oldest->next, order);
}

static void look(const floor_post *p) {
  int looks = p->is_apart ? LOOKS : YIELDS;
  while (looks-- > 0 && next_letter(p, memory_order_relaxed) == NULL) {
    if (p->is_apart)
      floor_pause();
    else
      sched_yield();
  }
}

static void wait_for_letter(floor_post *p) {
  look(p);
  if (next_letter(p, memory_order_relaxed) != NULL) return;
  atomic_store_explicit(&p->asleep, 1, memory_order_seq_cst);
  if (next_letter(p, memory_order_seq_cst) != NULL)
    atomic_store_explicit(&p->asleep, 0, memory_order_relaxed);
  else
    floor_sleep(&p->asleep);
}

floor_value floor_post_read(floor_post *p) {
  floor_letter *read = p->oldest, *next;
  while ((next = next_letter(p, memory_order_acquire)) == NULL)
    wait_for_letter(p);
  p->oldest = next;
  free(read);
  return next->value;
}
