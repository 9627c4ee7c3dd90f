/* Work that is shared: acknowledged, tried again, put away. */
#include "server.h"

#include <stdio.h>

/* The values a handler has seen, by number. */
typedef struct log_of_work {
  atomic_int times[4096];
  atomic_int calls, highest, now, destroyed;
  int fails_below; /* numbers that always fail */
  rac_scheduler *later;
} log_of_work;

static rac_status work_on(void *context, rac_value value, rac_signal **out) {
  log_of_work *self = context_target(context);
  atomic_fetch_add(&self->calls, 1);
  if (value.kind != RAC_INT64) return RAC_OK;
  atomic_fetch_add(&self->times[value.bits % 4096], 1);
  if (value.bits < self->fails_below)
    return rac_raise_error("test", 5, "it does not work");
  *out = rac_signal_return(value);
  return RAC_OK;
}

static rac_signal *working(rac_redis *redis, const char *consumer,
                           double claim_after, rac_signal_fn handle,
                           log_of_work *log) {
  rac_redis_work_options options = RAC_REDIS_WORK_OPTIONS_INIT;
  options.consumer = consumer;
  options.claim_after = claim_after;
  options.in_flight = 16;
  options.attempts = 3;
  return rac_redis_work(redis, "s", "g", &options,
                        context_new(log, &log->destroyed), handle,
                        context_destroy);
}

static void publish_numbers(rac_redis *redis, int64_t first, int64_t last) {
  owned rac_signal *source = counting(first, last);
  CHECK_STATUS(publish_all(redis, source, "s", NULL), RAC_OK);
}

static long long pending(server *broker) {
  redisContext *context = redisConnectUnix(broker->socket);
  redisReply *reply = redisCommand(context, "XPENDING s g");
  long long count =
      reply->type == REDIS_REPLY_ARRAY ? reply->element[0]->integer : -1;
  freeReplyObject(reply);
  redisFree(context);
  return count;
}

TEST(work_is_acknowledged_when_it_completes) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work log;
  memset(&log, 0, sizeof log);
  publish_numbers(redis, 1, 1000);
  owned rac_signal *work = working(redis, "a", 30, work_on, &log);
  REQUIRE(work != NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(work, &t);
  WAIT_UNTIL(stats_of(redis).handled == 1000);
  CHECK_INT(log.calls, 1000);
  CHECK_INT(t.heard, 1000);
  CHECK_INT(t.again + t.missed, 0);
  CHECK_INT(pending(&broker), 0);
  /* And what comes later. */
  publish_numbers(redis, 1001, 1010);
  WAIT_UNTIL(stats_of(redis).handled == 1010);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

TEST(two_workers_share) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  of_redis *other = redis_of(&broker, NULL);
  static log_of_work log, log2;
  memset(&log, 0, sizeof log);
  memset(&log2, 0, sizeof log2);
  owned rac_signal *first = working(redis, "a", 30, work_on, &log);
  owned rac_signal *second = working(other, "b", 30, work_on, &log2);
  tally t = {0}, u = {0};
  owned rac_disposable *d = tally_of(first, &t);
  owned rac_disposable *e = tally_of(second, &u);
  WAIT_UNTIL(server_number(&broker, "XINFO GROUPS s") == 1);
  publish_numbers(redis, 1, 2000);
  WAIT_UNTIL(stats_of(redis).handled + stats_of(other).handled == 2000);
  for (int i = 1; i <= 2000; i++) CHECK_INT(log.times[i] + log2.times[i], 1);
  CHECK(atomic_load(&log.calls) > 0);
  CHECK(atomic_load(&log2.calls) > 0);
  CHECK_INT(t.heard + u.heard, 2000);
  rac_dispose(d);
  rac_dispose(e);
}

TEST(what_fails_is_tried_again_and_then_put_away) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work log;
  memset(&log, 0, sizeof log);
  log.fails_below = 3;
  publish_numbers(redis, 1, 10);
  owned rac_signal *work = working(redis, "a", 0.2, work_on, &log);
  tally t = {0};
  owned rac_disposable *d = tally_of(work, &t);
  WAIT_UNTIL(stats_of(redis).dead == 2);
  CHECK_INT(log.times[1], 3);
  CHECK_INT(log.times[2], 3);
  CHECK_INT(log.times[3], 1);
  rac_redis_stats stats = stats_of(redis);
  CHECK_INT(stats.handled, 8);
  CHECK_INT(stats.failed, 6);
  CHECK_INT(pending(&broker), 0);
  CHECK_INT(server_number(&broker, "XLEN s:dead"), 2);
  CHECK_INT(server_number(&broker, "HLEN {s}:g:errors"), 0);
  /* With its fields and its error. */
  redisContext *context = redisConnectUnix(broker.socket);
  redisReply *reply = redisCommand(context, "XRANGE s:dead - + COUNT 1");
  redisReply *fields = reply->element[0]->element[1];
  CHECK_INT(fields->elements, 12);
  CHECK_TEXT(fields->element[0]->str, "sender");
  CHECK_TEXT(fields->element[2]->str, "number");
  CHECK_TEXT(fields->element[4]->str, "v");
  CHECK_TEXT(fields->element[6]->str, "of");
  CHECK_TEXT(fields->element[8]->str, "attempts");
  CHECK_TEXT(fields->element[9]->str, "3");
  CHECK_TEXT(fields->element[11]->str, "it does not work");
  freeReplyObject(reply);
  redisFree(context);
  /* It is a stream as any other, in whatever order its values came. */
  rac_redis_read_options from_the_start = RAC_REDIS_READ_OPTIONS_INIT;
  from_the_start.from = "0";
  owned rac_signal *reading = rac_redis_read(redis, "s:dead", &from_the_start);
  tally dead = {0};
  owned rac_disposable *e = tally_of(reading, &dead);
  WAIT_UNTIL(atomic_load(&dead.heard) == 2);
  rac_dispose(d);
  rac_dispose(e);
}

/* Ends in a while, on another thread. */
static rac_status work_later(void *context, rac_value value, rac_signal **out) {
  log_of_work *self = context_target(context);
  atomic_fetch_add(&self->calls, 1);
  atomic_fetch_add(&self->times[value.bits % 4096], 1);
  int now = atomic_fetch_add(&self->now, 1) + 1;
  if (now > atomic_load(&self->highest)) atomic_store(&self->highest, now);
  owned rac_signal *here = rac_signal_return(value);
  *out = rac_signal_delay(here, 0.01, self->later);
  return RAC_OK;
}

static void count_down(void *context, rac_value value) {
  log_of_work *self = context;
  (void)value;
  atomic_fetch_sub(&self->now, 1);
}

TEST(only_so_many_are_worked_on) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work log;
  memset(&log, 0, sizeof log);
  owned rac_scheduler *later = rac_scheduler_background(0, NULL);
  log.later = later;
  publish_numbers(redis, 1, 300);
  owned rac_signal *work = working(redis, "a", 30, work_later, &log);
  owned rac_disposable *d = rac_subscribe_next(work, &log, count_down, NULL);
  WAIT_UNTIL(stats_of(redis).handled == 300);
  CHECK_INT(log.calls, 300);
  CHECK(log.highest > 1 && log.highest <= 16);
  rac_dispose(d);
}

static rac_status never_end(void *context, rac_value value, rac_signal **out) {
  log_of_work *self = context_target(context);
  atomic_fetch_add(&self->times[value.bits % 4096], 1);
  atomic_fetch_add(&self->calls, 1);
  *out = rac_signal_never();
  return RAC_OK;
}

TEST(a_long_work_is_not_taken_by_others) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work slow, quick;
  memset(&slow, 0, sizeof slow);
  memset(&quick, 0, sizeof quick);
  publish_numbers(redis, 1, 10);
  owned rac_signal *first = working(redis, "slow", 0.3, never_end, &slow);
  owned rac_disposable *d = rac_subscribe_next(first, NULL, NULL, NULL);
  WAIT_UNTIL(slow.calls == 10);
  owned rac_signal *second = working(redis, "quick", 0.3, work_on, &quick);
  owned rac_disposable *e = rac_subscribe_next(second, NULL, NULL, NULL);
  /* Three times as long as it may be silent. */
  double until = check_clock() + 0.9;
  while (check_clock() < until) check_pause();
  CHECK_INT(quick.calls, 0);
  CHECK_INT(slow.calls, 10);
  /* It goes, and leaves them. */
  rac_dispose(d);
  WAIT_UNTIL(quick.calls == 10);
  WAIT_UNTIL(pending(&broker) == 0);
  rac_dispose(e);
}

TEST(a_worker_that_comes_back_begins_with_its_own) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work slow, quick;
  memset(&slow, 0, sizeof slow);
  memset(&quick, 0, sizeof quick);
  publish_numbers(redis, 1, 100);
  owned rac_signal *first = working(redis, "a", 30, never_end, &slow);
  owned rac_disposable *d = rac_subscribe_next(first, NULL, NULL, NULL);
  WAIT_UNTIL(slow.calls == 16);
  rac_dispose(d);
  owned rac_signal *again = working(redis, "a", 30, work_on, &quick);
  tally t = {0};
  owned rac_disposable *e = tally_of(again, &t);
  WAIT_UNTIL(atomic_load(&t.heard) == 100);
  CHECK_INT(t.again, 0);
  WAIT_UNTIL(pending(&broker) == 0);
  rac_dispose(e);
}

TEST(a_killed_broker_repeats_at_most_what_was_in_flight) {
  with_server broker = {0};
  server_start(&broker, true);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work log;
  memset(&log, 0, sizeof log);
  publish_numbers(redis, 1, 4000);
  owned rac_signal *work = working(redis, "a", 1, work_on, &log);
  tally t = {0};
  owned rac_disposable *d = tally_of(work, &t);
  for (int i = 1; i <= 3; i++) {
    while (stats_of(redis).handled < (uint64_t)i * 1000) check_pause();
    server_kill(&broker);
    server_start_again(&broker);
  }
  WAIT_UNTIL(pending(&broker) == 0 && atomic_load(&log.times[4000]) > 0);
  int doubles = 0;
  for (int i = 1; i <= 4000; i++) {
    CHECK(atomic_load(&log.times[i]) > 0);
    doubles += log.times[i] - 1;
  }
  CHECK(doubles <= 3 * 16);
  rac_dispose(d);
}

TEST(ends_and_strange_entries_hold_nobody_up) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work log;
  memset(&log, 0, sizeof log);
  rac_redis_publish_options publish = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  publish.ends = true;
  owned rac_signal *source = counting(1, 5);
  CHECK_STATUS(publish_all(redis, source, "s", &publish), RAC_OK);
  server_ask(&broker, "XADD s * something else");
  publish_numbers(redis, 6, 10);
  owned rac_signal *work = working(redis, "a", 30, work_on, &log);
  owned rac_disposable *d = rac_subscribe_next(work, NULL, NULL, NULL);
  WAIT_UNTIL(stats_of(redis).handled == 12);
  CHECK_INT(log.calls, 11);
  CHECK_INT(pending(&broker), 0);
  CHECK_INT(stats_of(redis).unreadable, 1);
  rac_dispose(d);
}

TEST(a_group_that_goes_comes_again) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work log;
  memset(&log, 0, sizeof log);
  owned rac_signal *work = working(redis, "a", 30, work_on, &log);
  owned rac_disposable *d = rac_subscribe_next(work, NULL, NULL, NULL);
  publish_numbers(redis, 1, 10);
  WAIT_UNTIL(stats_of(redis).handled == 10);
  server_ask(&broker, "XGROUP DESTROY s g");
  WAIT_UNTIL(server_number(&broker, "XINFO GROUPS s") == 1);
  publish_numbers(redis, 11, 20);
  WAIT_UNTIL(atomic_load(&log.times[20]) == 1);
  rac_dispose(d);
}

TEST(refused_arguments_destroy_the_context) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  static log_of_work log;
  memset(&log, 0, sizeof log);
  CHECK(rac_redis_work(NULL, "s", "g", NULL, context_new(&log, NULL), work_on,
                       context_destroy) == NULL);
  CHECK(rac_redis_work(redis, "s", "", NULL, context_new(&log, NULL), work_on,
                       context_destroy) == NULL);
  CHECK_TEXT(rac_redis_last_message(), "rac_redis_work: group has no name");
  CHECK(rac_redis_work(redis, "s", "g", NULL, context_new(&log, NULL), NULL,
                       context_destroy) == NULL);
  rac_redis_work_options options = RAC_REDIS_WORK_OPTIONS_INIT;
  options.in_flight = 5000;
  CHECK(rac_redis_work(redis, "s", "g", &options, context_new(&log, NULL),
                       work_on, context_destroy) == NULL);
}
