/* Two-way bindings of properties: chains, rings, conversions. */
#include "properties.h"

static void release_all(int count, rac_property **p) {
  for (int i = 0; i < count; i++) rac_release(p[i]);
}

TEST(the_left_takes_the_right_ones_value_first) {
  rac_property *p[2] = {property(1), property(2)};
  recorder r[2] = {0};
  for (int i = 0; i < 2; i++) record(rac_property_as_signal(p[i]), &r[i]);
  rac_disposable *binding = rac_property_bind_two_way(p[0], p[1]);
  rac_property_set(p[0], I(3));
  rac_property_set(p[1], I(4));
  rac_property_set(p[1], rac_value_nil());
  rac_property_set(p[0], I(3));
  CHECK_EVENTS(&r[0], "1 2 3 4 nil 3");
  CHECK_EVENTS(&r[1], "2 3 4 nil 3");
  rac_dispose(binding);
  CHECK(rac_is_disposed(binding));
  rac_property_set(p[0], I(5));
  rac_property_set(p[1], I(6));
  CHECK_EVENTS(&r[0], "1 2 3 4 nil 3 5");
  CHECK_EVENTS(&r[1], "2 3 4 nil 3 6");
  finish(&r[0]);
  finish(&r[1]);
  rac_release(binding);
  release_all(2, p);
}

TEST(a_binding_ends_with_either_side) {
  for (int i = 0; i < 2; i++) {
    rac_property *p[2] = {property(1), property(2)};
    rac_disposable *binding = rac_property_bind_two_way(p[0], p[1]);
    rac_release(p[i]);
    CHECK(rac_is_disposed(binding));
    rac_property_set(p[1 - i], I(3));
    CHECK_INT(number(p[1 - i]), 3);
    rac_release(binding);
    rac_release(p[1 - i]);
  }
}

TEST(a_binding_needs_no_handle) {
  rac_property *p[2] = {property(1), property(2)};
  rac_release(rac_property_bind_two_way(p[0], p[1]));
  rac_property_set(p[0], I(3));
  CHECK_INT(number(p[1]), 3);
  release_all(2, p);
}

/* Law 24. */
TEST(a_chain_comes_to_one_value) {
  enum { COUNT = 100 };
  rac_property *p[COUNT];
  recorder last = {0};
  for (int i = 0; i < COUNT; i++) p[i] = property(i);
  for (int i = 0; i + 1 < COUNT; i++)
    rac_release(rac_property_bind_two_way(p[i], p[i + 1]));
  for (int i = 0; i < COUNT; i++) CHECK_INT(number(p[i]), COUNT - 1);
  record(rac_property_as_signal(p[COUNT - 1]), &last);
  for (int at = 0; at < COUNT; at += 33) {
    rac_property_set(p[at], I(1000 + at));
    for (int i = 0; i < COUNT; i++) CHECK_INT(number(p[i]), 1000 + at);
  }
  CHECK_EVENTS(&last, "99 1000 1033 1066 1099");
  finish(&last);
  release_all(COUNT, p);
}

/* Law 24: one set changes each of them once. */
TEST(a_ring_settles) {
  enum { COUNT = 5 };
  for (uint32_t options = 0; options < 2; options++) {
    rac_property *p[COUNT];
    recorder r[COUNT] = {0};
    for (int i = 0; i < COUNT; i++) p[i] = rac_property_create(I(i), options);
    for (int i = 0; i < COUNT; i++)
      rac_release(rac_property_bind_two_way(p[i], p[(i + 1) % COUNT]));
    /* Bound once more, the other way round. */
    rac_release(rac_property_bind_two_way(p[1], p[0]));
    for (int i = 0; i < COUNT; i++) record(rac_property_as_signal(p[i]), &r[i]);
    for (int i = 0; i < COUNT; i++) rac_property_set(p[i], I(10 + i));
    for (int i = 0; i < COUNT; i++) {
      CHECK_INT(number(p[i]), 10 + COUNT - 1);
      CHECK_INT(atomic_load(&r[i].nexts), 1 + COUNT);
      finish(&r[i]);
    }
    release_all(COUNT, p);
  }
}

/* A long chain passes a change on by queues when the stack would get deep. */
TEST(a_chain_of_thousands) {
  enum { MOST = 6000 };
  static rac_property *p[MOST];
  int count = (int)check_scaled(MOST);
  for (int i = 0; i < count; i++) {
    p[i] = property(i);
    if (i > 0) rac_release(rac_property_bind_two_way(p[i], p[i - 1]));
  }
  rac_property_set(p[0], I(-7));
  WAIT_UNTIL(number(p[count - 1]) == -7);
  rac_property_set(p[count - 1], I(-8));
  WAIT_UNTIL(number(p[0]) == -8);
  release_all(count, p);
}

static void set_the_other(recorder *self, rac_value value) {
  if (value.bits > 0 && value.bits < 10)
    rac_property_set(self->user, I(value.bits + 1));
}

TEST(a_subscriber_that_sets_the_other_side) {
  rac_property *p[2] = {property(0), property(0)};
  rac_release(rac_property_bind_two_way(p[0], p[1]));
  recorder r = {.on_next = set_the_other, .user = p[1]};
  record(rac_property_as_signal(p[0]), &r);
  rac_property_set(p[0], I(1));
  CHECK_INT(number(p[0]), 10);
  CHECK_INT(number(p[1]), 10);
  finish(&r);
  release_all(2, p);
}

typedef struct binder {
  rac_property *left, *right;
  rac_disposable *binding;
} binder;

static void bind_now(recorder *self, rac_value value) {
  binder *binder = self->user;
  if (value.bits == 2)
    binder->binding = rac_property_bind_two_way(binder->left, binder->right);
  if (value.bits == 4) rac_dispose(binder->binding);
}

TEST(bound_and_disposed_from_inside_a_callback) {
  binder binder = {property(1), property(9), NULL};
  recorder r = {.on_next = bind_now, .user = &binder};
  record(rac_property_as_signal(binder.left), &r);
  rac_property_set(binder.left, I(2));
  CHECK_EVENTS(&r, "1 2 9");
  rac_property_set(binder.right, I(3));
  rac_property_set(binder.right, I(4));
  rac_property_set(binder.right, I(5));
  CHECK_EVENTS(&r, "1 2 9 3 4");
  finish(&r);
  rac_release(binder.binding);
  rac_release(binder.left);
  rac_release(binder.right);
}

/* ---- Conversions ----------------------------------------------------------- */

static rac_status halve(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits / 2);
  return value.bits % 2 == 0 ? RAC_OK : -1;
}

static rac_status twice(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits * 2);
  return RAC_OK;
}

static rac_disposable *bind_half(rac_property *half, rac_property *whole) {
  return rac_property_bind_two_way_map(half, whole, context_new(NULL, NULL),
                                       halve, twice, context_destroy);
}

TEST(conversions_go_both_ways_and_never_back) {
  rac_property *half = property(0), *whole = property(10);
  owned rac_disposable *binding = bind_half(half, whole);
  recorder h = {0}, w = {0};
  record(rac_property_as_signal(half), &h);
  record(rac_property_as_signal(whole), &w);
  rac_property_set(half, I(6));
  rac_property_set(whole, I(20));
  /* Not to be halved: the other side keeps what it has. */
  rac_property_set(whole, I(21));
  rac_property_set(half, I(7));
  CHECK_EVENTS(&h, "5 6 10 7");
  CHECK_EVENTS(&w, "10 12 20 21 14");
  finish(&h);
  finish(&w);
  rac_release(half);
  CHECK(rac_is_disposed(binding));
  rac_release(whole);
}

TEST(a_conversion_in_a_chain) {
  rac_property *p[3] = {property(0), property(0), property(8)};
  rac_disposable *b = bind_half(p[1], p[2]), *a = bind_half(p[0], p[1]);
  CHECK_INT(number(p[0]), 2);
  rac_property_set(p[0], I(3));
  CHECK_INT(number(p[2]), 12);
  /* Another binding renews the time of what is there, and changes nothing. */
  rac_property *q = property(0);
  rac_property_set(p[1], I(5));
  recorder r = {0};
  record(rac_property_as_signal(p[0]), &r);
  rac_disposable *c = rac_property_bind_two_way(q, p[1]);
  CHECK_INT(number(q), 5);
  CHECK_INT(number(p[0]), 3);
  CHECK_INT(number(p[2]), 10);
  CHECK_EVENTS(&r, "3");
  finish(&r);
  rac_release(a);
  rac_release(b);
  rac_release(c);
  rac_release(q);
  release_all(3, p);
}

TEST(bad_two_way_bindings) {
  rac_property *p = property(1), *q = property(2);
  rac_subject *s = rac_subject_create();
  CHECK(rac_property_bind_two_way(p, p) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_property_bind_two_way(p, (rac_property *)s) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_clear_last_error();
  CHECK(rac_property_bind_two_way(NULL, p) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_property_bind_two_way(p, NULL) == NULL);
  CHECK(rac_property_bind_two_way_map(p, q, context_new(NULL, NULL), NULL,
                                      twice, context_destroy) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK_INT(number(p), 1);
  rac_release(s);
  rac_release(q);
  CHECK(rac_property_bind_two_way(p, q) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  rac_release(p);
}

/* An adapter of a number that may not be negative. */
static rac_status get_level(void *context, rac_value *out) {
  *out = I(*(int *)context_target(context));
  return RAC_OK;
}
static rac_status set_level(void *context, rac_value value) {
  if (value.bits < 0) return -77;
  *(int *)context_target(context) = (int)value.bits;
  return RAC_OK;
}

/* RAC_OK would say that both sides have the value. */
TEST(a_set_says_that_the_other_side_has_refused) {
  int level = 1;
  rac_property *p[3] = {property(1), NULL, property(1)};
  p[1] =
      rac_property_create_adapter(RAC_PROPERTY_PLAIN, context_new(&level, NULL),
                                  get_level, set_level, context_destroy);
  rac_release(rac_property_bind_two_way(p[0], p[1]));
  rac_release(rac_property_bind_two_way(p[1], p[2]));
  CHECK_STATUS(rac_property_set(p[0], I(2)), RAC_OK);
  CHECK_INT(number(p[2]), 2);
  CHECK_STATUS(rac_property_set(p[0], I(-2)), -77);
  CHECK_INT(number(p[0]), -2);
  CHECK_INT(level, 2);
  CHECK_INT(number(p[2]), 2);
  /* The binding goes on. */
  CHECK_STATUS(rac_property_set(p[2], I(3)), RAC_OK);
  CHECK_INT(number(p[0]), 3);
  CHECK_INT(level, 3);
  release_all(3, p);
}
