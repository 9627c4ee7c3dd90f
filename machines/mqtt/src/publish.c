/* A signal into a topic: an intake, whose window are the messages that the
 * broker has yet to acknowledge. libmosquitto keeps them, and publishes them
 * again in a new connection. */
#include <stdio.h>

#include "intake.h"
#include "link.h"
#include "payload.h"

enum { WINDOW = 256, WINDOW_MOST = 10000 };

/* The parts of a publishing signal. */
typedef struct publication {
  atomic_int references;
  rac_mqtt *mqtt;
  rac_signal *source;
  rac_bound *bound;
  char *topic;
  form form;
  int qos;
  size_t window;
  bool retained;
} publication;

typedef struct publisher {
  party party;
  publication *of;
  intake intake;
  buffer payload; /* of the value that is being published */
  bool has_ended, is_finished;
  rac_value error; /* of the source's end */
} publisher;

static void release_publication(void *context) {
  publication *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_mqtt_release(self->mqtt);
  rac_release(self->source);
  release_bound(self->bound);
  free(self->topic);
  free(self->form.field);
  free(self);
}

/* ---- What the source sends ------------------------------------------------ */

static void on_next(void *of, rac_value value) {
  publisher *self = of;
  publication *signal = self->of;
  owner *owner = &self->party.owner;
  if (self->is_finished || owner->is_closed) return;
  self->payload.length = 0;
  rac_status status = form_encode(&signal->form, &self->payload, value);
  if (status == RAC_OK)
    status = link_publish(&self->party, signal->topic, self->payload.bytes,
                          self->payload.length, signal->retained);
  if (status == RAC_OK) return;
  if (status == RAC_ENOMEM) {
    self->is_finished = true;
    owner_fail(owner,
               mqtt_error(RAC_MQTT_NO_MEMORY, "no memory for a message"));
    return;
  }
  rac_value error = form_no_value(signal->mqtt, value, status);
  rac_subscriber_send(owner->subscriber, error);
  rac_value_release(error);
}

static void end_with(publisher *self, rac_value error) {
  if (self->is_finished || self->party.owner.is_closed) return;
  self->has_ended = true;
  self->error = rac_value_retain(error);
}
static void on_error(void *of, rac_value error) { end_with(of, error); }
static void on_completed(void *of) { end_with(of, (rac_value){0}); }

/* ---- The window ----------------------------------------------------------- */

static size_t room(owner *of) {
  const publisher *self = (publisher *)of;
  if (self->of->mqtt->state != OPEN || !self->party.is_attached) return 0;
  size_t outstanding = self->party.outstanding;
  return outstanding < self->of->window ? self->of->window - outstanding : 0;
}

static void taken_in(owner *of) {
  publisher *self = (publisher *)of;
  link_flush(self->of->mqtt);
  if (!self->has_ended || self->is_finished || self->party.outstanding > 0)
    return;
  self->is_finished = true;
  if (self->error.kind == RAC_ERROR)
    rac_subscriber_send_error(of->subscriber, self->error);
  else
    rac_subscriber_send_completed(of->subscriber);
}

static void pump(party *of) { intake_pump(&((publisher *)of)->intake); }

static const role publisher_role = {.opened = pump, .settled = pump};

/* ---- A subscription ------------------------------------------------------- */

static void begin(void *of) {
  party *self = of;
  if (!atomic_load(&self->owner.is_over)) link_attach(self);
}

static void close_publisher(owner *of) {
  publisher *self = (publisher *)of;
  link_detach(&self->party);
  intake_close(&self->intake);
}

static void free_publisher(owner *of) {
  publisher *self = (publisher *)of;
  intake_close(&self->intake);
  buffer_free(&self->payload);
  rac_value_release(self->error);
  release_publication(self->of);
  free(self);
}

static rac_status subscribe(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  publication *of = context;
  publisher *self = calloc(1, sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  owner_init(&self->party.owner, of->mqtt->scheduler, subscriber);
  self->party.owner.close = close_publisher;
  self->party.owner.free = free_publisher;
  self->party.mqtt = of->mqtt;
  self->party.role = &publisher_role;
  self->party.qos = of->qos;
  atomic_fetch_add(&of->references, 1);
  self->of = of;
  self->intake.owner = &self->party.owner;
  self->intake.room = room;
  self->intake.settled = taken_in;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = on_next;
  observer.error = on_error;
  observer.completed = on_completed;
  rac_status status = owner_begin(&self->party.owner, begin, out);
  rac_disposable *hearing =
      intake_begin(&self->intake, of->source, of->bound, of->window, &observer);
  if (hearing == NULL && status == RAC_OK) status = rac_last_error_code();
  if (hearing != NULL) rac_subscriber_add_disposable(subscriber, hearing);
  rac_release(hearing);
  return status;
}

rac_signal *rac_mqtt_publish(rac_mqtt *mqtt, rac_signal *source,
                             const char *topic,
                             const rac_mqtt_publish_options *options) {
  static const char name[] = "rac_mqtt_publish";
  rac_mqtt_publish_options o = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  const char *fault = NULL;
  if (mqtt == NULL)
    fault = "mqtt is NULL";
  else if (source == NULL)
    fault = "source is NULL";
  else if (topic == NULL || *topic == 0 ||
           mosquitto_pub_topic_check(topic) != MOSQ_ERR_SUCCESS)
    fault = "topic is none: it has no \"+\" and no \"#\"";
  else if (!take_options(&o, sizeof o, options))
    fault = "options.size is none";
  else if (o.window > WINDOW_MOST)
    fault = "window is more than 10,000";
  else
    fault = form_fault(mqtt, o.qos, o.format, o.field);
  if (fault != NULL) return refuse(name, fault);
  publication *of = calloc(1, sizeof *of);
  if (of == NULL) return refuse(name, "no memory");
  atomic_init(&of->references, 1);
  of->mqtt = mqtt_retain(mqtt);
  of->qos = o.qos;
  of->form.format = o.format;
  of->window = o.window == 0 ? WINDOW : o.window;
  of->retained = o.retained;
  of->source = rac_retain(source);
  of->bound = retain_bound(o.bound);
  if (of->source == NULL || (o.bound != NULL && of->bound == NULL))
    fault = rac_last_error_message();
  else if (!copy_text(topic, &of->topic) ||
           !copy_text(o.field, &of->form.field))
    fault = "no memory";
  if (fault != NULL) {
    refuse(name, fault);
    release_publication(of);
    return NULL;
  }
  rac_signal *made = rac_signal_create(of, subscribe, release_publication);
  return made != NULL ? made : refuse(name, rac_last_error_message());
}
