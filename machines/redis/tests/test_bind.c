/* Properties that stay equal to a key, in several places. */
#include "server.h"

#include <stdio.h>

static int64_t value_of(rac_property *property) {
  owned_value value = {0};
  rac_property_get(property, &value);
  return value.bits;
}

static rac_disposable *bind_to(rac_redis *redis, rac_property *property) {
  owned rac_signal *bound = rac_redis_bind(redis, property, "key");
  return rac_subscribe_next(bound, NULL, NULL, NULL);
}

TEST(the_key_s_value_comes_first_and_then_each_change) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  of_redis *other = redis_of(&broker, NULL);
  owned rac_property *p = rac_property_create(rac_int64(1), 0);
  owned rac_property *q = rac_property_create(rac_int64(2), 0);
  owned rac_disposable *d = bind_to(redis, p);
  /* A key without a value gets the property's. */
  WAIT_UNTIL(server_number(&broker, "XLEN key") == 1);
  owned rac_disposable *e = bind_to(other, q);
  WAIT_UNTIL(value_of(q) == 1);
  rac_property_set(p, rac_int64(3));
  WAIT_UNTIL(value_of(q) == 3);
  rac_property_set(q, rac_int64(4));
  WAIT_UNTIL(value_of(p) == 4);
  /* Echoes are not told: three entries in all. */
  CHECK_INT(stats_of(redis).sent + stats_of(other).sent, 3);
  CHECK_INT(server_number(&broker, "XLEN key"), 1);
  rac_dispose(d);
  rac_dispose(e);
}

TEST(the_signal_completes_with_the_property) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  rac_property *p = rac_property_create(rac_int64(1), 0);
  RECORDER_OF(r, rac_redis_bind(redis, p, "key"));
  WAIT_UNTIL(stats_of(redis).acknowledged == 1);
  rac_release(p);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "|");
}

enum { PLACES = 3 };
typedef struct setter {
  rac_property *property;
  int64_t first, count;
} setter;

static void *set_many(void *argument) {
  const setter *self = argument;
  uint64_t state = (uint64_t)self->first;
  for (int64_t i = 0; i < self->count; i++) {
    rac_property_set(self->property, rac_int64(self->first + i));
    if (check_random(&state) % 4 == 0) check_pause();
  }
  return NULL;
}

/* All of them, and the key. */
static bool are_equal(rac_property **properties, rac_redis *redis) {
  rac_redis_read_options last = RAC_REDIS_READ_OPTIONS_INIT;
  last.from = "last";
  owned rac_signal *key = rac_redis_read(redis, "key", &last);
  owned_value stored = {0};
  if (rac_signal_first(key, 20, &stored) != RAC_OK) return false;
  for (int i = 0; i < PLACES; i++)
    if (value_of(properties[i]) != stored.bits) return false;
  return true;
}

/* After the last set all are equal to the key's entry. */
TEST(all_end_with_the_same_value) {
  with_server broker = {0};
  server_start(&broker, true);
  rac_redis *redis[PLACES];
  rac_property *properties[PLACES];
  rac_disposable *bound[PLACES];
  setter setters[PLACES];
  pthread_t threads[PLACES];
  for (int i = 0; i < PLACES; i++) {
    redis[i] = redis_of(&broker, NULL);
    properties[i] = rac_property_create(rac_int64(0), 0);
    bound[i] = bind_to(redis[i], properties[i]);
  }
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < PLACES; i++) {
      setters[i] = (setter){properties[i], 1000000 * (i + 1) + 10000 * round,
                            check_scaled(1000)};
      threads[i] = check_spawn(set_many, &setters[i]);
    }
    if (round % 2 == 1) {
      server_kill(&broker);
      server_start_again(&broker);
    }
    for (int i = 0; i < PLACES; i++) check_join(threads[i]);
    WAIT_UNTIL(are_equal(properties, redis[0]));
  }
  for (int i = 0; i < PLACES; i++) {
    rac_dispose(bound[i]);
    rac_release(bound[i]);
    rac_release(properties[i]);
    rac_redis_release(redis[i]);
  }
}

/* Without a set that is the last for certain. */
TEST(a_race_has_one_winner) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  of_redis *other = redis_of(&broker, NULL);
  owned rac_property *p = rac_property_create(rac_int64(0), 0);
  owned rac_property *q = rac_property_create(rac_int64(0), 0);
  owned rac_disposable *d = bind_to(redis, p);
  owned rac_disposable *e = bind_to(other, q);
  rac_redis_read_options last = RAC_REDIS_READ_OPTIONS_INIT;
  last.from = "last";
  owned rac_signal *key = rac_redis_read(redis, "key", &last);
  for (int64_t i = 1; i <= check_scaled(200); i++) {
    rac_property_set(p, rac_int64(2 * i));
    rac_property_set(q, rac_int64(2 * i + 1));
    WAIT_UNTIL(value_of(p) == value_of(q) && value_of(p) / 2 == i);
  }
  owned_value stored = {0};
  CHECK_STATUS(rac_signal_first(key, 20, &stored), RAC_OK);
  CHECK_INT(stored.bits, value_of(p));
  rac_dispose(d);
  rac_dispose(e);
}

TEST(what_cannot_be_bound_is_refused) {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  of_redis *redis = rac_redis_create(&options);
  owned rac_property *p = rac_property_create(rac_int64(0), 0);
  CHECK(rac_redis_bind(NULL, p, "key") == NULL);
  CHECK(rac_redis_bind(redis, NULL, "key") == NULL);
  CHECK(rac_redis_bind(redis, p, "") == NULL);
  CHECK_TEXT(rac_redis_last_message(), "rac_redis_bind: key has no name");
}
