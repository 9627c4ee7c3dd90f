/* Empty slabs decay for a fixed time while a thread of the library's looks, and at
 * once where there is none: in a forked child, until it has begun anew. How they
 * decay is in test_slabs.c. */
#include "blocks.h"
#include "check.h"
#include "children.h"

/* The keeper's number among the library's threads, see LibraryThread.swift. */
enum { TIMERS = 2 };
/* More slabs than stay without a keeper. */
enum { BLOCKS = 60000, SLOTS = 240000, MANY_SLABS = 150, FEW_SLABS = 130 };

static const int64_t second = 1000000000;
static void *blocks[BLOCKS];
static char *slots[SLOTS];
static uint32_t told;

static void take(size_t parts) {
  for (size_t i = 0; i < BLOCKS / parts; i++) blocks[i] = filled(256);
  for (size_t i = 0; i < SLOTS / parts; i++) slots[i] = rac_slot_take();
}

static void give(size_t parts) {
  for (size_t i = 0; i < BLOCKS / parts; i++) empty(blocks[i], 256);
  for (size_t i = 0; i < SLOTS / parts; i++) {
    /* As the engine does it: the next life has another generation. */
    __atomic_fetch_add((uint64_t *)(void *)slots[i],
                       (uint64_t)1 << RAC_SLOT_GENERATION_SHIFT,
                       __ATOMIC_RELAXED);
    rac_slot_give(slots[i]);
  }
}

static void burst(void) {
  take(1);
  give(1);
}

/* What a thread of the library's does, at times of ours. */
static void look(int64_t now) {
  while (rac_shim_slabs_time() <= now) rac_shim_look_at_slabs(now);
}

static bool are_many_kept(void) {
  return rac_pool_range.retained_count > MANY_SLABS &&
         rac_slot_range.retained_count > MANY_SLABS;
}

static bool are_few_kept(void) {
  return rac_pool_range.retained_count < FEW_SLABS &&
         rac_slot_range.retained_count < FEW_SLABS;
}

/* The program's only thread, beside what the library is said to have. */
static void begin(void) {
  rac_shim_keep_slabs(&told);
  rac_shim_staff_add(TIMERS);
}

/* ---- In the child ------------------------------------------------------------ */

static void go_on_with_what_is_there(void) {
  uint32_t retained = rac_pool_range.retained_count, before = told;
  size_t fresh = rac_pool_range.fresh;
  /* What was kept is the child's as well. */
  CHILD(retained > MANY_SLABS);
  take(2);
  CHILD(rac_pool_range.fresh == fresh &&
        rac_pool_range.retained_count < retained);
  give(2);
  /* Nobody would come later. */
  CHILD(are_few_kept());
  CHILD(told == before && rac_shim_slabs_time() == RAC_SHIM_NEVER);
}

static void begin_anew(void) {
  rac_shim_reinitialize();
  CHILD(rac_shim_staff_present() == 0);
  begin();
}

static void keep_again(void) {
  uint32_t before = told;
  int64_t start = rac_shim_now();
  burst();
  CHILD(told == before + 1);
  CHILD(are_many_kept());
  int64_t time = rac_shim_slabs_time();
  CHILD(time >= start + second && time <= rac_shim_now() + second);
  rac_shim_look_at_slabs(time - 1);
  CHILD(are_many_kept());
  look(time);
  look(time + second);
  CHILD(are_few_kept());
  CHILD(rac_shim_slabs_time() == RAC_SHIM_NEVER);
}

static void work(void *knows_how_much) {
  CHILD(rac_shim_slabs_time() == RAC_SHIM_NEVER);
  if (knows_how_much) go_on_with_what_is_there();
  burst();
  CHILD(are_few_kept());
  begin_anew();
  keep_again();
}

static void begin_at_once(void *unused) {
  (void)unused;
  begin_anew();
  keep_again();
}

/* It is the same for the child's own children. */
static void be_a_parent(void *unused) {
  (void)unused;
  begin_anew();
  burst();
  CHILD(are_many_kept());
  CHILD(in_child(work, &told) == 0);
  CHILD(are_many_kept());
}

/* ---- In the parent ------------------------------------------------------------ */

static atomic_bool stops;

/* As if a second were nothing. */
static void *keep(void *unused) {
  (void)unused;
  rac_shim_thread();
  while (!atomic_load(&stops)) {
    int64_t time = rac_shim_slabs_time();
    if (time != RAC_SHIM_NEVER) rac_shim_look_at_slabs(time);
  }
  return NULL;
}

TEST(a_fork_while_memory_decays) {
  if (!has_pool()) return;
  begin();
  burst();
  int64_t time = rac_shim_slabs_time();
  look(time);
  /* A few at a time. */
  rac_shim_look_at_slabs(time + second);
  uint32_t kept = rac_pool_range.retained_count, before = told;
  CHECK(are_many_kept());
  CHECK_INT(in_child(work, &told), 0);
  CHECK_INT(in_child(begin_at_once, NULL), 0);
  CHECK_INT(in_child(be_a_parent, NULL), 0);
  /* For the parent nothing has happened. */
  CHECK_INT(rac_pool_range.retained_count, kept);
  CHECK_INT(rac_shim_slabs_time(), time + second);
  CHECK_INT(told, before);
  look(time + second);
  look(time + 2 * second);
  CHECK(are_few_kept());
}

TEST(forks_while_another_thread_lets_memory_go) {
  if (!has_pool()) return;
  begin();
  atomic_store(&stops, false);
  pthread_t keeper = check_spawn(keep, NULL);
  for (int64_t i = check_scaled(12); i > 0; i--) {
    burst();
    if (in_child(i % 2 ? work : begin_at_once, NULL) == 0) continue;
    check_fail(__FILE__, __LINE__, "a child hangs, or fails");
    break;
  }
  atomic_store(&stops, true);
  check_join(keeper);
}
