/* The cost of values over MQTT with QoS 1: by hand, with libmosquitto alone, and by
 * librac-mqtt. run.py starts the broker and makes the table.
 *
 *     mqtt PORT MODE COUNT [TOPICS]    prints seconds, and seconds of this
 *                                      process's CPU
 */
#include <mosquitto.h>
#include <rac_mqtt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { WINDOW = 256, LENGTH = 100 };

static int port;
static long count, topics;
static char text[LENGTH + 1];

/* ---- By hand ---------------------------------------------------------------- */

static long heard, acknowledged;

static void on_publish(struct mosquitto *of, void *context, int number) {
  (void)of, (void)context, (void)number;
  acknowledged++;
}

static void on_message(struct mosquitto *of, void *context,
                       const struct mosquitto_message *message) {
  (void)of, (void)context;
  if (message->payloadlen >= LENGTH) heard++;
}

static bool is_subscribed;

static void on_subscribe(struct mosquitto *of, void *context, int number,
                         int granted, const int *qos) {
  (void)of, (void)context, (void)number, (void)granted, (void)qos;
  is_subscribed = true;
}

static struct mosquitto *connect_by_hand(void) {
  struct mosquitto *made = mosquitto_new(NULL, true, NULL);
  mosquitto_int_option(made, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_publish_callback_set(made, on_publish);
  mosquitto_message_callback_set(made, on_message);
  mosquitto_subscribe_callback_set(made, on_subscribe);
  if (mosquitto_connect(made, "127.0.0.1", port, 60) != 0) fail("no broker");
  return made;
}

static void publish_by_hand(void) {
  struct mosquitto *client = connect_by_hand();
  for (long sent = 0; acknowledged < count;) {
    for (; sent < count && sent < acknowledged + WINDOW; sent++)
      mosquitto_publish(client, NULL, "t/0", LENGTH, text, 1, false);
    if (mosquitto_loop(client, 1000, 1) != 0) fail("lost");
  }
  mosquitto_destroy(client);
}

/* "ready" when it has subscribed, and then "go" is somebody else's. */
static void subscribe_by_hand(void) {
  struct mosquitto *client = connect_by_hand();
  mosquitto_subscribe(client, NULL, "t/0", 1);
  double start = 0, used = 0;
  while (heard < count) {
    if (mosquitto_loop(client, 1000, 1) != 0) fail("lost");
    if (is_subscribed && start == 0) {
      puts("ready");
      fflush(stdout);
      start = now();
      used = cpu();
    }
  }
  printf("%.6f %.6f\n", now() - start, cpu() - used);
  exit(0);
}

/* ---- By librac ---------------------------------------------------------------- */

static rac_mqtt *mqtt;

static rac_status make(void *context, rac_value number, rac_value *out) {
  (void)context, (void)number;
  *out = rac_value_string_copy(text, LENGTH);
  return RAC_OK;
}

static rac_signal *numbers(long so_many) {
  rac_sequence *range = rac_sequence_range(1, 1, (size_t)so_many);
  rac_scheduler *worker = rac_scheduler_background(0, "source");
  rac_signal *made = rac_sequence_signal(range, worker);
  rac_release(range);
  rac_release(worker);
  return made;
}

static void finish(rac_signal *signal) {
  if (signal == NULL) fail(rac_mqtt_last_message());
  if (rac_signal_wait_until_completed(signal, 600, NULL) != RAC_OK)
    fail("a failure");
  rac_release(signal);
}

static void publish(void) {
  rac_mqtt_publish_options options = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  options.format = RAC_MQTT_TEXT;
  rac_signal *source = numbers(count);
  RAC_ASSIGN(source, rac_signal_map(source, NULL, make, NULL));
  finish(rac_mqtt_publish(mqtt, source, "t/0", &options));
  rac_release(source);
}

static _Atomic long counted;

static void count_one(void *context, rac_value value) {
  (void)context, (void)value;
  counted++;
}

/* To so many topics, of which the messages come to the first and the last. */
static void subscribe(void) {
  rac_mqtt_subscribe_options options = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  struct timespec moment = {0, 1000000};
  options.format = RAC_MQTT_TEXT;
  for (long i = topics; i-- > 0;) {
    char topic[32];
    snprintf(topic, sizeof topic, "t/%ld", i);
    rac_signal *hearing = rac_mqtt_subscribe(mqtt, topic, &options);
    rac_release(rac_subscribe_next(hearing, NULL, count_one, NULL));
    rac_release(hearing);
  }
  rac_mqtt_publish_options say = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  rac_signal *one = numbers(1);
  finish(rac_mqtt_publish(mqtt, one, "x", &say));
  puts("ready");
  fflush(stdout);
  double start = now(), used = cpu();
  while (counted < count) nanosleep(&moment, NULL);
  printf("%.6f %.6f\n", now() - start, cpu() - used);
  exit(0);
}

int main(int argc, char **argv) {
  if (argc < 4) fail("mqtt PORT MODE COUNT [TOPICS]");
  const char *mode = argv[2];
  port = atoi(argv[1]);
  count = atol(argv[3]);
  topics = argc > 4 ? atol(argv[4]) : 1;
  memset(text, 'x', LENGTH);
  mosquitto_lib_init();
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = port;
  mqtt = rac_mqtt_create(&options);
  double start = now(), used = cpu();
  if (strcmp(mode, "publish_by_hand") == 0)
    publish_by_hand();
  else if (strcmp(mode, "publish") == 0)
    publish();
  else if (strcmp(mode, "subscribe_by_hand") == 0)
    subscribe_by_hand();
  else if (strcmp(mode, "subscribe") == 0)
    subscribe();
  else
    fail("no such mode");
  printf("%.6f %.6f\n", now() - start, cpu() - used);
  rac_mqtt_release(mqtt);
}
