// A thread's emergency reserve of memory.
//
// Swift cannot take back half an object, and what makes an object cannot say
// that there was no memory. So a function that makes something begins by
// seeing to it that its thread has blocks enough in reserve, and answers
// RAC_ENOMEM when the system does not give them. From then on it has memory:
// when the system refuses a block, one of these is taken, and they are filled
// up before the next thing is made. All are of the largest size that the pool
// has, so each does for any small object; larger blocks that are known to be
// needed are put by in their own size, and given back if they were not used.
//
// SPDX-License-Identifier: MIT
#include "reserve.h"

#ifdef RAC_EMBEDDED

#include <stdlib.h>

#include "pool.h"

typedef struct spare {
  struct spare *next;
  size_t size;
} spare;

static spare *allocate(size_t size) {
  void *block = rac_pool_pop(rac_pool_aligned(size));
  return block != NULL ? block : rac_pool_refill(rac_pool_aligned(size));
}

bool rac_shim_fill_reserve(rac_thread *thread, uint32_t blocks) {
  while (thread->reserve_count < blocks) {
    spare *block = allocate(RAC_RESERVE_BLOCK);
    if (block == NULL) return false;
    block->next = thread->reserve;
    thread->reserve = block;
    thread->reserve_count++;
  }
  return true;
}

bool rac_shim_hold_bulk(size_t size) {
  if (size <= RAC_RESERVE_BLOCK) return true;
  rac_thread *thread = rac_shim_tls;
  spare *block = allocate(size);
  if (block == NULL) return false;
  block->next = thread->bulk;
  block->size = size;
  thread->bulk = block;
  return true;
}

void rac_shim_release_bulk(const void *until) {
  rac_thread *thread = rac_shim_tls;
  spare *block;
  while ((block = thread->bulk) != NULL && block != until) {
    thread->bulk = block->next;
    free(block);
  }
}

static void *take_block(rac_thread *thread) {
  spare *block = thread->reserve;
  if (block == NULL) return NULL;
  thread->reserve = block->next;
  thread->reserve_count--;
  if (thread->ready > 0) thread->ready--;
  return block;
}

void *rac_reserve_take(size_t size) {
  rac_thread *thread = rac_shim_tls;
  if (size <= RAC_RESERVE_BLOCK) return take_block(thread);
  for (void **link = &thread->bulk; *link != NULL;
       link = (void **)&((spare *)*link)->next) {
    spare *block = *link;
    if (block->size >= size) {
      *link = block->next;
      return block;
    }
  }
  return NULL;
}

void rac_reserve_thread_exit(rac_thread *thread) {
  while (thread->reserve != NULL) free(take_block(thread));
  thread->ready = 0;
}

#else

bool rac_shim_fill_reserve(rac_thread *thread, uint32_t blocks) {
  (void)thread, (void)blocks;
  return true;
}
bool rac_shim_hold_bulk(size_t size) {
  (void)size;
  return true;
}
void rac_shim_release_bulk(const void *until) { (void)until; }

#endif
