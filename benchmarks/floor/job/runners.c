/* A queue as ../post.h has it, behind a handle.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include "runners.h"

#include "../futex.h"
#include "job.h"

#include <sched.h>

/* See ../post.c. */
enum { LOOKS = 1000, YIELDS = 20 };

/* On a line of its own: it is all that the other side has to fetch. */
typedef struct queued {
  _Alignas(64) _Atomic(struct queued *) next;
  letter letter;
} queued;

/* Held by its handle, and by what is delivered there. */
struct runner {
  _Atomic(queued *) newest;
  /* On lines of their own. */
  _Alignas(64) queued *oldest;          /* its thread's: has been read */
  _Alignas(64) _Atomic uint32_t asleep; /* what its thread sleeps on */
  atomic_uint references;
  atomic_bool is_stopped;
  bool is_apart;
};

/* Those that this thread has read. */
static __thread queued *used;

static queued *enclose(letter sent) {
  queued *fresh = used;
  if (fresh != NULL)
    used = atomic_load_explicit(&fresh->next, memory_order_relaxed);
  else
    fresh = aligned_alloc(64, sizeof *fresh);
  if (fresh == NULL) abort();
  atomic_init(&fresh->next, NULL);
  fresh->letter = sent;
  return fresh;
}

static void put_by(queued *read) {
  atomic_store_explicit(&read->next, used, memory_order_relaxed);
  used = read;
}

static queued *next_letter(const runner *it, memory_order order) {
  return atomic_load_explicit(&it->oldest->next, order);
}

void keep_runner(runner *it) {
  atomic_fetch_add_explicit(&it->references, 1, memory_order_relaxed);
}

void drop_runner(runner *it) {
  if (!drop(&it->references)) return;
  while (it->oldest != NULL) {
    queued *read = it->oldest;
    it->oldest = next_letter(it, memory_order_relaxed);
    put_by(read);
  }
  free(it);
}

void post_letter(runner *to, letter sent) {
  queued *fresh = enclose(sent);
  queued *before =
      atomic_exchange_explicit(&to->newest, fresh, memory_order_acq_rel);
  atomic_store_explicit(&before->next, fresh, memory_order_seq_cst);
  floor_wake(&to->asleep);
}

/* ---- Its thread ---------------------------------------------------------- */

static bool has_news(const runner *it, memory_order order) {
  return next_letter(it, order) != NULL ||
         atomic_load_explicit(&it->is_stopped, order);
}

static void wait_for_news(runner *it) {
  int looks = it->is_apart ? LOOKS : YIELDS;
  while (looks-- > 0 && next_letter(it, memory_order_relaxed) == NULL) {
    if (it->is_apart)
      floor_pause();
    else
      sched_yield();
  }
  if (has_news(it, memory_order_relaxed)) return;
  atomic_store(&it->asleep, 1);
  if (has_news(it, memory_order_seq_cst))
    atomic_store_explicit(&it->asleep, 0, memory_order_relaxed);
  else
    floor_sleep(&it->asleep);
}

static void run(runner *it) {
  while (!atomic_load_explicit(&it->is_stopped, memory_order_acquire)) {
    queued *read = it->oldest, *next = next_letter(it, memory_order_acquire);
    if (next == NULL) {
      wait_for_news(it);
      continue;
    }
    it->oldest = next;
    put_by(read);
    next->letter.open(next->letter.to, next->letter.value);
  }
  atomic_store_explicit(&it->is_stopped, false, memory_order_relaxed);
}

/* ---- By handles ---------------------------------------------------------- */

job_handle job_runner(int is_apart) {
  runner *it = aligned_alloc(64, sizeof *it);
  if (it == NULL) return 0;
  it->oldest = enclose((letter){NULL, NULL, floor_int64(0)});
  atomic_init(&it->newest, it->oldest);
  atomic_init(&it->asleep, 0);
  atomic_init(&it->references, 1);
  atomic_init(&it->is_stopped, false);
  it->is_apart = is_apart != 0;
  return publish(take_slot(), it, RUNNER, false);
}

static slot *acquire_runner(job_handle handle) {
  slot *s = acquire(handle);
  if (s == NULL || s->kind == RUNNER) return s;
  unpin(s);
  return NULL;
}

int job_run(job_handle handle) {
  slot *s = acquire_runner(handle);
  if (s == NULL) return JOB_STALE;
  run(s->object);
  unpin(s);
  return JOB_OK;
}

int job_stop(job_handle handle) {
  slot *s = acquire_runner(handle);
  runner *it;
  if (s == NULL) return JOB_STALE;
  it = s->object;
  atomic_store(&it->is_stopped, true);
  floor_wake(&it->asleep);
  unpin(s);
  return JOB_OK;
}
