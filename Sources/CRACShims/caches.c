// Per-thread caches of blocks, one of each kind, from which a thread takes and
// to which it gives back without atomics: the magazines of Bonwick and Adams,
// "Magazines and Vmem" (USENIX 2001), with the slab that is taken from owned by
// its thread, as pages are in mimalloc (Leijen, Zorn and de Moura, 2019).
//
// A thread owns one slab of each kind, its *main* one. A block of any other
// slab it need not give back at once:
//
//   The block is *kept*, and the next to be given out: an object that is freed
//   and made anew gets the same place, the nearest in the processor's cache,
//   and stays beside the objects it was made with.
//
//   A thread that keeps eight and frees one more is *clearing away*. From then
//   on, until it takes a block, the blocks that it frees leave in parcels: all
//   for one slab go together, 64 at a time or as many as make the slab empty.
//
// So freed memory returns, whichever thread frees it. An idle thread keeps its
// main slabs and up to eight other blocks of each kind; a thread that ends
// keeps nothing.
//
// SPDX-License-Identifier: MIT
#include "caches.h"
#include "slabs.h"

enum { MOST_KEPT = 8, MOST_IN_PARCEL = 64 };

// Stands where a thread has no slab, or is to look before it takes a block.
static rac_slab nothing;

// A thread that goes on past its end, in destructors of thread-local variables,
// owns nothing either: nobody would let go of it.
static bool owns_nothing(const rac_thread *thread) {
  return thread == &rac_shim_no_thread || rac_thread_is_ending;
}

// ---- Sending back -----------------------------------------------------------

static rac_slab *slab_of(uint32_t kind, const rac_block *block) {
  rac_slab_range *range = rac_slab_range_of(kind);
  size_t offset = (size_t)((const char *)block - range->base);
  return &range->slabs[offset >> RAC_SLAB_SHIFT];
}

static void send_kept(rac_cache *cache, uint32_t kind) {
  rac_block *block = cache->kept.free;
  cache->kept = (rac_stock){NULL, 0};
  while (block != NULL) {
    rac_block *next = block->next;
    rac_slab_send(slab_of(kind, block), block, block, 1);
    block = next;
  }
}

static rac_parcel *parcel_for(rac_cache *cache, const rac_slab *slab) {
  return &cache->parcels[(uintptr_t)slab / sizeof *slab % RAC_PARCELS];
}

static void send_parcel(rac_parcel *parcel) {
  rac_slab *home = parcel->home;
  if (home == NULL) return;
  parcel->home = NULL;
  rac_slab_send(home, parcel->first, parcel->last, parcel->count);
}

static void begin_parcel(rac_parcel *parcel, rac_slab *home, rac_block *block) {
  uint32_t limit = rac_slab_in_use(home);
  if (limit > MOST_IN_PARCEL) limit = MOST_IN_PARCEL;
  *parcel = (rac_parcel){home, block, block, 1, limit};
  if (limit <= 1) send_parcel(parcel);
}

static void stop_clearing(rac_cache *cache) {
  cache->is_clearing = false;
  for (int i = 0; i < RAC_PARCELS; i++) send_parcel(&cache->parcels[i]);
}

// ---- Taking -----------------------------------------------------------------

static void *pop(rac_stock *stock) {
  rac_block *block = stock->free;
  stock->free = block->next;
  stock->taken++;
  return block;
}

// For a thread that owns nothing.
static void *take_one(uint32_t kind) {
  rac_slab *slab = rac_slab_find(kind, false);
  if (slab == NULL) return NULL;
  void *block = pop(&slab->stock);
  rac_slab_let_go(slab);
  return block;
}

static bool change_main(rac_thread *thread, rac_cache *cache, uint32_t kind) {
  rac_slab *old = cache->main;
  rac_slab *slab = rac_slab_find(kind, old != &nothing);
  if (slab == NULL) return false;
  __atomic_store_n(&slab->owner, thread, __ATOMIC_RELAXED);
  cache->main = slab;
  if (old != &nothing) rac_slab_let_go(old);
  return true;
}

// Nothing is left where blocks are taken from.
void *rac_slab_refill(rac_thread *thread, uint32_t kind) {
  if (rac_slab_range_of(kind)->size == 0) return NULL;
  if (owns_nothing(thread)) return take_one(kind);
  rac_cache *cache = &thread->caches.of[kind];
  rac_stock **current = &thread->caches.current[kind];
  if (cache->is_clearing) stop_clearing(cache);
  if (cache->kept.free != NULL) {
    *current = &cache->kept;
  } else if (rac_slab_replenish(cache->main, false) ||
             change_main(thread, cache, kind) ||
             rac_slab_replenish(cache->main, true)) {
    *current = &cache->main->stock;
  } else {
    return NULL;
  }
  return pop(*current);
}

// ---- Giving back ------------------------------------------------------------

// The owner gave back a block, and takes from elsewhere.
void rac_slab_prefer(rac_thread *thread, rac_slab *slab) {
  rac_cache *cache = &thread->caches.of[slab->kind];
  if (cache->is_clearing || cache->kept.free != NULL) return;
  thread->caches.current[slab->kind] = &slab->stock;
}

static __attribute__((noinline)) void
return_slowly(rac_slab *slab, rac_block *block, rac_thread *thread) {
  // One of the parent's slots, in a forked child.
  if (slab->capacity == 0) return;
  if (owns_nothing(thread)) {
    rac_slab_send(slab, block, block, 1);
    return;
  }
  rac_cache *cache = &thread->caches.of[slab->kind];
  if (!cache->is_clearing) {
    cache->is_clearing = true;
    thread->caches.current[slab->kind] = &nothing.stock;
    send_kept(cache, slab->kind);
  }
  rac_parcel *parcel = parcel_for(cache, slab);
  send_parcel(parcel);
  begin_parcel(parcel, slab, block);
}

// Gives back a block that is not of the thread's main slab.
void rac_slab_return(rac_slab *slab, void *memory, rac_thread *thread) {
  rac_block *block = memory;
  uint32_t kind = slab->kind;
  rac_cache *cache = &thread->caches.of[kind];
  rac_parcel *parcel = parcel_for(cache, slab);
  if (parcel->home == slab) {
    block->next = parcel->first;
    parcel->first = block;
    if (++parcel->count == parcel->limit) send_parcel(parcel);
  } else if (!cache->is_clearing && cache->kept.taken != -(size_t)MOST_KEPT) {
    block->next = cache->kept.free;
    cache->kept.free = block;
    cache->kept.taken--;
    thread->caches.current[kind] = &cache->kept;
  } else {
    return_slowly(slab, block, thread);
  }
}

// ---- Threads and processes --------------------------------------------------

// It begins with clearing away: a thread that only gives back keeps nothing.
static void clear(rac_thread *thread, uint32_t kind) {
  thread->caches.current[kind] = &nothing.stock;
  thread->caches.of[kind] = (rac_cache){.main = &nothing, .is_clearing = true};
}

void rac_caches_thread_start(rac_thread *thread) {
  for (uint32_t kind = 0; kind < RAC_SLAB_KINDS; kind++) clear(thread, kind);
}

void rac_caches_thread_exit(rac_thread *thread) {
  for (uint32_t kind = 0; kind < RAC_SLAB_KINDS; kind++) {
    rac_cache *cache = &thread->caches.of[kind];
    stop_clearing(cache);
    send_kept(cache, kind);
    if (cache->main != &nothing) rac_slab_let_go(cache->main);
    clear(thread, kind);
  }
}

bool rac_slots_reserve(size_t size) {
  return rac_slab_range_reserve(&rac_slot_range, size);
}

void rac_slots_forget(void) {
  rac_slabs_forget(RAC_SLOT_KIND);
  clear(rac_shim_tls, RAC_SLOT_KIND);
  rac_shim_tls->reserve.slots = NULL;
  rac_shim_tls->reserve.slot_count = 0;
  rac_slab_range_forget(&rac_slot_range);
}

void rac_caches_boot(void) {
  rac_slab_ranges_boot();
  rac_caches_thread_start(&rac_shim_no_thread);
}
