/* Setters that are faster than those who listen: of the sets that wait the last
 * counts, and memory stays flat. */
#include "properties.h"

enum { SETTERS = 4 };

typedef struct flood {
  rac_property *a, *b, *sum;
  atomic_int inside, left;
  _Atomic int64_t heard;
} flood;

static rac_status sum_of(void *context, const rac_value *both, size_t count,
                         rac_value *out) {
  (void)context, (void)count;
  *out = I(both[0].bits + both[1].bits);
  return RAC_OK;
}

/* The first change is heard until the other setters have done. */
static void hear(void *context, rac_value value) {
  flood *self = context;
  atomic_store(&self->heard, value.bits);
  if (value.bits == 0 || atomic_exchange(&self->inside, 1)) return;
  WAIT_UNTIL(atomic_load(&self->left) <= 1);
}

static int64_t rounds(void) { return check_scaled(2000); }

static void *set_both(void *context) {
  flood *self = context;
  for (int64_t i = 1; i <= rounds(); i++) {
    rac_property_set(self->a, I(i));
    rac_property_set(self->b, I(i));
  }
  atomic_fetch_sub(&self->left, 1);
  return NULL;
}
static void *set_in_batches(void *context) {
  flood *self = context;
  for (int64_t i = 1; i <= rounds(); i++) {
    rac_property_batch_begin();
    rac_property_set(self->a, I(i));
    rac_property_set(self->b, I(i));
    rac_property_batch_end();
    /* Others have the one or the other besides. */
    rac_property_set(self->b, I(i));
  }
  atomic_fetch_sub(&self->left, 1);
  return NULL;
}

static void run(void *(*body)(void *), bool listens_to_roots) {
  flood self = {.a = property(0), .b = property(0), .left = SETTERS};
  rac_property *both[] = {self.a, self.b};
  self.sum = rac_property_combine_latest(both, 2, 0, NULL, sum_of, NULL);
  rac_release(rac_subscribe_next(
      rac_property_as_signal(listens_to_roots ? self.a : self.sum), &self, hear,
      NULL));
  pthread_t threads[SETTERS];
  uint64_t most = 0;
  for (int i = 0; i < SETTERS; i++) threads[i] = check_spawn(body, &self);
  while (atomic_load(&self.left) > 0) {
    uint64_t now = rac_queued_values();
    if (now > most) most = now;
  }
  for (int i = 0; i < SETTERS; i++) check_join(threads[i]);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  CHECK(most <= 100);
  CHECK_INT(rac_queued_values(), 0);
  CHECK_INT(number(self.a), rounds());
  CHECK_INT(number(self.b), rounds());
  CHECK_INT(number(self.sum), 2 * rounds());
  CHECK_INT(self.heard, (listens_to_roots ? 1 : 2) * rounds());
  rac_release(self.sum);
  rac_release(self.a);
  rac_release(self.b);
}

/* Laws 4 and 23. */
TEST(sets_beside_a_slow_subscriber_do_not_pile_up) { run(set_both, true); }

/* Laws 4 and 25. */
TEST(nor_do_turns) { run(set_both, false); }

TEST(nor_do_batches) {
  run(set_in_batches, true);
  run(set_in_batches, false);
}

static void *send_batches(void *context) {
  rac_property **p = context;
  for (int64_t i = 1; i <= rounds(); i++) {
    rac_property_batch_begin();
    rac_property_set(p[i % 3], I(i));
    rac_property_set(p[(i + 1) % 3], I(i));
    rac_property_batch_end();
  }
  return NULL;
}

/* Each has some of the properties of the one before. */
TEST(nor_do_batches_of_this_and_that) {
  rac_property *p[3] = {property(0), property(0), property(0)};
  flood self = {.left = 2};
  for (int i = 0; i < 3; i++)
    rac_release(
        rac_subscribe_next(rac_property_as_signal(p[i]), &self, hear, NULL));
  pthread_t threads[SETTERS];
  for (int i = 0; i < SETTERS; i++) threads[i] = check_spawn(send_batches, p);
  WAIT_UNTIL(atomic_load(&self.inside));
  uint64_t most = 0;
  for (int i = 0; i < 1000; i++) {
    uint64_t now = rac_queued_values();
    if (now > most) most = now;
    check_pause();
  }
  atomic_store(&self.left, 0);
  for (int i = 0; i < SETTERS; i++) check_join(threads[i]);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  CHECK(most <= 100);
  CHECK_INT(rac_queued_values(), 0);
  for (int i = 0; i < 3; i++) rac_release(p[i]);
}

/* ---- What stands between two sets ------------------------------------------- */

static rac_status twice(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = I(value.bits * 2);
  return RAC_OK;
}

static void set_more(recorder *self, rac_value value) {
  rac_property *p = self->user;
  if (value.bits != 1) return;
  rac_property_set(p, I(2));
  rac_property_set(p, I(3));
  rac_property_modify(p, CALLBACK(twice));
  rac_property_set(p, I(4));
  rac_property_set(p, I(5));
  rac_property_modify(p, CALLBACK(twice));
  rac_property_modify(p, CALLBACK(twice));
}

/* Law 4: a set takes the place of the one before unless something else stands
 * between; modifications are made one by one. */
TEST(a_set_does_not_pass_what_was_asked_for_before) {
  rac_property *p = property(0);
  recorder r = {.on_next = set_more, .user = p};
  record(rac_property_as_signal(p), &r);
  rac_property_set(p, I(1));
  CHECK_EVENTS(&r, "0 1 3 6 5 10 20");
  finish(&r);
  rac_release(p);
}
