/* A mosquitto of a test's own, in a folder that goes with it. */
#ifndef RAC_MQTT_BROKER_H
#define RAC_MQTT_BROKER_H

#include <rac_mqtt.h>

#include "flow.h"

typedef struct broker {
  char folder[64];
  int port;
  int process;
  bool keeps;   /* writes what it has to a file at each change, which is slow */
  bool has_tls; /* with folder/ca.pem; port speaks TLS alone */
  const char *settings; /* more lines of its configuration */
} broker;

void broker_start(broker *self);
/* The same data; waits until it answers. */
void broker_start_again(broker *self);
/* SIGKILL. */
void broker_kill(broker *self);
void broker_pause(broker *self);
void broker_go_on(broker *self);
/* Kills it and removes the folder. */
void broker_remove(broker *self);

#define with_broker __attribute__((cleanup(broker_remove))) broker

/* Publishes by a program of Mosquitto's own. */
void broker_say(broker *self, const char *topic, const char *text,
                bool is_retained);

/* A rac_mqtt of it, with a patience of a second; `client` may be NULL: no
 * session then. */
rac_mqtt *mqtt_of(broker *self, const char *client);
static inline void release_mqtt(rac_mqtt **mqtt) { rac_mqtt_release(*mqtt); }
#define of_mqtt __attribute__((cleanup(release_mqtt))) rac_mqtt

rac_mqtt_stats stats_of(rac_mqtt *mqtt);

/* What comes of a filter, written down as it comes. */
rac_signal *hear(rac_mqtt *mqtt, const char *filter, int format);
/* Publishes `source` and waits; the status of its end. */
rac_status publish_all(rac_mqtt *mqtt, rac_signal *source, const char *topic,
                       const rac_mqtt_publish_options *options);
/* Waits until a subscription of this client is there, which was just made. */
void await_subscription(rac_mqtt *mqtt, const char *topic);

#endif
