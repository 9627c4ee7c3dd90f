/* A stream that is shared among the workers of a group, as a signal. */
#include <stdio.h>

#include "worker.h"

static void release_working(void *context) {
  working *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  if (self->destroy != NULL) self->destroy(self->context);
  rac_redis_release(self->redis);
  free(self->stream);
  free(self->group);
  free(self->consumer);
  free(self->dead);
  free(self->errors);
  free(self);
}

/* ---- A subscription --------------------------------------------------------- */

/* Three times in the time after which others take what is worked on here. */
static void tick(void *of) {
  worker *self = of;
  if (self->owner.is_closed) return;
  self->is_claim_due = true;
  worker_beat(self);
  worker_run(self);
}

static void begin(void *of) {
  worker *self = of;
  if (atomic_load(&self->owner.is_over)) return;
  double third = self->of->claim_after / 3;
  self->ticking = rac_schedule_repeating(
      self->of->redis->scheduler, third, third, third / 4,
      owner_retain(&self->owner), tick, owner_release);
  connection_begin(&self->telling, self->of->redis, &self->owner,
                   &protocol_of_telling);
  if (!self->owner.is_closed)
    connection_begin(&self->pulling, self->of->redis, &self->owner,
                     &protocol_of_pulling);
}

static void close_worker(owner *of) {
  worker *self = (worker *)of;
  drop(&self->waiting);
  drop(&self->ticking);
  connection_close(&self->pulling);
  connection_close(&self->telling);
  worker_forget_told(self);
  items_end(self);
}

static void free_worker(owner *of) {
  worker *self = (worker *)of;
  rac_release(self->waiting);
  rac_release(self->ticking);
  connection_free(&self->pulling);
  connection_free(&self->telling);
  worker_free_batch(self);
  buffer_free(&self->command);
  rac_release(self->lag);
  release_working(self->of);
  free(self);
}

static rac_status subscribe(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  working *of = context;
  worker *self = calloc(1, sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  owner_init(&self->owner, of->redis->scheduler, subscriber);
  self->owner.close = close_worker;
  self->owner.free = free_worker;
  atomic_fetch_add(&of->references, 1);
  self->of = of;
  self->pulling.owner = self->telling.owner = &self->owner;
  return owner_begin(&self->owner, begin, out);
}

/* ---- The signal ---------------------------------------------------------------- */

static char *join(const char *first, const char *second, const char *third) {
  size_t length = strlen(first) + strlen(second) + strlen(third) + 1;
  char *text = malloc(length);
  if (text != NULL) snprintf(text, length, "%s%s%s", first, second, third);
  return text;
}

static const char *fault_of(rac_redis *redis, const char *stream,
                            const char *group, rac_signal_fn handle,
                            const rac_redis_work_options *o) {
  if (redis == NULL) return "redis is NULL";
  if (stream == NULL || *stream == 0) return "stream has no name";
  if (group == NULL || *group == 0) return "group has no name";
  if (handle == NULL) return "handle is NULL";
  if (o->in_flight > IN_FLIGHT_MOST) return "in_flight is more than 4,096";
  if (!(o->claim_after >= 0) || o->claim_after > 1e9)
    return "claim_after is no time";
  if (o->from != NULL && strcmp(o->from, "$") != 0 &&
      !stored_is_position(o->from))
    return "from is no position";
  if (o->consumer != NULL && *o->consumer == 0) return "consumer has no name";
  if (o->dead != NULL && *o->dead == 0) return "dead has no name";
  return NULL;
}

static bool fill(working *self, const char *stream, const char *group,
                 const rac_redis_work_options *o) {
  char chance[24];
  snprintf(chance, sizeof chance, "%016llx", (unsigned long long)random_bits());
  const char *name = o->consumer != NULL           ? o->consumer
                     : self->redis->sender != NULL ? self->redis->sender
                                                   : chance;
  /* In the same slot of a cluster. */
  bool has_tag = strchr(stream, '{') != NULL;
  char *tag = has_tag ? join(stream, ":", "") : join("{", stream, "}:");
  self->in_flight = o->in_flight == 0 ? IN_FLIGHT : o->in_flight;
  self->attempts = o->attempts == 0 ? ATTEMPTS : o->attempts;
  self->claim_after = o->claim_after == 0 ? 30 : o->claim_after;
  snprintf(self->from, POSITION, "%s", o->from != NULL ? o->from : "0");
  self->stream = strdup(stream);
  self->group = strdup(group);
  self->consumer = strdup(name);
  self->dead = o->dead != NULL ? strdup(o->dead) : join(stream, ":dead", "");
  self->errors = tag == NULL ? NULL : join(tag, group, ":errors");
  free(tag);
  return self->stream != NULL && self->group != NULL &&
         self->consumer != NULL && self->dead != NULL && self->errors != NULL;
}

rac_signal *rac_redis_work(rac_redis *redis, const char *stream,
                           const char *group,
                           const rac_redis_work_options *options, void *context,
                           rac_signal_fn handle, rac_destroy_fn destroy) {
  static const char name[] = "rac_redis_work";
  rac_redis_work_options o = {0};
  const char *fault = take_options(&o, sizeof o, options)
                          ? fault_of(redis, stream, group, handle, &o)
                          : "options.size is none";
  working *of = fault == NULL ? calloc(1, sizeof *of) : NULL;
  if (of == NULL) {
    if (destroy != NULL) destroy(context);
    return refuse(name, fault != NULL ? fault : "no memory");
  }
  atomic_init(&of->references, 1);
  of->redis = redis_retain(redis);
  of->context = context;
  of->handle = handle;
  of->destroy = destroy;
  if (!fill(of, stream, group, &o)) {
    release_working(of);
    return refuse(name, "no memory");
  }
  rac_signal *made = rac_signal_create(of, subscribe, release_working);
  return made != NULL ? made : refuse(name, rac_last_error_message());
}
