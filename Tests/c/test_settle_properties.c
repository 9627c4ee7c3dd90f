/* rac_settle() beside properties: what was set is set, and whatever is derived from
 * it has been computed and heard, whichever thread was left with it. */
#include "properties.h"

enum { SETTERS = 4, SETS = 4000 };

typedef struct place {
  rac_property *roots[SETTERS], *sum;
  atomic_int heard;
  _Atomic int64_t latest;
  volatile int spins;
} place;

static rac_status add_all(void *context, const rac_value *inputs, size_t count,
                          rac_value *out) {
  int64_t sum = 0;
  (void)context;
  for (size_t i = 0; i < count; i++) sum += inputs[i].bits;
  *out = I(sum);
  return RAC_OK;
}

/* So that turns are left to others. */
static void hear_slowly(void *context, rac_value value) {
  place *p = context;
  atomic_store(&p->latest, value.bits);
  for (p->spins = 0; p->spins < 200; p->spins++) continue;
  atomic_fetch_add(&p->heard, 1);
}

typedef struct setter {
  place *place;
  int number;
  int64_t from;
} setter;

static int64_t sets_of_one(void) { return check_scaled(SETS); }

static void *set_alone(void *argument) {
  setter *self = argument;
  rac_property *mine = self->place->roots[self->number];
  for (int64_t i = 1; i <= sets_of_one(); i++)
    CHECK(rac_property_set(mine, I(self->from + i)) >= 0);
  return NULL;
}

/* Every root at once, so each batch takes hold of what the others set. */
static void *set_in_batches(void *argument) {
  setter *self = argument;
  for (int64_t i = 1; i <= sets_of_one() / 4; i++) {
    CHECK_STATUS(rac_property_batch_begin(), RAC_OK);
    for (int r = 0; r < SETTERS; r++)
      rac_property_set(self->place->roots[r], I(self->number * 1000000 + i));
    CHECK(rac_property_batch_end() >= 0);
  }
  return NULL;
}

static void set_from_all(place *p, void *(*body)(void *), int64_t from) {
  pthread_t threads[SETTERS];
  setter setters[SETTERS];
  for (int i = 0; i < SETTERS; i++) {
    setters[i] = (setter){p, i, from};
    threads[i] = check_spawn(body, &setters[i]);
  }
  for (int i = 0; i < SETTERS; i++) check_join(threads[i]);
}

static void set_up(place *p) {
  for (int i = 0; i < SETTERS; i++) p->roots[i] = property(0);
  p->sum =
      rac_property_combine_latest(p->roots, SETTERS, 0, NULL, add_all, NULL);
}

static void take_down(place *p) {
  rac_release(p->sum);
  for (int i = 0; i < SETTERS; i++) rac_release(p->roots[i]);
}

/* Laws 4 and 25: joined and settled, all of it has been computed and heard. */
TEST(turns_that_were_left_to_others_are_over) {
  for (int64_t round = 0; round < 3; round++) {
    place p = {0};
    set_up(&p);
    rac_disposable *d = rac_subscribe_next(rac_property_as_signal(p.sum), &p,
                                           hear_slowly, NULL);
    set_from_all(&p, set_alone, 0);
    CHECK_STATUS(rac_settle(30), RAC_OK);
    CHECK_INT(number(p.sum), SETTERS * sets_of_one());
    CHECK_INT(p.latest, SETTERS * sets_of_one());
    CHECK(p.heard <= 1 + SETTERS * sets_of_one());
    rac_dispose(d);
    rac_release(d);
    take_down(&p);
  }
}

/* Of a batch all roots have the value, and the sum is made of that. */
TEST(batches_that_were_left_to_others_are_made) {
  for (int64_t round = 0; round < 3; round++) {
    place p = {0};
    set_up(&p);
    rac_disposable *d = rac_subscribe_next(rac_property_as_signal(p.sum), &p,
                                           hear_slowly, NULL);
    set_from_all(&p, set_in_batches, 0);
    CHECK_STATUS(rac_settle(30), RAC_OK);
    int64_t last = number(p.roots[0]);
    for (int i = 1; i < SETTERS; i++) CHECK_INT(number(p.roots[i]), last);
    CHECK_INT(number(p.sum), SETTERS * last);
    CHECK_INT(p.latest, SETTERS * last);
    CHECK(p.heard <= 1 + SETTERS * (sets_of_one() / 4));
    rac_dispose(d);
    rac_release(d);
    take_down(&p);
  }
}

/* Sets and batches at once, with bound properties among the roots and something
 * derived anew all the while. */
static void *derive_anew(void *argument) {
  setter *self = argument;
  place *p = self->place;
  if (self->number == 0) return set_alone(argument);
  if (self->number == 1) return set_in_batches(argument);
  for (int64_t i = 0; i < sets_of_one() / 8; i++) {
    owned rac_property *made =
        rac_property_combine_latest(p->roots, 2, 0, NULL, add_all, NULL);
    CHECK(made != NULL);
    rac_property_set(p->roots[2], I(i));
  }
  return NULL;
}

TEST(whatever_is_under_way_has_arrived) {
  place p = {0};
  set_up(&p);
  rac_disposable *tie = rac_property_bind_two_way(p.roots[2], p.roots[3]);
  for (int64_t round = 0; round < 5; round++) {
    set_from_all(&p, derive_anew, 0);
    CHECK_STATUS(rac_settle(30), RAC_OK);
    int64_t sum = 0;
    for (int i = 0; i < SETTERS; i++) sum += number(p.roots[i]);
    CHECK_INT(number(p.sum), sum);
    CHECK_INT(number(p.roots[2]), number(p.roots[3]));
  }
  rac_dispose(tie);
  rac_release(tie);
  take_down(&p);
}
