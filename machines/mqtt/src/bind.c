/* A property and a retained message that stay equal.
 *
 * The broker passes what is published to a topic on to all in one order, also to
 * those who published it. So a set made here counts when it comes back: what
 * comes before that is older, and left out; what comes behind it is newer, and
 * taken. One set is on its way at a time.
 *
 *     property --change--> publish --> topic
 *     property <--set-- heard <--------'
 */
#include <stdio.h>

#include "changes.h"
#include "link.h"
#include "payload.h"

/* Seconds after a subscription in which a retained message comes, if there is
 * one: the broker does not say that there is none. */
static const double first_look = 0.25;

typedef struct binding {
  atomic_int references;
  rac_mqtt *mqtt;
  rac_property *property; /* a handle, not a reference */
  char *topic;
  form form;
  int qos;
} binding;

typedef struct binder {
  party party;
  binding *of;
  changes changes;
  rac_disposable *looking;
  buffer payload; /* of the set that is on its way */
  double set_at;
} binder;

static void release_binding(void *context) {
  binding *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_mqtt_release(self->mqtt);
  free(self->topic);
  free(self->form.field);
  free(self);
}

/* ---- From the property to the topic ---------------------------------------- */

static bool is_open(const owner *of) {
  return ((const binder *)of)->of->mqtt->state == OPEN;
}

static void tell(owner *of, rac_value value) {
  binder *self = (binder *)of;
  self->payload.length = 0;
  rac_status status = form_encode(&self->of->form, &self->payload, value);
  if (status == RAC_OK)
    status = link_publish(&self->party, self->of->topic, self->payload.bytes,
                          self->payload.length, true);
  if (status != RAC_OK) {
    mqtt_count(self->of->mqtt, REFUSED, 1);
    return;
  }
  self->set_at = link_now(self->of->mqtt);
  changes_told(&self->changes);
  link_flush(self->of->mqtt);
}

/* ---- From the topic to the property ------------------------------------------ */

static void heard(party *of, const struct mosquitto_message *message) {
  binder *self = (binder *)of;
  rac_value value;
  if (of->owner.is_closed) return;
  size_t length = (size_t)message->payloadlen;
  if (self->changes.is_on_its_way) {
    bool is_it = length == self->payload.length &&
                 (length == 0 ||
                  memcmp(message->payload, self->payload.bytes, length) == 0);
    if (is_it && !message->retain) changes_answered(&self->changes);
    return;
  }
  if (self->changes.has_pending) return;
  rac_status status =
      form_decode(&self->of->form, message->payload, length, &value);
  if (status != RAC_OK)
    mqtt_count(self->of->mqtt, UNREADABLE, 1);
  else {
    changes_agree(&self->changes, value);
    changes_watch(&self->changes);
  }
  rac_value_release(value);
}

static void end_look(void *of) {
  binder *self = of;
  if (!self->party.owner.is_closed) changes_watch(&self->changes);
}

static void subscribed(party *of) {
  binder *self = (binder *)of;
  if (self->changes.watching != NULL || self->looking != NULL) return;
  self->looking =
      rac_schedule_after(self->of->mqtt->scheduler, first_look,
                         owner_retain(&of->owner), end_look, owner_release);
}

static void opened(party *of) { changes_tell(&((binder *)of)->changes); }

static void lost(party *of) { changes_lost(&((binder *)of)->changes); }

static void looked(party *of) {
  binder *self = (binder *)of;
  rac_mqtt *mqtt = self->of->mqtt;
  if (!self->changes.is_on_its_way ||
      link_now(mqtt) - self->set_at < mqtt->patience)
    return;
  mqtt_count(mqtt, UNECHOED, 1);
  changes_answered(&self->changes);
}

static const role binder_role = {.opened = opened,
                                 .lost = lost,
                                 .subscribed = subscribed,
                                 .heard = heard,
                                 .looked = looked};

/* ---- A subscription ---------------------------------------------------------------- */

static void begin(void *of) {
  party *self = of;
  if (!atomic_load(&self->owner.is_over)) link_attach(self);
}

static void close_binder(owner *of) {
  binder *self = (binder *)of;
  changes_close(&self->changes);
  drop(&self->looking);
  link_detach(&self->party);
}

static void free_binder(owner *of) {
  binder *self = (binder *)of;
  changes_free(&self->changes);
  rac_release(self->looking);
  buffer_free(&self->payload);
  release_binding(self->of);
  free(self);
}

static rac_status subscribe(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  binding *of = context;
  binder *self = calloc(1, sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  owner_init(&self->party.owner, of->mqtt->scheduler, subscriber);
  self->party.owner.close = close_binder;
  self->party.owner.free = free_binder;
  self->changes.owner = &self->party.owner;
  self->changes.property = of->property;
  self->changes.is_open = is_open;
  self->changes.tell = tell;
  self->party.mqtt = of->mqtt;
  self->party.role = &binder_role;
  self->party.filter = of->topic;
  self->party.qos = of->qos;
  atomic_fetch_add(&of->references, 1);
  self->of = of;
  return owner_begin(&self->party.owner, begin, out);
}

rac_signal *rac_mqtt_bind(rac_mqtt *mqtt, rac_property *property,
                          const char *topic,
                          const rac_mqtt_bind_options *options) {
  static const char name[] = "rac_mqtt_bind";
  rac_mqtt_bind_options o = RAC_MQTT_BIND_OPTIONS_INIT;
  const char *fault = NULL;
  if (mqtt == NULL)
    fault = "mqtt is NULL";
  else if (topic == NULL || *topic == 0 ||
           mosquitto_pub_topic_check(topic) != MOSQ_ERR_SUCCESS)
    fault = "topic is none: it has no \"+\" and no \"#\"";
  else if (!take_options(&o, sizeof o, options))
    fault = "options.size is none";
  else
    fault = form_fault(mqtt, o.qos, o.format, o.field);
  if (fault != NULL) return refuse(name, fault);
  if (rac_property_as_signal(property) == NULL)
    return refuse(name, rac_last_error_message());
  binding *of = calloc(1, sizeof *of);
  if (of == NULL) return refuse(name, "no memory");
  atomic_init(&of->references, 1);
  of->mqtt = mqtt_retain(mqtt);
  of->property = property;
  of->qos = o.qos;
  of->form.format = o.format;
  if (!copy_text(topic, &of->topic) || !copy_text(o.field, &of->form.field)) {
    release_binding(of);
    return refuse(name, "no memory");
  }
  rac_signal *made = rac_signal_create(of, subscribe, release_binding);
  return made != NULL ? made : refuse(name, rac_last_error_message());
}
