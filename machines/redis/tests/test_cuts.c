/* A network that is cut in the middle of an entry, and many readers at a time. */
#include "proxy.h"
#include "server.h"

#include <sys/resource.h>

static rac_redis *start_proxy(proxy *self, server *broker, const char *sender) {
  self->broker = broker->socket;
  proxy_start(self, broker->folder);
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = self->socket;
  options.sender = sender;
  return rac_redis_create(&options);
}

static void check_cuts(bool is_unique) {
  with_server broker = {0};
  int64_t count = check_scaled(30000);
  proxy between = {.most = (uint64_t)count * 10};
  server_start(&broker, false);
  of_redis *redis = start_proxy(&between, &broker, "producer");
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = is_unique;
  owned rac_signal *source = counting(1, count);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", &options);
  rac_redis_read_options from_the_start = RAC_REDIS_READ_OPTIONS_INIT;
  from_the_start.from = "0";
  owned rac_signal *reading = rac_redis_read(redis, "s", &from_the_start);
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  RECORDER(r, stored);
  while (stats_of(redis).acknowledged < (uint64_t)count * 3 / 4) check_pause();
  atomic_store(&between.is_whole, true);
  while (atomic_load(&r.ends) == 0) check_pause();
  CHECK_EVENTS(&r, "|");
  while (atomic_load(&t.last) < count) check_pause();
  CHECK_INT(t.missed, 0);
  CHECK_INT(t.again, 0);
  CHECK(between.cuts > 1);
  int64_t there = server_number(&broker, "XLEN s");
  CHECK(is_unique ? there == count : there >= count);
  CHECK_INT(there, count + (int64_t)stats_of(redis).doubles);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
  proxy_stop(&between);
}

TEST(a_cut_loses_nothing) { check_cuts(false); }
TEST(a_cut_stores_nothing_of_a_unique_sender_twice) { check_cuts(true); }

static rac_status handle(void *context, rac_value value, rac_signal **out) {
  atomic_int *times = context;
  atomic_fetch_add(&times[value.bits], 1);
  *out = rac_signal_return(value);
  return RAC_OK;
}

TEST(a_cut_repeats_at_most_what_was_in_flight) {
  with_server broker = {0};
  proxy between = {0};
  static atomic_int times[20001];
  int count = (int)check_scaled(20000);
  server_start(&broker, false);
  of_redis *straight = redis_of(&broker, NULL);
  owned rac_signal *source = counting(1, count);
  CHECK_STATUS(publish_all(straight, source, "s", NULL), RAC_OK);
  of_redis *redis = start_proxy(&between, &broker, "worker");
  rac_redis_work_options options = RAC_REDIS_WORK_OPTIONS_INIT;
  options.attempts = 1000;
  owned rac_signal *work =
      rac_redis_work(redis, "s", "g", &options, times, handle, NULL);
  owned rac_disposable *d = rac_subscribe_next(work, NULL, NULL, NULL);
  while (stats_of(redis).handled < (uint64_t)count * 3 / 4) check_pause();
  atomic_store(&between.is_whole, true);
  while (stats_of(redis).handled < (uint64_t)count) check_pause();
  int missed = 0, doubles = 0;
  for (int i = 1; i <= count; i++) {
    if (times[i] == 0) missed++;
    if (times[i] > 1) doubles += times[i] - 1;
  }
  CHECK_INT(missed, 0);
  CHECK(doubles <= 32 * between.cuts);
  CHECK(between.cuts > 1);
  rac_dispose(d);
  proxy_stop(&between);
}

/* Each has a connection of its own; none is left. */
TEST(a_thousand_readers_hear_the_same) {
  enum { READERS = 1000 };
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  /* Two descriptors each. */
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  int readers = (int)check_scaled(READERS);
  if ((rlim_t)readers > limit.rlim_cur / 4) readers = (int)limit.rlim_cur / 4;
  static tally tallies[READERS];
  static rac_disposable *all[READERS];
  memset(tallies, 0, sizeof tallies);
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = "0";
  owned rac_signal *reading = rac_redis_read(redis, "s", &options);
  for (int i = 0; i < readers; i++) all[i] = tally_of(reading, &tallies[i]);
  owned rac_signal *source = counting(1, 20);
  CHECK_STATUS(publish_all(redis, source, "s", NULL), RAC_OK);
  for (int i = 0; i < readers; i++)
    while (atomic_load(&tallies[i].last) < 20) check_pause();
  for (int i = 0; i < readers; i++) {
    CHECK_INT(tallies[i].heard, 20);
    rac_dispose(all[i]);
    rac_release(all[i]);
  }
  for (int i = 0; i < readers; i++)
    WAIT_UNTIL(atomic_load(&tallies[i].destroyed) == 1);
}
