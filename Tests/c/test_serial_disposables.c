/* Serial disposables: one at a time, which may be exchanged. */
#include "check.h"

static void count(void *context) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}

static rac_disposable *counting(atomic_int *runs) {
  return rac_disposable_create(context_new(runs, NULL), count, context_destroy);
}

TEST(a_serial_disposes_the_one_it_holds) {
  atomic_int first = 0, second = 0;
  owned rac_disposable *serial = rac_serial_disposable_create();
  owned rac_disposable *a = counting(&first), *b = counting(&second);
  CHECK(rac_serial_disposable_current(serial) == NULL);
  CHECK_STATUS(rac_serial_disposable_set(serial, a), RAC_OK);
  CHECK_STATUS(rac_serial_disposable_set(serial, b), RAC_OK);
  /* Unlike in Rx, the one before is left alone. */
  CHECK_INT(first, 0);
  rac_dispose(serial);
  CHECK_INT(first, 0);
  CHECK_INT(second, 1);
  CHECK(rac_is_disposed(serial));
  CHECK(rac_serial_disposable_current(serial) == NULL);
  /* Too late: at once. */
  CHECK_STATUS(rac_serial_disposable_set(serial, a), RAC_OK);
  CHECK_INT(first, 1);
  CHECK(rac_serial_disposable_current(serial) == NULL);
}

TEST(disposing_the_held_one_leaves_the_serial) {
  atomic_int runs = 0;
  owned rac_disposable *serial = rac_serial_disposable_create();
  owned rac_disposable *a = counting(&runs);
  rac_serial_disposable_set(serial, a);
  owned rac_disposable *current = rac_serial_disposable_current(serial);
  CHECK_STATUS(rac_dispose(current), RAC_OK);
  CHECK_INT(runs, 1);
  CHECK(!rac_is_disposed(serial));
}

TEST(setting_null_takes_the_held_one_out) {
  atomic_int runs = 0;
  owned rac_disposable *serial = rac_serial_disposable_create();
  owned rac_disposable *a = counting(&runs);
  rac_serial_disposable_set(serial, a);
  CHECK_STATUS(rac_serial_disposable_set(serial, NULL), RAC_OK);
  CHECK(rac_serial_disposable_current(serial) == NULL);
  CHECK_INT(runs, 0);
  rac_serial_disposable_set(serial, a);
  rac_dispose(serial);
  CHECK_INT(runs, 1);
}

TEST(swapping_gives_back_the_one_before) {
  atomic_int first = 0, second = 0;
  owned rac_disposable *serial = rac_serial_disposable_create();
  owned rac_disposable *a = counting(&first), *b = counting(&second);
  rac_serial_disposable_set(serial, a);
  owned rac_disposable *before = rac_serial_disposable_swap(serial, b);
  CHECK(before != NULL && !rac_is_disposed(before));
  rac_dispose(serial);
  CHECK_INT(first, 0);
  CHECK_INT(second, 1);
  CHECK_STATUS(rac_dispose(before), RAC_OK);
  CHECK_INT(first, 1);
  rac_clear_last_error();
  owned rac_disposable *late = counting(&first);
  CHECK(rac_serial_disposable_swap(serial, late) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_OK);
  CHECK_INT(first, 2);
}

TEST(a_serial_releases_what_it_holds_undisposed) {
  atomic_int runs = 0, destroyed = 0;
  rac_disposable *serial = rac_serial_disposable_create();
  rac_disposable *a = rac_disposable_create(context_new(&runs, &destroyed),
                                            count, context_destroy);
  rac_serial_disposable_set(serial, a);
  rac_release(a);
  CHECK_INT(destroyed, 0);
  rac_release(serial);
  CHECK_INT(runs, 0);
  CHECK_INT(destroyed, 1);
}

typedef struct swaps {
  rac_disposable *serial;
  atomic_int runs;
} swaps;

static void *swap_many(void *argument) {
  swaps *self = argument;
  for (int64_t i = check_scaled(50000); i > 0; i--) {
    owned rac_disposable *d = counting(&self->runs);
    rac_release(rac_serial_disposable_swap(self->serial, d));
  }
  return NULL;
}

TEST(reading_a_serial_while_another_thread_swaps) {
  swaps self = {rac_serial_disposable_create(), 0};
  pthread_t swapper = check_spawn(swap_many, &self);
  for (int64_t i = check_scaled(50000); i > 0; i--) {
    owned rac_disposable *d = rac_serial_disposable_current(self.serial);
    if (d && rac_is_disposed(d)) check_fail(__FILE__, __LINE__, "disposed");
  }
  check_join(swapper);
  CHECK_INT(atomic_load(&self.runs), 0);
  rac_dispose(self.serial);
  CHECK_INT(atomic_load(&self.runs), 1);
  rac_release(self.serial);
}
