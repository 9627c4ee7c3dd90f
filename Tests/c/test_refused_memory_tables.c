/* A table of the library's that has to grow and cannot: the process ends with one
 * line. docs/Shortages.md */
#define _GNU_SOURCE 1

#include "process.h"
#include "shared_callbacks.h"

#if !IS_SANITIZED

#include "refusing_memory.h"

static void do_nothing(void *context) { (void)context; }

static void wait_for_a_time(void *clock) {
  rac_release(rac_schedule_after(clock, 1, NULL, do_nothing, NULL));
}

static void watch_a_descriptor(void *readable) {
  rac_release(rac_subscribe_next(readable, NULL, NULL, NULL));
}

/* The reserve is full at each call, and in the end the table is too large for
 * it. */
static void fill_a_table(void (*add)(void *to), void *to) {
  refuse_requests(1, FOR_EVER);
  for (int i = 0; i < 600; i++) {
    rac_release(rac_subject_create());
    take_memory();
    add(to);
    give_memory();
  }
}

static void fill(const char *which) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  owned rac_scheduler *clock = rac_scheduler_virtual();
  owned rac_signal *readable =
      rac_signal_readable(ends[0], RAC_DESCRIPTOR_LENT, NULL);
  if (strcmp(which, "times") == 0) fill_a_table(wait_for_a_time, clock);
  if (strcmp(which, "descriptors") == 0)
    fill_a_table(watch_a_descriptor, readable);
}

TEST(a_table_that_cannot_grow_ends_the_process) {
  static const char *const tables[] = {"times", "descriptors"};
  const char *which = getenv("RAC_TEST_TABLE");
  if (which != NULL) {
    fill(which);
    return;
  }
  for (int i = 0; i < 2; i++) {
    char said[400];
    CHECK_INT(rerun("a_table_that_cannot_grow_ends_the_process",
                    "RAC_TEST_TABLE", tables[i], said, sizeof said),
              -SIGABRT);
    CHECK_TEXT(said, "librac: out of memory\n");
  }
}

#else

TEST(sanitizers_have_memory_of_their_own) {}

#endif
