/* Batches of a unique sender that the broker stores in part, or not at all. */
#include "server.h"

#include <stdio.h>

static rac_redis_publish_options unique_options(void) {
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = true;
  return options;
}

/* The stream has two positions left. */
TEST(a_part_of_a_batch_counts_as_stored) {
  with_server broker = {0};
  server_start(&broker, false);
  server_ask(&broker, "XADD s 18446744073709551615-18446744073709551613 v f6");
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = unique_options();
  owned rac_signal *source = counting(1, 10);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", &options);
  RECORDER(r, stored);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "#1");
  CHECK(strstr(stats_of(redis).trouble, "PART 2: ") != NULL);
  CHECK_INT(stats_of(redis).acknowledged, 2);
  CHECK_INT(stats_of(redis).resent, 8);
  CHECK_INT(server_number(&broker, "XLEN s"), 3);
  CHECK_ENDS(rac_redis_last_number(redis, "s"), "2 |");
}

/* The memory fills up while batches come. */
TEST(a_memory_that_fills_up_loses_nothing_and_stores_nothing_twice) {
  with_server broker = {0};
  enum { COUNT = 30000 };
  server_start(&broker, false);
  server_ask(&broker, "CONFIG SET maxmemory 1600kb");
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = unique_options();
  owned rac_signal *source = counting(1, COUNT);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", &options);
  RECORDER(r, stored);
  WAIT_UNTIL(strstr(stats_of(redis).trouble, "OOM") != NULL);
  uint64_t acknowledged = stats_of(redis).acknowledged;
  CHECK(acknowledged < COUNT);
  CHECK_INT(server_number(&broker, "XLEN s"), acknowledged);
  CHECK_INT(server_number(&broker, "HGET {s}:senders producer"), acknowledged);
  server_ask(&broker, "CONFIG SET maxmemory 0");
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "|");
  CHECK_INT(server_number(&broker, "XLEN s"), COUNT);
  CHECK_INT(stats_of(redis).acknowledged, COUNT);
  CHECK_INT(stats_of(redis).sent, COUNT);
  rac_redis_read_options from_the_start = RAC_REDIS_READ_OPTIONS_INIT;
  from_the_start.from = "0";
  owned rac_signal *reading = rac_redis_read(redis, "s", &from_the_start);
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  WAIT_UNTIL(atomic_load(&t.last) == COUNT);
  CHECK_INT(t.missed + t.again, 0);
  rac_dispose(d);
}

/* A window of which a part is another producer's stores none of it. */
TEST(a_taken_name_stores_nothing_of_a_batch) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "producer");
  of_redis *other = redis_of(&broker, "producer");
  rac_redis_publish_options options = unique_options();
  owned rac_subject *first = rac_subject_create();
  owned rac_signal *many = counting(2, 100);
  owned rac_signal *all = rac_signal_concat(as_signal(first), many);
  owned rac_signal *mine = rac_redis_publish(redis, all, "s", &options);
  RECORDER(r, mine);
  rac_subject_send(first, rac_int64(1));
  WAIT_UNTIL(stats_of(redis).acknowledged == 1);
  owned rac_signal *theirs = counting(1, 10);
  CHECK_STATUS(publish_all(other, theirs, "s", &options), RAC_OK);
  rac_subject_send_completed(first);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "#3");
  CHECK_INT(server_number(&broker, "XLEN s"), 11);
  CHECK_INT(stats_of(redis).acknowledged, 1);
}

/* Each is longer than a read of the broker's, most than what a socket takes. */
TEST(long_values_go_in_batches_too) {
  with_server broker = {0};
  enum { COUNT = 40, LENGTH = 200000 };
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = unique_options();
  char *text = malloc(LENGTH);
  rac_value values[COUNT];
  memset(text, 'x', LENGTH);
  for (int i = 0; i < COUNT; i++)
    values[i] = rac_value_string_copy(text, (size_t)(LENGTH - i));
  owned rac_signal *source = rac_signal_from_values(values, COUNT);
  for (int i = 0; i < COUNT; i++) rac_value_release(values[i]);
  CHECK_STATUS(publish_all(redis, source, "s", &options), RAC_OK);
  CHECK_INT(server_number(&broker, "XLEN s"), COUNT);
  rac_redis_read_options from_the_start = RAC_REDIS_READ_OPTIONS_INIT;
  from_the_start.from = "0";
  owned rac_signal *reading = rac_redis_read(redis, "s", &from_the_start);
  owned rac_signal *some = rac_signal_take(reading, COUNT);
  owned rac_signal *together = rac_signal_collect(some);
  owned_value heard = {0};
  CHECK_STATUS(rac_signal_first(together, 20, &heard), RAC_OK);
  for (int i = 0; i < COUNT; i++) {
    const char *each = "";
    size_t length = 0;
    rac_value_get_string(rac_tuple_get(heard, (size_t)i), &each, &length);
    CHECK_INT(length, LENGTH - i);
  }
  free(text);
}
