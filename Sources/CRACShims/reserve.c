// The emergency reserve of a thread.
//
// Swift cannot take back half an object, and a Swift initialiser cannot report
// that there was no memory. So the way into every call that makes something,
// Border.isReady, fills the reserve of the calling thread, or the call answers
// RAC_ENOMEM. From then on there is memory: when the system refuses a block, the
// reserve gives one. A call that needs more than that ends the process.
//
// All small blocks are of the largest size that the pool has, so each does for
// any small object.
//
// SPDX-License-Identifier: MIT
#include "reserve.h"

#ifdef RAC_EMBEDDED

#include <stdlib.h>

#include "CRACCaches.h"
#include "pool.h"

// 20 KiB and 16 slots: docs/Shortages.md says so.
enum { BLOCKS = 48, LARGE_BLOCKS = 2, LARGE = 4096, SLOTS = 16 };

static void *allocate(size_t size) {
  void *block = rac_pool_pop(rac_pool_aligned(size));
  return block != NULL ? block : rac_pool_refill(rac_pool_aligned(size));
}

static void *pop(void **list) {
  rac_block *block = *list;
  if (block != NULL) *list = block->next;
  return block;
}

// Size 0 stands for slots.
static bool fill(void **list, uint32_t *count, uint32_t wanted, size_t size) {
  for (; *count < wanted; ++*count) {
    rac_block *block = size == 0 ? rac_slot_take() : allocate(size);
    if (block == NULL) return false;
    block->next = *list;
    *list = block;
  }
  return true;
}

bool rac_shim_fill_reserve(rac_thread *thread) {
  rac_reserve *mine = &thread->reserve;
  thread->ready =
      fill(&mine->blocks, &mine->block_count, BLOCKS, RAC_RESERVE_BLOCK) &&
      fill(&mine->large, &mine->large_count, LARGE_BLOCKS, LARGE) &&
      fill(&mine->slots, &mine->slot_count, SLOTS, 0);
  return thread->ready;
}

static void *take(rac_thread *thread, void **list, uint32_t *count) {
  void *block = pop(list);
  if (block == NULL) return NULL;
  --*count;
  thread->ready = 0;
  return block;
}

void *rac_reserve_take(size_t size) {
  rac_thread *thread = rac_shim_tls;
  rac_reserve *mine = &thread->reserve;
  if (size <= RAC_RESERVE_BLOCK)
    return take(thread, &mine->blocks, &mine->block_count);
  if (size <= LARGE) return take(thread, &mine->large, &mine->large_count);
  if (size > mine->held_size) return NULL;
  void *held = mine->held;
  mine->held = NULL;
  return held;
}

void *rac_shim_reserve_slot(void) {
  rac_thread *thread = rac_shim_tls;
  return take(thread, &thread->reserve.slots, &thread->reserve.slot_count);
}

bool rac_shim_hold(size_t size) {
  if (size <= LARGE) return true;
  rac_reserve *mine = &rac_shim_tls->reserve;
  mine->held = allocate(size);
  mine->held_size = size;
  return mine->held != NULL;
}

void rac_shim_drop_held(void) {
  rac_reserve *mine = &rac_shim_tls->reserve;
  free(mine->held);
  mine->held = NULL;
}

void rac_reserve_thread_exit(rac_thread *thread) {
  rac_reserve *mine = &thread->reserve;
  void *block;
  while ((block = pop(&mine->blocks)) != NULL) free(block);
  while ((block = pop(&mine->large)) != NULL) free(block);
  while ((block = pop(&mine->slots)) != NULL) rac_slot_give(block);
  *mine = (rac_reserve){0};
  thread->ready = 0;
}

#else

bool rac_shim_fill_reserve(rac_thread *thread) {
  thread->ready = 1;
  return true;
}
void *rac_shim_reserve_slot(void) { return NULL; }
bool rac_shim_hold(size_t size) {
  (void)size;
  return true;
}
void rac_shim_drop_held(void) {}

#endif
