#include "redis.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* As rac_redis_stats calls them. */
static const char *const count_names[COUNTS] = {
    "sent",     "resent",  "acknowledged", "refused",    "forgotten",
    "received", "doubles", "gaps",         "unreadable", "handled",
    "failed",   "dead",    "connections",  "losses",     "undurable"};
_Static_assert(offsetof(rac_redis_stats, trouble) ==
                   offsetof(rac_redis_stats, sent) + COUNTS * sizeof(uint64_t),
               "its numbers lie side by side");

const char *rac_redis_last_message(void) { return last_refusal(); }

rac_value redis_error(int64_t code, const char *message) {
  return rac_value_error(RAC_REDIS_ERROR_DOMAIN, code, message);
}

/* Why these options cannot be; NULL if they can. */
static const char *fault_of(const rac_redis_options *o) {
  if (o->port < 0 || o->port > 65535) return "port is none";
  if (o->database < 0) return "database is negative";
  if (!(o->patience >= 0) || o->patience > 1e9) return "patience is no time";
  if (!(o->give_up_after >= 0)) return "give_up_after is no time";
  if (o->host != NULL && o->socket != NULL) return "a host and a socket";
  if (o->socket != NULL && o->tls) return "a socket and tls";
  if ((o->certificate == NULL) != (o->key == NULL))
    return "a certificate and a key belong together";
  if (!o->tls && (o->certificate != NULL || o->authorities != NULL))
    return "certificates and no tls";
  if (o->user != NULL && o->password == NULL) return "a user and no password";
  if (o->sender != NULL && strlen(o->sender) - 1 >= 200)
    return "the sender's name is empty or longer than 200";
  return NULL;
}

rac_redis *rac_redis_create(const rac_redis_options *options) {
  static const char name[] = "rac_redis_create";
  rac_redis_options o = {0};
  if (options == NULL) return refuse(name, "options is NULL");
  if (!take_options(&o, sizeof o, options))
    return refuse(name, "options.size is none");
  const char *fault = fault_of(&o);
  if (fault == NULL && o.scheduler != NULL && !can_wait(o.scheduler))
    fault = "a scheduler on which nobody can wait for descriptors";
  tls_settings *tls = NULL;
  if (fault == NULL && o.tls)
    tls = tls_settings_create(o.authorities, o.certificate, o.key, &fault);
  if (fault != NULL) return refuse(name, fault);
  rac_redis *self = calloc(1, sizeof *self);
  if (self == NULL) {
    tls_settings_free(tls);
    return refuse(name, "no memory");
  }
  self->tls = tls;
  atomic_init(&self->references, 1);
  self->port = o.port == 0 ? 6379 : o.port;
  self->database = o.database;
  self->patience = o.patience == 0 ? 5 : o.patience;
  self->give_up_after = o.give_up_after;
  self->scheduler = o.scheduler != NULL
                        ? rac_retain(o.scheduler)
                        : rac_scheduler_background(0, "rac_redis");
  bool is_whole =
      self->scheduler != NULL &&
      copy_text(o.host != NULL ? o.host : "127.0.0.1", &self->host) &&
      copy_text(o.socket, &self->socket) && copy_text(o.user, &self->user) &&
      copy_text(o.password, &self->password) &&
      copy_text(o.sender, &self->sender) &&
      counts_init(&self->counts, "redis",
                  self->socket != NULL ? self->socket : self->host,
                  self->socket != NULL ? 0 : self->port, count_names, COUNTS);
  if (is_whole) return self;
  rac_redis_release(self);
  return refuse(name, "no memory, or no thread");
}

rac_redis *redis_retain(rac_redis *self) {
  atomic_fetch_add(&self->references, 1);
  return self;
}

void rac_redis_release(rac_redis *self) {
  if (self == NULL || atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_release(self->scheduler);
  tls_settings_free(self->tls);
  counts_free(&self->counts);
  free(self->host);
  free(self->socket);
  free(self->user);
  free(self->password);
  free(self->sender);
  free(self);
}

rac_status rac_redis_get_stats(rac_redis *self, rac_redis_stats *stats) {
  if (self == NULL || stats == NULL) return RAC_ENULL;
  size_t size = stats->size;
  rac_redis_stats all = {.size = size};
  if (size <= sizeof size || size > sizeof all) return RAC_EINVAL;
  uint64_t numbers[COUNTS];
  counts_read(&self->counts, numbers, all.trouble);
  memcpy((char *)&all + offsetof(rac_redis_stats, sent), numbers,
         sizeof numbers);
  memcpy(stats, &all, size);
  return RAC_OK;
}
