/* What callbacks set while a batch works out what becomes of its properties:
 * conversions, and what rac_property_modify() calls.
 */
#include "properties.h"

static void listen(rac_property *to, recorder *r) {
  record(rac_property_as_signal(to), r);
}

static rac_status plus_one(void *context, rac_value value, rac_value *out) {
  atomic_int *runs = context_target(context);
  atomic_fetch_add(runs, 1);
  *out = I(value.bits + 1);
  return RAC_OK;
}

typedef struct setter {
  rac_property *sets;
  int64_t to;
  rac_status answer;
  int calls;
} setter;

/* Sets that property, the first time. */
static rac_status times_ten_and_set(void *context, rac_value value,
                                    rac_value *out) {
  setter *self = context_target(context);
  if (self->calls++ == 0)
    self->answer = rac_property_set(self->sets, I(self->to));
  *out = I(value.bits * 10);
  return RAC_OK;
}

static rac_status a_tenth(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = I(value.bits / 10);
  return RAC_OK;
}

/* Bound both ways by conversions; from here on the left one's counts its calls,
 * and sets. */
static rac_disposable *bind(rac_property *left, rac_property *right, setter *s,
                            rac_map_fn to_right) {
  s->calls = 1;
  rac_disposable *bound = rac_property_bind_two_way_map(
      left, right, context_new(s, NULL), a_tenth, to_right, context_destroy);
  s->calls = 0;
  return bound;
}

/* That ends with the binding. */
static void set_in_a_batch(rac_property *property, int64_t to,
                           rac_disposable *bound) {
  CHECK_STATUS(rac_property_batch_begin(), RAC_OK);
  CHECK_STATUS(rac_property_set(property, I(to)), RAC_QUEUED);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  rac_dispose(bound);
  rac_release(bound);
}

/* Law 25. */
TEST(what_a_conversion_sets_of_the_batch_s_properties_is_part_of_it) {
  owned rac_property *left = property(0), *right = property(0);
  setter s = {.sets = left, .to = 7};
  rac_disposable *bound = bind(left, right, &s, times_ten_and_set);
  atomic_int runs = 0;
  owned rac_property *next =
      rac_property_map(left, 0, CALLBACK_FOR(&runs, plus_one));
  finished recorder rl = {0}, rr = {0}, rn = {0};
  listen(left, &rl);
  listen(right, &rr);
  listen(next, &rn);
  set_in_a_batch(left, 2, bound);
  CHECK_STATUS(s.answer, RAC_OK);
  CHECK_INT(s.calls, 2);
  CHECK_EVENTS(&rl, "0 7");
  CHECK_EVENTS(&rr, "0 70");
  CHECK_EVENTS(&rn, "1 8");
  CHECK_INT(runs, 2);
}

/* Law 25. */
TEST(what_a_conversion_sets_of_others_is_not_part_of_it) {
  owned rac_property *left = property(0), *right = property(0),
                     *other = property(0);
  setter s = {.sets = other, .to = 7};
  rac_disposable *bound = bind(left, right, &s, times_ten_and_set);
  finished recorder rl = {0}, ro = {0}, rn = {0};
  atomic_int runs = 0;
  owned rac_property *next =
      rac_property_map(other, 0, CALLBACK_FOR(&runs, plus_one));
  listen(left, &rl);
  listen(other, &ro);
  listen(next, &rn);
  set_in_a_batch(left, 2, bound);
  CHECK_STATUS(s.answer, RAC_OK);
  CHECK_EVENTS(&rl, "0 2");
  CHECK_EVENTS(&ro, "0 7");
  CHECK_EVENTS(&rn, "1 8");
  CHECK_INT(number(right), 20);
}

static rac_status sum_of(void *context, const rac_value *both, size_t count,
                         rac_value *out) {
  (void)context, (void)count;
  *out = I(both[0].bits + both[1].bits);
  return RAC_OK;
}

TEST(what_is_derived_from_both_has_a_turn_after_the_batch) {
  owned rac_property *left = property(0), *right = property(0),
                     *other = property(0);
  setter s = {.sets = other, .to = 7};
  rac_disposable *bound = bind(left, right, &s, times_ten_and_set);
  rac_property *two[] = {left, other};
  owned rac_property *sum =
      rac_property_combine_latest(two, 2, 0, CALLBACK(sum_of));
  finished recorder r = {0};
  listen(sum, &r);
  set_in_a_batch(left, 2, bound);
  CHECK_STATUS(s.answer, RAC_QUEUED);
  CHECK_EVENTS(&r, "0 2 9");
}

TEST(so_is_what_modifies_a_property) {
  owned rac_property *a = property(1), *b = property(1);
  finished recorder ra = {0}, rb = {0};
  listen(a, &ra);
  listen(b, &rb);
  setter s = {.sets = b, .to = 5};
  rac_property_batch_begin();
  rac_property_set(b, I(3));
  rac_property_modify(a, context_new(&s, NULL), times_ten_and_set,
                      context_destroy);
  CHECK_STATUS(s.answer, RAC_QUEUED);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&ra, "1 10");
  CHECK_EVENTS(&rb, "1 5");
}

enum { OFTEN = 100 };

/* Sets the property that it works on so often that what it was meanwhile, and
 * may be lent to others, needs room. */
static rac_status set_often(void *context, rac_value value, rac_value *out) {
  setter *self = context_target(context);
  if (self->calls++ == 0)
    for (int i = 0; i < OFTEN; i++) rac_property_set(self->sets, I(i));
  *out = I(value.bits);
  return RAC_OK;
}

TEST(the_last_of_many_counts) {
  owned rac_property *left = property(0), *right = property(0);
  setter s = {.sets = left};
  rac_disposable *bound = bind(left, right, &s, set_often);
  finished recorder r = {0};
  listen(left, &r);
  set_in_a_batch(left, 1000, bound);
  CHECK_EVENTS(&r, "0 99");
  CHECK_INT(number(right), OFTEN - 1);
}
