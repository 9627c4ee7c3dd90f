/* Properties with a bound on the modifications that wait. */
#include "properties.h"
#include "shared_callbacks.h"

static rac_status modify(rac_property *property) {
  return rac_property_modify(property, CALLBACK(plus_one));
}

/* ---- From inside a callback ---------------------------------------------- */

typedef struct inside {
  rac_property *property;
  /* What the callback of the value 1 is answered. */
  rac_status answers[4];
} inside;

static void modify_more(recorder *heard, rac_value value) {
  inside *self = heard->user;
  if (value.bits != 1) return;
  for (int i = 0; i < 3; i++) self->answers[i] = modify(self->property);
  self->answers[3] = rac_property_set(self->property, I(100));
}

/* Law 23: two wait, the third is not taken, and a set needs no room. */
static void check_inside(int32_t policy, rac_status refusal) {
  owned rac_bound *bound = rac_bound_create(2, policy);
  inside self = {rac_property_create_bounded(I(0), 0, bound), {0}};
  finished recorder heard = {.user = &self, .on_next = modify_more};
  record(rac_property_as_signal(self.property), &heard);
  CHECK_STATUS(modify(self.property), RAC_OK);
  CHECK_STATUS(self.answers[0], RAC_QUEUED);
  CHECK_STATUS(self.answers[1], RAC_QUEUED);
  CHECK_STATUS(self.answers[2], refusal);
  CHECK_STATUS(self.answers[3], RAC_QUEUED);
  CHECK_EVENTS(&heard, "0 1 2 3 100");
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), 2);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);
  CHECK_STATUS(modify(self.property), RAC_OK);
  rac_release(self.property);
}

TEST(a_modification_for_which_there_is_no_room) {
  check_inside(RAC_BOUND_REFUSE, RAC_EAGAIN);
  check_inside(RAC_BOUND_WAIT, RAC_EDEADLK);
}

TEST(no_bound_that_leaves_something_out) {
  static const int32_t policies[] = {RAC_BOUND_DROP_OLDEST,
                                     RAC_BOUND_DROP_NEWEST, RAC_BOUND_LATEST,
                                     RAC_BOUND_ERROR};
  for (int i = 0; i < 4; i++) {
    owned rac_bound *bound = rac_bound_create(2, policies[i]);
    CHECK(rac_property_create_bounded(I(0), 0, bound) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    /* It is free for another place. */
    owned rac_subject *subject = rac_subject_create_bounded(bound);
    CHECK(subject != NULL);
  }
  owned rac_property *none = rac_property_create_bounded(I(0), 0, NULL);
  owned rac_property *nor =
      rac_property_create_bounded(I(0), 0, RAC_BOUND_NONE);
  CHECK_STATUS(modify(none), RAC_OK);
  CHECK_STATUS(modify(nor), RAC_OK);
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_REFUSE);
  CHECK(rac_property_create_bounded(I(0), 2, bound) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_property_create_bounded(I(0), 0, (rac_bound *)none) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
}

/* ---- Several threads ----------------------------------------------------- */

enum { THREADS = 4, CAPACITY = 16 };

typedef struct crowd {
  rac_property *property;
  int64_t count;
  bool in_batches;
  atomic_int left;
} crowd;

static void *modify_many(void *argument) {
  crowd *self = argument;
  for (int64_t i = 0; i < self->count; i++) {
    if (self->in_batches) CHECK_STATUS(rac_property_batch_begin(), RAC_OK);
    rac_status status = modify(self->property);
    if (self->in_batches) status = rac_property_batch_end();
    CHECK(status >= 0);
  }
  atomic_fetch_sub(&self->left, 1);
  return NULL;
}

static void take_long(void *context, rac_value value) {
  (void)context;
  if (value.bits % 64 == 0) check_pause();
}

/* Laws 4 and 23: threads that are faster than a subscriber wait for it, and no
 * modification is lost. */
static void check_crowd(bool in_batches) {
  owned rac_bound *bound = rac_bound_create(CAPACITY, RAC_BOUND_WAIT);
  owned rac_property *p = rac_property_create_bounded(I(0), 0, bound);
  crowd crowd = {p, check_scaled(5000), in_batches, THREADS};
  rac_release(
      rac_subscribe_next(rac_property_as_signal(p), NULL, take_long, NULL));
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    threads[i] = check_spawn(modify_many, &crowd);
  uint64_t most = 0;
  while (atomic_load(&crowd.left) > 0) {
    uint64_t waiting = rac_queued_values();
    if (waiting > most) most = waiting;
    check_pause();
  }
  for (int i = 0; i < THREADS; i++) check_join(threads[i]);
  WAIT_UNTIL(number(p) == THREADS * crowd.count);
  WAIT_UNTIL(rac_bound_get(bound, RAC_BOUND_LENGTH) == 0);
  CHECK(most <= CAPACITY);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= CAPACITY);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) > 0);
}

TEST(threads_that_modify_wait_for_room) { check_crowd(false); }
TEST(batches_that_modify_wait_for_room) { check_crowd(true); }

/* ---- Batches ------------------------------------------------------------- */

static rac_status modify_twice(void *context) {
  inside *self = context;
  for (int i = 0; i < 2; i++) self->answers[i] = modify(self->property);
  return RAC_OK;
}

static void fill_with_batch(recorder *heard, rac_value value) {
  inside *self = heard->user;
  if (value.bits != 1) return;
  rac_property_batch(self, modify_twice, NULL);
  self->answers[2] = modify(self->property);
}

/* A batch comes in with its first modification, and brings the others. */
TEST(a_batch_waits_with_its_first_modification) {
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_REFUSE);
  inside self = {rac_property_create_bounded(I(0), 0, bound), {0}};
  finished recorder heard = {.user = &self, .on_next = fill_with_batch};
  record(rac_property_as_signal(self.property), &heard);
  CHECK_STATUS(modify(self.property), RAC_OK);
  CHECK_STATUS(self.answers[0], RAC_QUEUED);
  CHECK_STATUS(self.answers[1], RAC_QUEUED);
  CHECK_STATUS(self.answers[2], RAC_EAGAIN);
  CHECK_EVENTS(&heard, "0 1 3");
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);

  CHECK_STATUS(rac_property_batch_begin(), RAC_OK);
  CHECK_STATUS(modify(self.property), RAC_QUEUED);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 1);
  CHECK_STATUS(rac_property_batch_cancel(), RAC_OK);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);
  rac_release(self.property);
}

/* ---- A thread that waits ------------------------------------------------- */

typedef struct waiter {
  rac_property *property;
  atomic_bool inside, leave;
  atomic_int answer;
} waiter;

static void stay(recorder *heard, rac_value value) {
  waiter *self = heard->user;
  if (value.bits != 1) return;
  atomic_store(&self->inside, true);
  WAIT_UNTIL(atomic_load(&self->leave));
}

static void *modify_once(void *argument) {
  waiter *self = argument;
  modify(self->property);
  return NULL;
}

static void *modify_waiting(void *argument) {
  waiter *self = argument;
  atomic_store(&self->answer, modify(self->property));
  return NULL;
}

/* Room comes, or its time passes; or the property goes meanwhile. */
TEST(a_thread_waits_until_its_time_has_passed) {
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  waiter self = {.property = rac_property_create_bounded(I(0), 0, bound)};
  finished recorder heard = {.user = &self, .on_next = stay};
  record(rac_property_as_signal(self.property), &heard);
  pthread_t first = check_spawn(modify_once, &self);
  WAIT_UNTIL(atomic_load(&self.inside));
  CHECK_STATUS(modify(self.property), RAC_QUEUED);
  CHECK_STATUS(rac_bound_set_timeout(bound, 0.001), RAC_OK);
  CHECK_STATUS(modify(self.property), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_bound_set_timeout(bound, -1), RAC_OK);
  atomic_store(&self.answer, 77);
  pthread_t second = check_spawn(modify_waiting, &self);
  atomic_store(&self.leave, true);
  check_join(first);
  check_join(second);
  CHECK(atomic_load(&self.answer) == RAC_OK ||
        atomic_load(&self.answer) == RAC_QUEUED);
  WAIT_UNTIL(number(self.property) == 3);
  rac_release(self.property);
}
