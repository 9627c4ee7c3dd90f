/* Much that goes in and comes out: what we keep does not grow with it. */
#include "server.h"

#include <stdio.h>

/* Kilobytes of this process in memory. */
static long resident(void) {
  char line[200];
  long found = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    sscanf(line, "VmRSS: %ld", &found);
  if (file != NULL) fclose(file);
  return found;
}

TEST(memory_stays_flat) {
  const char *words = getenv("RAC_REDIS_NUMBERS");
  int64_t count = words != NULL ? atoll(words) : 50000;
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, NULL);
  owned rac_signal *source = counting(1, count);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", NULL);
  RECORDER(r, stored);
  while (stats_of(redis).acknowledged < (uint64_t)count / 10) check_pause();
  long before = resident();
  while (atomic_load(&r.ends) == 0) check_pause();
  CHECK_EVENTS(&r, "|");
  long published = resident();
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = "0";
  owned rac_signal *reading = rac_redis_read(redis, "s", &options);
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  while (atomic_load(&t.last) < count / 10) check_pause();
  long early = resident();
  while (atomic_load(&t.last) < count) check_pause();
  long late = resident();
  CHECK_INT(t.missed + t.again, 0);
  CHECK(published - before < 8192);
  CHECK(late - early < 8192);
  printf("%lld numbers; kB: %ld %ld, then %ld %ld\n", (long long)count, before,
         published, early, late);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}
