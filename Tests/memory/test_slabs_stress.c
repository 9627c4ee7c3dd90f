/* Threads that take blocks and slots of all kinds, hand them to each other, and
 * give back what they get, in phases of making, of clearing away and of both.
 * Every block has a pattern that is looked at. In the end all of it goes.
 *
 * RAC_STRESS_DIVISOR makes it smaller, RAC_STRESS_SECONDS says how long it is to
 * go on instead. */
#include "blocks.h"
#include "check.h"

enum { THREADS = 4, PLACES = 1 << 16, LARGEST = 300 };

/* What lies there belongs to whoever takes it out. */
typedef struct place {
  _Atomic(void *) block;
} place;
static place places[PLACES];
static _Atomic(char *) slots[PLACES];

/* Of each slot, the generation that it had last. */
static _Atomic uint32_t *generations;
static size_t slot_count;

static size_t size_of(size_t i) { return 8 + i * 11 % LARGEST; }

static uint32_t generation(const char *slot) {
  return (uint32_t)(__atomic_load_n((const uint64_t *)(const void *)slot,
                                    __ATOMIC_RELAXED) >>
                    RAC_SLOT_GENERATION_SHIFT);
}

static char *new_slot(void) {
  char *slot = rac_slot_take();
  size_t index = (size_t)(slot - rac_slot_range.base) / RAC_SLOT_SIZE;
  uint32_t now = generation(slot);
  if (index >= slot_count) abort();
  if (atomic_exchange_explicit(&generations[index], now,
                               memory_order_relaxed) >= now)
    check_fail(__FILE__, __LINE__, "a generation comes again");
  return slot;
}

static void end_slot(char *slot) {
  if (!slot) return;
  __atomic_fetch_add((uint64_t *)(void *)slot,
                     (uint64_t)1 << RAC_SLOT_GENERATION_SHIFT,
                     __ATOMIC_RELAXED);
  rac_slot_give(slot);
}

static void put(size_t i, void *block, char *slot) {
  void *old = atomic_exchange(&places[i].block, block);
  if (old) empty(old, size_of(i));
  end_slot(atomic_exchange(&slots[i], slot));
}

/* Some thousand steps of one kind, in a part of all places. */
static void run_phase(uint64_t *random) {
  enum { MAKE, CLEAR, MIX, PHASES };
  int phase = (int)(check_random(random) % PHASES);
  size_t width = (size_t)1 << (4 + check_random(random) % 13);
  size_t from = check_random(random) % PLACES;
  bool in_order = check_random(random) % 2;
  for (size_t step = 0; step < 4096; step++) {
    size_t offset = in_order ? step : check_random(random);
    size_t i = (from + offset % width) % PLACES;
    bool makes = phase == MAKE || (phase == MIX && check_random(random) % 2);
    put(i, makes ? filled(size_of(i)) : NULL, makes ? new_slot() : NULL);
  }
}

static atomic_bool stops;
static atomic_llong phases;

static void *work(void *argument) {
  uint64_t random = (uint64_t)(uintptr_t)argument;
  /* Threads end and others begin, whose slabs have to be found again. */
  for (int i = 0; i < 16 && !atomic_load(&stops); i++) {
    run_phase(&random);
    atomic_fetch_add(&phases, 1);
  }
  return NULL;
}

TEST(blocks_go_from_thread_to_thread) {
  double seconds = check_seconds(), start = check_clock();
  int64_t rounds = 0, least = check_scaled(40);
  uint64_t random = (uint64_t)(start * 1e6);
  slot_count = (size_t)512 << 15;
  generations = calloc(slot_count, sizeof *generations);
  REQUIRE(generations != NULL);
  fprintf(stderr, "seed %llu\n", (unsigned long long)random);
  while (seconds > 0 ? check_clock() - start < seconds : rounds < least) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
      threads[i] = check_spawn(work, (void *)(uintptr_t)check_random(&random));
    for (int i = 0; i < THREADS; i++) check_join(threads[i]);
    rounds++;
  }
  for (size_t i = 0; i < PLACES; i++) put(i, NULL, NULL);
  CHECK(busy(&rac_pool_range) <= 2 * RAC_POOL_KINDS);
  CHECK(busy(&rac_slot_range) <= 2);
  if (seconds > 0)
    printf("slabs: %lld phases in %.0f s, %zu slabs at most\n",
           (long long)atomic_load(&phases), check_clock() - start,
           rac_pool_range.fresh);
  free(generations);
}
