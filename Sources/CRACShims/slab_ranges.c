// Where slabs come from and where they go: addresses, memory, and the slabs that
// are empty.
//
// A range is reserved as a whole, and made usable bit by bit from its beginning.
// Of the slabs that have been in use and are empty some keep their memory, as
// *spares*, and the others become *bare*: their memory goes back to the system,
// and their addresses read as zeros until they are used again, the lowest first.
//
// Memory costs a microsecond a page to get and to give back. So the number of
// spares follows what a program does: each bare slab that is needed again adds
// one, and each that goes bare takes one away, up to 4 MB. A program that makes
// and drops some thousand objects again and again keeps their memory after the
// first time; one that has dropped a million keeps 64 KB.
//
// While there is a *keeper*, a thread of the library's that comes to look, empty
// slabs decay instead, as dirty pages do in jemalloc: one that nobody has needed
// for DECAY_TIME goes bare. So bursts that follow each other find the memory of
// the one before.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "slabs.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { LEAST_SPARES = 2, MOST_SPARES = 128, MOST_SKIPPED = 64 };

// In `past`, beside the generation.
static const uint32_t BARE = (uint32_t)1 << 31;

rac_slab_range rac_slot_range;
rac_slab_range rac_pool_range;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t page;  // of the system's, in bytes

// What the keeper sleeps on; NULL: there is none. Under the lock.
static uint32_t *keeper;
// When it is to look. Written under the lock.
static int64_t keeper_time = RAC_SHIM_NEVER;
// An empty slab is kept for so long at least, and twice that at most: a second.
static const int64_t DECAY_TIME = 1000000000;
// At one look, 0.2 ms.
enum { MOST_AT_ONCE = 32 };

static size_t index_of(const rac_slab_range *range, const rac_slab *slab) {
  return (size_t)(slab - range->slabs);
}

static char *address_of(const rac_slab_range *range, const rac_slab *slab) {
  return range->base + index_of(range, slab) * RAC_SLAB_SIZE;
}

// ---- Addresses -----------------------------------------------------------------

static void *map(size_t size, int access) {
  void *start = mmap(NULL, size, access,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

bool rac_slab_range_reserve(rac_slab_range *range, size_t size) {
  // The slabs' descriptions come first. Slabs begin at multiples of their size,
  // which takes up to one more of it.
  size_t count = size / RAC_SLAB_SIZE;
  size_t wanted = count * sizeof(rac_slab) + size + RAC_SLAB_SIZE;
  char *start = map(wanted, PROT_READ);
  if (start == NULL) return false;
  uint32_t *past = map(count * sizeof *past, PROT_READ | PROT_WRITE);
  if (past == NULL) {
    munmap(start, wanted);
    return false;
  }
  start += -(uintptr_t)start & (RAC_SLAB_SIZE - 1);
  *range = (rac_slab_range){.base = start + count * sizeof(rac_slab),
                            .size = size,
                            .slabs = (rac_slab *)start,
                            .past = past,
                            .keeps = LEAST_SPARES};
  return true;
}

// Of a program that looks for leaks; NULL in others.
__attribute__((weak)) void __lsan_register_root_region(const void *start,
                                                       size_t size);

static bool make_usable(void *start, size_t size) {
  if (mprotect(start, size, PROT_READ | PROT_WRITE) != 0) return false;
  // LeakSanitizer looks for pointers in malloc's memory only.
  if (__lsan_register_root_region != NULL) {
    __lsan_register_root_region(start, size);
  }
  return true;
}

// Slabs are made usable in groups: those that one page describes.
static size_t group(void) { return page / sizeof(rac_slab); }

static bool extend(rac_slab_range *range) {
  size_t from = range->usable, size = group() * RAC_SLAB_SIZE;
  if (from * RAC_SLAB_SIZE + size > range->size ||
      !make_usable(range->slabs + from, page) ||
      !make_usable(range->base + from * RAC_SLAB_SIZE, size)) {
    return false;
  }
  range->usable += group();
  return true;
}

// ---- Memory ----------------------------------------------------------------------

// In its next life all of a slab's slots begin after the greatest generation that
// one of them has now, because generations never go back. All of them are looked
// at: what was carved in an earlier life need not have been in the last. False
// when some would skip too many: there are 33 million at least for each.
static bool remember_generation(rac_slab_range *range, rac_slab *slab) {
  const char *start = address_of(range, slab);
  uint64_t least = UINT64_MAX, most = 0;
  for (size_t offset = 0; offset < RAC_SLAB_SIZE; offset += RAC_SLOT_SIZE) {
    const rac_block *slot = (const rac_block *)(start + offset);
    // Who closes the library may have sealed it when it was in use.
    uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
    uint64_t generation = word >> RAC_SLOT_GENERATION_SHIFT;
    if (generation == 0) continue;  // never carved
    if (generation < least) least = generation;
    if (generation > most) most = generation;
  }
  if (most > least + MOST_SKIPPED) return false;
  uint32_t *past = &range->past[index_of(range, slab)];
  if (most > *past) *past = (uint32_t)most;
  return true;
}

// False when the memory has to stay.
static bool discard(rac_slab_range *range, rac_slab *slab) {
  if (page > RAC_SLAB_SIZE) return false;
  if (range == &rac_slot_range && !remember_generation(range, slab)) {
    return false;
  }
  return madvise(address_of(range, slab), RAC_SLAB_SIZE, MADV_DONTNEED) == 0;
}

// Under the lock. The description of a group that is bare as a whole goes, too.
static void put_bare(rac_slab_range *range, rac_slab *slab) {
  size_t index = index_of(range, slab), first = index & ~(group() - 1);
  range->past[index] |= BARE;
  range->bares++;
  if (index < range->bare_from) range->bare_from = index;
  for (size_t i = 0; i < group(); i++) {
    if (!(range->past[first + i] & BARE)) return;
  }
  madvise(range->slabs + first, page, MADV_DONTNEED);
}

// Under the lock.
static rac_slab *take_bare(rac_slab_range *range) {
  if (range->bares == 0) return NULL;
  size_t index = range->bare_from;
  while (!(range->past[index] & BARE)) index++;
  range->past[index] &= ~BARE;
  range->bares--;
  range->bare_from = index + 1;
  if (range->keeps < MOST_SPARES) range->keeps++;
  return &range->slabs[index];
}

// ---- Empty slabs -------------------------------------------------------------------

static void push(rac_slab **list, rac_slab *slab) {
  slab->next = *list;
  *list = slab;
}

static rac_slab *pop(rac_slab **list) {
  rac_slab *slab = *list;
  if (slab != NULL) *list = slab->next;
  return slab;
}

// Slots begin with 1, so that no small number is a handle. Of two copies of the
// library in one process each begins somewhere else, so that neither takes the
// other's handles: their ranges do not overlap, so they are of different multiples
// of their size. Half of the 26 bits is left to every slot.
static uint32_t generation_before(const rac_slab_range *range) {
  uintptr_t multiple = (uintptr_t)range->base / range->size;
  return (uint32_t)(multiple % 64) << 19;
}

rac_slab *rac_slab_range_take(rac_slab_range *range, bool whole) {
  pthread_mutex_lock(&lock);
  rac_slab *slab = pop(&range->worn);
  if (slab == NULL && (slab = pop(&range->spare)) != NULL) {
    range->spares--;
    if (range->least > range->spares) range->least = range->spares;
  }
  bool has_memory = slab != NULL;
  if (slab == NULL) slab = take_bare(range);
  if (slab == NULL && (range->fresh < range->usable || extend(range))) {
    slab = &range->slabs[range->fresh++];
  }
  pthread_mutex_unlock(&lock);
  if (slab == NULL) return NULL;
  if (range == &rac_slot_range) {
    uint32_t past = range->past[index_of(range, slab)];
    uint32_t least = generation_before(range);
    slab->generation = (past > least ? past : least) + 1;
  }
  // All pages at once are half as dear as one by one; older systems refuse.
  if (whole && !has_memory) {
    madvise(address_of(range, slab), RAC_SLAB_SIZE, MADV_POPULATE_WRITE);
  }
  return slab;
}

// Lets the memory of a spare go. Under the lock, but not while the system takes
// it.
static void shed(rac_slab_range *range) {
  rac_slab *slab = pop(&range->spare);
  range->spares--;
  pthread_mutex_unlock(&lock);
  bool is_bare = discard(range, slab);
  pthread_mutex_lock(&lock);
  if (is_bare) {
    put_bare(range, slab);
  } else {
    push(&range->worn, slab);
  }
}

static void keep_until(int64_t time) {
  __atomic_store_n(&keeper_time, time, __ATOMIC_RELEASE);
}

// True when the keeper has to be told. Under the lock.
static bool is_news(rac_slab_range *range) {
  if (keeper_time != RAC_SHIM_NEVER) return false;
  rac_slot_range.least = rac_pool_range.least = 0;
  range->least = range->spares;
  keep_until(rac_shim_now() + DECAY_TIME);
  return true;
}

void rac_slab_range_give(rac_slab_range *range, rac_slab *slab) {
  uint32_t *told = NULL;
  pthread_mutex_lock(&lock);
  push(&range->spare, slab);
  range->spares++;
  uint32_t keeps = range->keeps;
  if (range->spares > keeps && keeper != NULL) {
    if (is_news(range)) told = keeper;
  } else {
    if (range->spares > keeps && keeps > LEAST_SPARES) keeps = --range->keeps;
    while (range->spares > keeps) shed(range);
  }
  pthread_mutex_unlock(&lock);
  if (told != NULL) {
    __atomic_fetch_add(told, 1, __ATOMIC_RELEASE);
    rac_shim_futex_wake(told, 1);
  }
}

// ---- The keeper ---------------------------------------------------------------------

void rac_shim_keep_slabs(const void *word) {
  pthread_mutex_lock(&lock);
  keeper = (uint32_t *)(uintptr_t)word;
  keep_until(RAC_SHIM_NEVER);
  pthread_mutex_unlock(&lock);
}

int64_t rac_shim_slabs_time(void) {
  return __atomic_load_n(&keeper_time, __ATOMIC_ACQUIRE);
}

// What nobody has needed since the last look goes. Whether more would. Under the
// lock.
static bool look_at(rac_slab_range *range, int *left) {
  while (range->least > range->keeps && *left > 0) {
    if (range->keeps > LEAST_SPARES) range->keeps--;
    range->least--;
    --*left;
    shed(range);
  }
  return range->least > range->keeps;
}

void rac_shim_look_at_slabs(int64_t now) {
  int left = MOST_AT_ONCE;
  pthread_mutex_lock(&lock);
  if (now >= keeper_time) {
    bool slots = look_at(&rac_slot_range, &left);
    bool blocks = look_at(&rac_pool_range, &left);
    if (slots || blocks) {
      keep_until(now);
    } else if (rac_slot_range.spares > rac_slot_range.keeps ||
               rac_pool_range.spares > rac_pool_range.keeps) {
      rac_slot_range.least = rac_slot_range.spares;
      rac_pool_range.least = rac_pool_range.spares;
      keep_until(now + DECAY_TIME);
    } else {
      keep_until(RAC_SHIM_NEVER);
    }
  }
  pthread_mutex_unlock(&lock);
}

size_t rac_slab_range_used(rac_slab_range *range) {
  pthread_mutex_lock(&lock);
  size_t used = range->fresh;
  pthread_mutex_unlock(&lock);
  return used;
}

size_t rac_slots_count(void) {
  size_t slabs = rac_slab_range_used(&rac_slot_range);
  return slabs * (RAC_SLAB_SIZE / RAC_SLOT_SIZE);
}

// ---- Processes ---------------------------------------------------------------------

void rac_slab_ranges_boot(void) { page = (size_t)sysconf(_SC_PAGESIZE); }

static void empty(void *start, size_t size) {
  if (madvise(start, size, MADV_DONTNEED) != 0) {
    rac_shim_fatal("the handles of the parent cannot be forgotten");
  }
}

void rac_slab_range_forget(rac_slab_range *range) {
  size_t usable = range->usable;
  if (usable > 0) {
    empty(range->base, usable * RAC_SLAB_SIZE);
    empty(range->slabs, usable / group() * page);
    memset(range->past, 0, usable * sizeof *range->past);
  }
  *range = (rac_slab_range){.base = range->base,
                            .size = range->size,
                            .slabs = range->slabs,
                            .past = range->past,
                            // No handle may be equal to one of the parent's.
                            .fresh = range->fresh,
                            .usable = usable,
                            .keeps = LEAST_SPARES};
}

// Held across fork(), so that the child finds it free.
void rac_slab_ranges_before_fork(void) { pthread_mutex_lock(&lock); }
void rac_slab_ranges_after_fork(void) { pthread_mutex_unlock(&lock); }
