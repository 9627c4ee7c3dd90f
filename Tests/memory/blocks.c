#include "blocks.h"

#include "check.h"

/* ---- What threads.c and process.c ask of the engine ------------------------- */

void rac_engine_boot(void);
void rac_engine_thread_exit(rac_thread *thread);
void rac_engine_forked(bool works, bool beside_others);
void rac_engine_reinitialize(void);
void rac_engine_exit(void);

void rac_engine_boot(void) {
  if (!rac_slots_reserve((size_t)512 << 20)) abort();
}
void rac_engine_thread_exit(rac_thread *thread) { (void)thread; }
void rac_engine_forked(bool works, bool beside_others) {
  (void)works, (void)beside_others;
  rac_slots_forget();
}
void rac_engine_reinitialize(void) {}
void rac_engine_exit(void) {}

/* ---- Blocks --------------------------------------------------------------- */

void pool_free(void *memory) { free(memory); }

bool has_pool(void) { return rac_pool_range.size > 0; }

size_t busy(const rac_slab_range *range) {
  size_t worn = 0;
  for (rac_slab *slab = range->worn; slab; slab = slab->next) worn++;
  return range->fresh - range->decommitted - range->retained_count - worn;
}

/* The first bytes say where it is, so that two that overlap are found. */
static size_t mark(unsigned char *block, size_t size) {
  uintptr_t address = (uintptr_t)block;
  if (size < sizeof address) return 0;
  memcpy(block, &address, sizeof address);
  return sizeof address;
}

static bool has_mark(const unsigned char *block, size_t size) {
  uintptr_t address = (uintptr_t)block;
  return size < sizeof address || memcmp(block, &address, sizeof address) == 0;
}

/* As large as some object: a whole number of words, two of which it begins with. */
static bool is_objects(size_t size) {
  return size % sizeof(void *) == 0 && size % RAC_POOL_ALIGNMENT != 0 &&
         size >= 2 * sizeof(void *);
}

/* A thread that makes something has a record, as with the engine; one that only
 * gives back may have none. */
void *filled(size_t size) {
  rac_shim_thread();
  bool small = is_objects(size);
  unsigned char *block =
      small ? rac_allocation_take(size) : rac_shim_allocate_checked(size);
  if (!block) abort();
  if ((uintptr_t)block % (small ? RAC_SLAB_UNIT : RAC_POOL_ALIGNMENT) != 0)
    check_fail(__FILE__, __LINE__, "a block is not aligned");
  size_t marked = mark(block, size);
  memset(block + marked, (int)(size % 251), size - marked);
  return block;
}

void empty(void *memory, size_t size) {
  unsigned char *block = memory;
  if (!has_mark(block, size))
    check_fail(__FILE__, __LINE__, "a block is another's");
  for (size_t i = sizeof(uintptr_t); i < size; i++)
    if (block[i] != size % 251) {
      check_fail(__FILE__, __LINE__, "a block was written to");
      break;
    }
  pool_free(block);
}
