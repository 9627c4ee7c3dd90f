/* A signal into a stream: an intake, whose window is the outbox.
 *
 *     source -> intake -> outbox -> connection -> broker
 *                  ^        |
 *                  '--------'--- acknowledged
 */
#include <stdio.h>

#include "cbor.h"
#include "connection.h"
#include "entry.h"
#include "intake.h"
#include "outbox.h"

/* Bytes in the window above which there is no room either; and how many values
 * of a unique sender one call of the script stores: few enough for several in a
 * window, so that one is on its way while the broker stores another. */
enum { WINDOW = 256, MOST_BYTES = 4 << 20, BATCH = 64 };

/* The parts of a publishing signal. */
typedef struct publication {
  atomic_int references;
  rac_redis *redis;
  rac_signal *source;
  rac_bound *bound;
  char *stream, *hash;
  size_t window;
  uint64_t keep;
  bool unique, ends, durable;
} publication;

typedef struct publisher {
  owner owner;
  connection connection;
  publication *of;
  intake intake;
  entry_form form;
  outbox outbox;
  buffer value, head; /* of the entry, and of the batch, that is being added */
  char sender[224];
  char digest[48];
  uint64_t number; /* of the last entry that was added */
  uint64_t tried;  /* of the last that was written to a lost connection */
  int checks;      /* answers that come before those to entries */
  bool is_asking;  /* how durable the broker is, the first answer of all */
  bool is_numbered, has_ended, is_finished;
  rac_value error; /* of the source's end */
  rac_counter *position;
} publisher;

static void release_publication(void *context) {
  publication *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_redis_release(self->redis);
  rac_release(self->source);
  release_bound(self->bound);
  free(self->stream);
  free(self->hash);
  free(self);
}

static const char no_memory[] = "no memory for an entry";

/* ---- Its end ------------------------------------------------------------ */

static void fail(publisher *self, int64_t code, const char *message) {
  if (self->is_finished) return;
  self->is_finished = true;
  owner_fail(&self->owner, redis_error(code, message));
}

static void end_if_done(publisher *self) {
  if (!self->has_ended || self->is_finished || self->outbox.count > 0) return;
  self->is_finished = true;
  if (self->error.kind == RAC_ERROR)
    rac_subscriber_send_error(self->owner.subscriber, self->error);
  else
    rac_subscriber_send_completed(self->owner.subscriber);
}

/* ---- What the source sends ----------------------------------------------- */

/* Numbers what is in `value`, and puts it into the outbox. */
static void add(publisher *self) {
  buffer *out = outbox_open(&self->outbox);
  size_t before = out->length;
  bool is_there = self->of->unique ? entry_add_value(out, &self->value)
                                   : entry_add(out, &self->form,
                                               self->number + 1, &self->value);
  if (is_there && outbox_added(&self->outbox, before)) {
    self->number++;
    return;
  }
  out->length = before;
  fail(self, RAC_REDIS_NO_MEMORY, no_memory);
}

static void on_next(void *of, rac_value value) {
  publisher *self = of;
  if (self->is_finished || self->owner.is_closed) return;
  self->value.length = 0;
  rac_status status = cbor_encode(&self->value, value);
  if (status == RAC_OK) {
    add(self);
    return;
  }
  redis_count(self->of->redis, REFUSED, 1);
  char text[120];
  snprintf(text, sizeof text, "%s cannot travel: %s", kind_name(value),
           rac_status_name(status));
  rac_value error = redis_error(RAC_REDIS_NO_VALUE, text);
  rac_subscriber_send(self->owner.subscriber, error);
  rac_value_release(error);
}

static void end_with(publisher *self, rac_value error) {
  if (self->is_finished || self->owner.is_closed) return;
  self->has_ended = true;
  self->error = rac_value_retain(error);
  if (!self->of->ends) return;
  self->value.length = 0;
  if (cbor_encode_end(&self->value, error) != RAC_OK) {
    /* Its underlying value cannot travel. */
    rac_value bare =
        rac_value_error(rac_error_get_domain(error), rac_error_get_code(error),
                        rac_error_get_message(error));
    if (cbor_encode_end(&self->value, bare) != RAC_OK) self->value.length = 0;
    rac_value_release(bare);
  }
  if (self->value.length > 0) add(self);
}

static void on_error(void *of, rac_value error) { end_with(of, error); }
static void on_completed(void *of) { end_with(of, (rac_value){0}); }

/* ---- The window --------------------------------------------------------- */

static size_t room(owner *of) {
  const publisher *self = (publisher *)of;
  if (self->of->unique && !self->is_numbered) return 0;
  if (self->outbox.count >= self->of->window) return 0;
  if (outbox_size(&self->outbox) >= MOST_BYTES) return 0;
  return self->of->window - self->outbox.count;
}

/* The number of the last value that was written to this connection. */
static uint64_t last_written(const publisher *self) {
  return self->number - (self->outbox.count - self->outbox.written);
}

/* Puts one batch of those that were not written into the connection. */
static void write_some(publisher *self) {
  const void *bytes;
  size_t length, most = self->of->unique ? BATCH : SIZE_MAX;
  uint64_t first = last_written(self) + 1;
  size_t count = outbox_take(&self->outbox, most, &bytes, &length), again = 0;
  size_t commands = self->of->unique ? 1 : count;
  if (self->tried >= first) again = (size_t)(self->tried - first + 1);
  if (again > count) again = count;
  if (self->of->unique) {
    self->head.length = 0;
    if (!entry_add_batch(&self->head, &self->form, first, self->tried, count)) {
      fail(self, RAC_REDIS_NO_MEMORY, no_memory);
      return;
    }
    connection_add(&self->connection, self->head.bytes, self->head.length, 0);
  }
  redis_count(self->of->redis, RESENT, again);
  redis_count(self->of->redis, SENT, count - again);
  connection_add(&self->connection, bytes, length, commands);
}

static bool may_write(const publisher *self) {
  return self->connection.state == OPEN && self->checks == 0 &&
         !self->is_finished && !(self->is_asking && self->of->durable) &&
         self->outbox.written < self->outbox.count;
}

static void write_out(publisher *self) {
  if (!may_write(self)) return;
  while (may_write(self)) write_some(self);
  connection_flush(&self->connection);
}

static void taken_in(owner *of) {
  publisher *self = (publisher *)of;
  write_out(self);
  end_if_done(self);
}

/* ---- What the broker answers ---------------------------------------------- */

static const char *setting(const redisReply *reply, const char *name) {
  for (size_t i = 0; i + 1 < reply->elements; i += 2) {
    const redisReply *value = reply->element[i + 1];
    if (reply->element[i]->str != NULL && value->str != NULL &&
        strcmp(reply->element[i]->str, name) == 0)
      return value->str;
  }
  return "";
}

/* A broker may forbid the question. */
static void take_durability(publisher *self, const redisReply *reply) {
  bool is_told = reply->type == REDIS_REPLY_ARRAY;
  self->is_asking = false;
  if (is_told && strcmp(setting(reply, "appendonly"), "yes") == 0 &&
      strcmp(setting(reply, "appendfsync"), "always") == 0)
    return;
  if (is_told) redis_count(self->of->redis, UNDURABLE, 1);
  if (self->of->durable)
    fail(self, RAC_REDIS_NOT_DURABLE,
         is_told ? "the broker may forget what it has acknowledged"
                 : "the broker does not say whether it syncs each write");
}

static void opened(owner *of) {
  publisher *self = (publisher *)of;
  const char *ask[] = {"CONFIG", "GET", "append*"};
  self->is_asking = true;
  connection_send(&self->connection, 3, ask, NULL);
  if (!self->of->unique) {
    write_out(self);
    return;
  }
  const char *load[] = {"SCRIPT", "LOAD", entry_script};
  const char *get[] = {"HGET", self->of->hash, self->sender};
  self->checks = 2;
  connection_send(&self->connection, 3, load, NULL);
  connection_send(&self->connection, 3, get, NULL);
}

/* The last number that the broker has of this sender. */
static void take_number(publisher *self, uint64_t last) {
  uint64_t stored = self->number - self->outbox.count;
  if (!self->is_numbered) {
    self->number = last;
    self->is_numbered = true;
    if (!entry_form_unique(&self->form, self->digest, self->of->stream,
                           self->of->hash, self->sender, self->of->keep))
      fail(self, RAC_REDIS_NO_MEMORY, no_memory);
  } else if (last < stored) {
    /* It has lost acknowledged ones: the next is the next all the same. */
    char text[24];
    redis_count(self->of->redis, FORGOTTEN, stored - last);
    snprintf(text, sizeof text, "%llu", (unsigned long long)stored);
    const char *set[] = {"HSET", self->of->hash, self->sender, text};
    self->checks++;
    connection_send(&self->connection, 4, set, NULL);
  }
}

static void take_check(publisher *self, const redisReply *reply) {
  self->checks--;
  if (reply->type == REDIS_REPLY_STRING && reply->len == 40 &&
      self->checks == 1)
    memcpy(self->digest, reply->str, 41);
  else if (reply->type == REDIS_REPLY_STRING)
    take_number(self, strtoull(reply->str, NULL, 10));
  else if (reply->type == REDIS_REPLY_NIL)
    take_number(self, 0);
}

/* All values up to this number are stored. */
static void take_stored(publisher *self, uint64_t last) {
  uint64_t before = self->number - self->outbox.count, count = 0;
  for (; before + count < last && self->outbox.written > 0; count++)
    outbox_answered(&self->outbox);
  redis_count(self->of->redis, ACKNOWLEDGED, count);
}

/* The position of an entry, or the last number of a batch. */
static void take_answer(publisher *self, const redisReply *reply) {
  take_stored(self, reply->type == REDIS_REPLY_INTEGER
                        ? (uint64_t)reply->integer
                        : self->number - self->outbox.count + 1);
}

static bool begins(const char *text, const char *word) {
  return strncmp(text, word, strlen(word)) == 0;
}

static void take_fault(publisher *self, const redisReply *reply) {
  const char *text = reply->str;
  bool is_part = begins(text, "PART ");
  if (is_part) take_stored(self, strtoull(text + 5, NULL, 10));
  /* Somebody has removed the script or the hash: look again. And what is behind
   * a part may say by itself why it is refused. */
  if (is_part || begins(text, "NOSCRIPT") || begins(text, "GAP"))
    connection_lose(&self->connection, text);
  else if (begins(text, "TAKEN"))
    fail(self, RAC_REDIS_SENDER_TAKEN,
         "another producer stores under this sender's name");
  else
    connection_take_error(&self->connection, reply);
}

static bool answered(owner *of, redisReply *reply) {
  publisher *self = (publisher *)of;
  if (self->is_finished) return false;
  if (self->is_asking)
    take_durability(self, reply);
  else if (reply->type == REDIS_REPLY_ERROR)
    take_fault(self, reply);
  else if (self->checks > 0)
    take_check(self, reply);
  else
    take_answer(self, reply);
  return false;
}

static void settled(owner *of) {
  publisher *self = (publisher *)of;
  rac_counter_set(self->position, (int64_t)(self->number - self->outbox.count));
  intake_pump(&self->intake);
}

static void lost(owner *of) {
  publisher *self = (publisher *)of;
  if (self->outbox.written > 0 && last_written(self) > self->tried)
    self->tried = last_written(self);
  outbox_rewind(&self->outbox);
  self->checks = 0;
  self->is_asking = false;
}

static const protocol publishing = {opened, answered, settled, lost};

/* ---- A subscription ------------------------------------------------------- */

static void begin(void *of) {
  publisher *self = of;
  if (!atomic_load(&self->owner.is_over))
    connection_begin(&self->connection, self->of->redis, &self->owner,
                     &publishing);
}

static void close_publisher(owner *of) {
  publisher *self = (publisher *)of;
  connection_close(&self->connection);
  intake_close(&self->intake);
}

static void free_publisher(owner *of) {
  publisher *self = (publisher *)of;
  connection_free(&self->connection);
  intake_close(&self->intake);
  entry_form_free(&self->form);
  outbox_free(&self->outbox);
  buffer_free(&self->value);
  buffer_free(&self->head);
  rac_value_release(self->error);
  rac_release(self->position);
  release_publication(self->of);
  free(self);
}

/* The name of the sender: with `unique` the given one; else a new one for each
 * subscription, since its numbers begin anew. */
static void name_sender(publisher *self) {
  const char *name = self->of->redis->sender;
  if (self->of->unique)
    snprintf(self->sender, sizeof self->sender, "%s", name);
  else
    snprintf(self->sender, sizeof self->sender, "%.200s%s%016llx",
             name != NULL ? name : "", name != NULL ? "-" : "",
             (unsigned long long)random_bits());
}

static rac_status subscribe(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  publication *of = context;
  publisher *self = calloc(1, sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  owner_init(&self->owner, of->redis->scheduler, subscriber);
  self->owner.close = close_publisher;
  self->owner.free = free_publisher;
  atomic_fetch_add(&of->references, 1);
  self->of = of;
  self->connection.owner = &self->owner;
  name_sender(self);
  if (!of->unique &&
      !entry_form_plain(&self->form, of->stream, self->sender, of->keep)) {
    owner_release(&self->owner);
    return RAC_ENOMEM;
  }
  self->position = counts_counter(&of->redis->counts, of->stream, "stored");
  self->intake.owner = &self->owner;
  self->intake.room = room;
  self->intake.settled = taken_in;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = on_next;
  observer.error = on_error;
  observer.completed = on_completed;
  rac_status status = owner_begin(&self->owner, begin, out);
  rac_disposable *hearing =
      intake_begin(&self->intake, of->source, of->bound, of->window, &observer);
  if (hearing == NULL && status == RAC_OK) status = rac_last_error_code();
  if (hearing != NULL) rac_subscriber_add_disposable(subscriber, hearing);
  rac_release(hearing);
  return status;
}

rac_signal *rac_redis_publish(rac_redis *redis, rac_signal *source,
                              const char *stream,
                              const rac_redis_publish_options *options) {
  static const char name[] = "rac_redis_publish";
  rac_redis_publish_options o = {0};
  const char *fault = NULL;
  if (redis == NULL)
    fault = "redis is NULL";
  else if (source == NULL)
    fault = "source is NULL";
  else if (stream == NULL || *stream == 0)
    fault = "stream has no name";
  else if (!take_options(&o, sizeof o, options))
    fault = "options.size is none";
  else if (o.window > 1 << 20)
    fault = "window is more than 1,048,576";
  else if (o.unique && redis->sender == NULL)
    fault = "unique needs options.sender";
  if (fault != NULL) return refuse(name, fault);
  publication *of = calloc(1, sizeof *of);
  if (of == NULL) return refuse(name, "no memory");
  atomic_init(&of->references, 1);
  of->redis = redis_retain(redis);
  of->window = o.window == 0 ? WINDOW : o.window;
  of->keep = o.keep;
  of->unique = o.unique;
  of->ends = o.ends;
  of->durable = o.durable;
  of->source = rac_retain(source);
  of->stream = strdup(stream);
  of->hash = entry_hash_of(stream);
  of->bound = retain_bound(o.bound);
  if (of->source == NULL || (o.bound != NULL && of->bound == NULL))
    fault = rac_last_error_message();
  else if (of->stream == NULL || of->hash == NULL)
    fault = "no memory";
  if (fault != NULL) {
    refuse(name, fault);
    release_publication(of);
    return NULL;
  }
  rac_signal *made = rac_signal_create(of, subscribe, release_publication);
  return made != NULL ? made : refuse(name, rac_last_error_message());
}
