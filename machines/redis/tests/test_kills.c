/* Producers, workers and brokers that are killed while numbers flow: nothing is
 * lost, and no more comes twice than was in flight. The program starts itself
 * again for each of them. */
#include "server.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN_FLIGHT = 64, WORKERS = 2, KILLS = 4 };

static int64_t numbers(void) {
  const char *text = getenv("RAC_REDIS_NUMBERS");
  return check_scaled(text != NULL ? atoll(text) : 100000);
}

/* ---- Those that are killed ------------------------------------------------- */

static int numbers_file;

/* The effect is a number in a file; then it takes 200 microseconds more. */
static rac_status note(void *context, rac_value value, rac_signal **out) {
  if (write(numbers_file, &value.bits, sizeof value.bits) < 0)
    return rac_raise_error("test", 1, "write");
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
  numbers_file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
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
  const char *role = getenv("RAC_REDIS_ROLE");
  if (role == NULL) return;
  server broker = {0};
  snprintf(broker.socket, sizeof broker.socket, "%s",
           getenv("RAC_REDIS_SOCKET"));
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  bool is_worker = strncmp(role, "worker", 6) == 0;
  rac_redis *redis = redis_of(&broker, is_worker ? NULL : "producer");
  _exit(is_worker ? be_worker(redis, role, getenv("RAC_REDIS_FILE"))
                  : be_producer(redis, numbers()));
}

static pid_t start_as(const char *role, server *broker, const char *file) {
  pid_t process = fork();
  if (process < 0) abort();
  if (process > 0) return process;
  setenv("RAC_REDIS_ROLE", role, 1);
  setenv("RAC_REDIS_SOCKET", broker->socket, 1);
  setenv("RAC_REDIS_FILE", file, 1);
  execl("/proc/self/exe", "somebody", (char *)NULL);
  _exit(127);
}

static void kill_now(pid_t process) {
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

/* ---- The tests ---------------------------------------------------------------- */

TEST(a_producer_that_is_killed_goes_on) {
  with_server broker = {0};
  server_start(&broker, true);
  int64_t last = numbers();
  for (int i = 1; i <= KILLS; i++) {
    pid_t producer = start_as("producer", &broker, "");
    while (server_number(&broker, "XLEN s") < last * i / (KILLS + 1))
      check_pause();
    kill_now(producer);
  }
  int status = 0;
  waitpid(start_as("producer", &broker, ""), &status, 0);
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

typedef struct noted {
  int64_t count, distinct, doubles;
} noted;

static noted read_noted(const char *path, int64_t last) {
  noted result = {0};
  unsigned char *seen = calloc((size_t)last + 1, 1);
  FILE *file = fopen(path, "r");
  int64_t number;
  while (file != NULL && fread(&number, sizeof number, 1, file) == 1) {
    result.count++;
    if (number < 1 || number > last) continue;
    if (seen[number]++ == 0)
      result.distinct++;
    else
      result.doubles++;
  }
  if (file != NULL) fclose(file);
  free(seen);
  return result;
}

static int64_t count_noted(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  fseek(file, 0, SEEK_END);
  int64_t count = ftell(file) / (long)sizeof(int64_t);
  fclose(file);
  return count;
}

TEST(everybody_is_killed_and_nothing_is_lost) {
  with_server broker = {0};
  server_start(&broker, true);
  int64_t last = numbers();
  char file[100];
  snprintf(file, sizeof file, "%s/noted", broker.folder);
  const char *names[WORKERS] = {"worker-a", "worker-b"};
  pid_t workers[WORKERS], producer = start_as("producer", &broker, file);
  for (int i = 0; i < WORKERS; i++)
    workers[i] = start_as(names[i], &broker, file);
  int worker_kills = 0, broker_kills = 0;
  for (int i = 1; i <= 3 * KILLS; i++) {
    while (count_noted(file) < last * i / (3 * KILLS + 2)) check_pause();
    switch (i % 3) {
    case 0:
      broker_kills++;
      server_kill(&broker);
      server_start_again(&broker);
      break;
    case 1:
      worker_kills++;
      kill_now(workers[i % WORKERS]);
      workers[i % WORKERS] = start_as(names[i % WORKERS], &broker, file);
      break;
    default:
      kill_now(producer);
      producer = start_as("producer", &broker, file);
    }
  }
  int status = -1;
  waitpid(producer, &status, 0);
  CHECK_INT(status, 0);
  CHECK_INT(server_number(&broker, "XLEN s"), last);
  noted all = read_noted(file, last);
  for (int i = 0; all.distinct < last && i < 20000; i++) {
    check_pause();
    if (count_noted(file) > all.count) all = read_noted(file, last);
  }
  CHECK_INT(all.distinct, last);
  /* A broker's death brings back what all of them have in flight. */
  CHECK(all.doubles <= IN_FLIGHT * (worker_kills + WORKERS * broker_kills));
  printf("%lld numbers, %d kills of workers, %d of the broker: %lld twice\n",
         (long long)last, worker_kills, broker_kills, (long long)all.doubles);
  for (int i = 0; i < WORKERS; i++) kill_now(workers[i]);
}
