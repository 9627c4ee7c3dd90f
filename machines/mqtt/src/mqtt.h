/* A client as its signals see it: where its broker is, and what is counted. */
#ifndef RAC_MQTT_MQTT_H
#define RAC_MQTT_MQTT_H

#include <mosquitto.h>
#include <rac_mqtt.h>
#include <stdatomic.h>

#include "arguments.h"
#include "counts.h"

/* The counts, in the order of rac_mqtt_stats. */
typedef enum count {
  SENT,
  ACKNOWLEDGED,
  LOST,
  REFUSED,
  UNECHOED,
  RECEIVED,
  UNREADABLE,
  UNHEARD,
  DROPPED,
  LOWERED,
  CONNECTIONS,
  LOSSES,
  COUNTS
} count;

typedef struct party party;

typedef enum link_state { IDLE, CONNECTING, OPEN, RESTING } link_state;

struct rac_mqtt {
  atomic_int references;
  char *host, *user, *password, *client;
  char *authorities, *certificate, *key;
  char *will_topic, *will;
  int will_length, will_qos;
  bool will_retained, tls, session;
  int port, keep_alive;
  double patience, give_up_after;
  rac_scheduler *scheduler;
  counts counts;
  /* The connection, on the scheduler: link.c. */
  link_state state;
  struct mosquitto *mosquitto;
  rac_disposable *reading, *writing, *watch, *rest;
  party *first;       /* who is attached */
  party **publishers; /* by the number of a message */
  int inside;         /* calls that go through the parties */
  int answer;         /* the broker's to a login: 0 for welcome */
  bool has_answered, is_held;
  bool is_crowded;       /* somebody who has heard something has no room */
  size_t unacknowledged; /* messages with QoS 1 and 2 */
  double since;          /* when something came, or was first waited for */
  double out_since;      /* when there was no connection any more */
  double pause;
};

rac_mqtt *mqtt_retain(rac_mqtt *self);

static inline void mqtt_count(rac_mqtt *self, count which, uint64_t more) {
  counts_add(&self->counts, which, more);
}

/* An error of our domain, owned. */
rac_value mqtt_error(int64_t code, const char *message);

#endif
