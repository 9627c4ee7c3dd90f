// Ranges of slabs: their addresses, their memory, and the empty slabs.
//
// A range is reserved as a whole, and made usable bit by bit from its
// beginning. Of the slabs that have been in use and are empty some are
// *retained*, with their memory, and the others *decommitted*: their memory
// goes back to the system, and their addresses read as zeros until they are
// used again, the lowest first.
//
// Memory costs a microsecond a page to get and to give back. So the number of
// retained slabs follows what a program does: each decommitted slab that is
// needed again adds one, and each that is decommitted takes one away, up to 4
// MB. A program that makes and drops some thousand objects again and again
// keeps their memory after the first time; one that has dropped a million keeps
// 64 KB.
//
// While a thread of the library's comes to look, empty slabs *decay* instead,
// as dirty pages do in jemalloc: one that nobody has needed for DECAY is
// decommitted. So bursts that follow each other find the memory of the one
// before.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "slab_ranges.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CRACText.h"
#include "CRACTime.h"

enum { LEAST_RETAINED = 2, MOST_RETAINED = 128, MOST_SKIPPED = 64 };

// In `past`, beside the generation.
static const uint32_t DECOMMITTED = (uint32_t)1 << 31;

rac_slab_range rac_slot_range;
rac_slab_range rac_pool_range;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t page;  // of the system's, in bytes
// Whether LeakSanitizer finds references in slabs.
static bool has_roots;

// The thread that comes to look sleeps on it; NULL: none does. Under the lock.
static uint32_t *decay_word;
// The time for its next look. Written under the lock.
static int64_t decay_time = RAC_SHIM_NEVER;
// An empty slab is kept for so long at least, and twice that at most: a second.
static const int64_t DECAY = 1000000000;
// At one look, 0.2 ms.
enum { MOST_AT_ONCE = 32 };

static size_t index_of(const rac_slab_range *range, const rac_slab *slab) {
  return (size_t)(slab - range->slabs);
}

static char *address_of(const rac_slab_range *range, const rac_slab *slab) {
  return range->base + index_of(range, slab) * RAC_SLAB_SIZE;
}

// ---- Addresses --------------------------------------------------------------

bool rac_slab_range_reserve(rac_slab_range *range, size_t size) {
  // The slabs' descriptions come first. Slabs begin at multiples of their size,
  // which takes up to one more of it.
  size_t count = size / RAC_SLAB_SIZE;
  size_t wanted = count * sizeof(rac_slab) + size + RAC_SLAB_SIZE;
  char *start = rac_platform_map(wanted, false);
  if (start == NULL) return false;
  uint32_t *past = rac_platform_map(count * sizeof *past, true);
  if (past == NULL) {
    munmap(start, wanted);
    return false;
  }
  start += -(uintptr_t)start & (RAC_SLAB_SIZE - 1);
  *range = (rac_slab_range){.base = start + count * sizeof(rac_slab),
                            .size = size,
                            .slabs = (rac_slab *)start,
                            .past = past,
                            .most_retained = LEAST_RETAINED};
  return true;
}

// Of a program that looks for leaks; NULL in others.
__attribute__((weak)) void __lsan_register_root_region(const void *start,
                                                       size_t size);

static bool make_usable(void *start, size_t size) {
  if (mprotect(start, size, PROT_READ | PROT_WRITE) != 0) return false;
  // LeakSanitizer looks for pointers in malloc's memory only.
  if (__lsan_register_root_region != NULL && has_roots) {
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

// ---- Memory -----------------------------------------------------------------

// In its next life all of a slab's slots begin after the greatest generation
// that one of them has now, because generations never go back. All of them are
// looked at: a slot that was carved in an earlier life need not have been in
// the last. False when some would skip too many: there are 33 million at least
// for each.
static bool find_generation(const rac_slab_range *range, const rac_slab *slab,
                            uint32_t *out) {
  const char *start = address_of(range, slab);
  uint64_t least = UINT64_MAX, most = 0;
  for (size_t offset = 0; offset < RAC_SLAB_SIZE; offset += RAC_SLOT_SIZE) {
    const rac_block *slot = (const rac_block *)(start + offset);
    // Closing the library may have sealed it when it was in use.
    uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
    uint64_t generation = word >> RAC_SLOT_GENERATION_SHIFT;
    if (generation == 0) continue;  // never carved
    if (generation < least) least = generation;
    if (generation > most) most = generation;
  }
  if (most > least + MOST_SKIPPED) return false;
  *out = (uint32_t)most;
  return true;
}

// False when the memory has to stay.
static bool discard(rac_slab_range *range, rac_slab *slab,
                    uint32_t *generation) {
  if (page > RAC_SLAB_SIZE) return false;
  if (range == &rac_slot_range && !find_generation(range, slab, generation)) {
    return false;
  }
  return rac_platform_decommit(address_of(range, slab), RAC_SLAB_SIZE);
}

// Under the lock. The description of a group that is decommitted as a whole
// goes, too.
static void put_decommitted(rac_slab_range *range, rac_slab *slab,
                            uint32_t generation) {
  size_t index = index_of(range, slab), first = index & ~(group() - 1);
  if (generation > range->past[index]) range->past[index] = generation;
  range->past[index] |= DECOMMITTED;
  range->decommitted++;
  if (index < range->decommitted_from) range->decommitted_from = index;
  for (size_t i = 0; i < group(); i++) {
    if (!(range->past[first + i] & DECOMMITTED)) return;
  }
  rac_platform_decommit(range->slabs + first, page);
}

// Under the lock.
static rac_slab *take_decommitted(rac_slab_range *range) {
  if (range->decommitted == 0) return NULL;
  size_t index = range->decommitted_from;
  while (!(range->past[index] & DECOMMITTED)) index++;
  range->past[index] &= ~DECOMMITTED;
  range->decommitted--;
  range->decommitted_from = index + 1;
  if (range->most_retained < MOST_RETAINED) range->most_retained++;
  return &range->slabs[index];
}

// ---- Empty slabs ------------------------------------------------------------

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
// other's handles: their ranges do not overlap, so they are of different
// multiples of their size. Half of the 26 bits is left to every slot.
static uint32_t generation_before(const rac_slab_range *range) {
  uintptr_t multiple = (uintptr_t)range->base / range->size;
  return (uint32_t)(multiple % 64) << 19;
}

rac_slab *rac_slab_range_take(rac_slab_range *range, bool whole) {
  pthread_mutex_lock(&lock);
  rac_slab *slab = pop(&range->worn);
  if (slab == NULL && (slab = pop(&range->retained)) != NULL) {
    range->retained_count--;
    if (range->fewest_retained > range->retained_count)
      range->fewest_retained = range->retained_count;
  }
  bool has_memory = slab != NULL;
  if (slab == NULL) slab = take_decommitted(range);
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
  if (whole && !has_memory) {
    rac_platform_commit(address_of(range, slab), RAC_SLAB_SIZE);
  }
  return slab;
}

// Decommits a retained slab. Under the lock, but not while the system takes
// it.
static void shed(rac_slab_range *range) {
  rac_slab *slab = pop(&range->retained);
  range->retained_count--;
  pthread_mutex_unlock(&lock);
  uint32_t generation = 0;
  bool is_decommitted = discard(range, slab, &generation);
  pthread_mutex_lock(&lock);
  if (is_decommitted) {
    put_decommitted(range, slab, generation);
  } else {
    push(&range->worn, slab);
  }
}

static void decay_at(int64_t time) {
  __atomic_store_n(&decay_time, time, __ATOMIC_RELEASE);
}

// True when the thread that looks has to be told. Under the lock.
static bool starts_decay(rac_slab_range *range) {
  if (decay_time != RAC_SHIM_NEVER) return false;
  rac_slot_range.fewest_retained = rac_pool_range.fewest_retained = 0;
  range->fewest_retained = range->retained_count;
  decay_at(rac_shim_now() + DECAY);
  return true;
}

void rac_slab_range_give(rac_slab_range *range, rac_slab *slab) {
  uint32_t *told = NULL;
  pthread_mutex_lock(&lock);
  push(&range->retained, slab);
  range->retained_count++;
  uint32_t most = range->most_retained;
  if (range->retained_count > most && decay_word != NULL) {
    if (starts_decay(range)) told = decay_word;
  } else {
    if (range->retained_count > most && most > LEAST_RETAINED)
      most = --range->most_retained;
    while (range->retained_count > most) shed(range);
  }
  pthread_mutex_unlock(&lock);
  if (told != NULL) {
    __atomic_fetch_add(told, 1, __ATOMIC_RELEASE);
    rac_platform_wake(told, 1);
  }
}

// ---- Decay ------------------------------------------------------------------

void rac_shim_keep_slabs(const void *word) {
  pthread_mutex_lock(&lock);
  decay_word = (uint32_t *)(uintptr_t)word;
  decay_at(RAC_SHIM_NEVER);
  pthread_mutex_unlock(&lock);
}

int64_t rac_shim_slabs_time(void) {
  return __atomic_load_n(&decay_time, __ATOMIC_ACQUIRE);
}

// Decommits slabs that nobody has needed since the last look. True when more
// are left. Under the lock.
static bool look_at(rac_slab_range *range, int *left) {
  while (range->fewest_retained > range->most_retained && *left > 0) {
    if (range->most_retained > LEAST_RETAINED) range->most_retained--;
    range->fewest_retained--;
    --*left;
    shed(range);
  }
  return range->fewest_retained > range->most_retained;
}

void rac_shim_look_at_slabs(int64_t now) {
  int left = MOST_AT_ONCE;
  pthread_mutex_lock(&lock);
  if (now >= decay_time) {
    bool slots = look_at(&rac_slot_range, &left);
    bool blocks = look_at(&rac_pool_range, &left);
    if (slots || blocks) {
      decay_at(now);
    } else if (rac_slot_range.retained_count > rac_slot_range.most_retained ||
               rac_pool_range.retained_count > rac_pool_range.most_retained) {
      rac_slot_range.fewest_retained = rac_slot_range.retained_count;
      rac_pool_range.fewest_retained = rac_pool_range.retained_count;
      decay_at(now + DECAY);
    } else {
      decay_at(RAC_SHIM_NEVER);
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

// ---- Processes --------------------------------------------------------------

void rac_slab_ranges_boot(void) {
  page = (size_t)sysconf(_SC_PAGESIZE);
  const char *choice = rac_shim_environment("RAC_LSAN_ROOTS");
  has_roots = choice == NULL || strcmp(choice, "0") != 0;
}

static void empty(void *start, size_t size) {
  if (!rac_platform_decommit(start, size)) {
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
                            .most_retained = LEAST_RETAINED};
}

// Held across fork(), so that the child finds it free.
void rac_slab_ranges_before_fork(void) { pthread_mutex_lock(&lock); }
void rac_slab_ranges_after_fork(void) { pthread_mutex_unlock(&lock); }
