/* Brokers that are killed, or hang, while values go in and out. */
#include "server.h"

#include <stdio.h>

static rac_signal *read_from_start(rac_redis *redis) {
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = "0";
  return rac_redis_read(redis, "s", &options);
}

/* Kills the broker so often while so many numbers go in; it syncs each write,
 * so what it has acknowledged is there again. */
static void check_kills(bool is_unique, int64_t numbers, int kills) {
  with_server broker = {0};
  server_start(&broker, true);
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = is_unique;
  options.durable = true;
  owned rac_signal *source = counting(1, numbers);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", &options);
  owned rac_signal *reading = read_from_start(redis);
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  RECORDER(r, stored);
  for (int i = 1; i <= kills; i++) {
    uint64_t mark = (uint64_t)(numbers * i / (kills + 1));
    while (stats_of(redis).acknowledged < mark) check_pause();
    server_kill(&broker);
    server_start_again(&broker);
  }
  while (atomic_load(&r.ends) == 0) check_pause();
  CHECK_EVENTS(&r, "|");
  while (atomic_load(&t.last) < numbers) check_pause();
  CHECK_INT(t.missed, 0);
  CHECK_INT(t.again, 0);
  rac_redis_stats stats = stats_of(redis);
  CHECK_INT(stats.gaps, 0);
  CHECK_INT(stats.forgotten, 0);
  /* Answers of a broker that is dead already count, so it may die again unseen. */
  CHECK(stats.losses > 0);
  CHECK(stats.resent > 0);
  int64_t stored_now = server_number(&broker, "XLEN s");
  if (is_unique)
    CHECK_INT(stored_now, numbers);
  else
    CHECK(stored_now >= numbers && stored_now <= numbers + 256 * kills);
  CHECK_INT(stored_now, (int64_t)(numbers + (int64_t)stats.doubles));
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

TEST(a_killed_broker_loses_nothing) {
  check_kills(false, check_scaled(50000), 3);
}
TEST(a_unique_sender_stores_nothing_twice) {
  check_kills(true, check_scaled(50000), 3);
}

static void check_undurable(const char *setting, bool is_told) {
  with_server broker = {0};
  server_start(&broker, true);
  server_ask(&broker, setting);
  of_redis *redis = redis_of(&broker, NULL);
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  for (int i = 0; i < 2; i++) {
    options.durable = i == 1;
    owned rac_signal *source = counting(1, 3);
    owned rac_signal *stored = rac_redis_publish(redis, source, "s", &options);
    RECORDER(r, stored);
    WAIT_UNTIL(atomic_load(&r.ends) == 1);
    CHECK_EVENTS(&r, options.durable ? "#7" : "|");
    CHECK_INT(stats_of(redis).undurable, is_told ? i + 1 : 0);
  }
  CHECK_INT(server_number(&broker, "XLEN s"), 3);
}

TEST(a_broker_that_may_forget_is_counted_or_refused) {
  check_undurable("CONFIG SET appendfsync everysec", true);
  check_undurable("CONFIG SET appendonly no", true);
}

TEST(a_broker_that_does_not_say_whether_it_syncs_may_be_refused) {
  check_undurable("ACL SETUSER default -config", false);
}

/* The broker stops for longer than the patience of a second. */
TEST(a_broker_that_hangs_counts_as_lost) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = true;
  owned rac_subject *source = rac_subject_create();
  owned rac_signal *stored =
      rac_redis_publish(redis, as_signal(source), "s", &options);
  RECORDER(r, stored);
  rac_subject_send(source, rac_int64(1));
  WAIT_UNTIL(stats_of(redis).acknowledged == 1);
  server_pause(&broker);
  rac_subject_send(source, rac_int64(2));
  WAIT_UNTIL(stats_of(redis).losses == 1);
  CHECK_TEXT(stats_of(redis).trouble, "no answer in 1 s");
  server_go_on(&broker);
  WAIT_UNTIL(stats_of(redis).acknowledged == 2);
  CHECK_INT(server_number(&broker, "XLEN s"), 2);
  rac_subject_send_completed(source);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
}

/* A memory that is full goes by. */
TEST(a_full_broker_is_waited_for) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "producer");
  server_ask(&broker, "CONFIG SET maxmemory 1");
  for (int is_unique = 0; is_unique < 2; is_unique++) {
    rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
    options.unique = is_unique;
    const char *stream = is_unique ? "u" : "s";
    uint64_t losses = stats_of(redis).losses;
    owned rac_signal *source = counting(1, 1000);
    owned rac_signal *stored =
        rac_redis_publish(redis, source, stream, &options);
    RECORDER(r, stored);
    WAIT_UNTIL(stats_of(redis).losses > losses);
    CHECK(strstr(stats_of(redis).trouble, "OOM") != NULL);
    server_ask(&broker, "CONFIG SET maxmemory 0");
    WAIT_UNTIL(atomic_load(&r.ends) == 1);
    CHECK_EVENTS(&r, "|");
    CHECK_INT(server_number(&broker, "XLEN %s", stream), 1000);
    server_ask(&broker, "CONFIG SET maxmemory 1");
  }
}

/* A disk that is full goes by, too. A broker that syncs each write ends there,
 * one that syncs now and then refuses what comes; neither loses what it has
 * acknowledged. */
static void check_full_disk(bool syncs_each) {
  with_server broker = {.most_bytes = 100000};
  if (!syncs_each) {
    broker.arguments[0] = "--appendfsync";
    broker.arguments[1] = "everysec";
    broker.arguments[2] = "--appendonly";
    broker.arguments[3] = "yes";
    server_start_with(&broker);
  } else
    server_start(&broker, true);
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = true;
  owned rac_signal *source = counting(1, 5000);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", &options);
  RECORDER(r, stored);
  WAIT_UNTIL(stats_of(redis).losses > 0);
  CHECK(stats_of(redis).acknowledged < 5000);
  if (syncs_each) {
    server_kill(&broker);
    broker.most_bytes = 0;
    server_start_again(&broker);
  } else {
    WAIT_UNTIL(strstr(stats_of(redis).trouble, "MISCONF") != NULL);
    server_free_disk(&broker);
  }
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "|");
  CHECK_INT(server_number(&broker, "XLEN s"), 5000);
  CHECK_INT(stats_of(redis).forgotten, 0);
}
TEST(a_full_disk_is_waited_for) { check_full_disk(false); }
TEST(a_full_disk_that_ends_the_broker_loses_nothing) { check_full_disk(true); }

/* It has acknowledged what it has no more: the numbers go on all the same. */
TEST(what_a_broker_has_forgotten_is_counted) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = true;
  owned rac_subject *source = rac_subject_create();
  owned rac_signal *stored =
      rac_redis_publish(redis, as_signal(source), "s", &options);
  RECORDER(r, stored);
  for (int i = 0; i < 10; i++) rac_subject_send(source, rac_int64(i));
  WAIT_UNTIL(stats_of(redis).acknowledged == 10);
  server_kill(&broker);
  server_start_again(&broker);
  rac_subject_send(source, rac_int64(10));
  WAIT_UNTIL(stats_of(redis).acknowledged == 11);
  CHECK_INT(stats_of(redis).forgotten, 10);
  CHECK_ENDS(rac_redis_last_number(redis, "s"), "11 |");
  rac_subject_send_completed(source);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
}

/* Many come and go while values flow: nothing is left, which check.c counts. */
TEST(subscriptions_come_and_go) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  owned rac_signal *reading = read_from_start(redis);
  for (int64_t i = check_scaled(200); i > 0; i--) {
    owned rac_signal *source = counting(1, 1000);
    owned rac_signal *stored = rac_redis_publish(redis, source, "s", NULL);
    tally t = {0}, u = {0};
    owned rac_disposable *d = tally_of(reading, &t);
    owned rac_disposable *e = tally_of(stored, &u);
    if (i % 3 > 0)
      while (atomic_load(i % 3 == 1 ? &t.heard : &t.last) < 1) check_pause();
    rac_dispose(d);
    rac_dispose(e);
    WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
    WAIT_UNTIL(atomic_load(&u.destroyed) == 1);
  }
}
