/* A stream as a signal.
 *
 * One batch at a time: the entries of an answer are sent as long as there is
 * room below, and only when all were sent, and there is room for one more, the
 * next batch is asked for.
 *
 *     broker --answer--> batch --hold?--> subscriber
 *        ^                 |
 *        '--XREAD behind---'
 */
#include <stdio.h>

#include "connection.h"
#include "senders.h"
#include "stored.h"

enum { BATCH = 256 };

/* The parts of a reading signal. */
typedef struct reading {
  atomic_int references;
  rac_redis *redis;
  char *stream;
  char from[POSITION];
  size_t batch;
  bool positions, ends;
} reading;

typedef struct reader {
  owner owner;
  connection connection;
  reading *of;
  char position[POSITION]; /* "$" and "last" until the broker has said it */
  redisReply *reply;       /* that the batch is in */
  redisReply *batch;       /* an array of entries, or NULL */
  size_t next;             /* the first that was not sent */
  rac_disposable *waiting; /* for room */
  bool is_asking, is_running;
  senders senders;
  rac_counter *shown; /* the position, in milliseconds */
} reader;

static void run(reader *self);

static void release_reading(void *context) {
  reading *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_redis_release(self->redis);
  free(self->stream);
  free(self);
}

/* ---- Asking --------------------------------------------------------------- */

static bool is_known(const reader *self) {
  return self->position[0] >= '0' && self->position[0] <= '9';
}

static void ask(reader *self) {
  if (self->connection.state != OPEN || self->is_asking) return;
  self->is_asking = true;
  if (!is_known(self)) {
    const char *last[] = {"XREVRANGE", self->of->stream, "+",
                          "-",         "COUNT",          "1"};
    connection_send(&self->connection, 6, last, NULL);
    return;
  }
  /* The broker answers before the connection loses its patience. */
  double seconds = self->of->redis->patience / 2;
  char count[24], pause[24];
  snprintf(count, sizeof count, "%zu", self->of->batch);
  snprintf(pause, sizeof pause, "%.0f", 1 + (seconds > 2 ? 2 : seconds) * 1000);
  const char *read[] = {"XREAD",          "COUNT",       count,
                        "BLOCK",          pause,         "STREAMS",
                        self->of->stream, self->position};
  connection_send(&self->connection, 8, read, NULL);
}

/* ---- Sending -------------------------------------------------------------- */

static void free_batch(reader *self) {
  if (self->batch != NULL)
    rac_counter_set(self->shown, strtoll(self->position, NULL, 10));
  if (self->reply != NULL) freeReplyObject(self->reply);
  self->reply = self->batch = NULL;
  self->next = 0;
}

static bool is_double(reader *self, const redisReply *fields) {
  const redisReply *sender = stored_field(fields, 's'),
                   *number = stored_field(fields, 'n');
  uint64_t gap;
  if (sender == NULL || number == NULL) return false;
  uint64_t n = strtoull(number->str, NULL, 10);
  if (n == 0) return false;
  number_kind kind =
      senders_take(&self->senders, sender->str, (size_t)sender->len, n, &gap);
  if (gap > 0) redis_count(self->of->redis, GAPS, gap);
  if (kind != NUMBER_DOUBLE) return false;
  redis_count(self->of->redis, DOUBLES, 1);
  return true;
}

/* With its position, if that is wanted. */
static rac_status send_value(reader *self, const redisReply *position,
                             rac_value value) {
  if (!self->of->positions)
    return rac_subscriber_send(self->owner.subscriber, value);
  rac_value parts[] = {value, rac_value_string(position->str)};
  rac_value tuple = rac_value_tuple(parts, 2);
  if (tuple.kind == RAC_NIL) return rac_last_error_code();
  rac_status status = rac_subscriber_send(self->owner.subscriber, tuple);
  rac_value_release(tuple);
  return status;
}

static void send_end(reader *self, rac_value error) {
  if (error.kind == RAC_ERROR)
    rac_subscriber_send_error(self->owner.subscriber, error);
  else
    rac_subscriber_send_completed(self->owner.subscriber);
}

static void send_entry(reader *self, const redisReply *position,
                       const redisReply *fields) {
  cbor_item item;
  rac_value value = {0};
  if (is_double(self, fields)) return;
  rac_status status = stored_value(fields, &item, &value);
  if (status == RAC_OK && item == CBOR_END) {
    if (self->of->ends) send_end(self, value);
  } else {
    if (status == RAC_OK) {
      status = send_value(self, position, value);
      if (status >= 0) redis_count(self->of->redis, RECEIVED, 1);
    }
    /* A text of a stranger may be none. */
    if (status < 0 && status != RAC_EDONE) {
      rac_value error =
          stored_unreadable(self->of->redis, position->str, status);
      send_value(self, position, error);
      rac_value_release(error);
    }
  }
  rac_value_release(value);
}

/* The next entry of the batch. One of another shape, as those that were deleted
 * have, is passed over. */
static void send_next(reader *self) {
  const redisReply *position, *fields;
  bool is_whole =
      stored_parts(self->batch->element[self->next++], &position, &fields);
  if (position == NULL) return;
  memcpy(self->position, position->str, (size_t)position->len + 1);
  if (is_whole) send_entry(self, position, fields);
}

static void go_on(void *of) { run(of); }

/* Sends, and asks for more. A subscriber may bring us here again from inside. */
static void run(reader *self) {
  if (self->is_running) return;
  self->is_running = true;
  while (!self->owner.is_closed &&
         owner_has_room(&self->owner, &self->waiting, go_on)) {
    if (self->batch != NULL && self->next < self->batch->elements) {
      send_next(self);
      continue;
    }
    free_batch(self);
    ask(self);
    break;
  }
  self->is_running = false;
}

/* ---- What the broker answers ------------------------------------------------ */

/* XREVRANGE has the entries, XREAD those of each stream. */
static redisReply *entries_of(redisReply *reply, bool is_last) {
  if (!is_last) return stored_entries(reply);
  return reply->type == REDIS_REPLY_ARRAY ? reply : NULL;
}

/* Where "$" is; "last" begins with the entry itself. */
static void take_last(reader *self, const redisReply *entries) {
  bool is_empty = entries == NULL || entries->elements == 0;
  const redisReply *entry = is_empty ? NULL : entries->element[0];
  strcpy(self->position, "0-0");
  if (entry != NULL && entry->elements == 2 && entry->element[0]->str != NULL)
    snprintf(self->position, POSITION, "%s", entry->element[0]->str);
}

static bool answered(owner *of, redisReply *reply) {
  reader *self = (reader *)of;
  self->is_asking = false;
  if (reply->type == REDIS_REPLY_ERROR) {
    connection_take_error(&self->connection, reply);
    return false;
  }
  bool was_known = is_known(self);
  bool is_kept = was_known || strcmp(self->position, "last") == 0;
  redisReply *entries = entries_of(reply, !was_known);
  if (!was_known) take_last(self, entries);
  is_kept = is_kept && entries != NULL;
  if (is_kept) {
    self->reply = reply;
    self->batch = entries;
    self->next = 0;
  }
  run(self);
  return is_kept;
}

static void opened(owner *of) { run((reader *)of); }

static void lost(owner *of) { ((reader *)of)->is_asking = false; }

static const protocol protocol_of_reader = {opened, answered, NULL, lost};

/* ---- A subscription --------------------------------------------------------- */

static void begin(void *of) {
  reader *self = of;
  if (!atomic_load(&self->owner.is_over))
    connection_begin(&self->connection, self->of->redis, &self->owner,
                     &protocol_of_reader);
}

static void close_reader(owner *of) {
  reader *self = (reader *)of;
  drop(&self->waiting);
  connection_close(&self->connection);
}

static void free_reader(owner *of) {
  reader *self = (reader *)of;
  rac_release(self->waiting);
  connection_free(&self->connection);
  free_batch(self);
  senders_free(&self->senders);
  rac_release(self->shown);
  release_reading(self->of);
  free(self);
}

static rac_status subscribe(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  reading *of = context;
  reader *self = calloc(1, sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  owner_init(&self->owner, of->redis->scheduler, subscriber);
  self->owner.close = close_reader;
  self->owner.free = free_reader;
  atomic_fetch_add(&of->references, 1);
  self->of = of;
  self->connection.owner = &self->owner;
  memcpy(self->position, of->from, POSITION);
  self->shown = counts_counter(&of->redis->counts, of->stream, "position");
  return owner_begin(&self->owner, begin, out);
}

static bool is_position(const char *text) {
  return strcmp(text, "$") == 0 || strcmp(text, "last") == 0 ||
         stored_is_position(text);
}

rac_signal *rac_redis_read(rac_redis *redis, const char *stream,
                           const rac_redis_read_options *options) {
  static const char name[] = "rac_redis_read";
  rac_redis_read_options o = {0};
  const char *fault = NULL;
  if (redis == NULL)
    fault = "redis is NULL";
  else if (stream == NULL || *stream == 0)
    fault = "stream has no name";
  else if (!take_options(&o, sizeof o, options))
    fault = "options.size is none";
  else if (o.batch > 1 << 20)
    fault = "batch is more than 1,048,576";
  else if (o.from != NULL && !is_position(o.from))
    fault = "from is no position";
  if (fault != NULL) return refuse(name, fault);
  reading *of = calloc(1, sizeof *of);
  if (of == NULL) return refuse(name, "no memory");
  atomic_init(&of->references, 1);
  of->redis = redis_retain(redis);
  of->batch = o.batch == 0 ? BATCH : o.batch;
  of->positions = o.positions;
  of->ends = o.ends;
  snprintf(of->from, POSITION, "%s", o.from != NULL ? o.from : "$");
  of->stream = strdup(stream);
  if (of->stream == NULL) {
    release_reading(of);
    return refuse(name, "no memory");
  }
  rac_signal *made = rac_signal_create(of, subscribe, release_reading);
  return made != NULL ? made : refuse(name, rac_last_error_message());
}
