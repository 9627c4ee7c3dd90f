#include "mqtt.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As rac_mqtt_stats calls them. */
static const char *const count_names[COUNTS] = {
    "sent",     "acknowledged", "lost",        "refused",
    "unechoed", "received",     "unreadable",  "unheard",
    "dropped",  "lowered",      "connections", "losses"};
_Static_assert(offsetof(rac_mqtt_stats, trouble) ==
                   offsetof(rac_mqtt_stats, sent) + COUNTS * sizeof(uint64_t),
               "its numbers lie side by side");

const char *rac_mqtt_last_message(void) { return last_refusal(); }

rac_value mqtt_error(int64_t code, const char *message) {
  return rac_value_error(RAC_MQTT_ERROR_DOMAIN, code, message);
}

static bool is_topic(const char *text) {
  return *text != 0 && mosquitto_pub_topic_check(text) == MOSQ_ERR_SUCCESS;
}

static bool can_be_read(const char *file) {
  return file == NULL || access(file, R_OK) == 0;
}

/* Why these options cannot be; NULL if they can. */
static const char *fault_of(const rac_mqtt_options *o) {
  if (o->port < 0 || o->port > 65535) return "port is none";
  if (o->keep_alive != 0 && (o->keep_alive < 5 || o->keep_alive > 65535))
    return "keep_alive is not from 5 to 65535";
  if (!(o->patience >= 0) || o->patience > 1e9) return "patience is no time";
  if (!(o->give_up_after >= 0)) return "give_up_after is no time";
  if (o->host != NULL && o->socket != NULL) return "a host and a socket";
  if (o->host != NULL && *o->host == 0) return "host is empty";
  if (o->user == NULL && o->password != NULL) return "a password and no user";
  if (o->client != NULL && (*o->client == 0 || strlen(o->client) > 200))
    return "the client's name is empty or longer than 200";
  if (o->session && o->client == NULL) return "a session and no client's name";
  if ((o->certificate == NULL) != (o->key == NULL))
    return "a certificate and a key belong together";
  if (o->certificate != NULL && !o->tls) return "a certificate and no tls";
  if (o->authorities != NULL && !o->tls) return "authorities and no tls";
  if (!can_be_read(o->authorities) || !can_be_read(o->certificate) ||
      !can_be_read(o->key))
    return "a file of certificates or keys that cannot be read";
  if (o->will_topic != NULL && !is_topic(o->will_topic))
    return "will_topic is none";
  if (o->will_qos < 0 || o->will_qos > 2) return "will_qos is none";
  if (o->will_length > 268435455 || (o->will == NULL && o->will_length > 0))
    return "will is none";
  return NULL;
}

static void initialise(void) { mosquitto_lib_init(); }

static bool copy_all(rac_mqtt *self, const rac_mqtt_options *o) {
  char chance[40];
  snprintf(chance, sizeof chance, "rac-%016llx",
           (unsigned long long)random_bits());
  const char *host = o->socket != NULL ? o->socket
                     : o->host != NULL ? o->host
                                       : "127.0.0.1";
  if (o->will_length > 0) {
    self->will = malloc(o->will_length);
    if (self->will == NULL) return false;
    memcpy(self->will, o->will, o->will_length);
  }
  return copy_text(host, &self->host) && copy_text(o->user, &self->user) &&
         copy_text(o->password, &self->password) &&
         copy_text(o->client != NULL ? o->client : chance, &self->client) &&
         copy_text(o->authorities, &self->authorities) &&
         copy_text(o->certificate, &self->certificate) &&
         copy_text(o->key, &self->key) &&
         copy_text(o->will_topic, &self->will_topic);
}

rac_mqtt *rac_mqtt_create(const rac_mqtt_options *options) {
  static const char name[] = "rac_mqtt_create";
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  rac_mqtt_options o = {0};
  if (options == NULL) return refuse(name, "options is NULL");
  if (!take_options(&o, sizeof o, options))
    return refuse(name, "options.size is none");
  pthread_once(&once, initialise);
  const char *fault = fault_of(&o);
  if (fault == NULL && o.scheduler != NULL && !can_wait(o.scheduler))
    fault = "a scheduler on which nobody can wait for descriptors";
  if (fault != NULL) return refuse(name, fault);
  rac_mqtt *self = calloc(1, sizeof *self);
  if (self == NULL) return refuse(name, "no memory");
  atomic_init(&self->references, 1);
  self->tls = o.tls;
  self->session = o.session;
  /* libmosquitto takes the host for a path when there is no port. */
  self->port = o.socket != NULL ? 0
               : o.port != 0    ? o.port
               : o.tls          ? 8883
                                : 1883;
  self->keep_alive = o.keep_alive == 0 ? 60 : o.keep_alive;
  self->patience = o.patience == 0 ? 5 : o.patience;
  self->give_up_after = o.give_up_after;
  self->will_length = (int)o.will_length;
  self->will_qos = o.will_qos;
  self->will_retained = o.will_retained;
  self->scheduler = o.scheduler != NULL
                        ? rac_retain(o.scheduler)
                        : rac_scheduler_background(0, "rac_mqtt");
  self->publishers = calloc(65536, sizeof(party *));
  if (self->scheduler != NULL && self->publishers != NULL &&
      copy_all(self, &o) &&
      counts_init(&self->counts, "mqtt", self->host, self->port, count_names,
                  COUNTS))
    return self;
  rac_mqtt_release(self);
  return refuse(name, "no memory, or no thread");
}

rac_mqtt *mqtt_retain(rac_mqtt *self) {
  atomic_fetch_add(&self->references, 1);
  return self;
}

void rac_mqtt_release(rac_mqtt *self) {
  if (self == NULL || atomic_fetch_sub(&self->references, 1) != 1) return;
  if (self->mosquitto != NULL) mosquitto_destroy(self->mosquitto);
  rac_release(self->scheduler);
  counts_free(&self->counts);
  free(self->publishers);
  free(self->host);
  free(self->user);
  free(self->password);
  free(self->client);
  free(self->authorities);
  free(self->certificate);
  free(self->key);
  free(self->will_topic);
  free(self->will);
  free(self);
}

rac_status rac_mqtt_get_stats(rac_mqtt *self, rac_mqtt_stats *stats) {
  if (self == NULL || stats == NULL) return RAC_ENULL;
  size_t size = stats->size;
  rac_mqtt_stats all = {.size = size};
  if (size <= sizeof size || size > sizeof all) return RAC_EINVAL;
  uint64_t numbers[COUNTS];
  counts_read(&self->counts, numbers, all.trouble);
  memcpy((char *)&all + offsetof(rac_mqtt_stats, sent), numbers,
         sizeof numbers);
  memcpy(stats, &all, size);
  return RAC_OK;
}
