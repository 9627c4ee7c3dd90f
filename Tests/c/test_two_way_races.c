/* Two-way bindings while threads set the properties, and bind and unbind them. */
#include "properties.h"

static void release_all(int count, rac_property **p) {
  for (int i = 0; i < count; i++) rac_release(p[i]);
}

typedef struct hammer {
  rac_property *property;
  int64_t number;
  double deadline;
  int64_t limit;
  int64_t sets;
} hammer;

static void *hit(void *argument) {
  hammer *self = argument;
  do { /* some in any case, however late this thread begins */
    for (int i = 0; i < 100; i++)
      rac_property_set(self->property, I(self->number << 48 | ++self->sets));
  } while (self->sets < self->limit && check_clock() < self->deadline);
  return NULL;
}

static void count(void *changes, rac_value value) {
  (void)value;
  atomic_fetch_add_explicit((atomic_long *)changes, 1, memory_order_relaxed);
}

static bool agree(int count, rac_property **p) {
  int64_t value = number(p[0]);
  for (int i = 1; i < count; i++)
    if (number(p[i]) != value) return false;
  return true;
}

/* Two threads at the properties `a` and `b`, which somehow are bound. */
static void hammer_at(int count_of, rac_property **p, int a, int b,
                      double seconds) {
  enum { MOST = 8 };
  static atomic_long changes[MOST];
  memset(changes, 0, sizeof changes);
  rac_disposable *subscriptions[MOST];
  for (int i = 0; i < count_of; i++)
    subscriptions[i] = rac_subscribe_next(rac_property_as_signal(p[i]),
                                          &changes[i], count, NULL);
  double deadline = check_clock() + seconds;
  hammer hammers[2] = {{p[a], 1, deadline, check_scaled(1000000000), 0},
                       {p[b], 2, deadline, check_scaled(1000000000), 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) threads[i] = check_spawn(hit, &hammers[i]);
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  CHECK(agree(count_of, p));
  int64_t value = number(p[0]);
  CHECK(value == (1ll << 48 | hammers[0].sets) ||
        value == (2ll << 48 | hammers[1].sets));
  int64_t sets = hammers[0].sets + hammers[1].sets;
  for (int i = 0; i < count_of; i++) {
    /* The current value, and no more than every set once. */
    CHECK(atomic_load(&changes[i]) <= sets + 1);
    rac_dispose_and_wait(subscriptions[i], -1);
    rac_release(subscriptions[i]);
  }
  /* Still bound. */
  rac_property_set(p[a], I(-1));
  for (int i = 0; i < count_of; i++) WAIT_UNTIL(number(p[i]) == -1);
}

static double seconds_for(int share) {
  double given = check_seconds();
  return given > 0 ? given / share : 1.0 / share;
}

/* Law 24, for the latest set of two threads. */
TEST(two_threads_hammer_both_ends) {
  rac_property *p[2] = {property(0), property(0)};
  rac_release(rac_property_bind_two_way(p[0], p[1]));
  hammer_at(2, p, 0, 1, seconds_for(1));
  release_all(2, p);
}

TEST(two_threads_hammer_a_ring) {
  rac_property *p[4];
  for (int i = 0; i < 4; i++) p[i] = property(i);
  for (int i = 0; i < 4; i++)
    rac_release(rac_property_bind_two_way(p[i], p[(i + 1) % 4]));
  hammer_at(4, p, 0, 2, seconds_for(2));
  release_all(4, p);
}

TEST(two_threads_hammer_a_ring_with_a_chain_at_it) {
  rac_property *p[5];
  const int pairs[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}};
  for (int i = 0; i < 5; i++) p[i] = property(i);
  for (int i = 0; i < 5; i++)
    rac_release(rac_property_bind_two_way(p[pairs[i][0]], p[pairs[i][1]]));
  for (int i = 0; i < 5; i++) CHECK_INT(number(p[i]), 4);
  hammer_at(5, p, 0, 4, seconds_for(4));
  release_all(5, p);
}

TEST(two_threads_hammer_distinct_properties) {
  rac_property *p[3];
  for (int i = 0; i < 3; i++)
    p[i] = rac_property_create(I(i), RAC_PROPERTY_DISTINCT);
  for (int i = 0; i < 2; i++)
    rac_release(rac_property_bind_two_way(p[i], p[i + 1]));
  hammer_at(3, p, 0, 2, seconds_for(4));
  release_all(3, p);
}

TEST(two_threads_hammer_terminals_wired_by_hand) {
  rac_property *p[2] = {property(0), property(0)};
  rac_subject *t[2];
  for (int i = 0; i < 2; i++) t[i] = rac_property_terminal(p[i], I(0));
  rac_disposable *there = rac_subscribe_subscriber(
      rac_subject_as_signal(t[1]), rac_subject_as_subscriber(t[0]));
  rac_signal *rest = rac_signal_skip(rac_subject_as_signal(t[0]), 1);
  rac_disposable *back =
      rac_subscribe_subscriber(rest, rac_subject_as_subscriber(t[1]));
  hammer_at(2, p, 0, 1, seconds_for(4));
  rac_release(there);
  rac_release(back);
  rac_release(rest);
  for (int i = 0; i < 2; i++) rac_release(t[i]);
  release_all(2, p);
}

/* Bound, unbound and let go while others set. */
TEST(bindings_come_and_go_under_fire) {
  rac_property *p[3] = {property(0), property(0), property(0)};
  double deadline = check_clock() + seconds_for(4);
  hammer hammers[2] = {{p[0], 1, deadline, check_scaled(1000000000), 0},
                       {p[2], 2, deadline, check_scaled(1000000000), 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) threads[i] = check_spawn(hit, &hammers[i]);
  for (int i = 0; check_clock() < deadline; i++) {
    rac_disposable *a = rac_property_bind_two_way(p[0], p[1]);
    rac_disposable *b = rac_property_bind_two_way(p[2], p[1]);
    rac_property *other = property(5);
    rac_disposable *c = rac_property_bind_two_way(p[1], other);
    rac_release(other);
    rac_dispose(i % 2 ? a : b);
    rac_dispose(i % 2 ? b : a);
    rac_release(a);
    rac_release(b);
    rac_release(c);
    /* Or there would be thousands of them, waiting for their turn. */
    check_pause();
  }
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  rac_release(rac_property_bind_two_way(p[0], p[1]));
  rac_release(rac_property_bind_two_way(p[1], p[2]));
  WAIT_UNTIL(agree(3, p));
  release_all(3, p);
}

/* While two threads set, a property joins them: all end equal. */
TEST(bound_under_fire) {
  for (int64_t round = 0, rounds = check_scaled(100); round < rounds; round++) {
    rac_property *p[3] = {property(0), property(0), property(0)};
    rac_release(rac_property_bind_two_way(p[0], p[1]));
    hammer hammers[2] = {{p[0], 1, check_clock() + 1, 500, 0},
                         {p[1], 2, check_clock() + 1, 500, 0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) threads[i] = check_spawn(hit, &hammers[i]);
    rac_property_set(p[2], I(round));
    rac_release(round % 2 ? rac_property_bind_two_way(p[1], p[2])
                          : rac_property_bind_two_way(p[2], p[1]));
    for (int i = 0; i < 2; i++) check_join(threads[i]);
    WAIT_UNTIL(agree(3, p));
    release_all(3, p);
  }
}
