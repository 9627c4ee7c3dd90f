/* The cost of values over Redis: by hand, with hiredis alone, and by librac-redis.
 * run.py starts the broker and makes the table.
 *
 *     redis SOCKET MODE COUNT [IDLE]
 *                       prints seconds, and seconds of this process's CPU; IDLE
 *                       subscriptions to other streams are there meanwhile
 */
#include <hiredis.h>
#include <rac_redis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { PIPELINE = 256, LENGTH = 100 };

static const char *socket_path;
static long count;
static char text[LENGTH + 1];

/* ---- By hand ---------------------------------------------------------------- */

static redisContext *connect_by_hand(void) {
  redisContext *made = redisConnectUnix(socket_path);
  if (made == NULL || made->err) fail("no connection");
  return made;
}

static void take(redisContext *context, int answers) {
  for (void *reply; answers > 0; answers--) {
    if (redisGetReply(context, &reply) != REDIS_OK) fail("no answer");
    freeReplyObject(reply);
  }
}

static void publish_by_hand(void) {
  redisContext *context = connect_by_hand();
  const char *words[] = {"XADD", "s", "*", "v", text};
  size_t lengths[] = {4, 1, 1, 1, LENGTH};
  for (long done = 0; done < count; done += PIPELINE) {
    for (int i = 0; i < PIPELINE; i++)
      redisAppendCommandArgv(context, 5, words, lengths);
    take(context, PIPELINE);
  }
  redisFree(context);
}

static void read_by_hand(void) {
  redisContext *context = connect_by_hand();
  char position[64] = "0";
  long heard = 0;
  while (heard < count) {
    redisReply *reply =
        redisCommand(context, "XREAD COUNT 256 STREAMS s %s", position);
    if (reply == NULL || reply->type != REDIS_REPLY_ARRAY) fail("no entries");
    redisReply *entries = reply->element[0]->element[1];
    for (size_t i = 0; i < entries->elements; i++) {
      redisReply *fields = entries->element[i]->element[1];
      if (fields->element[fields->elements - 1]->len < LENGTH) fail("short");
    }
    heard += (long)entries->elements;
    snprintf(position, sizeof position, "%s",
             entries->element[entries->elements - 1]->element[0]->str);
    freeReplyObject(reply);
  }
  redisFree(context);
}

/* ---- By librac ---------------------------------------------------------------- */

static rac_redis *redis;

static rac_status make(void *context, rac_value number, rac_value *out) {
  (void)context;
  (void)number;
  *out = rac_value_string_copy(text, LENGTH);
  return RAC_OK;
}

static rac_signal *numbers(void) {
  rac_sequence *range = rac_sequence_range(1, 1, (size_t)count);
  rac_scheduler *worker = rac_scheduler_background(0, "source");
  rac_signal *made = rac_sequence_signal(range, worker);
  rac_release(range);
  rac_release(worker);
  return made;
}

static void finish(rac_signal *signal) {
  if (signal == NULL) fail(rac_redis_last_message());
  if (rac_signal_wait_until_completed(signal, 600, NULL) != RAC_OK)
    fail("a failure");
  rac_release(signal);
}

static void publish(bool is_unique, bool are_texts) {
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.unique = is_unique;
  rac_signal *source = numbers();
  if (are_texts) RAC_ASSIGN(source, rac_signal_map(source, NULL, make, NULL));
  finish(rac_redis_publish(redis, source, "s", &options));
  rac_release(source);
}

static rac_signal *stored(const char *stream) {
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = "0";
  return rac_redis_read(redis, stream, &options);
}

static void read_all(void) {
  rac_signal *all = stored("s");
  RAC_ASSIGN(all, rac_signal_take(all, (size_t)count));
  finish(all);
}

/* Beside so many subscriptions to streams in which nothing happens. */
static void wait_beside(long idle) {
  rac_redis_stats stats = {.size = sizeof stats};
  /* Two descriptors each. */
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  for (long i = 0; i < idle; i++) {
    char name[32];
    snprintf(name, sizeof name, "idle-%ld", i);
    rac_signal *nothing = stored(name);
    rac_release(rac_subscribe_next(nothing, NULL, NULL, NULL));
    rac_release(nothing);
  }
  struct timespec moment = {0, 1000000};
  while (stats.connections < (uint64_t)idle) {
    nanosleep(&moment, NULL);
    rac_redis_get_stats(redis, &stats);
  }
}

static rac_status handle(void *context, rac_value value, rac_signal **out) {
  (void)context;
  *out = rac_signal_return(value);
  return RAC_OK;
}

static void work(void) {
  rac_redis_work_options options = RAC_REDIS_WORK_OPTIONS_INIT;
  options.in_flight = 256;
  rac_signal *done =
      rac_redis_work(redis, "s", "g", &options, NULL, handle, NULL);
  RAC_ASSIGN(done, rac_signal_take(done, (size_t)count));
  finish(done);
}

/* ---- Latency, at a thousand a second ------------------------------------------ */

static double *delays;
static long delayed;

static int by_size(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static void note_delay(int64_t nanoseconds) {
  if (delayed < count) delays[delayed++] = now() - (double)nanoseconds * 1e-9;
}

static void each_millisecond(void (*send)(void *, int64_t), void *context) {
  double start = now();
  for (long i = 0; i < count; i++) {
    double wait = start + (double)i * 0.001 - now();
    struct timespec pause = {0, (long)(wait * 1e9)};
    if (wait > 0) nanosleep(&pause, NULL);
    send(context, (int64_t)(now() * 1e9));
  }
}

static void add_one(void *context, int64_t time) {
  char number[32];
  snprintf(number, sizeof number, "%lld", (long long)time);
  redisReply *reply = redisCommand(context, "XADD s * v %s", number);
  freeReplyObject(reply);
}

static rac_status listen_by_hand(void *context) {
  redisContext *own = connect_by_hand();
  char position[64] = "$";
  (void)context;
  while (delayed < count) {
    redisReply *reply =
        redisCommand(own, "XREAD BLOCK 5000 STREAMS s %s", position);
    if (reply == NULL || reply->type != REDIS_REPLY_ARRAY) fail("no entries");
    redisReply *entries = reply->element[0]->element[1];
    for (size_t i = 0; i < entries->elements; i++) {
      redisReply *entry = entries->element[i];
      note_delay(atoll(entry->element[1]->element[1]->str));
      snprintf(position, sizeof position, "%s", entry->element[0]->str);
    }
    freeReplyObject(reply);
  }
  redisFree(own);
  return RAC_OK;
}

static void run_by_hand(void *context) { listen_by_hand(context); }

static void send_one(void *context, int64_t time) {
  rac_subject_send(context, rac_value_int64(time));
}

static void hear_one(void *context, rac_value value) {
  (void)context;
  note_delay(value.bits);
}

static void latency(bool is_by_hand) {
  struct timespec moment = {0, 200000000};
  delays = calloc((size_t)count, sizeof *delays);
  if (is_by_hand) {
    rac_scheduler *other = rac_scheduler_background(0, "listener");
    rac_disposable *job = rac_schedule(other, NULL, run_by_hand, NULL);
    nanosleep(&moment, NULL);
    each_millisecond(add_one, connect_by_hand());
    rac_release(job);
    rac_release(other);
  } else {
    rac_subject *source = rac_subject_create();
    rac_signal *storing =
        rac_redis_publish(redis, rac_subject_as_signal(source), "s", NULL);
    rac_signal *hearing = rac_redis_read(redis, "s", NULL);
    rac_release(rac_subscribe_next(hearing, NULL, hear_one, NULL));
    rac_release(rac_subscribe_next(storing, NULL, NULL, NULL));
    nanosleep(&moment, NULL);
    each_millisecond(send_one, source);
  }
  nanosleep(&moment, NULL);
  qsort(delays, (size_t)delayed, sizeof *delays, by_size);
  printf("%.1f %.1f\n", delays[delayed / 2] * 1e6,
         delays[delayed * 99 / 100] * 1e6);
  fflush(stdout);
  _Exit(0);
}

int main(int argc, char **argv) {
  if (argc < 4) fail("redis SOCKET MODE COUNT [IDLE]");
  const char *mode = argv[2];
  socket_path = argv[1];
  count = atol(argv[3]);
  memset(text, 'x', LENGTH);
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = socket_path;
  options.sender = "bench";
  redis = rac_redis_create(&options);
  if (argc > 4) wait_beside(atol(argv[4]));
  double start = now(), used = cpu();
  if (strcmp(mode, "publish_by_hand") == 0)
    publish_by_hand();
  else if (strcmp(mode, "publish") == 0)
    publish(false, true);
  else if (strcmp(mode, "publish_numbers") == 0)
    publish(false, false);
  else if (strcmp(mode, "unique") == 0)
    publish(true, true);
  else if (strcmp(mode, "read_by_hand") == 0)
    read_by_hand();
  else if (strcmp(mode, "read") == 0)
    read_all();
  else if (strcmp(mode, "work") == 0)
    work();
  else if (strcmp(mode, "latency_by_hand") == 0)
    latency(true);
  else if (strcmp(mode, "latency") == 0)
    latency(false);
  else
    fail("no such mode");
  printf("%.6f %.6f\n", now() - start, cpu() - used);
  fflush(stdout);
  /* Nothing waits for those that are idle. */
  _Exit(0);
}
