/* Slabs, one thing at a time: what is given out again, what goes back to the
 * system, and what ends and forks do to it. */
#include <limits.h>

#include "blocks.h"
#include "check.h"
#include "children.h"

enum { MANY = 150000, LARGEST = 300 };

static void *blocks[MANY];
static size_t order[MANY];

static size_t size_of(size_t i) { return 1 + i * 7 % LARGEST; }

static void make_many(void) {
  for (size_t i = 0; i < MANY; i++) blocks[i] = filled(size_of(i));
}

static void shuffle(void) {
  uint64_t random = 1;
  for (size_t i = 0; i < MANY; i++) order[i] = i;
  for (size_t i = MANY - 1; i > 0; i--) {
    size_t other = check_random(&random) % (i + 1), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

/* Those whose number in the order has that rest. */
typedef struct part {
  size_t rest, parts;
} part;

static void *free_part(void *argument) {
  part *self = argument;
  for (size_t i = self->rest; i < MANY; i += self->parts)
    empty(blocks[order[i]], size_of(order[i]));
  return NULL;
}

static void free_all(void) { free_part(&(part){0, 1}); }

/* A slab of each kind that this thread takes from, and one that the library has
 * taken from for it before. */
enum { IN_HAND = RAC_POOL_KINDS * 2 };

static void take_from_each_kind(void) {
  for (size_t size = 16; size <= 256; size += 8) empty(filled(size), size);
}

/* ---- Giving out ------------------------------------------------------------ */

TEST(there_is_a_pool_unless_it_is_told_not_to_be) {
  const char *choice = getenv("RAC_POOL");
  CHECK(has_pool() == !(choice && strcmp(choice, "malloc") == 0));
}

TEST(blocks_of_all_sizes_are_apart) {
  make_many();
  for (size_t i = 0; i < MANY; i++) empty(blocks[i], size_of(i));
}

TEST(what_is_freed_is_given_out_next) {
  if (!has_pool()) return;
  make_many();
  /* Of the slab in use, and of one that has been full for long. */
  for (size_t i = 0; i < MANY; i += 601) {
    size_t size = size_of(i);
    if (size > 256) continue;
    empty(blocks[i], size);
    void *again = filled(size);
    CHECK(again == blocks[i]);
    blocks[i] = again;
  }
  for (size_t i = 0; i < MANY; i++) empty(blocks[i], size_of(i));
}

TEST(what_grows_keeps_its_bytes) {
  unsigned char *block = NULL;
  size_t before = 0;
  for (size_t size = 1; size < 2000; size += 13) {
    block = rac_shim_enlarge(block, before, size);
    before = size;
    REQUIRE(block != NULL);
    block[size - 1] = (unsigned char)size;
    for (size_t i = 1; i <= size; i += 13)
      if (block[i - 1] != (unsigned char)i) {
        check_fail(__FILE__, __LINE__, "a byte is lost");
        return;
      }
  }
  pool_free(block);
}

/* ---- Going back ------------------------------------------------------------ */

TEST(what_is_freed_in_any_order_goes) {
  make_many();
  size_t most = busy(&rac_pool_range);
  shuffle();
  free_all();
  CHECK(!has_pool() || most > 5 * IN_HAND);
  CHECK(busy(&rac_pool_range) <= IN_HAND);
  /* The slabs that keep their memory are few. */
  CHECK(rac_pool_range.retained_count <= 8);
}

TEST(what_is_freed_by_another_thread_goes) {
  make_many();
  shuffle();
  part all = {0, 1};
  /* It is still there when we look, and the maker does nothing meanwhile. */
  check_join(check_spawn(free_part, &all));
  CHECK(busy(&rac_pool_range) <= IN_HAND);
}

TEST(what_is_freed_by_several_threads_goes) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  part parts[THREADS];
  make_many();
  shuffle();
  for (size_t i = 0; i < THREADS; i++) {
    parts[i] = (part){i, THREADS};
    threads[i] = check_spawn(free_part, &parts[i]);
  }
  for (size_t i = 0; i < THREADS; i++) check_join(threads[i]);
  CHECK(busy(&rac_pool_range) <= IN_HAND);
}

TEST(a_second_burst_takes_what_the_first_one_left) {
  make_many();
  shuffle();
  free_all();
  size_t most = rac_pool_range.fresh;
  make_many();
  CHECK(rac_pool_range.fresh <= most + IN_HAND);
  free_all();
}

TEST(what_lies_between_survivors_is_used_again) {
  enum { APART = 199 };
  make_many();
  shuffle();
  size_t most = rac_pool_range.fresh;
  for (size_t i = 0; i < MANY; i++)
    if (order[i] % APART != 0) empty(blocks[order[i]], size_of(order[i]));
  for (size_t i = 0; i < MANY; i++)
    if (i % APART != 0) blocks[i] = filled(size_of(i));
  CHECK(rac_pool_range.fresh <= most + IN_HAND);
  /* In order, too. Of the small ones each slab has survivors. */
  size_t after = 0, all = 0;
  for (size_t i = 0; has_pool() && i + LARGEST < MANY; i++) {
    if (i % APART == 0 || (i + LARGEST) % APART == 0 || size_of(i) > 64)
      continue;
    uintptr_t a = (uintptr_t)blocks[i], b = (uintptr_t)blocks[i + LARGEST];
    after += b > a && b - a < 64 * 64;
    all++;
  }
  CHECK(!has_pool() || after * 4 > all * 3);
  for (size_t i = 0; i < MANY; i++) empty(blocks[i], size_of(i));
  CHECK(busy(&rac_pool_range) <= IN_HAND);
}

TEST(what_is_wanted_again_and_again_stays) {
  if (!has_pool()) return;
  void *some[2000];
  uint32_t decommitted = 0;
  for (int round = 0; round < 20; round++) {
    for (size_t i = 0; i < 2000; i++) some[i] = filled(256);
    if (round > 2) CHECK_INT(rac_pool_range.decommitted, decommitted);
    for (size_t i = 0; i < 2000; i++) empty(some[i], 256);
    decommitted = rac_pool_range.decommitted;
    for (size_t i = 0; i < 2000; i++) some[i] = filled(256);
    if (round > 2) CHECK_INT(rac_pool_range.decommitted, decommitted);
    for (size_t i = 0; i < 2000; i++) empty(some[i], 256);
    decommitted = rac_pool_range.decommitted;
  }
}

/* ---- The keeper -------------------------------------------------------------- */

/* Looks as a thread of the library's does, at times of ours. */
static uint32_t told;

static void look(int64_t now) {
  while (rac_shim_slabs_time() <= now) rac_shim_look_at_slabs(now);
}

static void make_and_free(size_t count) {
  for (size_t i = 0; i < count; i++) blocks[i] = filled(256);
  for (size_t i = 0; i < count; i++) empty(blocks[i], 256);
}

TEST(what_a_burst_took_stays_for_a_while) {
  if (!has_pool()) return;
  const int64_t second = 1000000000;
  make_and_free(MANY);
  uint32_t told_before = told, few = rac_pool_range.retained_count;
  CHECK_INT(rac_shim_slabs_time(), RAC_SHIM_NEVER);
  rac_shim_keep_slabs(&told);
  make_and_free(MANY);
  uint32_t many = rac_pool_range.retained_count,
           decommitted = rac_pool_range.decommitted;
  CHECK(many > 1000);
  CHECK_INT(told, told_before + 1);
  /* It is not time yet. */
  int64_t time = rac_shim_slabs_time();
  CHECK(time <= rac_shim_now() + second);
  rac_shim_look_at_slabs(time - 1);
  CHECK_INT(rac_pool_range.retained_count, many);
  /* What comes in time takes it again, however often, and half as much keeps half. */
  for (int round = 0; round < 5; round++) {
    make_and_free(MANY);
    look(time);
    CHECK_INT(rac_pool_range.decommitted, decommitted);
    CHECK_INT(rac_shim_slabs_time(), time + second);
    time += second;
  }
  for (int round = 0; round < 3; round++, time += second) {
    make_and_free(MANY / 2);
    look(time);
  }
  CHECK(rac_pool_range.retained_count > many / 4 &&
        rac_pool_range.retained_count < many * 3 / 4);
  /* Bit by bit, because the keeper has something else to do, too. */
  rac_shim_look_at_slabs(time);
  uint32_t before = rac_pool_range.retained_count;
  time = rac_shim_slabs_time();
  rac_shim_look_at_slabs(time);
  CHECK(rac_pool_range.retained_count < before);
  CHECK(rac_pool_range.retained_count > before - 100);
  CHECK_INT(rac_shim_slabs_time(), time);
  look(time);
  look(time + second);
  CHECK(rac_pool_range.retained_count <= few);
  /* Nobody wakes for nothing. */
  CHECK_INT(rac_shim_slabs_time(), RAC_SHIM_NEVER);
  CHECK_INT(told, told_before + 1);
  make_and_free(MANY);
  CHECK_INT(told, told_before + 2);
  rac_shim_keep_slabs(NULL);
  make_and_free(MANY);
  CHECK(rac_pool_range.retained_count <= few);
  CHECK_INT(rac_shim_slabs_time(), RAC_SHIM_NEVER);
}

/* ---- Threads ----------------------------------------------------------------- */

/* Leaves every third block to whoever comes after it. */
typedef struct heap {
  void *left[300];
} heap;

static void *make_and_leave(void *argument) {
  heap *self = argument;
  for (size_t i = 0; i < 300; i++) {
    void *block = filled(size_of(i));
    if (self->left[i] && i % 3 == 0) empty(self->left[i], size_of(i));
    if (i % 3 == 0)
      self->left[i] = block;
    else
      empty(block, size_of(i));
  }
  return NULL;
}

static void free_left(heap *self) {
  for (size_t i = 0; i < 300; i += 3)
    if (self->left[i]) empty(self->left[i], size_of(i));
}

TEST(threads_come_and_go) {
  static heap one;
  check_join(check_spawn(make_and_leave, &one));
  size_t most = rac_pool_range.fresh;
  for (int64_t i = check_scaled(3000); i > 0; i--)
    check_join(check_spawn(make_and_leave, &one));
  CHECK(rac_pool_range.fresh <= most + IN_HAND);
  free_left(&one);
  CHECK(busy(&rac_pool_range) <= IN_HAND);
}

/* In every round of destructors that there is, also in the last one, when the
 * thread's record has been given back. What that one makes is left to others. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
/* Its own is the last, and the library's comes after ours. */
enum { ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS - 2 };
#define HAS_ROUNDS
#endif
#endif
#ifndef HAS_ROUNDS
enum { ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS };
#endif
static pthread_key_t late_key;
static atomic_int late_rounds;
static void *last_late;

static void come_late(void *block) {
  static __thread int rounds;
  empty(block, 100);
  take_from_each_kind();
  atomic_fetch_add(&late_rounds, 1);
  void *next = filled(100);
  if (++rounds < ROUNDS)
    pthread_setspecific(late_key, next);
  else
    last_late = next;
}

static void *end_late(void *unused) {
  (void)unused;
  pthread_setspecific(late_key, filled(100));
  return NULL;
}

TEST(threads_go_on_past_their_end) {
  pthread_key_create(&late_key, come_late);
  check_join(check_spawn(end_late, NULL));
  empty(last_late, 100);
  size_t most = rac_pool_range.fresh;
  for (int64_t i = check_scaled(1000); i > 0; i--) {
    check_join(check_spawn(end_late, NULL));
    empty(last_late, 100);
  }
  CHECK_INT(atomic_load(&late_rounds), ROUNDS * (check_scaled(1000) + 1));
  CHECK(rac_pool_range.fresh <= most + IN_HAND);
  CHECK(busy(&rac_pool_range) <= IN_HAND);
  pthread_key_delete(late_key);
}

/* ---- Slots ------------------------------------------------------------------- */

/* They have slabs of their own, the same ones where blocks come from malloc(): to end
 * very many lives once is enough. */

/* More than the slabs that keep their memory have. */
enum { SLOTS = 200000 };
static char *slots[SLOTS];

/* As the engine does it: a new generation for each life. */
static uint64_t generation(const char *slot) {
  return __atomic_load_n((const uint64_t *)(const void *)slot,
                         __ATOMIC_RELAXED) >>
         RAC_SLOT_GENERATION_SHIFT;
}

static void end_life(char *slot) {
  __atomic_fetch_add((uint64_t *)(void *)slot,
                     (uint64_t)1 << RAC_SLOT_GENERATION_SHIFT,
                     __ATOMIC_RELAXED);
  rac_slot_give(slot);
}

TEST(generations_never_go_back) {
  if (!has_pool()) return;
  uint64_t *seen = calloc((size_t)512 << 15, sizeof *seen), random = 7;
  REQUIRE(seen != NULL);
  for (int round = 0; round < 12; round++) {
    for (size_t i = 0; i < SLOTS; i++) {
      slots[i] = rac_slot_take();
      size_t index = (size_t)(slots[i] - rac_slot_range.base) / RAC_SLOT_SIZE;
      CHECK(index != 0);
      if (generation(slots[i]) <= seen[index])
        check_fail(__FILE__, __LINE__, "a generation comes again");
      seen[index] = generation(slots[i]);
    }
    /* Some live often, fewer than would be missed by the others, or more. */
    for (int i = 0; i < 20 * round; i++) {
      char *slot = rac_slot_take();
      size_t index = (size_t)(slot - rac_slot_range.base) / RAC_SLOT_SIZE;
      if (generation(slot) <= seen[index])
        check_fail(__FILE__, __LINE__, "a generation comes again");
      seen[index] = generation(slot);
      end_life(slot);
    }
    for (size_t i = SLOTS; i > 0; i--) {
      size_t other = check_random(&random) % i;
      char *slot = slots[other];
      slots[other] = slots[i - 1];
      end_life(slot);
    }
    CHECK(busy(&rac_slot_range) <= 2);
    CHECK(rac_slot_range.decommitted > 0);
  }
  /* Whose slots differ by too many generations. */
  CHECK(rac_slot_range.worn != NULL);
  free(seen);
}

/* Also where slabs are used to the end in one life and hardly in the next. */
static uint64_t *generations;

static char *take_new(void) {
  char *slot = rac_slot_take();
  size_t index = (size_t)(slot - rac_slot_range.base) / RAC_SLOT_SIZE;
  if (generation(slot) <= generations[index])
    check_fail(__FILE__, __LINE__, "a generation comes again");
  generations[index] = generation(slot);
  return slot;
}

static void *take_some(void *count) {
  size_t most = (size_t)(uintptr_t)count;
  for (size_t i = 0; i < most; i++) slots[i] = take_new();
  /* The last ones live more often. */
  for (size_t i = most * 3; i < most * 5; i++) {
    end_life(slots[most / 2 + i % (most - most / 2)]);
    slots[most / 2 + i % (most - most / 2)] = take_new();
  }
  for (size_t i = most; i > 0; i--) end_life(slots[i - 1]);
  return NULL;
}

TEST(generations_never_go_back_in_part_of_a_slab) {
  if (!has_pool()) return;
  static const size_t counts[] = {10, 200, 900, 5000, SLOTS};
  uint64_t random = 3;
  generations = calloc((size_t)512 << 15, sizeof *generations);
  REQUIRE(generations != NULL);
  for (int64_t i = check_scaled(1000); i > 0; i--) {
    /* Large ones are rare; a thread's end gives back the slab it has. */
    size_t which = check_random(&random) % 40;
    size_t count = counts[which < 5 ? which : which % 4];
    check_join(check_spawn(take_some, (void *)(uintptr_t)count));
  }
  free(generations);
}

/* What was given back to the system reads as zeros: no handle names it. */
TEST(slots_that_went_can_be_looked_at) {
  for (size_t i = 0; i < SLOTS; i++) slots[i] = rac_slot_take();
  for (size_t i = 0; i < SLOTS; i++) end_life(slots[i]);
  size_t zeros = 0;
  for (size_t i = 0; i < SLOTS; i++) zeros += generation(slots[i]) == 0;
  CHECK(zeros > SLOTS / 2);
}

/* ---- Fork -------------------------------------------------------------------- */

static atomic_bool stops;

/* In and out of slabs all the time. */
static void *keep_busy(void *unused) {
  void *some[300];
  (void)unused;
  rac_shim_thread();
  while (!atomic_load(&stops)) {
    for (size_t i = 0; i < 300; i++) some[i] = rac_shim_allocate_checked(256);
    for (size_t i = 0; i < 300; i++) pool_free(some[i]);
  }
  return NULL;
}

static void use_in_child(void *thoroughly) {
  for (size_t size = 1; size < 300; size++) empty(filled(size), size);
  if (thoroughly) free_all();
  /* The table is as new; what the parent had there is given back to nobody. */
  for (size_t i = 0; i < SLOTS; i += 2) {
    CHILD(generation(slots[i]) == 0);
    rac_slot_give(slots[i]);
  }
  /* All begin where this copy of the library does. */
  uint64_t first = 0;
  for (int i = 0; i < 2000; i++) {
    char *slot = rac_slot_take();
    size_t offset = (size_t)(slot - rac_slot_range.base);
    if (i == 0) first = generation(slot);
    CHILD(offset < rac_slot_range.size && generation(slot) == first);
    CHILD(first % (1 << 19) == 1 && first >> 25 == 0);
  }
}

TEST(a_forked_child_has_a_pool) {
  pthread_t threads[2];
  make_many();
  shuffle();
  for (size_t i = 0; i < SLOTS; i++) slots[i] = rac_slot_take();
  for (size_t i = 1; i < SLOTS; i += 2) end_life(slots[i]);
  atomic_store(&stops, false);
  for (int i = 0; i < 2; i++) threads[i] = check_spawn(keep_busy, NULL);
  for (int64_t i = check_scaled(300); i > 0; i--) {
    if (in_child(use_in_child, i % 30 ? NULL : threads) == 0) continue;
    check_fail(__FILE__, __LINE__, "a child hangs, or fails");
    break;
  }
  atomic_store(&stops, true);
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  for (size_t i = 0; i < SLOTS; i += 2) end_life(slots[i]);
  free_all();
}
