// Memory for the engine's small objects: the Embedded build only, where every
// object of Swift's comes from posix_memalign() and goes to free().
//
// A subscription makes and frees a handful of objects, and malloc with free is
// half of what that costs. Here a block is taken from a list of the thread and
// put back on the list of whichever thread frees it, without a lock or an
// atomic. A thread that has more than it needs gives half to the others.
//
// Each size has a range of addresses of its own, all in one reservation, so the
// address of a block says how large it is. Memory is kept for later objects and
// not given back to the system.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef RAC_EMBEDDED

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "CRACShims.h"
#include "pool.h"
#include "reserve.h"

enum {
  UNIT = 16,          // sizes are multiples of this
  RANGE_SHIFT = 30,   // 1 GB of addresses a size; then malloc
  STEP = 256 * 1024,  // made usable at a time
  SHARE = 64          // blocks that move between a thread and the others
};

typedef struct block {
  struct block *next;
  struct block *next_share;
} block;

// What all threads share, under the lock.
static struct {
  block *shares;  // lists of SHARE blocks
  char *fresh;    // never used yet
  char *usable;   // end of what has been made usable
} ranges[RAC_POOL_SIZES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *base;
static size_t reserved;  // 0: there is no pool, and malloc does it all

// The linker leads calls of free() here; this is the one of libc.
void __real_free(void *memory);
void __wrap_free(void *memory);

void rac_pool_boot(void) {
  const char *mode = getenv("RAC_POOL");
  if (mode != NULL && strcmp(mode, "malloc") == 0) return;
  size_t size = (size_t)RAC_POOL_SIZES << RANGE_SHIFT;
  void *addresses = mmap(NULL, size, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (addresses == MAP_FAILED) return;
  base = addresses;
  // Ranges do not start at like addresses: processors whose first cache guesses
  // by a hash of the middle bits (AMD's) would take one block for another and
  // wait for the second cache at every other access.
  for (size_t i = 0; i < RAC_POOL_SIZES; i++) {
    ranges[i].usable = base + (i << RANGE_SHIFT) + i * 37 * 4096;
    ranges[i].fresh = ranges[i].usable + i * 5 * 64;
  }
  reserved = size;
}

// Held across fork(), so that the child finds it free.
void rac_pool_before_fork(void) { pthread_mutex_lock(&lock); }
void rac_pool_after_fork(void) { pthread_mutex_unlock(&lock); }

// A list of blocks of that size, their number in *count; NULL when the system
// gives no more. Under the lock.
static block *take_share(size_t kind, uint32_t *count) {
  block *share = ranges[kind].shares;
  if (share != NULL) {
    ranges[kind].shares = share->next_share;
    *count = SHARE;
    return share;
  }
  size_t size = (kind + 1) * UNIT;
  if (ranges[kind].fresh + size > ranges[kind].usable) {
    char *end = base + ((kind + 1) << RANGE_SHIFT);
    if (ranges[kind].usable + STEP > end ||
        mprotect(ranges[kind].usable, STEP, PROT_READ | PROT_WRITE) != 0) {
      return NULL;
    }
    ranges[kind].usable += STEP;
  }
  block *first = NULL, **last = &first;
  for (*count = 0; *count < SHARE; ++*count) {
    if (ranges[kind].fresh + size > ranges[kind].usable) break;
    *last = (block *)ranges[kind].fresh;
    last = &(*last)->next;
    ranges[kind].fresh += size;
  }
  *last = NULL;
  return first;
}

static void give_share(size_t kind, rac_pool_list *list, uint32_t count) {
  block *share = list->head, *last = share;
  for (uint32_t i = 1; i < count; i++) last = last->next;
  list->head = last->next;
  list->count -= count;
  last->next = NULL;
  share->next_share = ranges[kind].shares;
  ranges[kind].shares = share;
}

static void *allocate_plainly(size_t size) {
  void *block = malloc(size);
  return block != NULL ? block : rac_reserve_take(size);
}

static __attribute__((noinline)) void *refill(rac_pool_list *list,
                                              size_t kind) {
  uint32_t count = 0;
  pthread_mutex_lock(&lock);
  block *share = take_share(kind, &count);
  pthread_mutex_unlock(&lock);
  if (share == NULL) return allocate_plainly((kind + 1) * UNIT);
  list->head = share->next;
  list->count = count - 1;
  return share;
}

static __attribute__((noinline)) void spill(rac_pool_list *list, size_t kind) {
  pthread_mutex_lock(&lock);
  give_share(kind, list, SHARE);
  pthread_mutex_unlock(&lock);
}

void *rac_pool_allocate(size_t size) {
  size_t kind = (size - 1) / UNIT;
  if (kind >= RAC_POOL_SIZES || reserved == 0) return allocate_plainly(size);
  rac_pool_list *list = &rac_shim_thread()->pool[kind];
  block *block = list->head;
  if (block == NULL) return refill(list, kind);
  list->head = block->next;
  list->count--;
  return block;
}

void __wrap_free(void *memory) {
  size_t offset = (size_t)((char *)memory - base);
  if (offset >= reserved) {
    __real_free(memory);
    return;
  }
  size_t kind = offset >> RANGE_SHIFT;
  rac_pool_list *list = &rac_shim_thread()->pool[kind];
  block *block = memory;
  block->next = list->head;
  list->head = block;
  if (++list->count >= 2 * SHARE) spill(list, kind);
}

// A thread that ends leaves what it has to the others; a share that is not full
// waits in its record for the thread that gets the record next.
void rac_pool_thread_exit(rac_thread *thread) {
  for (size_t kind = 0; kind < RAC_POOL_SIZES; kind++) {
    while (thread->pool[kind].count >= SHARE) spill(&thread->pool[kind], kind);
  }
}

// Embedded Swift asks for every object by way of this, with an alignment that
// any block has. It would go on with NULL, so there is no way out but this.
__attribute__((visibility("hidden"))) int
posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = alignment <= UNIT ? rac_pool_allocate(size)
                              : aligned_alloc(alignment, size);
  if (*memory == NULL) rac_shim_fatal("out of memory");
  return 0;
}

#endif
