// What each thread has of slabs: for each kind of block a *shelf*.
//
// A thread owns one slab of each kind, its *main* one, where it takes blocks and
// gives them back without atomics. A block of any other slab it need not give
// back at once:
//
//   It is *kept*, and the next to be given out: what is freed and then made anew
//   gets the same place, the nearest in cache, and stays beside what it was made
//   with.
//   A thread that keeps eight and frees one more is *clearing away*. From then
//   on, until it takes a block, what it frees leaves, in parcels: all for one
//   slab go together, 64 at a time or as many as make the slab empty.
//
// So what is freed goes, whichever thread does it. One that does nothing any more
// keeps from going its main slabs and, of each kind, up to eight others; at its
// end nothing.
//
// SPDX-License-Identifier: MIT
#include "slabs.h"

enum { MOST_KEPT = 8, MOST_IN_PARCEL = 64 };

// Stands where a thread has no slab, or is to look before it takes a block.
static rac_slab nothing;

// A thread that goes on past its end, in destructors of thread-local variables,
// owns nothing either: nobody would let go of it.
static bool owns_nothing(const rac_thread *thread) {
  return thread == &rac_shim_no_thread || rac_thread_is_ending;
}

// ---- Sending back --------------------------------------------------------------

static rac_slab *slab_of(uint32_t kind, const rac_block *block) {
  rac_slab_range *range = rac_slab_range_of(kind);
  size_t offset = (size_t)((const char *)block - range->base);
  return &range->slabs[offset >> RAC_SLAB_SHIFT];
}

static void send_kept(rac_shelf *shelf, uint32_t kind) {
  rac_block *block = shelf->kept.free;
  shelf->kept = (rac_stock){NULL, 0};
  while (block != NULL) {
    rac_block *next = block->next;
    rac_slab_send(slab_of(kind, block), block, block, 1);
    block = next;
  }
}

static rac_parcel *parcel_for(rac_shelf *shelf, const rac_slab *slab) {
  return &shelf->parcels[(uintptr_t)slab / sizeof *slab % RAC_PARCELS];
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

static void stop_clearing(rac_shelf *shelf) {
  shelf->is_clearing = false;
  for (int i = 0; i < RAC_PARCELS; i++) send_parcel(&shelf->parcels[i]);
}

// ---- Taking --------------------------------------------------------------------

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

static bool change_main(rac_thread *thread, rac_shelf *shelf, uint32_t kind) {
  rac_slab *old = shelf->main;
  rac_slab *slab = rac_slab_find(kind, old != &nothing);
  if (slab == NULL) return false;
  __atomic_store_n(&slab->owner, thread, __ATOMIC_RELAXED);
  shelf->main = slab;
  if (old != &nothing) rac_slab_let_go(old);
  return true;
}

// Nothing is left where blocks are taken from.
void *rac_slab_refill(rac_thread *thread, uint32_t kind) {
  if (rac_slab_range_of(kind)->size == 0) return NULL;
  if (owns_nothing(thread)) return take_one(kind);
  rac_shelf *shelf = &thread->shelves.of[kind];
  rac_stock **current = &thread->shelves.current[kind];
  if (shelf->is_clearing) stop_clearing(shelf);
  if (shelf->kept.free != NULL) {
    *current = &shelf->kept;
  } else if (rac_slab_replenish(shelf->main, false) ||
             change_main(thread, shelf, kind) ||
             rac_slab_replenish(shelf->main, true)) {
    *current = &shelf->main->stock;
  } else {
    return NULL;
  }
  return pop(*current);
}

// ---- Giving back ---------------------------------------------------------------

// The owner gave back a block, and takes from elsewhere.
void rac_slab_prefer(rac_thread *thread, rac_slab *slab) {
  rac_shelf *shelf = &thread->shelves.of[slab->kind];
  if (shelf->is_clearing || shelf->kept.free != NULL) return;
  thread->shelves.current[slab->kind] = &slab->stock;
}

static __attribute__((noinline)) void
return_slowly(rac_slab *slab, rac_block *block, rac_thread *thread) {
  // One of the parent's slots, in a forked child.
  if (slab->capacity == 0) return;
  if (owns_nothing(thread)) {
    rac_slab_send(slab, block, block, 1);
    return;
  }
  rac_shelf *shelf = &thread->shelves.of[slab->kind];
  if (!shelf->is_clearing) {
    shelf->is_clearing = true;
    thread->shelves.current[slab->kind] = &nothing.stock;
    send_kept(shelf, slab->kind);
  }
  rac_parcel *parcel = parcel_for(shelf, slab);
  send_parcel(parcel);
  begin_parcel(parcel, slab, block);
}

// Gives back a block that is not of the thread's main slab.
void rac_slab_return(rac_slab *slab, void *memory, rac_thread *thread) {
  rac_block *block = memory;
  uint32_t kind = slab->kind;
  rac_shelf *shelf = &thread->shelves.of[kind];
  rac_parcel *parcel = parcel_for(shelf, slab);
  if (parcel->home == slab) {
    block->next = parcel->first;
    parcel->first = block;
    if (++parcel->count == parcel->limit) send_parcel(parcel);
  } else if (!shelf->is_clearing && shelf->kept.taken != -(size_t)MOST_KEPT) {
    block->next = shelf->kept.free;
    shelf->kept.free = block;
    shelf->kept.taken--;
    thread->shelves.current[kind] = &shelf->kept;
  } else {
    return_slowly(slab, block, thread);
  }
}

// ---- Threads and processes -----------------------------------------------------

// It begins with clearing away: who only gives back keeps nothing.
static void clear(rac_thread *thread, uint32_t kind) {
  thread->shelves.current[kind] = &nothing.stock;
  thread->shelves.of[kind] = (rac_shelf){.main = &nothing, .is_clearing = true};
}

void rac_shelves_thread_start(rac_thread *thread) {
  for (uint32_t kind = 0; kind < RAC_SLAB_KINDS; kind++) clear(thread, kind);
}

void rac_shelves_thread_exit(rac_thread *thread) {
  for (uint32_t kind = 0; kind < RAC_SLAB_KINDS; kind++) {
    rac_shelf *shelf = &thread->shelves.of[kind];
    stop_clearing(shelf);
    send_kept(shelf, kind);
    if (shelf->main != &nothing) rac_slab_let_go(shelf->main);
    clear(thread, kind);
  }
}

bool rac_slots_reserve(size_t size) {
  return rac_slab_range_reserve(&rac_slot_range, size);
}

void rac_slots_forget(void) {
  rac_slabs_forget(RAC_SLOT_KIND);
  clear(rac_shim_tls, RAC_SLOT_KIND);
  rac_shim_tls->spare_slots = NULL;
  rac_shim_tls->spare_slot_count = 0;
  rac_slab_range_forget(&rac_slot_range);
}

void rac_shelves_boot(void) {
  rac_slab_ranges_boot();
  rac_shelves_thread_start(&rac_shim_no_thread);
}
