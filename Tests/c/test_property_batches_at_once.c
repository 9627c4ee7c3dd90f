/* Batches of properties that nothing is derived from: they are made at once
 * where nobody is at the properties, and nobody can tell where somebody is. */
#include "properties.h"
#include "shared_callbacks.h"

enum { MANY = 100 };

static void listen(rac_property *to, recorder *r) {
  record(rac_property_as_signal(to), r);
}

/* ---- On one thread ---------------------------------------------------------- */

typedef struct sheet {
  rac_property *cells[MANY];
  int heard, apart, round;
} sheet;

/* Whoever hears of one finds all of them set. */
static void look_at_all(void *context, rac_value value) {
  sheet *s = context;
  if (s->round == 0) return;
  s->heard++;
  if (value.bits != s->round) s->apart++;
  for (int i = 0; i < MANY; i += 9)
    if (number(s->cells[i]) != s->round) s->apart++;
}

TEST(subscribers_find_all_properties_set) {
  sheet s = {.heard = 0};
  for (int i = 0; i < MANY; i++) {
    s.cells[i] = property(0);
    rac_release(rac_subscribe_next(rac_property_as_signal(s.cells[i]), &s,
                                   look_at_all, NULL));
  }
  for (s.round = 1; s.round <= 3; s.round++) {
    rac_property_batch_begin();
    for (int i = 0; i < MANY; i++)
      CHECK_STATUS(rac_property_set(s.cells[i], I(s.round)), RAC_QUEUED);
    CHECK_STATUS(rac_property_batch_end(), RAC_OK);
    CHECK_INT(s.heard, MANY * s.round);
  }
  CHECK_INT(s.apart, 0);
  for (int i = 0; i < MANY; i++) rac_release(s.cells[i]);
}

TEST(pairs_of_changes_and_distinct_properties_take_part) {
  owned rac_property *a = property(1);
  owned rac_property *b = rac_property_create(I(1), RAC_PROPERTY_DISTINCT);
  owned rac_signal *changes = rac_property_changes(a);
  finished recorder pairs = {0}, ra = {0}, rb = {0};
  record(changes, &pairs);
  listen(a, &ra);
  listen(b, &rb);
  rac_property_batch_begin();
  rac_property_set(a, I(1));
  rac_property_set(b, I(1));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  rac_property_batch_begin();
  rac_property_set(b, I(3));
  rac_property_set(a, rac_value_string_static("two"));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&pairs, "(1,1) (1,two)");
  CHECK_EVENTS(&ra, "1 1 two");
  CHECK_EVENTS(&rb, "1 3");
}

/* Sets the second property again, as the first is heard. */
static void set_again(recorder *self, rac_value value) {
  rac_property *b = self->user;
  if (value.bits != 2) return;
  CHECK_STATUS(rac_property_set(b, I(7)), RAC_QUEUED);
}

TEST(what_a_subscriber_sets_is_heard_when_the_batch_is) {
  owned rac_property *a = property(1), *b = property(1);
  finished recorder ra = {.on_next = set_again, .user = b}, rb = {0};
  listen(a, &ra);
  listen(b, &rb);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  rac_property_set(b, I(2));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&ra, "1 2");
  CHECK_EVENTS(&rb, "1 2 7");
}

static rac_status set_both(void *context) {
  rac_property **two = context;
  rac_property_set(two[0], I(9));
  rac_property_set(two[1], I(9));
  return RAC_OK;
}

typedef struct inner_batch {
  rac_property *two[2];
  rac_status status;
} inner_batch;

static void begin_another(recorder *self, rac_value value) {
  inner_batch *b = self->user;
  if (value.bits == 2) b->status = rac_property_batch(b->two, set_both, NULL);
}

/* The gate of the first property is taken: by this thread, further up. */
TEST(a_batch_inside_a_delivery_comes_after_it) {
  owned rac_property *a = property(1), *b = property(1);
  inner_batch inner = {{a, b}, RAC_OK};
  finished recorder ra = {.on_next = begin_another, .user = &inner}, rb = {0};
  listen(a, &ra);
  listen(b, &rb);
  CHECK_STATUS(rac_property_set(a, I(2)), RAC_OK);
  CHECK_STATUS(inner.status, RAC_QUEUED);
  CHECK_EVENTS(&ra, "1 2 9");
  CHECK_EVENTS(&rb, "1 9");
  rac_property_batch_begin();
  rac_property_set(b, I(3));
  rac_property_set(a, I(2));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&ra, "1 2 9 2 9");
  CHECK_EVENTS(&rb, "1 9 3 9");
}

static void dispose_other(recorder *self, rac_value value) {
  recorder *other = self->user;
  if (value.bits == 2) rac_dispose(other->subscription);
}

TEST(a_subscriber_that_leaves_while_a_batch_is_heard_hears_no_more) {
  owned rac_property *a = property(1), *b = property(1);
  finished recorder rb = {0};
  finished recorder ra = {.on_next = dispose_other, .user = &rb};
  listen(a, &ra);
  listen(b, &rb);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  rac_property_set(b, I(2));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&ra, "1 2");
  CHECK_EVENTS(&rb, "1");
}

/* ---- From several threads --------------------------------------------------- */

enum { ROUNDS = 1500 };
typedef struct twins {
  rac_property *a, *b;
  atomic_int disordered;
  int latest[2][2]; /* by property and thread: guarded by the property */
} twins;

/* A value is the number of its thread and how often that has set something. */
static void check_order(twins *t, int property, rac_value value) {
  int thread = value.bits & 1, count = (int)(value.bits >> 1);
  if (count < t->latest[property][thread]) atomic_fetch_add(&t->disordered, 1);
  t->latest[property][thread] = count;
}
static void hear_first(void *context, rac_value value) {
  check_order(context, 0, value);
}
static void hear_second(void *context, rac_value value) {
  check_order(context, 1, value);
}

static void set_in_order(twins *t, int thread) {
  for (int i = 1; i < 4 * ROUNDS; i += 4) {
    rac_property_set(t->a, I(2 * i + thread));
    rac_property_batch_begin();
    rac_property_set(t->b, I(2 * (i + 1) + thread));
    rac_property_set(t->a, I(2 * (i + 1) + thread));
    CHECK(rac_property_batch_end() >= 0);
    rac_property_set(t->b, I(2 * (i + 2) + thread));
    rac_property_batch_begin();
    rac_property_set(t->b, I(2 * (i + 3) + thread));
    if (i & 4) rac_property_set(t->a, I(2 * (i + 3) + thread));
    CHECK(rac_property_batch_end() >= 0);
  }
}
static void *set_first_in_order(void *argument) {
  set_in_order(argument, 0);
  return NULL;
}
static void *set_second_in_order(void *argument) {
  set_in_order(argument, 1);
  return NULL;
}

TEST(sets_and_batches_of_a_thread_keep_their_order) {
  twins t = {.a = property(0), .b = property(0)};
  rac_disposable *first =
      rac_subscribe_next(rac_property_as_signal(t.a), &t, hear_first, NULL);
  rac_disposable *second =
      rac_subscribe_next(rac_property_as_signal(t.b), &t, hear_second, NULL);
  pthread_t threads[2];
  threads[0] = check_spawn(set_first_in_order, &t);
  threads[1] = check_spawn(set_second_in_order, &t);
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  CHECK_INT(t.disordered, 0);
  rac_dispose(first);
  rac_dispose(second);
  rac_release(first);
  rac_release(second);
  rac_release(t.a);
  rac_release(t.b);
}
