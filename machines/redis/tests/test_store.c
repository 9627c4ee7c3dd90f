/* Values into a stream and out of it, with a broker that stays. */
#include "server.h"

#include <stdio.h>

static rac_signal *read_from(rac_redis *redis, const char *stream,
                             const char *from) {
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = from;
  return rac_redis_read(redis, stream, &options);
}

/* The first so many entries, as a recorder writes them. */
static char *heard(rac_signal *reading, size_t count, char *text, size_t room) {
  owned rac_signal *some = rac_signal_take(reading, count);
  owned rac_signal *all = rac_signal_collect(some);
  owned_value values = {0};
  rac_status status = rac_signal_first(all, 20, &values);
  if (status == RAC_OK)
    rac_value_describe(values, text, room);
  else
    snprintf(text, room, "%s", rac_status_name(status));
  return text;
}

TEST(values_go_in_and_come_out) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  REQUIRE(redis != NULL);
  rac_value parts[] = {rac_int64(1), rac_value_string("two")};
  owned_value tuple = rac_value_tuple(parts, 2);
  rac_value values[] = {(rac_value){0}, rac_bool(true),           rac_int64(-5),
                        rac_double(.5), rac_value_string("text"), tuple};
  owned rac_signal *source = rac_signal_from_values(values, 6);
  CHECK_STATUS(publish_all(redis, source, "s", NULL), RAC_OK);
  CHECK_INT(server_number(&broker, "XLEN s"), 6);
  owned rac_signal *reading = read_from(redis, "s", "0");
  char text[200];
  CHECK_TEXT(heard(reading, 6, text, sizeof text),
             "(nil, true, -5, 0.5, text, (1, two))");
  CHECK_INT(stats_of(redis).acknowledged, 6);
  CHECK_INT(stats_of(redis).sent, 6);
}

TEST(order_stays_over_many_batches) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  enum { COUNT = 20000 };
  owned rac_signal *source = counting(1, COUNT);
  owned rac_signal *reading = read_from(redis, "s", "0");
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  CHECK_STATUS(publish_all(redis, source, "s", NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&t.last) == COUNT);
  CHECK_INT(t.heard, COUNT);
  CHECK_INT(t.again, 0);
  CHECK_INT(t.missed, 0);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

TEST(a_reader_begins_where_it_is_told) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  owned rac_signal *source = counting(1, 3);
  CHECK_STATUS(publish_all(redis, source, "s", NULL), RAC_OK);
  char text[200];
  owned rac_signal *last = read_from(redis, "s", "last");
  CHECK_TEXT(heard(last, 1, text, sizeof text), "(3)");
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = "0";
  options.positions = true;
  owned rac_signal *whole = rac_redis_read(redis, "s", &options);
  owned_value first = {0};
  CHECK_STATUS(rac_signal_first(whole, 20, &first), RAC_OK);
  CHECK_INT(rac_tuple_get(first, 0).bits, 1);
  const char *position = "";
  CHECK_STATUS(rac_value_get_string(rac_tuple_get(first, 1), &position, NULL),
               RAC_OK);
  options.positions = false;
  options.from = position;
  owned rac_signal *behind = rac_redis_read(redis, "s", &options);
  CHECK_TEXT(heard(behind, 2, text, sizeof text), "(2, 3)");
}

TEST(a_hot_reader_hears_what_comes_later) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  owned rac_signal *before = counting(1, 3);
  CHECK_STATUS(publish_all(redis, before, "s", NULL), RAC_OK);
  owned rac_signal *hot = rac_redis_read(redis, "s", NULL);
  tally t = {.last = 3};
  owned rac_disposable *d = tally_of(hot, &t);
  /* It waits for the next when it blocks. */
  WAIT_UNTIL(strstr(server_ask(&broker, "CLIENT LIST"), "cmd=xread") != NULL);
  owned rac_signal *after = counting(4, 6);
  CHECK_STATUS(publish_all(redis, after, "s", NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&t.last) == 6);
  CHECK_INT(t.heard, 3);
  rac_dispose(d);
}

TEST(ends_are_entries_for_those_who_ask) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  rac_redis_publish_options publish = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  publish.ends = true;
  owned rac_signal *source = counting(1, 2);
  CHECK_STATUS(publish_all(redis, source, "s", &publish), RAC_OK);
  owned_value error = rac_value_error("some.domain", 7, "broken");
  owned rac_signal *failing = rac_signal_error(error);
  CHECK_STATUS(publish_all(redis, failing, "e", &publish), RAC_ESTREAM);
  CHECK_INT(server_number(&broker, "XLEN s"), 3);
  rac_redis_read_options read = RAC_REDIS_READ_OPTIONS_INIT;
  read.from = "0";
  read.ends = true;
  CHECK_ENDS(rac_redis_read(redis, "s", &read), "1 2 |");
  CHECK_ENDS(rac_redis_read(redis, "e", &read), "#7");
  /* To others an end is nothing. */
  CHECK_STATUS(publish_all(redis, source, "s", &publish), RAC_OK);
  char text[200];
  owned rac_signal *reading = read_from(redis, "s", "0");
  CHECK_TEXT(heard(reading, 4, text, sizeof text), "(1, 2, 1, 2)");
}

TEST(only_the_value_that_cannot_travel_is_refused) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  int there = 0;
  rac_value values[] = {rac_int64(1), rac_value_pointer(&there, NULL, NULL),
                        rac_int64(2)};
  owned rac_signal *source = rac_signal_from_values(values, 3);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", NULL);
  owned rac_signal *all = rac_signal_collect(stored);
  owned_value told = {0};
  CHECK_STATUS(rac_signal_first(all, 20, &told), RAC_OK);
  CHECK_INT(rac_tuple_count(told), 1);
  CHECK_INT(rac_error_get_code(rac_tuple_get(told, 0)), RAC_REDIS_NO_VALUE);
  CHECK_TEXT(rac_error_get_message(rac_tuple_get(told, 0)),
             "a pointer cannot travel: RAC_EKIND");
  CHECK_INT(server_number(&broker, "XLEN s"), 2);
  CHECK_INT(stats_of(redis).refused, 1);
}

TEST(entries_of_others_are_read_or_told_of) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  server_ask(&broker, "XADD s 1-1 v %b", "\x18\x64", (size_t)2);
  server_ask(&broker, "XADD s 1-2 temperature 20");
  server_ask(&broker, "XADD s 1-3 v %b", "\x63\xff\xff\xff", (size_t)4);
  server_ask(&broker, "XADD s 1-4 other x v %b", "\xf5", (size_t)1);
  owned rac_signal *reading = read_from(redis, "s", "0");
  owned rac_signal *some = rac_signal_take(reading, 4);
  owned rac_signal *all = rac_signal_collect(some);
  owned_value values = {0};
  CHECK_STATUS(rac_signal_first(all, 20, &values), RAC_OK);
  CHECK_INT(rac_tuple_get(values, 0).bits, 100);
  rac_value error = rac_tuple_get(values, 1);
  CHECK_INT(rac_error_get_code(error), RAC_REDIS_UNREADABLE);
  CHECK_TEXT(rac_error_get_message(error),
             "entry 1-2 cannot be read: RAC_EKIND");
  const char *position = "";
  rac_value_get_string(rac_error_get_underlying(error), &position, NULL);
  CHECK_TEXT(position, "1-2");
  CHECK_TEXT(rac_error_get_message(rac_tuple_get(values, 2)),
             "entry 1-3 cannot be read: RAC_EUTF8");
  CHECK_INT(rac_tuple_get(values, 3).kind, RAC_BOOL);
  CHECK_INT(stats_of(redis).unreadable, 2);
}

TEST(a_stream_keeps_about_so_many) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.keep = 1000;
  owned rac_signal *source = counting(1, 5000);
  CHECK_STATUS(publish_all(redis, source, "s", &options), RAC_OK);
  CHECK(server_number(&broker, "XLEN s") < 2000);
  options.unique = true;
  CHECK_STATUS(publish_all(redis, source, "u", &options), RAC_OK);
  CHECK(server_number(&broker, "XLEN u") < 2000);
}

TEST(numbers_of_a_unique_sender_go_on) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "producer");
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = true;
  CHECK_ENDS(rac_redis_last_number(redis, "s"), "0 |");
  owned rac_signal *some = counting(1, 1000);
  CHECK_STATUS(publish_all(redis, some, "s", &options), RAC_OK);
  CHECK_ENDS(rac_redis_last_number(redis, "s"), "1000 |");
  owned rac_signal *more = counting(1001, 1500);
  CHECK_STATUS(publish_all(redis, more, "s", &options), RAC_OK);
  CHECK_ENDS(rac_redis_last_number(redis, "s"), "1500 |");
  CHECK_INT(server_number(&broker, "XLEN s"), 1500);
  owned rac_signal *reading = read_from(redis, "s", "0");
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  WAIT_UNTIL(atomic_load(&t.last) == 1500);
  CHECK_INT(t.again + t.missed, 0);
  rac_dispose(d);
}

TEST(a_name_that_two_producers_have_ends_one_of_them) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "producer");
  of_redis *other = redis_of(&broker, "producer");
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = true;
  owned rac_subject *mine = rac_subject_create();
  owned rac_signal *stored =
      rac_redis_publish(redis, as_signal(mine), "s", &options);
  RECORDER(r, stored);
  rac_subject_send(mine, rac_int64(1));
  WAIT_UNTIL(server_number(&broker, "XLEN s") == 1);
  owned rac_signal *theirs = counting(1, 1);
  CHECK_STATUS(publish_all(other, theirs, "s", &options), RAC_OK);
  rac_subject_send(mine, rac_int64(2));
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "#3");
}

TEST(a_stream_that_is_something_else_is_refused) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  server_ask(&broker, "SET s text");
  owned rac_signal *source = counting(1, 10);
  CHECK_STATUS(publish_all(redis, source, "s", NULL), RAC_ESTREAM);
  owned rac_signal *reading = read_from(redis, "s", "0");
  owned_value error = {0};
  CHECK_STATUS(rac_signal_first(reading, 20, &error), RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(error), RAC_REDIS_REFUSED);
  CHECK(strstr(rac_error_get_message(error), "WRONGTYPE") != NULL);
  CHECK_TEXT(rac_error_get_domain(error), RAC_REDIS_ERROR_DOMAIN);
}

/* Law 26: a full place below stops the reader, which asks for no more. */
TEST(a_reader_asks_for_no_more_than_there_is_room_for) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  enum { COUNT = 1000, PLACES = 8, BATCH = 10 };
  owned rac_signal *source = counting(1, COUNT);
  CHECK_STATUS(publish_all(redis, source, "s", NULL), RAC_OK);
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = "0";
  options.batch = BATCH;
  owned rac_signal *reading = rac_redis_read(redis, "s", &options);
  /* Before the scheduler, whose jobs keep it. */
  tally t = {0};
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(reading, slow, bound);
  owned rac_disposable *d = tally_of(signal, &t);
  WAIT_UNTIL(rac_bound_get(bound, RAC_BOUND_LENGTH) == PLACES);
  CHECK_INT(stats_of(redis).received, PLACES);
  /* One XREAD was enough; no second one is under way. */
  CHECK(strstr(server_ask(&broker, "INFO commandstats"),
               "cmdstat_xread:calls=1,") != NULL);
  while (atomic_load(&t.last) < COUNT) {
    rac_virtual_step_all(slow);
    check_pause();
  }
  CHECK_INT(t.heard, COUNT);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), PLACES);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_DROPPED), 0);
  rac_dispose(d);
}

TEST(arguments_that_cannot_be_are_refused_with_a_reason) {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  CHECK(rac_redis_create(NULL) == NULL);
  CHECK_TEXT(rac_redis_last_message(), "rac_redis_create: options is NULL");
  options.port = 65536;
  CHECK(rac_redis_create(&options) == NULL);
  CHECK_TEXT(rac_redis_last_message(), "rac_redis_create: port is none");
  options.port = 0;
  options.size = 3;
  CHECK(rac_redis_create(&options) == NULL);
  options.size = sizeof options;
  owned rac_scheduler *still = rac_scheduler_virtual();
  options.scheduler = still;
  CHECK(rac_redis_create(&options) == NULL);
  options.scheduler = NULL;
  of_redis *redis = rac_redis_create(&options);
  REQUIRE(redis != NULL);
  owned rac_signal *never = rac_signal_never();
  rac_redis_publish_options publish = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  CHECK(rac_redis_publish(NULL, never, "s", NULL) == NULL);
  CHECK(rac_redis_publish(redis, NULL, "s", NULL) == NULL);
  CHECK(rac_redis_publish(redis, never, "", NULL) == NULL);
  CHECK(rac_redis_publish(redis, (rac_signal *)redis, "s", NULL) == NULL);
  publish.unique = true;
  CHECK(rac_redis_publish(redis, never, "s", &publish) == NULL);
  CHECK_TEXT(rac_redis_last_message(),
             "rac_redis_publish: unique needs options.sender");
  CHECK(rac_redis_last_number(redis, "s") == NULL);
  rac_redis_read_options read = RAC_REDIS_READ_OPTIONS_INIT;
  read.from = "yesterday";
  CHECK(rac_redis_read(redis, "s", &read) == NULL);
  CHECK_TEXT(rac_redis_last_message(), "rac_redis_read: from is no position");
  rac_redis_stats stats = {.size = 1};
  CHECK_STATUS(rac_redis_get_stats(redis, &stats), RAC_EINVAL);
  CHECK_STATUS(rac_redis_get_stats(redis, NULL), RAC_ENULL);
  rac_redis_release(NULL);
}
