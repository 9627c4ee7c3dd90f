/* Producers, workers and brokers that are killed while numbers flow: nothing is
 * lost, and no more comes twice than was in flight. */
#include "deaths.h"
#include "server.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN_FLIGHT = 64, WORKERS = 2, KILLS = 4 };

static int64_t numbers(void) { return count_of("RAC_REDIS_NUMBERS", 100000); }

/* ---- Those that are killed ------------------------------------------------- */

static int notes;

/* The effect is a number in a file; then it takes 200 microseconds more. */
static rac_status note(void *context, rac_value value, rac_signal **out) {
  if (!add_note(notes, value.bits)) return rac_raise_error("test", 1, "write");
  rac_signal *noted = rac_signal_return(value);
  *out = rac_signal_delay(noted, 0.0002, context);
  rac_release(noted);
  return RAC_OK;
}

static int be_worker(rac_redis *redis, const char *name, const char *path) {
  rac_redis_work_options options = RAC_REDIS_WORK_OPTIONS_INIT;
  options.consumer = name;
  options.in_flight = IN_FLIGHT;
  options.claim_after = 20;
  options.attempts = 1000;
  notes = open_notes(path);
  rac_scheduler *later = rac_scheduler_background(0, NULL);
  rac_signal *work =
      rac_redis_work(redis, "s", "g", &options, later, note, NULL);
  return rac_signal_wait_until_completed(work, -1, NULL);
}

/* Goes on behind the last number that is stored. */
static int be_producer(rac_redis *redis, int64_t last) {
  owned_value stored = {0};
  owned rac_signal *asking = rac_redis_last_number(redis, "s");
  if (rac_signal_first(asking, 60, &stored) != RAC_OK) return 2;
  if (stored.bits == last) return 0;
  owned rac_signal *source = counting(stored.bits + 1, last);
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = true;
  return publish_all(redis, source, "s", &options) == RAC_OK ? 0 : 3;
}

__attribute__((constructor)) static void be_somebody(void) {
  part as;
  server broker = {0};
  if (!has_part(&as)) return;
  snprintf(broker.socket, sizeof broker.socket, "%s", as.broker);
  bool is_worker = strncmp(as.name, "worker", 6) == 0;
  rac_redis *redis = redis_of(&broker, is_worker ? NULL : "producer");
  _exit(is_worker ? be_worker(redis, as.name, as.file)
                  : be_producer(redis, numbers()));
}

static pid_t start(const char *name, server *broker, const char *file) {
  return start_as((part){name, broker->socket, file});
}

/* ---- The tests ---------------------------------------------------------------- */

TEST(a_producer_that_is_killed_goes_on) {
  with_server broker = {0};
  server_start(&broker, true);
  int64_t last = numbers();
  for (int i = 1; i <= KILLS; i++) {
    pid_t producer = start("producer", &broker, "");
    while (server_number(&broker, "XLEN s") < last * i / (KILLS + 1))
      check_pause();
    kill_now(producer);
  }
  int status = 0;
  waitpid(start("producer", &broker, ""), &status, 0);
  CHECK_INT(status, 0);
  CHECK_INT(server_number(&broker, "XLEN s"), last);
  of_redis *redis = redis_of(&broker, NULL);
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = "0";
  owned rac_signal *reading = rac_redis_read(redis, "s", &options);
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  while (atomic_load(&t.last) < last) check_pause();
  CHECK_INT(t.missed, 0);
  CHECK_INT(t.again, 0);
  rac_dispose(d);
}

TEST(everybody_is_killed_and_nothing_is_lost) {
  with_server broker = {0};
  server_start(&broker, true);
  int64_t last = numbers();
  char file[100];
  snprintf(file, sizeof file, "%s/noted", broker.folder);
  const char *names[WORKERS] = {"worker-a", "worker-b"};
  pid_t workers[WORKERS], producer = start("producer", &broker, file);
  for (int i = 0; i < WORKERS; i++) workers[i] = start(names[i], &broker, file);
  int worker_kills = 0, broker_kills = 0;
  for (int i = 1; i <= 3 * KILLS; i++) {
    while (count_notes(file) < last * i / (3 * KILLS + 2)) check_pause();
    switch (i % 3) {
    case 0:
      broker_kills++;
      server_kill(&broker);
      server_start_again(&broker);
      break;
    case 1:
      worker_kills++;
      kill_now(workers[i % WORKERS]);
      workers[i % WORKERS] = start(names[i % WORKERS], &broker, file);
      break;
    default:
      kill_now(producer);
      producer = start("producer", &broker, file);
    }
  }
  int status = -1;
  waitpid(producer, &status, 0);
  CHECK_INT(status, 0);
  CHECK_INT(server_number(&broker, "XLEN s"), last);
  noted all = read_notes(file, last);
  for (int i = 0; all.distinct < last && i < 20000; i++) {
    check_pause();
    if (count_notes(file) > all.count) all = read_notes(file, last);
  }
  CHECK_INT(all.distinct, last);
  /* A broker's death brings back what all of them have in flight. */
  int64_t doubles = all.count - all.distinct;
  CHECK(doubles <= IN_FLIGHT * (worker_kills + WORKERS * broker_kills));
  printf("%lld numbers, %d kills of workers, %d of the broker: %lld twice\n",
         (long long)last, worker_kills, broker_kills, (long long)doubles);
  for (int i = 0; i < WORKERS; i++) kill_now(workers[i]);
}
