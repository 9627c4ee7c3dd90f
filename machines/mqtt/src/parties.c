/* The signals that share a link: they come, publish and go. */
#include <string.h>

#include "link_parts.h"

void link_enter(rac_mqtt *self) {
  mqtt_retain(self);
  self->inside++;
}

void link_leave(rac_mqtt *self) {
  if (--self->inside == 0) {
    party **place = &self->first;
    while (*place != NULL) {
      party *each = *place;
      if (each->is_leaving) {
        *place = each->next;
        each->is_attached = false;
        owner_release(&each->owner);
      } else
        place = &each->next;
    }
    if (self->first == NULL) link_shut(self);
  }
  rac_mqtt_release(self);
}

void link_subscribe(party *self) {
  if (self->filter == NULL) return;
  mosquitto_subscribe(self->mqtt->mosquitto, &self->subscribing, self->filter,
                      self->qos);
}

void link_attach(party *self) {
  rac_mqtt *mqtt = self->mqtt;
  link_enter(mqtt);
  owner_retain(&self->owner);
  self->is_attached = true;
  self->has_wildcards =
      self->filter != NULL && strpbrk(self->filter, "+#") != NULL;
  self->next = mqtt->first;
  mqtt->first = self;
  if (mqtt->state == OPEN) {
    link_subscribe(self);
    if (self->role->opened != NULL) self->role->opened(self);
  } else if (mqtt->state == IDLE) {
    mqtt->out_since = link_now(mqtt);
    link_connect(mqtt);
  }
  link_leave(mqtt);
  link_flush(mqtt);
}

/* A session goes on at the broker. */
static void unsubscribe(party *self) {
  rac_mqtt *mqtt = self->mqtt;
  if (self->filter == NULL || mqtt->state != OPEN || mqtt->session) return;
  FOR_EACH(each, mqtt) {
    if (each->filter != NULL && strcmp(each->filter, self->filter) == 0) return;
  }
  mosquitto_unsubscribe(mqtt->mosquitto, NULL, self->filter);
}

void link_forget_messages(party *self) {
  for (int i = 0; self->outstanding > 0 && i < 65536; i++) {
    if (self->mqtt->publishers[i] != self) continue;
    self->mqtt->publishers[i] = NULL;
    self->outstanding--;
    if (self->qos > 0) self->mqtt->unacknowledged--;
  }
}

void link_detach(party *self) {
  if (!self->is_attached || self->is_leaving) return;
  link_enter(self->mqtt);
  self->is_leaving = true;
  unsubscribe(self);
  link_forget_messages(self);
  link_leave(self->mqtt);
  link_flush(self->mqtt);
}

void link_fail(rac_mqtt *self, int64_t code, const char *message) {
  link_enter(self);
  FOR_EACH(each, self) { owner_fail(&each->owner, mqtt_error(code, message)); }
  link_leave(self);
}

rac_status link_publish(party *self, const char *topic, const void *payload,
                        size_t length, bool is_retained) {
  rac_mqtt *mqtt = self->mqtt;
  if (length > 268435455) return RAC_ERANGE;
  if (mqtt->unacknowledged == 0) mqtt->since = link_now(mqtt);
  int number = 0;
  int status = mosquitto_publish(mqtt->mosquitto, &number, topic, (int)length,
                                 payload, self->qos, is_retained);
  if (status == MOSQ_ERR_NOMEM) return RAC_ENOMEM;
  if (status == MOSQ_ERR_PAYLOAD_SIZE || status == MOSQ_ERR_OVERSIZE_PACKET)
    return RAC_ERANGE;
  mqtt_count(mqtt, SENT, 1);
  if (status != MOSQ_ERR_SUCCESS && self->qos == 0) {
    mqtt_count(mqtt, LOST, 1);
  } else {
    mqtt->publishers[number & 0xffff] = self;
    self->outstanding++;
    if (self->qos > 0) mqtt->unacknowledged++;
  }
  /* Held packets have to be read now; a lost connection is noticed there, too. */
  if (self->qos > 0) link_has_room(mqtt);
  return RAC_OK;
}
