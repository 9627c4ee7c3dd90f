/* The topics of a filter as a signal.
 *
 *     broker --message--> backlog --hold?--> subscriber
 *
 * The backlog is empty unless there is no room below. */
#include <stdio.h>

#include "link.h"
#include "payload.h"

enum { BACKLOG = 1024 };

/* The parts of a listening signal. */
typedef struct listening {
  atomic_int references;
  rac_mqtt *mqtt;
  char *filter;
  form form;
  int qos;
  size_t backlog;
  bool topics;
} listening;

typedef struct listener {
  party party;
  listening *of;
  rac_value *backlog; /* a ring; NULL while there was always room */
  size_t head, count;
  bool is_running;
  rac_disposable *waiting; /* for room */
} listener;

static void release_listening(void *context) {
  listening *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_mqtt_release(self->mqtt);
  free(self->filter);
  free(self->form.field);
  free(self);
}

/* ---- Sending -------------------------------------------------------------- */

static rac_value take_first(listener *self) {
  rac_value value = self->backlog[self->head];
  self->head = (self->head + 1) % self->of->backlog;
  self->count--;
  return value;
}

static void run(void *of) {
  listener *self = of;
  owner *owner = &self->party.owner;
  if (self->is_running) return;
  self->is_running = true;
  while (!owner->is_closed && self->count > 0 &&
         owner_has_room(owner, &self->waiting, run)) {
    rac_value value = take_first(self);
    rac_subscriber_send(owner->subscriber, value);
    rac_value_release(value);
  }
  self->is_running = false;
  if (self->count == 0 && !owner->is_closed) link_has_room(self->of->mqtt);
}

/* Sends it, or keeps it until there is room. */
static rac_status pass_on(listener *self, rac_value value) {
  owner *owner = &self->party.owner;
  if (self->count == 0 && owner_has_room(owner, &self->waiting, run))
    return rac_subscriber_send(owner->subscriber, value);
  if (owner->is_closed || atomic_load(&owner->is_over)) return RAC_EDONE;
  if (self->backlog == NULL)
    self->backlog = calloc(self->of->backlog, sizeof *self->backlog);
  if (self->backlog == NULL || self->count == self->of->backlog) {
    mqtt_count(self->of->mqtt, DROPPED, 1);
    return RAC_OK;
  }
  rac_value kept = rac_value_retain(value);
  if (kept.kind == RAC_NIL && value.kind != RAC_NIL)
    return rac_last_error_code();
  self->backlog[(self->head + self->count++) % self->of->backlog] = kept;
  return RAC_OK;
}

static rac_status pass_on_with_topic(listener *self, rac_value value,
                                     const struct mosquitto_message *message) {
  rac_value parts[] = {value, rac_value_string(message->topic),
                       rac_bool(message->retain)};
  rac_value tuple = rac_value_tuple(parts, 3);
  if (tuple.kind == RAC_NIL) return rac_last_error_code();
  rac_status status = pass_on(self, tuple);
  rac_value_release(tuple);
  return status;
}

static rac_status send_on(listener *self, rac_value value,
                          const struct mosquitto_message *message) {
  return self->of->topics ? pass_on_with_topic(self, value, message)
                          : pass_on(self, value);
}

static void heard(party *of, const struct mosquitto_message *message) {
  listener *self = (listener *)of;
  rac_value value;
  if (of->owner.is_closed) return;
  rac_status status = form_decode(&self->of->form, message->payload,
                                  (size_t)message->payloadlen, &value);
  if (status == RAC_OK) status = send_on(self, value, message);
  /* A text of a stranger may be none. */
  if (status < 0 && status != RAC_EDONE) {
    rac_value error = form_unreadable(self->of->mqtt, message->topic, status);
    send_on(self, error, message);
    rac_value_release(error);
  }
  rac_value_release(value);
}

static bool has_room(party *of) {
  listener *self = (listener *)of;
  return of->owner.is_closed || atomic_load(&of->owner.is_over) ||
         (self->count == 0 && owner_has_room(&of->owner, &self->waiting, run));
}

static const role listener_role = {.heard = heard, .has_room = has_room};

/* ---- A subscription --------------------------------------------------------- */

static void begin(void *of) {
  party *self = of;
  if (!atomic_load(&self->owner.is_over)) link_attach(self);
}

static void close_listener(owner *of) {
  listener *self = (listener *)of;
  drop(&self->waiting);
  link_detach(&self->party);
  link_has_room(self->of->mqtt);
}

static void free_listener(owner *of) {
  listener *self = (listener *)of;
  rac_release(self->waiting);
  while (self->count > 0) rac_value_release(take_first(self));
  free(self->backlog);
  release_listening(self->of);
  free(self);
}

static rac_status subscribe(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  listening *of = context;
  listener *self = calloc(1, sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  owner_init(&self->party.owner, of->mqtt->scheduler, subscriber);
  self->party.owner.close = close_listener;
  self->party.owner.free = free_listener;
  self->party.mqtt = of->mqtt;
  self->party.role = &listener_role;
  self->party.filter = of->filter;
  self->party.qos = of->qos;
  atomic_fetch_add(&of->references, 1);
  self->of = of;
  return owner_begin(&self->party.owner, begin, out);
}

rac_signal *rac_mqtt_subscribe(rac_mqtt *mqtt, const char *filter,
                               const rac_mqtt_subscribe_options *options) {
  static const char name[] = "rac_mqtt_subscribe";
  rac_mqtt_subscribe_options o = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  const char *fault = NULL;
  if (mqtt == NULL)
    fault = "mqtt is NULL";
  else if (filter == NULL || *filter == 0 ||
           mosquitto_sub_topic_check(filter) != MOSQ_ERR_SUCCESS)
    fault = "filter is none: \"+\" is a whole level, \"#\" the last one";
  else if (!take_options(&o, sizeof o, options))
    fault = "options.size is none";
  else if (o.backlog > 1 << 20)
    fault = "backlog is more than 1,048,576";
  else
    fault = form_fault(mqtt, o.qos, o.format, o.field);
  if (fault != NULL) return refuse(name, fault);
  listening *of = calloc(1, sizeof *of);
  if (of == NULL) return refuse(name, "no memory");
  atomic_init(&of->references, 1);
  of->mqtt = mqtt_retain(mqtt);
  of->qos = o.qos;
  of->form.format = o.format;
  of->backlog = o.backlog == 0 ? BACKLOG : o.backlog;
  of->topics = o.topics;
  if (!copy_text(filter, &of->filter) || !copy_text(o.field, &of->form.field)) {
    release_listening(of);
    return refuse(name, "no memory");
  }
  rac_signal *made = rac_signal_create(of, subscribe, release_listening);
  return made != NULL ? made : refuse(name, rac_last_error_message());
}
