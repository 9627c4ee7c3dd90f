/* Everything that binds, made and dropped while several threads set: adapters
 * that refuse, conversions that set both sides, derived properties, terminals
 * wired both ways, and a ring of thousands. */
#include "operators.h"
#include "shared_callbacks.h"

enum { THREADS = 3 };

static rac_property *property(int64_t initial) {
  return rac_property_create(I(initial), 0);
}

static void run_threads(void *(*body)(void *), pthread_t *threads) {
  for (long i = 0; i < THREADS; i++)
    threads[i] = check_spawn(body, (void *)(i + 1));
}

static void join_all(pthread_t *threads) {
  for (int i = 0; i < THREADS; i++) check_join(threads[i]);
}

/* ---- A ring of thousands ---------------------------------------------------- */

enum { RING = 3000 };
static rac_property *ring[RING];
static size_t ring_size;

static void *set_the_ring(void *number) {
  uint64_t seed = (uint64_t)(uintptr_t)number;
  for (int64_t i = check_scaled(60); i > 0; i--)
    rac_property_set(ring[check_random(&seed) % ring_size],
                     i % 2 ? I((int64_t)seed + i)
                           : S("a text that is long enough to be counted"));
  return NULL;
}

static bool ring_is_one(void) {
  rac_value first, other;
  bool same = true;
  rac_property_get(ring[0], &first);
  for (size_t i = 1; i < ring_size && same; i++) {
    rac_property_get(ring[i], &other);
    same = rac_value_equal(first, other);
    rac_value_release(other);
  }
  rac_value_release(first);
  return same;
}

TEST(a_ring_of_thousands_that_threads_set_comes_to_one_value) {
  pthread_t threads[THREADS];
  ring_size = (size_t)check_scaled(RING);
  for (size_t i = 0; i < ring_size; i++)
    ring[i] = rac_property_create(I((int64_t)i), i % 3 == 0);
  for (size_t i = 0; i < ring_size; i++)
    rac_release(rac_property_bind_two_way(ring[(i + 1) % ring_size], ring[i]));
  run_threads(set_the_ring, threads);
  join_all(threads);
  WAIT_UNTIL(ring_is_one());
  for (size_t i = 0; i < ring_size; i++) rac_release(ring[i]);
}

/* ---- Conversions that set what they convert --------------------------------- */

static rac_property *sides[2];
static atomic_long conversions;

static rac_status convert_and_set(void *context, rac_value value,
                                  rac_value *out) {
  (void)context_target(context);
  long number = atomic_fetch_add(&conversions, 1);
  if (number % 7 == 0 && number < 5000) rac_property_set(sides[1], I(number));
  if (number % 11 == 0 && number < 5000) rac_property_set(sides[0], I(-number));
  /* A change that waited for its turn may come when the handles are gone. */
  rac_value seen;
  rac_status status = rac_property_get(sides[number & 1], &seen);
  CHECK(status == RAC_OK || status == RAC_ESTALE);
  *out = value;
  return number % 13 == 0 ? -5 : RAC_OK;
}

static void *set_both_sides(void *number) {
  int64_t me = (int64_t)(intptr_t)number;
  for (int64_t i = check_scaled(2000); i > 0; i--)
    rac_property_set(sides[(i + me) & 1], I(i * 4 + me));
  return NULL;
}

TEST(conversions_that_set_both_sides_come_to_an_end) {
  pthread_t threads[THREADS];
  int contexts = context_count();
  for (int i = 0; i < 2; i++) sides[i] = property(i);
  rac_release(rac_property_bind_two_way_map(
      sides[0], sides[1], context_new(NULL, NULL), convert_and_set,
      convert_and_set, context_destroy));
  run_threads(set_both_sides, threads);
  join_all(threads);
  for (int i = 0; i < 2; i++) rac_release(sides[i]);
  WAIT_UNTIL(context_count() == contexts);
}

/* ---- All of it at once ------------------------------------------------------- */

enum { PROPERTIES = 4 };
static rac_property *all[PROPERTIES];
static _Atomic int64_t field;
static atomic_bool is_over;

static rac_status get_field(void *context, rac_value *out) {
  (void)context_target(context);
  *out = I(atomic_load(&field));
  return RAC_OK;
}

static rac_status set_field(void *context, rac_value value) {
  (void)context_target(context);
  if (value.bits % 17 == 0) return -3;
  atomic_store(&field, value.bits);
  return RAC_OK;
}

static rac_status sum(void *context, const rac_value *values, size_t count,
                      rac_value *out) {
  int64_t result = 0;
  (void)context_target(context);
  for (size_t i = 0; i < count; i++) result += values[i].bits % 1000;
  *out = I(result);
  return RAC_OK;
}

static rac_status remainder_of(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits % 1000);
  return RAC_OK;
}

static void *set_any(void *number) {
  uint64_t seed = (uint64_t)(uintptr_t)number;
  while (!atomic_load(&is_over)) {
    uint64_t random = check_random(&seed);
    rac_value value;
    rac_property_set(all[random % PROPERTIES], I((int64_t)(random % 1000)));
    CHECK_STATUS(rac_property_get(all[random / 7 % PROPERTIES], &value),
                 RAC_OK);
  }
  return NULL;
}

/* Binds two of them in every way there is, and lets go in some order. */
static void bind_and_drop(rac_property *a, rac_property *b, rac_property *c,
                          int64_t round) {
  rac_disposable *equal = rac_property_bind_two_way(a, b);
  rac_disposable *converted =
      rac_property_bind_two_way_map(b, c, context_new(NULL, NULL), remainder_of,
                                    remainder_of, context_destroy);
  rac_property *total = rac_property_combine_latest(
      all, PROPERTIES, (uint32_t)(round % 2), CALLBACK(sum));
  rac_disposable *heard =
      rac_subscribe_next(rac_property_as_signal(total), CALLBACK(hear_value));
  rac_subject *ends[] = {rac_property_terminal(a, I(0)),
                         rac_property_terminal(b, I(0))};
  rac_disposable *wires[2];
  for (int i = 0; i < 2; i++)
    wires[i] = rac_subscribe_subscriber(rac_subject_as_signal(ends[i]),
                                        rac_subject_as_subscriber(ends[1 - i]));
  rac_property_set(a, I(round));
  if (round % 2) rac_dispose(equal);
  if (round % 3) rac_subject_send_completed(ends[0]);
  void *used[] = {converted, equal,   wires[0], wires[1],
                  heard,     ends[0], ends[1],  total};
  for (int i = 0; i < 5; i++) rac_dispose(used[i]);
  for (int i = 0; i < 8; i++) rac_release(used[i]);
}

TEST(bindings_of_every_kind_come_and_go_under_fire) {
  pthread_t threads[THREADS];
  int contexts = context_count();
  uint64_t seed = 1;
  all[0] = rac_property_create_adapter(0, context_new(NULL, NULL), get_field,
                                       set_field, context_destroy);
  for (int i = 1; i < PROPERTIES; i++) all[i] = property(i);
  atomic_store(&is_over, false);
  run_threads(set_any, threads);
  for (int64_t i = check_scaled(300); i > 0; i--) {
    size_t a = check_random(&seed) % PROPERTIES;
    size_t b = (a + 1 + check_random(&seed) % (PROPERTIES - 1)) % PROPERTIES;
    bind_and_drop(all[a], all[b], all[(b + 1) % PROPERTIES], i);
  }
  atomic_store(&is_over, true);
  join_all(threads);
  for (int i = 0; i < PROPERTIES; i++) rac_release(all[i]);
  WAIT_UNTIL(context_count() == contexts);
}
