/* The client of libmosquitto: how it is made, and what it tells. */
#include <stdio.h>
#include <string.h>

#include "link_parts.h"

static void on_connect(struct mosquitto *mosquitto, void *of, int answer) {
  rac_mqtt *self = of;
  (void)mosquitto;
  self->has_answered = true;
  self->answer = answer;
}

static bool is_for(const party *self, const char *topic) {
  bool matches = false;
  if (self->filter == NULL) return false;
  if (!self->has_wildcards) return strcmp(self->filter, topic) == 0;
  mosquitto_topic_matches_sub(self->filter, topic, &matches);
  return matches;
}

static void on_message(struct mosquitto *mosquitto, void *of,
                       const struct mosquitto_message *message) {
  rac_mqtt *self = of;
  bool is_heard = false;
  (void)mosquitto;
  link_enter(self);
  mqtt_count(self, RECEIVED, 1);
  FOR_EACH(each, self) {
    if (each->role->heard == NULL || !is_for(each, message->topic)) continue;
    is_heard = true;
    each->role->heard(each, message);
    if (each->role->has_room != NULL && !each->role->has_room(each))
      self->is_crowded = true;
  }
  if (!is_heard) mqtt_count(self, UNHEARD, 1);
  link_leave(self);
}

static void on_publish(struct mosquitto *mosquitto, void *of, int number) {
  rac_mqtt *self = of;
  party *publisher = self->publishers[number & 0xffff];
  (void)mosquitto;
  if (publisher == NULL) return;
  self->publishers[number & 0xffff] = NULL;
  publisher->outstanding--;
  if (publisher->qos > 0) self->unacknowledged--;
  publisher->has_news = true;
  mqtt_count(self, ACKNOWLEDGED, 1);
}

static void on_subscribe(struct mosquitto *mosquitto, void *of, int number,
                         int count, const int *granted) {
  rac_mqtt *self = of;
  char text[220];
  (void)mosquitto;
  link_enter(self);
  FOR_EACH(each, self) {
    if (each->subscribing != number) continue;
    each->subscribing = 0;
    if (count < 1 || granted[0] > 2) {
      snprintf(text, sizeof text, "the broker refuses a subscription to %.150s",
               each->filter);
      owner_fail(&each->owner, mqtt_error(RAC_MQTT_REFUSED, text));
      continue;
    }
    if (granted[0] < each->qos) mqtt_count(self, LOWERED, 1);
    if (each->role->subscribed != NULL) each->role->subscribed(each);
  }
  link_leave(self);
}

struct mosquitto *link_make_client(rac_mqtt *self, int *status) {
  struct mosquitto *made = mosquitto_new(self->client, !self->session, self);
  *status = MOSQ_ERR_NOMEM;
  if (made == NULL) return NULL;
  *status = MOSQ_ERR_SUCCESS;
  if (self->user != NULL)
    *status = mosquitto_username_pw_set(made, self->user, self->password);
  if (*status == MOSQ_ERR_SUCCESS && self->will_topic != NULL)
    *status =
        mosquitto_will_set(made, self->will_topic, self->will_length,
                           self->will, self->will_qos, self->will_retained);
  if (*status == MOSQ_ERR_SUCCESS && self->tls && self->authorities == NULL)
    *status = mosquitto_int_option(made, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
  if (*status == MOSQ_ERR_SUCCESS && self->tls &&
      (self->authorities != NULL || self->certificate != NULL))
    *status = mosquitto_tls_set(made, self->authorities, NULL,
                                self->certificate, self->key, NULL);
  mosquitto_int_option(made, MOSQ_OPT_TCP_NODELAY, 1);
  /* Its output is put in line, and written when its loop does: else it
   * acknowledges a message before it hands it over, and drops one of QoS 2 when
   * the acknowledgement cannot be written. */
  mosquitto_threaded_set(made, true);
  mosquitto_connect_callback_set(made, on_connect);
  mosquitto_message_callback_set(made, on_message);
  mosquitto_publish_callback_set(made, on_publish);
  mosquitto_subscribe_callback_set(made, on_subscribe);
  if (*status == MOSQ_ERR_SUCCESS) return made;
  mosquitto_destroy(made);
  return NULL;
}
