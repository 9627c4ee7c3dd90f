/* The connection that the signals of a client share.
 *
 *     IDLE -> CONNECTING -> OPEN -> RESTING -> CONNECTING ...
 *
 * It is open while a party is attached. libmosquitto reads and writes, when the
 * scheduler says that it can; it has no thread here. The pause of a rest doubles
 * from 50 ms to 2 s, and begins anew after a welcome. */
#ifndef RAC_MQTT_LINK_H
#define RAC_MQTT_LINK_H

#include "mqtt.h"
#include "owner.h"

/* A party's answers to the events of the connection. All may be NULL. */
typedef struct role {
  void (*opened)(party *self);
  void (*lost)(party *self);
  /* A subscription of it is there. */
  void (*subscribed)(party *self);
  /* Without a filter it hears nothing. */
  void (*heard)(party *self, const struct mosquitto_message *message);
  /* Whether it has room for what comes; else link_has_room() is called later. */
  bool (*has_room)(party *self);
  /* Nothing more is to be had for now: the time for what was put off. */
  void (*settled)(party *self);
  /* Some time has passed. */
  void (*looked)(party *self);
} role;

/* A subscription of ours: one that hears, one that publishes, or both. */
struct party {
  owner owner;
  rac_mqtt *mqtt; /* kept by what owner.free lets go of */
  const role *role;
  party *next;
  bool is_attached, is_leaving, has_news, has_wildcards;
  const char *filter; /* NULL: it hears nothing */
  int qos;
  int subscribing;    /* the number of its SUBSCRIBE, until that is answered */
  size_t outstanding; /* messages that were published and not acknowledged */
};

/* On the scheduler, as all of these. Opens the connection if it is the first. */
void link_attach(party *self);
/* The connection keeps nothing of it any more, and is closed after the last. */
void link_detach(party *self);

/* Publishes: RAC_OK, also for what is to be published again; RAC_ERANGE for too
 * large a payload; RAC_ENOMEM. */
rac_status link_publish(party *self, const char *topic, const void *payload,
                        size_t length, bool is_retained);

/* Somebody has room again. */
void link_has_room(rac_mqtt *self);
/* Writes what was put in line, unless that is done further up the stack. */
void link_flush(rac_mqtt *self);

/* The seconds of the scheduler's clock. */
static inline double link_now(const rac_mqtt *self) {
  return rac_scheduler_now(self->scheduler);
}

#endif
