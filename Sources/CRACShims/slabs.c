// Slabs: 32 KB that hold blocks of one kind, with a list of the free ones.
// Objects that are made together lie together, whatever was freed before, and
// an empty slab can go.
//
// After Bonwick, "The Slab Allocator" (USENIX 1994); owner and list of returned
// blocks are as in mimalloc (Leijen, Zorn and de Moura, 2019).
//
// A slab has one owner, which takes blocks from its stock and gives them back
// with plain loads and stores, or it is *shared*: then nobody takes blocks from
// it. Other threads give blocks back to the word `returned`, which has a list
// and its length, by a compare-and-swap.
//
// The owner lets go of a slab when it has no more free blocks. A shared one of
// which an eighth is free is listed for those who need a slab; that much, so
// that it is worth the change, and that what is made next lies together. One
// that is empty goes back to its range.
//
// Blocks come back to a shared slab at any time, but only under the lock does
// it cease to be shared: when a thread takes it, and when it is empty. The
// thread whose block makes it due for the list, or empty, calls settle(), which
// looks at the slab anew: other threads may have changed it meanwhile.
//
// SPDX-License-Identifier: MIT
#include "slabs.h"

#include <pthread.h>

enum {
  UNIT = RAC_SLAB_UNIT,       // blocks lie at multiples of this
  INSIDE = RAC_SLAB_SIZE - 1  // the bits of an address that its slab has
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static rac_slab *listed[RAC_SLAB_KINDS];

static uint32_t size_of(uint32_t kind) {
  return kind == RAC_SLOT_KIND ? RAC_SLOT_SIZE : (kind + 1) * UNIT;
}

// ---- The word `returned` ----------------------------------------------------

// The lowest bit says whether the slab is shared, the bits from 16 on where the
// first block lies, in units, and the upper half how many there are.
static const uint64_t SHARED = 1;

static uint64_t load_word(rac_slab *slab) {
  return __atomic_load_n(&slab->returned, __ATOMIC_ACQUIRE);
}

static bool swap_word(rac_slab *slab, uint64_t *word, uint64_t next) {
  return __atomic_compare_exchange_n(&slab->returned, word, next, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static uint32_t count_of(uint64_t word) { return (uint32_t)(word >> 32); }

// `inside`: any address in the slab.
static rac_block *first_of(const void *inside, uint64_t word) {
  if (count_of(word) == 0) return NULL;
  uintptr_t start = (uintptr_t)inside & ~(uintptr_t)INSIDE;
  return (rac_block *)(start + (word >> 16 & 0xFFFF) * UNIT);
}

static uint64_t make_word(rac_block *first, uint32_t count, uint64_t state) {
  if (count == 0) return state;
  uint64_t place = ((uintptr_t)first & INSIDE) / UNIT;
  return (uint64_t)count << 32 | place << 16 | state;
}

// ---- Shared slabs -----------------------------------------------------------

// Also asked by those who come late, when the slab may be anything.
static uint32_t carved_of(const rac_slab *slab) {
  return __atomic_load_n(&slab->carved, __ATOMIC_RELAXED);
}
static uint32_t capacity_of(const rac_slab *slab) {
  return __atomic_load_n(&slab->capacity, __ATOMIC_RELAXED);
}

// Of a shared slab: the blocks that are not in use, and whether they are
// enough.
static uint32_t free_of(const rac_slab *slab, uint64_t word) {
  return capacity_of(slab) - carved_of(slab) + count_of(word);
}
static bool is_worth(const rac_slab *slab, uint32_t free) {
  return free * 8 >= capacity_of(slab);
}

// Under the lock.
static void enlist(rac_slab *slab) {
  rac_slab **list = &listed[slab->kind];
  slab->is_listed = true;
  slab->previous = NULL;
  slab->next = *list;
  if (*list != NULL) (*list)->previous = slab;
  *list = slab;
}

static void strike(rac_slab *slab) {
  if (!slab->is_listed) return;
  slab->is_listed = false;
  if (slab->next != NULL) slab->next->previous = slab->previous;
  if (slab->previous != NULL) {
    slab->previous->next = slab->next;
  } else {
    listed[slab->kind] = slab->next;
  }
}

static void settle(rac_slab *slab) {
  bool is_empty = false;
  pthread_mutex_lock(&lock);
  uint64_t word = load_word(slab);
  if (word & SHARED) {
    is_empty = count_of(word) == carved_of(slab);
    if (is_empty) {
      strike(slab);
      __atomic_store_n(&slab->returned, 0, __ATOMIC_RELAXED);
    } else if (!slab->is_listed && is_worth(slab, free_of(slab, word))) {
      enlist(slab);
    }
  }
  pthread_mutex_unlock(&lock);
  if (is_empty) rac_slab_range_give(rac_slab_range_of(slab->kind), slab);
}

void rac_slab_send(rac_slab *slab, rac_block *first, rac_block *last,
                   uint32_t count) {
  uint64_t word = load_word(slab), next;
  do {
    last->next = first_of(first, word);
    next = make_word(first, count_of(word) + count, word & SHARED);
  } while (!swap_word(slab, &word, next));
  if (!(next & SHARED)) return;
  uint32_t free = free_of(slab, next);
  bool is_due = is_worth(slab, free) && !is_worth(slab, free - count);
  if (is_due || count_of(next) == carved_of(slab)) settle(slab);
}

uint32_t rac_slab_in_use(rac_slab *slab) {
  return carved_of(slab) - count_of(load_word(slab));
}

// ---- Slabs with an owner ----------------------------------------------------

// An empty one, for blocks of that kind.
static void prepare(rac_slab *slab, uint32_t kind) {
  rac_slab_range *range = rac_slab_range_of(kind);
  size_t index = (size_t)(slab - range->slabs), offset = 0;
  // The first blocks of two slabs do not lie at like addresses, which share too
  // few lines of a cache. The first slot is never used: NULL names it.
  if (kind != RAC_SLOT_KIND) {
    offset = index * 5 % 8 * 64;
  } else if (index == 0) {
    offset = RAC_SLOT_SIZE;
  }
  uint16_t capacity = (uint16_t)((RAC_SLAB_SIZE - offset) / size_of(kind));
  slab->kind = kind;
  slab->start = range->base + index * RAC_SLAB_SIZE + offset;
  slab->stock = (rac_stock){NULL, 0};
  __atomic_store_n(&slab->capacity, capacity, __ATOMIC_RELAXED);
  __atomic_store_n(&slab->carved, 0, __ATOMIC_RELAXED);
}

// Lets slots begin with the slab's generation.
static void begin_life(const rac_slab *slab, rac_block *first, uint32_t count) {
  uint64_t word = (uint64_t)slab->generation << RAC_SLOT_GENERATION_SHIFT;
  for (uint32_t i = 0; i < count; i++) {
    rac_block *slot = (rac_block *)((char *)first + i * RAC_SLOT_SIZE);
    // Others may be looking whether the slot is theirs.
    if (__atomic_load_n(&slot->word, __ATOMIC_RELAXED) < word) {
      __atomic_store_n(&slot->word, word, __ATOMIC_RELAXED);
    }
  }
}

// Puts as many blocks as fit into a page into the list of free ones.
static void carve(rac_slab *slab) {
  uint32_t size = size_of(slab->kind), count = 4096 / size;
  uint32_t carved = slab->carved, left = slab->capacity - carved;
  if (count > left) count = left;
  rac_block *first = (rac_block *)(slab->start + carved * size), *last = first;
  for (uint32_t i = 1; i < count; i++) {
    rac_block *next = (rac_block *)((char *)last + size);
    last->next = next;
    last = next;
  }
  last->next = NULL;
  slab->stock.free = first;
  if (slab->kind == RAC_SLOT_KIND) begin_life(slab, first, count);
  __atomic_store_n(&slab->carved, (uint16_t)(carved + count), __ATOMIC_RELAXED);
}

// Takes the blocks that others returned into the owner's list.
static void gather(rac_slab *slab) {
  if (count_of(load_word(slab)) == 0) return;
  uint64_t word = __atomic_exchange_n(&slab->returned, 0, __ATOMIC_ACQUIRE);
  rac_block *first = first_of(slab->start, word), *last = first;
  if (slab->stock.free != NULL) {
    while (last->next != NULL) last = last->next;
    last->next = slab->stock.free;
  }
  slab->stock.free = first;
  slab->stock.taken -= count_of(word);
}

bool rac_slab_replenish(rac_slab *slab, bool with_any) {
  if (slab->stock.free != NULL) return true;
  if (with_any || is_worth(slab, count_of(load_word(slab)))) gather(slab);
  if (slab->stock.free == NULL && slab->carved < slab->capacity) carve(slab);
  return slab->stock.free != NULL;
}

// Puts the list of free blocks into the order of their addresses: objects that
// are made one after the other had better lie side by side.
static void put_in_order(rac_slab *slab) {
  uint64_t places[RAC_SLAB_SIZE / UNIT / 64] = {0};
  char *start = (char *)((uintptr_t)slab->start & ~(uintptr_t)INSIDE);
  rac_block *block = slab->stock.free, **last = &slab->stock.free;
  for (; block != NULL; block = block->next) {
    size_t place = ((uintptr_t)block & INSIDE) / UNIT;
    places[place / 64] |= (uint64_t)1 << place % 64;
  }
  for (size_t i = 0; i < RAC_SLAB_SIZE / UNIT / 64; i++) {
    for (uint64_t bits = places[i]; bits != 0; bits &= bits - 1) {
      size_t place = i * 64 + (size_t)__builtin_ctzll(bits);
      *last = (rac_block *)(start + place * UNIT);
      last = &(*last)->next;
    }
  }
  *last = NULL;
}

// One that is shared and has free blocks, however few. Under the lock.
static rac_slab *any_shared(uint32_t kind) {
  rac_slab_range *range = rac_slab_range_of(kind);
  for (size_t i = 0, end = rac_slab_range_used(range); i < end; i++) {
    rac_slab *slab = &range->slabs[i];
    uint64_t word = load_word(slab);
    if (word & SHARED && slab->kind == kind && free_of(slab, word) > 0) {
      return slab;
    }
  }
  return NULL;
}

// A shared one, for the caller, and what `returned` was.
static rac_slab *take_shared(uint32_t kind, bool any, uint64_t *word) {
  pthread_mutex_lock(&lock);
  rac_slab *slab = any ? any_shared(kind) : listed[kind];
  if (slab != NULL) {
    strike(slab);
    *word = __atomic_exchange_n(&slab->returned, 0, __ATOMIC_ACQUIRE);
  }
  pthread_mutex_unlock(&lock);
  return slab;
}

rac_slab *rac_slab_find(uint32_t kind, bool whole) {
  uint64_t word = 0;
  rac_slab *slab = take_shared(kind, false, &word);
  if (slab == NULL) {
    slab = rac_slab_range_take(rac_slab_range_of(kind), whole);
    if (slab != NULL) prepare(slab, kind);
  }
  // There is no more memory.
  if (slab == NULL) slab = take_shared(kind, true, &word);
  if (slab == NULL) return NULL;
  slab->stock.free = first_of(slab->start, word);
  slab->stock.taken = slab->carved - count_of(word);
  if (count_of(word) > 1) put_in_order(slab);
  rac_slab_replenish(slab, false);
  return slab;
}

void rac_slab_let_go(rac_slab *slab) {
  uint64_t word, none;
  __atomic_store_n(&slab->owner, NULL, __ATOMIC_RELAXED);
  do {
    gather(slab);
    if (slab->stock.taken == 0) {
      rac_slab_range_give(rac_slab_range_of(slab->kind), slab);
      return;
    }
    uint32_t count = slab->carved - (uint32_t)slab->stock.taken;
    word = make_word(slab->stock.free, count, SHARED);
    none = 0;
  } while (!swap_word(slab, &none, word));
  if (is_worth(slab, free_of(slab, word))) settle(slab);
}

// ---- Processes --------------------------------------------------------------

void rac_slabs_forget(uint32_t kind) { listed[kind] = NULL; }

// Held across fork(), so that the child finds them free.
void rac_slabs_before_fork(void) {
  pthread_mutex_lock(&lock);
  rac_slab_ranges_before_fork();
}
void rac_slabs_after_fork(void) {
  rac_slab_ranges_after_fork();
  pthread_mutex_unlock(&lock);
}
