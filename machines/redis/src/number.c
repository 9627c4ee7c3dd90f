/* The last number that a sender has stored. */
#include <stdio.h>

#include "connection.h"
#include "entry.h"

typedef struct question {
  atomic_int references;
  rac_redis *redis;
  char *hash;
} question;

typedef struct asker {
  owner owner;
  connection connection;
  question *of;
} asker;

static void release_question(void *context) {
  question *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_redis_release(self->redis);
  free(self->hash);
  free(self);
}

static void opened(owner *of) {
  asker *self = (asker *)of;
  const char *get[] = {"HGET", self->of->hash, self->of->redis->sender};
  connection_send(&self->connection, 3, get, NULL);
}

static bool answered(owner *of, redisReply *reply) {
  asker *self = (asker *)of;
  int64_t number = 0;
  if (reply->type == REDIS_REPLY_ERROR) {
    connection_take_error(&self->connection, reply);
    return false;
  }
  if (reply->type == REDIS_REPLY_STRING) number = strtoll(reply->str, NULL, 10);
  rac_subscriber_send(of->subscriber, rac_int64(number));
  rac_subscriber_send_completed(of->subscriber);
  return false;
}

static void lost(owner *of) { (void)of; }

static const protocol asking = {opened, answered, NULL, lost};

static void begin(void *of) {
  asker *self = of;
  if (!atomic_load(&self->owner.is_over))
    connection_begin(&self->connection, self->of->redis, &self->owner, &asking);
}

static void close_asker(owner *of) {
  connection_close(&((asker *)of)->connection);
}

static void free_asker(owner *of) {
  connection_free(&((asker *)of)->connection);
  release_question(((asker *)of)->of);
  free(of);
}

static rac_status subscribe(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  question *of = context;
  asker *self = calloc(1, sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  owner_init(&self->owner, of->redis->scheduler, subscriber);
  self->owner.close = close_asker;
  self->owner.free = free_asker;
  atomic_fetch_add(&of->references, 1);
  self->of = of;
  self->connection.owner = &self->owner;
  return owner_begin(&self->owner, begin, out);
}

rac_signal *rac_redis_last_number(rac_redis *redis, const char *stream) {
  static const char name[] = "rac_redis_last_number";
  if (redis == NULL) return refuse(name, "redis is NULL");
  if (stream == NULL || *stream == 0) return refuse(name, "stream has no name");
  if (redis->sender == NULL) return refuse(name, "no options.sender");
  question *of = calloc(1, sizeof *of);
  if (of == NULL) return refuse(name, "no memory");
  atomic_init(&of->references, 1);
  of->redis = redis_retain(redis);
  of->hash = entry_hash_of(stream);
  if (of->hash == NULL) {
    release_question(of);
    return refuse(name, "no memory");
  }
  rac_signal *made = rac_signal_create(of, subscribe, release_question);
  return made != NULL ? made : refuse(name, rac_last_error_message());
}
