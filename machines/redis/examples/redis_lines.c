/* Lines into a stream, and out of it, by the broker at 127.0.0.1 or by a Unix
 * socket in REDIS_SOCKET:
 *
 *     tail -f log | redis_lines in lines         every line is an entry
 *     redis_lines out lines 0                    all of them, and what comes
 *
 * A line is stored once and in order, also when the broker goes away in
 * between; while it is away, standard input is not read on. `out` ends with
 * the end of an `in`.
 *
 * SPDX-License-Identifier: MIT
 */
#include <rac_redis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int result = 0;

static void print(void *context, rac_value line) {
  const char *text = NULL;
  (void)context;
  if (rac_value_get_string(line, &text, NULL) == RAC_OK)
    puts(text);
  else
    fprintf(stderr, "%s\n", rac_error_get_message(line));
}

static void end(void *context) {
  (void)context;
  rac_main_stop();
}

static void fail(void *context, rac_value error) {
  fprintf(stderr, "%s\n", rac_error_get_message(error));
  result = 1;
  end(context);
}

static rac_signal *lines_in(rac_redis *redis, const char *stream) {
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.ends = true;
  rac_signal *lines = rac_signal_lines(0, RAC_DESCRIPTOR_LENT, 0, NULL);
  rac_signal *stored = rac_redis_publish(redis, lines, stream, &options);
  rac_release(lines);
  return stored;
}

static rac_signal *lines_out(rac_redis *redis, const char *stream,
                             const char *from) {
  rac_redis_read_options options = RAC_REDIS_READ_OPTIONS_INIT;
  options.from = from;
  options.ends = true;
  return rac_redis_read(redis, stream, &options);
}

int main(int count, char **words) {
  if (count < 3 || count > 4) {
    fprintf(stderr, "usage: redis_lines in STREAM | out STREAM [POSITION]\n");
    return 2;
  }
  rac_scheduler *loop = rac_scheduler_main();
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = getenv("REDIS_SOCKET");
  options.scheduler = loop;
  rac_redis *redis = rac_redis_create(&options);
  rac_signal *work =
      strcmp(words[1], "in") == 0
          ? lines_in(redis, words[2])
          : lines_out(redis, words[2], count > 3 ? words[3] : "$");
  if (work == NULL) {
    fprintf(stderr, "%s\n", rac_redis_last_message());
    result = 2;
  } else {
    rac_observer observer = RAC_OBSERVER_INIT;
    observer.next = print;
    observer.error = fail;
    observer.completed = end;
    rac_disposable *working = rac_subscribe(work, &observer);
    rac_main_run();
    rac_dispose(working);
    rac_release(working);
    rac_release(work);
  }
  rac_redis_release(redis);
  rac_release(loop);
  return result;
}
