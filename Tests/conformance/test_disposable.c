/* RACDisposable and its scoped, compound and serial kinds. */
#include "operators.h"
#include "shared_callbacks.h"

static rac_disposable *counting(atomic_int *count) {
  return rac_disposable_create(CALLBACK_FOR(count, count_up));
}

static void dispose_and_release(rac_disposable *d) {
  CHECK_STATUS(rac_dispose(d), RAC_OK);
  CHECK(rac_is_disposed(d));
  rac_release(d);
}

/* ---- Plain and scoped ----------------------------------------------------- */

/* disposable-001: without an action there still is a state */
TEST(a_disposable_without_an_action) {
  rac_disposable *d = rac_disposable_create(NULL, NULL, NULL);
  CHECK(!rac_is_disposed(d));
  dispose_and_release(d);
}

/* disposable-002: the action runs when it is disposed, and once: law 7 */
TEST(a_disposable_with_an_action) {
  atomic_int ran = 0;
  rac_disposable *d = counting(&ran);
  CHECK_INT(ran, 0);
  CHECK(!rac_is_disposed(d));
  rac_dispose(d);
  CHECK_INT(ran, 1);
  dispose_and_release(d);
  CHECK_INT(ran, 1);
}

/* disposable-003: letting go is not disposing */
TEST(a_dropped_disposable_does_not_run) {
  atomic_int ran = 0;
  rac_release(counting(&ran));
  CHECK_INT(ran, 0);
  CHECK_INT(context_count(), 0);
}

/* disposable-004: but it is for a scoped one */
TEST(a_dropped_scoped_disposable_runs) {
  atomic_int ran = 0;
  rac_disposable *d = counting(&ran), *scoped = rac_scoped_disposable_create(d);
  rac_release(d);
  rac_release(rac_retain(scoped));
  CHECK_INT(ran, 0);
  CHECK(!rac_is_disposed(scoped));
  rac_release(scoped);
  CHECK_INT(ran, 1);
}

static void look_at_state(void *context) {
  rac_disposable **self = context_target(context);
  CHECK(rac_is_disposed(*self));
  CHECK_STATUS(rac_dispose(*self), RAC_OK);
}

/* It is disposed before its action runs, and lets go of the context after. */
TEST(an_action_sees_its_disposable_disposed) {
  rac_disposable *d;
  d = rac_disposable_create(CALLBACK_FOR(&d, look_at_state));
  rac_dispose(d);
  CHECK_INT(context_count(), 0);
  rac_release(d);
}

/* ---- Compound ------------------------------------------------------------- */

typedef struct turn {
  int *disposed; /* so many before it */
  int place;
} turn;

static void note_place(void *context) {
  turn *self = context_target(context);
  self->place = (*self->disposed)++;
}

/* compound-disposable-001: everything that was added goes, in order */
TEST(a_compound_disposes_what_was_added) {
  int disposed = 0;
  turn turns[4];
  rac_disposable *members[4], *compound = rac_compound_disposable_create();
  for (int i = 0; i < 4; i++) {
    turns[i] = (turn){&disposed, -1};
    members[i] = rac_disposable_create(CALLBACK_FOR(&turns[i], note_place));
    CHECK_STATUS(rac_compound_disposable_add(compound, members[i]), RAC_OK);
  }
  CHECK_STATUS(rac_compound_disposable_add(compound, members[0]), RAC_OK);
  CHECK(!rac_is_disposed(compound));
  for (int i = 0; i < 4; i++) CHECK(!rac_is_disposed(members[i]));
  dispose_and_release(compound);
  for (int i = 0; i < 4; i++) {
    CHECK(rac_is_disposed(members[i]));
    CHECK_INT(turns[i].place, i);
    rac_release(members[i]);
  }
}

/* compound-disposable-002: one that comes late goes at once */
TEST(a_disposed_compound_disposes_what_is_added) {
  atomic_int ran = 0;
  owned rac_disposable *d = counting(&ran);
  owned rac_disposable *compound = rac_compound_disposable_create();
  rac_dispose(compound);
  CHECK_INT(ran, 0);
  rac_compound_disposable_add(compound, d);
  CHECK_INT(ran, 1);
  CHECK(rac_is_disposed(d));
}

/* compound-disposable-004: an action is a member like the others. Here it is
 * added; RAC had a constructor for it */
TEST(a_compound_with_an_action) {
  atomic_int own = 0, added = 0;
  rac_disposable *compound = rac_compound_disposable_create();
  rac_disposable *members[] = {counting(&own), counting(&added)};
  for (int i = 0; i < 2; i++) {
    rac_compound_disposable_add(compound, members[i]);
    rac_release(members[i]);
  }
  CHECK_INT(own + added, 0);
  dispose_and_release(compound);
  CHECK_INT(own, 1);
  CHECK_INT(added, 1);
}

/* compound-disposable-005: what was taken out stays as it is, however often it
 * was in */
TEST(a_removed_disposable_is_not_disposed) {
  atomic_int ran = 0;
  owned rac_disposable *d = counting(&ran);
  owned rac_disposable *compound = rac_compound_disposable_create();
  rac_compound_disposable_add(compound, d);
  rac_compound_disposable_add(compound, d);
  CHECK_STATUS(rac_compound_disposable_remove(compound, d), RAC_OK);
  CHECK_STATUS(rac_compound_disposable_remove(compound, d), RAC_OK);
  CHECK_STATUS(rac_compound_disposable_remove(compound, NULL), RAC_OK);
  rac_dispose(compound);
  CHECK_INT(ran, 0);
  CHECK_STATUS(rac_compound_disposable_remove(compound, d), RAC_OK);
}

/* NULL and what is disposed already are ignored, itself is refused. */
TEST(what_a_compound_does_not_take) {
  atomic_int ran = 0;
  owned rac_disposable *d = counting(&ran);
  rac_disposable *compound = rac_compound_disposable_create();
  rac_dispose(d);
  CHECK_STATUS(rac_compound_disposable_add(compound, d), RAC_OK);
  CHECK_STATUS(rac_compound_disposable_add(compound, NULL), RAC_OK);
  CHECK_STATUS(rac_compound_disposable_add(compound, compound), RAC_EINVAL);
  dispose_and_release(compound);
  CHECK_INT(ran, 1);
}

/* ---- Serial --------------------------------------------------------------- */

static rac_disposable *serial_of(rac_disposable *inner) {
  rac_disposable *serial = rac_serial_disposable_create();
  CHECK_STATUS(rac_serial_disposable_set(serial, inner), RAC_OK);
  return serial;
}

/* serial-disposable-002: disposing what is inside leaves the serial one. RAC had
 * a constructor for an action; here a disposable with the action is put in */
TEST(disposing_what_is_inside_leaves_the_serial) {
  atomic_int ran = 0;
  rac_disposable *d = counting(&ran), *serial = serial_of(d);
  rac_release(d);
  owned rac_disposable *inner = rac_serial_disposable_current(serial);
  CHECK(inner != NULL);
  rac_dispose(inner);
  CHECK_INT(ran, 1);
  CHECK(!rac_is_disposed(serial));
  rac_release(serial);
}

/* serial-disposable-003: what was put in is what is inside. Two handles may name
 * it: disposing one disposes the other */
TEST(what_was_put_in_is_inside) {
  owned rac_disposable *d = rac_disposable_create(NULL, NULL, NULL);
  owned rac_disposable *serial = serial_of(d);
  owned rac_disposable *inner = rac_serial_disposable_current(serial);
  CHECK(!rac_is_disposed(inner));
  rac_dispose(d);
  CHECK(rac_is_disposed(inner));
}

/* serial-disposable-004: disposing the serial one disposes what is inside, and
 * it is empty then */
TEST(disposing_the_serial_disposes_what_is_inside) {
  atomic_int ran = 0;
  owned rac_disposable *d = counting(&ran), *serial = serial_of(d);
  owned rac_disposable *late = counting(&ran);
  rac_dispose(serial);
  CHECK(rac_is_disposed(serial));
  CHECK(rac_is_disposed(d));
  CHECK_INT(ran, 1);
  CHECK(rac_serial_disposable_current(serial) == NULL);
  /* Too late: at once. */
  CHECK_STATUS(rac_serial_disposable_set(serial, late), RAC_OK);
  CHECK_INT(ran, 2);
  CHECK(rac_serial_disposable_current(serial) == NULL);
}

/* serial-disposable-006: taking it out does not dispose it */
TEST(taking_it_out_does_not_dispose_it) {
  atomic_int ran = 0;
  rac_disposable *d = counting(&ran), *serial = serial_of(d);
  rac_serial_disposable_set(serial, NULL);
  CHECK(rac_serial_disposable_current(serial) == NULL);
  CHECK_INT(ran, 0);
  rac_serial_disposable_set(serial, d);
  CHECK_INT(ran, 0);
  dispose_and_release(serial);
  CHECK_INT(ran, 1);
  rac_release(d);
}

/* serial-disposable-007: swapping gives the one before, undisposed */
TEST(swapping_gives_the_one_before) {
  atomic_int first_ran = 0, second_ran = 0;
  owned rac_disposable *first = counting(&first_ran),
                       *second = counting(&second_ran);
  rac_disposable *serial = serial_of(first);
  owned rac_disposable *before = rac_serial_disposable_swap(serial, second);
  CHECK(before != NULL);
  CHECK_INT(first_ran, 0);
  dispose_and_release(serial);
  CHECK_INT(second_ran, 1);
  CHECK_INT(first_ran, 0);
  rac_dispose(before);
  CHECK(rac_is_disposed(first));
}

/* With a disposed one the newcomer is disposed and nothing comes back. */
TEST(swapping_into_a_disposed_serial) {
  atomic_int ran = 0;
  owned rac_disposable *d = counting(&ran), *serial = serial_of(NULL);
  rac_dispose(serial);
  rac_clear_last_error();
  CHECK(rac_serial_disposable_swap(serial, d) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_OK);
  CHECK_INT(ran, 1);
}

/* serial-disposable-008: dropping the serial one lets go of what is inside */
TEST(a_dropped_serial_lets_go) {
  atomic_int ran = 0;
  rac_disposable *d = counting(&ran), *serial = serial_of(d);
  rac_release(d);
  CHECK_INT(context_count(), 1);
  rac_release(serial);
  CHECK_INT(context_count(), 0);
  CHECK_INT(ran, 0);
}

static void *swap_many(void *argument) {
  for (int64_t n = check_scaled(20000); n > 0; n--) {
    owned rac_disposable *fresh = rac_disposable_create(NULL, NULL, NULL);
    rac_release(rac_serial_disposable_swap(argument, fresh));
  }
  return NULL;
}

/* serial-disposable-009: reading while another thread swaps gives one that is
 * alive */
TEST(reading_while_another_thread_swaps) {
  owned rac_disposable *d = rac_disposable_create(NULL, NULL, NULL);
  owned rac_disposable *serial = serial_of(d);
  pthread_t thread = check_spawn(swap_many, serial);
  for (int64_t n = check_scaled(20000); n > 0; n--) {
    owned rac_disposable *inner = rac_serial_disposable_current(serial);
    CHECK(inner != NULL);
    CHECK(!rac_is_disposed(inner));
  }
  check_join(thread);
}
