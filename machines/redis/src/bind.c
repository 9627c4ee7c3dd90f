/* A property and a key that stay equal.
 *
 * The broker's order decides: of two entries the later one counts for everybody.
 * A set made here is compared by the position that the broker answers, so an
 * entry of another that was stored before ours is left out, and one that was
 * stored behind it is taken. While the answer is not there nothing is taken.
 *
 *     property --change--> telling --XADD--> key
 *     property <--set-- listening <--XREAD-- key
 */
#include <stdio.h>

#include "changes.h"
#include "connection.h"
#include "stored.h"

typedef struct binding {
  atomic_int references;
  rac_redis *redis;
  rac_property *property; /* a handle, not a reference */
  char *key;
} binding;

typedef struct place {
  uint64_t time, number;
} place;

typedef struct binder {
  owner owner;
  connection listening, telling;
  binding *of;
  changes changes;
  char position[POSITION]; /* of the latest entry that was heard; "": none */
  place agreed_at;         /* of what both sides agree on */
  bool has_heard;          /* an entry that may be newer */
  place heard_at;
  rac_value heard;
} binder;

static void release_binding(void *context) {
  binding *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_redis_release(self->redis);
  free(self->key);
  free(self);
}

static place place_of(const char *position) {
  place result = {0};
  char *rest = NULL;
  result.time = strtoull(position, &rest, 10);
  if (*rest == '-') result.number = strtoull(rest + 1, NULL, 10);
  return result;
}

static bool is_behind(place one, place other) {
  if (one.time != other.time) return one.time > other.time;
  return one.number > other.number;
}

/* ---- From the key to the property ------------------------------------------- */

/* Takes what was heard, if it is newer than what is told. */
static void take_heard(binder *self) {
  if (!self->has_heard || !changes_are_idle(&self->changes)) return;
  self->has_heard = false;
  if (!is_behind(self->heard_at, self->agreed_at)) return;
  self->agreed_at = self->heard_at;
  changes_agree(&self->changes, self->heard);
}

static void hear(binder *self, const redisReply *entry) {
  const redisReply *position, *fields;
  cbor_item kind;
  rac_value value;
  if (!stored_parts(entry, &position, &fields)) return;
  snprintf(self->position, POSITION, "%s", position->str);
  rac_status status = stored_value(fields, &kind, &value);
  if (status != RAC_OK || kind == CBOR_END)
    redis_count(self->of->redis, UNREADABLE, 1);
  else {
    redis_count(self->of->redis, RECEIVED, 1);
    self->has_heard = true;
    self->heard_at = place_of(position->str);
    rac_value_release(self->heard);
    self->heard = value;
    return;
  }
  rac_value_release(value);
}

/* ---- From the property to the key --------------------------------------------- */

static bool is_open(const owner *of) {
  return ((const binder *)of)->telling.state == OPEN;
}

static void tell(owner *of, rac_value value) {
  binder *self = (binder *)of;
  buffer bytes = {0};
  rac_status status = cbor_encode(&bytes, value);
  if (status == RAC_OK) {
    const char *words[] = {"XADD", self->of->key, "MAXLEN",           "1",
                           "*",    "v",           (char *)bytes.bytes};
    size_t lengths[] = {4, strlen(self->of->key), 6, 1, 1, 1, bytes.length};
    changes_told(&self->changes);
    redis_count(self->of->redis, SENT, 1);
    connection_send(&self->telling, 7, words, lengths);
  } else
    redis_count(self->of->redis, REFUSED, 1);
  buffer_free(&bytes);
}

/* ---- What the broker answers ------------------------------------------------------ */

static void ask(binder *self) {
  char pause[24];
  double seconds = self->of->redis->patience / 2;
  snprintf(pause, sizeof pause, "%.0f", 1 + (seconds > 2 ? 2 : seconds) * 1000);
  const char *last[] = {"XREVRANGE", self->of->key, "+", "-", "COUNT", "1"};
  const char *read[] = {"XREAD",   "BLOCK",       pause,
                        "STREAMS", self->of->key, self->position};
  if (self->position[0] == 0)
    connection_send(&self->listening, 6, last, NULL);
  else
    connection_send(&self->listening, 6, read, NULL);
}

static void opened_listening(owner *of) { ask((binder *)of); }

static bool answered_listening(owner *of, redisReply *reply) {
  binder *self = (binder *)of;
  if (reply->type == REDIS_REPLY_ERROR) {
    connection_take_error(&self->listening, reply);
    return false;
  }
  bool is_first = self->position[0] == 0;
  const redisReply *entries = is_first ? reply : stored_entries(reply);
  if (is_first) strcpy(self->position, "0-0");
  for (size_t i = 0; entries != NULL && i < entries->elements; i++)
    hear(self, entries->element[i]);
  take_heard(self);
  /* After the first look at the key. */
  if (is_first) changes_watch(&self->changes);
  ask(self);
  return false;
}

static void opened_telling(owner *of) {
  changes_tell(&((binder *)of)->changes);
}

static bool answered_telling(owner *of, redisReply *reply) {
  binder *self = (binder *)of;
  if (reply->type == REDIS_REPLY_ERROR) {
    connection_take_error(&self->telling, reply);
    return false;
  }
  redis_count(self->of->redis, ACKNOWLEDGED, 1);
  if (reply->str != NULL) self->agreed_at = place_of(reply->str);
  changes_answered(&self->changes);
  take_heard(self);
  return false;
}

static void lost_listening(owner *of) { (void)of; }

static void lost_telling(owner *of) { changes_lost(&((binder *)of)->changes); }

static const protocol protocol_of_listening = {
    opened_listening, answered_listening, NULL, lost_listening};
static const protocol protocol_of_telling_property = {
    opened_telling, answered_telling, NULL, lost_telling};

/* ---- A subscription ---------------------------------------------------------------- */

static void begin(void *of) {
  binder *self = of;
  if (atomic_load(&self->owner.is_over)) return;
  connection_begin(&self->telling, self->of->redis, &self->owner,
                   &protocol_of_telling_property);
  connection_begin(&self->listening, self->of->redis, &self->owner,
                   &protocol_of_listening);
}

static void close_binder(owner *of) {
  binder *self = (binder *)of;
  changes_close(&self->changes);
  connection_close(&self->listening);
  connection_close(&self->telling);
}

static void free_binder(owner *of) {
  binder *self = (binder *)of;
  changes_free(&self->changes);
  connection_free(&self->listening);
  connection_free(&self->telling);
  rac_value_release(self->heard);
  release_binding(self->of);
  free(self);
}

static rac_status subscribe(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  binding *of = context;
  binder *self = calloc(1, sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  owner_init(&self->owner, of->redis->scheduler, subscriber);
  self->owner.close = close_binder;
  self->owner.free = free_binder;
  atomic_fetch_add(&of->references, 1);
  self->of = of;
  self->listening.owner = self->telling.owner = &self->owner;
  self->changes.owner = &self->owner;
  self->changes.property = of->property;
  self->changes.is_open = is_open;
  self->changes.tell = tell;
  return owner_begin(&self->owner, begin, out);
}

rac_signal *rac_redis_bind(rac_redis *redis, rac_property *property,
                           const char *key) {
  static const char name[] = "rac_redis_bind";
  if (redis == NULL) return refuse(name, "redis is NULL");
  if (key == NULL || *key == 0) return refuse(name, "key has no name");
  if (rac_property_as_signal(property) == NULL)
    return refuse(name, rac_last_error_message());
  binding *of = calloc(1, sizeof *of);
  if (of == NULL) return refuse(name, "no memory");
  atomic_init(&of->references, 1);
  of->redis = redis_retain(redis);
  of->property = property;
  of->key = strdup(key);
  if (of->key == NULL) {
    release_binding(of);
    return refuse(name, "no memory");
  }
  rac_signal *made = rac_signal_create(of, subscribe, release_binding);
  return made != NULL ? made : refuse(name, rac_last_error_message());
}
