// The layout of memory in slabs: blocks of one kind, side by side. See slabs.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_SLABS_H
#define CRAC_SLABS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  RAC_SLAB_SHIFT = 15,
  RAC_SLAB_SIZE = 1 << RAC_SLAB_SHIFT,  // bytes
  RAC_SLAB_UNIT = 8,                    // blocks lie at multiples of it
  RAC_POOL_KINDS = 32,                  // blocks of 8, 16 ... 256 bytes
  RAC_SLOT_KIND = RAC_POOL_KINDS,       // slots of the table of handles
  RAC_SLAB_KINDS = RAC_SLOT_KIND + 1,
  RAC_SLOT_SIZE = 32,
  RAC_PARCELS = 4,
  RAC_SLOT_GENERATION_SHIFT = 38  // where it lies in a slot's first word
};

struct rac_thread;

// The content of a block while it is free.
typedef struct rac_block {
  uint64_t word;  // not touched: a slot keeps its generation there
  struct rac_block *next;
} rac_block;

// Free blocks that one thread may give out.
typedef struct rac_stock {
  rac_block *free;
  size_t taken;  // how many more were taken from here than given back
} rac_stock;

typedef struct rac_slab {
  // For the owner alone, without atomics.
  rac_stock stock;
  // For everybody to see, in another line.
  struct rac_thread *owner __attribute__((aligned(64)));
  uint64_t returned;  // blocks that others gave back, and the state
  uint32_t kind;
  uint16_t capacity;  // in blocks
  uint16_t carved;    // blocks that have been in use: the others follow them
  char *start;        // of the first block
  struct rac_slab *next, *previous;  // in a list, under a lock
  uint32_t is_listed;
  uint32_t generation;  // the least one that its slots begin with
} rac_slab;

// A range of addresses, of which parts are made usable when needed, and the
// slabs that lie in it. See slab_ranges.c.
typedef struct rac_slab_range {
  char *base;
  size_t size;      // 0: there are no addresses
  rac_slab *slabs;  // one for each RAC_SLAB_SIZE bytes
  // Under the lock.
  uint32_t *past;            // a note on each slab, kept when it is empty
  size_t fresh;              // the first one that has never been in use
  size_t usable;             // the first one without memory
  size_t decommitted_from;   // none before this one is decommitted
  uint32_t decommitted;      // empty ones without memory
  uint32_t retained_count;   // empty ones with memory,
  uint32_t most_retained;    // so many at the most, or until they decay
  uint32_t fewest_retained;  // since the last look at what decays
  rac_slab *retained;
  rac_slab *worn;  // empty ones whose memory has to stay
} rac_slab_range;

// Blocks on their way to the slab that they belong to.
typedef struct rac_parcel {
  rac_slab *home;  // NULL: there are none
  rac_block *first, *last;
  uint32_t count;
  uint32_t limit;  // so many go
} rac_parcel;

// The per-thread cache of blocks of one kind. See caches.c.
typedef struct rac_cache {
  rac_slab *main;  // the one slab that it owns
  rac_stock kept;  // blocks of other slabs, to be given out next
  rac_parcel parcels[RAC_PARCELS];
  bool is_clearing;
} rac_cache;

typedef struct rac_caches {
  rac_stock *current[RAC_SLAB_KINDS];  // where blocks are taken from
  rac_cache of[RAC_SLAB_KINDS];
} rac_caches;

#endif
