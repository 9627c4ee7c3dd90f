/* librac-mqtt: signals over MQTT 3.1.1.
 *
 * A topic is a hot signal: rac_mqtt_subscribe() sends what comes while somebody
 * listens, rac_mqtt_publish() sends the values of a signal to a topic, and
 * rac_mqtt_bind() keeps a property equal to a retained message. docs/Machines.md
 * has the guarantees, and what a broker drops without a word.
 *
 *     rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
 *     rac_mqtt *mqtt = rac_mqtt_create(&options);
 *     rac_signal *readings = rac_mqtt_subscribe(mqtt, "house/+/heat", NULL);
 *     rac_signal *published = rac_mqtt_publish(mqtt, medians, "median", NULL);
 *
 * Ownership and failures are as in rac.h: a signal is given with one reference,
 * arguments are borrowed. A function that gives NULL leaves its reason in
 * rac_mqtt_last_message(). Any thread may call any function.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_MQTT_H
#define RAC_MQTT_H

#include <rac.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RAC_MQTT_API __attribute__((visibility("default")))

/* ---- A broker ----------------------------------------------------------- */

/* A client of a broker. Its signals share one connection, which is open while
 * one of them is subscribed to, and is opened anew when it is lost. */
typedef struct rac_mqtt rac_mqtt;

/* All zero but `size` is a broker on this machine. Texts are copied. */
typedef struct rac_mqtt_options {
  size_t size;          /* sizeof the struct */
  const char *host;     /* NULL: "127.0.0.1" */
  const char *socket;   /* the path of a Unix socket, in place of the host */
  const char *user;     /* NULL: none */
  const char *password; /* NULL: none */
  /* The name of this client, which one client at a time may have; NULL: one by
   * chance. */
  const char *client;
  /* TLS: the file of the authorities' certificates, PEM. NULL with `tls`: those
   * of the system. */
  const char *authorities;
  const char *certificate; /* of this client, and its key: files, PEM */
  const char *key;
  /* The last will: what the broker publishes when this client goes without a
   * word. NULL: nothing. */
  const char *will_topic;
  const void *will;
  size_t will_length;
  int32_t will_qos; /* 0 to 2 */
  bool will_retained;
  bool tls;
  /* The broker keeps the subscriptions, and what comes for them with QoS 1 and
   * 2, while this client is away; `client` has to be given. */
  bool session;
  int32_t port; /* 0: 1883, or 8883 with TLS */
  /* Seconds in which a silent client says that it is there: 0 for 60, or from 5
   * to 65535. */
  int32_t keep_alive;
  /* Seconds without an expected answer after which the connection counts as
   * lost; 0: 5. */
  double patience;
  /* Seconds without a connection after which a signal fails with
   * RAC_MQTT_UNREACHABLE; 0: it goes on trying. */
  double give_up_after;
  /* Where everything happens, callbacks included, such as rac_scheduler_main();
   * neither the immediate nor a virtual one. NULL: a background scheduler. */
  rac_scheduler *scheduler;
} rac_mqtt_options;

#define RAC_MQTT_OPTIONS_INIT                                                  \
  {sizeof(rac_mqtt_options),                                                   \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   NULL,                                                                       \
   0,                                                                          \
   0,                                                                          \
   false,                                                                      \
   false,                                                                      \
   false,                                                                      \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   0,                                                                          \
   NULL}

/* One reference, to be given back with rac_mqtt_release(); its signals keep what
 * they need of it. NULL for options that cannot be. Opens nothing. */
RAC_MQTT_API rac_mqtt *rac_mqtt_create(const rac_mqtt_options *options);
/* NULL is a no-op. */
RAC_MQTT_API void rac_mqtt_release(rac_mqtt *mqtt);

/* Why the calling thread's latest function of this header gave NULL; "" if none
 * did. */
RAC_MQTT_API const char *rac_mqtt_last_message(void);

/* The domain of the errors that end these signals, and their codes. */
#define RAC_MQTT_ERROR_DOMAIN "rac.mqtt"
enum {
  RAC_MQTT_REFUSED = 1,     /* the broker refused the login or a subscription */
  RAC_MQTT_UNREACHABLE = 2, /* no connection in options.give_up_after */
  RAC_MQTT_UNREADABLE = 3,  /* a payload that is none of the format */
  RAC_MQTT_NO_VALUE = 4,    /* a value that cannot travel in the format */
  RAC_MQTT_NO_MEMORY = 5
};

/* Counts over all signals of a rac_mqtt. `size` is sizeof the struct. */
typedef struct rac_mqtt_stats {
  size_t size;
  uint64_t sent;         /* messages handed to the connection */
  uint64_t acknowledged; /* by the broker; with QoS 0, written */
  uint64_t lost;         /* with QoS 0, in a connection that was lost */
  uint64_t refused;      /* values that cannot travel */
  uint64_t unechoed;     /* sets of a bound property that never came back */
  uint64_t received;     /* messages that came */
  uint64_t unreadable;   /* of them those that are none of the format */
  uint64_t unheard;      /* of them those that nobody listens to */
  uint64_t dropped;      /* of them those for which there was no room */
  uint64_t lowered;      /* subscriptions with a lower QoS than asked for */
  uint64_t connections;  /* connections that were opened */
  uint64_t losses;       /* connections that were lost */
  char trouble[160];     /* why the latest one was lost; "" at first */
} rac_mqtt_stats;

/* RAC_OK; RAC_ENULL; RAC_EINVAL for a size that is too small to say anything. */
RAC_MQTT_API rac_status rac_mqtt_get_stats(rac_mqtt *mqtt,
                                           rac_mqtt_stats *stats);

/* ---- Payloads ----------------------------------------------------------- */

typedef enum rac_mqtt_format {
  /* As in an entry of librac-redis: every value that can travel. */
  RAC_MQTT_CBOR = 0,
  /* Texts; numbers and booleans are written as text. */
  RAC_MQTT_TEXT = 1,
  /* Bytes; texts are written, too. */
  RAC_MQTT_BYTES = 2,
  /* nil, booleans, numbers, texts, and tuples as arrays. Of an object it is the
   * member `field`. */
  RAC_MQTT_JSON = 3
} rac_mqtt_format;

/* ---- Subscribing -------------------------------------------------------- */

typedef struct rac_mqtt_subscribe_options {
  size_t size; /* sizeof the struct */
  int32_t qos; /* 0 to 2, at most; 2 needs options.session */
  int32_t format;
  /* The member of JSON objects that is the value; NULL: payloads are no
   * objects. */
  const char *field;
  /* How many values wait while there is no room below and the connection has to
   * go on; 0: 1,024. More are dropped and counted. */
  size_t backlog;
  /* Each value comes in a tuple with its topic, a text, and whether it was
   * retained. */
  bool topics;
} rac_mqtt_subscribe_options;

#define RAC_MQTT_SUBSCRIBE_OPTIONS_INIT                                        \
  {sizeof(rac_mqtt_subscribe_options), 1, RAC_MQTT_CBOR, NULL, 0, false}

/* A hot signal of what is published to the topics of a filter, in which "+"
 * stands for one level and "#" at the end for all that follow. The broker sends
 * what topics have retained first, and again after a lost connection.
 *
 * It does not complete. While there is no room below the connection is not read;
 * where it has to be, since something that is published is not acknowledged,
 * values wait in the backlog. A payload that is none of the format is sent as an
 * error value, RAC_MQTT_UNREADABLE, with its topic as the underlying value.
 *
 * mqtt: borrowed. filter: copied. options: copied; NULL: QoS 1, CBOR. NULL for
 * arguments that cannot be. */
RAC_MQTT_API RAC_NODISCARD rac_signal *
rac_mqtt_subscribe(rac_mqtt *mqtt, const char *filter,
                   const rac_mqtt_subscribe_options *options);

/* ---- Publishing --------------------------------------------------------- */

typedef struct rac_mqtt_publish_options {
  size_t size; /* sizeof the struct */
  int32_t qos; /* 0 to 2, which needs options.session */
  int32_t format;
  /* The one member of the JSON object that each value is written as; NULL: the
   * value alone. */
  const char *field;
  /* How many values the broker may have yet to acknowledge, up to 10,000; 0:
   * 256. */
  size_t window;
  /* The policy for values that find no room in the window. Borrowed, retained.
   * NULL: as many wait as the window is wide, and then sources that can wait
   * rest (law 26). */
  rac_bound *bound;
  bool retained; /* the broker keeps the latest for those that come later */
} rac_mqtt_publish_options;

#define RAC_MQTT_PUBLISH_OPTIONS_INIT                                          \
  {sizeof(rac_mqtt_publish_options), 1, RAC_MQTT_CBOR, NULL, 0, NULL, false}

/* A cold signal that publishes what `source` sends to a topic, in order.
 *
 * It completes when the source has, and the broker has acknowledged everything;
 * with QoS 0, when everything is written. It fails with the source's error after
 * the same. It sends nothing but an error value, RAC_MQTT_NO_VALUE, for each
 * value that cannot travel in the format.
 *
 * While the connection is lost the values wait. Those not acknowledged are
 * published again when it is there; with QoS 0 it is lost, and counted.
 *
 * mqtt, source: borrowed. topic: copied, without wildcards. options: copied;
 * NULL: QoS 1, CBOR. NULL for arguments that cannot be. */
RAC_MQTT_API RAC_NODISCARD rac_signal *
rac_mqtt_publish(rac_mqtt *mqtt, rac_signal *source, const char *topic,
                 const rac_mqtt_publish_options *options);

/* ---- Properties ---------------------------------------------------------- */

typedef struct rac_mqtt_bind_options {
  size_t size; /* sizeof the struct */
  int32_t qos; /* 0 to 2, which needs options.session */
  int32_t format;
  const char *field;
} rac_mqtt_bind_options;

#define RAC_MQTT_BIND_OPTIONS_INIT                                             \
  {sizeof(rac_mqtt_bind_options), 1, RAC_MQTT_CBOR, NULL}

/* A cold signal that keeps a property equal to a topic's retained message, both
 * ways, as long as it is subscribed to; any number of clients may.
 *
 * At first the property takes the retained value; a topic without one gets the
 * property's. Then each change of one is made at the other. When several change
 * at a time all end with the same value, the last that the broker has passed on;
 * what was in between may be left out. Values that cannot travel are left out
 * and counted (`refused`). So is a set that does not come back in
 * options.patience seconds, as where the broker forbids it (`unechoed`).
 *
 * It sends nothing, and completes when the property's last reference goes.
 *
 * mqtt: borrowed. property: borrowed, not retained. topic: copied, without
 * wildcards. options: copied; NULL: QoS 1, CBOR. NULL for arguments that cannot
 * be. */
RAC_MQTT_API RAC_NODISCARD rac_signal *
rac_mqtt_bind(rac_mqtt *mqtt, rac_property *property, const char *topic,
              const rac_mqtt_bind_options *options);

#ifdef __cplusplus
}
#endif

#endif /* RAC_MQTT_H */
