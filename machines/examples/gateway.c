/* A gateway: sensors write lines to a socket; the median of five readings of
 * each goes to MQTT and into a stream of Redis.
 *
 *     gateway 127.0.0.1:7000 1883 /run/redis/redis.sock
 *
 * A line is a name and a number, "hall 21.5"; others are passed over. Of a
 * sensor "hall" come
 *
 *     sensors/hall/median   {"median":21.5}, for each five readings
 *     sensors/hall/state    "alive", and "silent" after a pause; retained
 *     the stream "medians"  ("hall", 21.5)
 *
 * and "gateway/state" is "there", and "gone" when this program is, also by its last
 * will. GATEWAY_PAUSE
 * is the pause in seconds; 5 by default.
 *
 * While Redis is away up to 10,000 medians wait, and then the oldest are dropped;
 * while MQTT is away the latest of each sensor waits. Connections come again by
 * themselves. SIGTERM ends it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <rac_mqtt.h>
#include <rac_redis.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS = 5, NAME = 64 };

static rac_mqtt *mqtt;
static rac_scheduler *here; /* where everything happens */
static double pause_of_sensors = 5;

/* ---- Readings -------------------------------------------------------------- */

/* A connection's lines; one that breaks off is as one that ends. */
static rac_status lines_of(void *context, rac_value socket, rac_signal **out) {
  (void)context;
  int fd = rac_socket_descriptor(socket);
  RAC_AUTO rac_signal *lines =
      rac_signal_lines(fd, RAC_DESCRIPTOR_OWNED, 0, here);
  RAC_AUTO rac_signal *nothing = rac_signal_empty();
  *out = rac_signal_catch_to(lines, nothing);
  return RAC_OK;
}

static bool parse(rac_value line, char *name, double *number) {
  const char *text = NULL;
  size_t length = 0;
  char copy[200];
  int used = 0;
  if (rac_value_get_string(line, &text, &length) != RAC_OK ||
      length >= sizeof copy)
    return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  /* A name is a level of a topic. */
  return sscanf(copy, "%63[^/+# \t] %lf %n", name, number, &used) == 2 &&
         copy[used] == 0;
}

static rac_status is_reading(void *context, rac_value line, bool *out) {
  char name[NAME];
  double number;
  (void)context;
  *out = parse(line, name, &number);
  return RAC_OK;
}

static rac_status name_of(void *context, rac_value line, rac_value *out) {
  char name[NAME];
  double number;
  (void)context;
  parse(line, name, &number);
  *out = rac_value_string_copy(name, strlen(name));
  return RAC_OK;
}

static rac_status number_of(void *context, rac_value line, rac_value *out) {
  char name[NAME];
  double number;
  (void)context;
  parse(line, name, &number);
  *out = rac_double(number);
  return RAC_OK;
}

/* ---- Medians --------------------------------------------------------------- */

static double as_double(rac_value value) {
  double number = 0;
  memcpy(&number, &value.bits, sizeof number);
  return number;
}

static int compare(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static rac_status median(void *context, rac_value readings, rac_value *out) {
  double numbers[READINGS];
  size_t count = rac_tuple_count(readings);
  (void)context;
  for (size_t i = 0; i < count; i++)
    numbers[i] = as_double(rac_tuple_get(readings, i));
  qsort(numbers, count, sizeof *numbers, compare);
  *out = rac_double(numbers[count / 2]);
  return RAC_OK;
}

static rac_status with_name(void *context, rac_value number, rac_value *out) {
  rac_value parts[] = {rac_value_string(context), number};
  *out = rac_value_tuple(parts, 2);
  return RAC_OK;
}

/* ---- The watchdog ------------------------------------------------------------ */

/* A reading says "alive", and, unless another one comes, "silent" later. */
static rac_status states_after(void *context, rac_value reading,
                               rac_signal **out) {
  (void)context, (void)reading;
  RAC_AUTO rac_signal *alive = rac_signal_return(rac_value_string("alive"));
  RAC_AUTO rac_signal *silent = rac_signal_return(rac_value_string("silent"));
  RAC_AUTO rac_signal *later = rac_signal_delay(silent, pause_of_sensors, here);
  *out = rac_signal_concat(alive, later);
  return RAC_OK;
}

static rac_signal *publish_state(rac_signal *readings, const char *name) {
  char topic[NAME + 20];
  RAC_AUTO rac_signal *states =
      rac_signal_switch_map(readings, NULL, states_after, NULL);
  RAC_AUTO rac_signal *changes = rac_signal_distinct_until_changed(states);
  RAC_AUTO rac_bound *latest = rac_bound_create(1, RAC_BOUND_LATEST);
  rac_mqtt_publish_options options = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  options.format = RAC_MQTT_TEXT;
  options.retained = true;
  options.bound = latest;
  snprintf(topic, sizeof topic, "sensors/%s/state", name);
  return rac_mqtt_publish(mqtt, changes, topic, &options);
}

/* ---- A sensor ------------------------------------------------------------------ */

static rac_signal *publish_medians(rac_signal *medians, const char *name) {
  char topic[NAME + 20];
  RAC_AUTO rac_bound *latest = rac_bound_create(1, RAC_BOUND_LATEST);
  rac_mqtt_publish_options options = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  options.format = RAC_MQTT_JSON;
  options.field = "median";
  options.bound = latest;
  snprintf(topic, sizeof topic, "sensors/%s/median", name);
  return rac_mqtt_publish(mqtt, medians, topic, &options);
}

/* Sends its medians with its name; what it publishes by itself it does while
 * somebody hears it, and is silent about. */
static rac_status sensor(void *context, rac_value group, rac_signal **out) {
  const char *text = NULL;
  rac_value key;
  (void)context;
  RAC_AUTO rac_signal *readings = rac_value_to_signal(group);
  rac_signal_get_key(readings, &key);
  rac_value_get_string(key, &text, NULL);
  char *name = strdup(text);
  if (name == NULL) return RAC_ENOMEM;
  RAC_AUTO rac_signal *batches =
      rac_signal_buffer_with_count(readings, READINGS, READINGS);
  RAC_AUTO rac_signal *numbers = rac_signal_map(batches, NULL, median, NULL);
  RAC_AUTO rac_signal *medians = rac_signal_share(numbers);
  RAC_AUTO rac_signal *said = publish_medians(medians, name);
  RAC_AUTO rac_signal *state = publish_state(readings, name);
  RAC_AUTO rac_signal *named = rac_signal_map(medians, name, with_name, free);
  RAC_AUTO rac_signal *both =
      rac_signal_merge((rac_signal *[]){said, state}, 2);
  RAC_AUTO rac_signal *silent = rac_signal_ignore_values(both);
  *out = rac_signal_merge((rac_signal *[]){silent, named}, 2);
  return RAC_OK;
}

/* ---- The whole -------------------------------------------------------------------- */

static void say_address(void *context, rac_value address) {
  const char *text = NULL;
  (void)context;
  rac_value_get_string(address, &text, NULL);
  printf("listening at %s\n", text);
  fflush(stdout);
}

static void say_refusal(void *context, rac_value error) {
  fprintf(stderr, "%s: %s\n", (const char *)context,
          rac_error_get_message(error));
}
static void fail(void *context, rac_value error) {
  say_refusal(context, error);
  rac_main_stop();
}

static rac_status gone(void *context, rac_value number, rac_value *out) {
  (void)context, (void)number;
  *out = rac_value_string("gone");
  return RAC_OK;
}

static void stop(void *context) {
  (void)context;
  rac_main_stop();
}

/* "there", and "gone" after SIGTERM; then it completes. */
static rac_signal *presence(void) {
  RAC_AUTO rac_signal *there = rac_signal_return(rac_value_string("there"));
  RAC_AUTO rac_signal *ending = rac_signal_posix_signal(SIGTERM, here);
  RAC_AUTO rac_signal *once = rac_signal_take(ending, 1);
  RAC_AUTO rac_signal *last = rac_signal_map(once, NULL, gone, NULL);
  return rac_signal_merge((rac_signal *[]){there, last}, 2);
}

static rac_disposable *hear(rac_signal *signal, char *name) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = name;
  observer.next = say_refusal;
  observer.error = fail;
  observer.completed = stop;
  return rac_subscribe(signal, &observer);
}

static rac_mqtt *connect_mqtt(const char *port) {
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = atoi(port);
  options.client = "gateway";
  options.will_topic = "gateway/state";
  options.will = "gone";
  options.will_length = 4;
  options.will_qos = 1;
  options.will_retained = true;
  options.scheduler = here;
  rac_mqtt *made = rac_mqtt_create(&options);
  if (made == NULL) fprintf(stderr, "%s\n", rac_mqtt_last_message());
  return made;
}

static rac_redis *connect_redis(const char *socket) {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = socket;
  options.scheduler = here;
  rac_redis *made = rac_redis_create(&options);
  if (made == NULL) fprintf(stderr, "%s\n", rac_redis_last_message());
  return made;
}

static rac_signal *readings_at(const char *address, rac_subject *listening) {
  RAC_AUTO rac_signal *sockets = rac_signal_listen(address, 0, listening, here);
  RAC_AUTO rac_signal *lines =
      rac_signal_flatten_map(sockets, NULL, lines_of, NULL);
  return rac_signal_filter(lines, NULL, is_reading, NULL);
}

static int run(const char *address, rac_redis *redis) {
  RAC_AUTO rac_subject *listening = rac_subject_create();
  RAC_AUTO rac_disposable *saying =
      rac_subscribe_next((rac_signal *)listening, NULL, say_address, NULL);
  RAC_AUTO rac_signal *readings = readings_at(address, listening);
  RAC_AUTO rac_signal *groups =
      rac_signal_group_by(readings, NULL, name_of, number_of, NULL);
  RAC_AUTO rac_signal *medians =
      rac_signal_flatten_map(groups, NULL, sensor, NULL);

  RAC_AUTO rac_bound *backlog = rac_bound_create(10000, RAC_BOUND_DROP_OLDEST);
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.bound = backlog;
  RAC_AUTO rac_signal *stored =
      rac_redis_publish(redis, medians, "medians", &options);

  RAC_AUTO rac_signal *states = presence();
  rac_mqtt_publish_options text = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  text.format = RAC_MQTT_TEXT;
  text.retained = true;
  RAC_AUTO rac_signal *present =
      rac_mqtt_publish(mqtt, states, "gateway/state", &text);
  RAC_AUTO rac_disposable *storing = hear(stored, "medians");
  RAC_AUTO rac_disposable *showing = hear(present, "gateway/state");
  rac_main_run();

  rac_dispose(saying);
  rac_dispose(storing);
  rac_dispose(showing);
  rac_main_run_for(0.2); /* the last goodbyes */
  return 0;
}

int main(int count, char **words) {
  if (count != 4) {
    fprintf(stderr, "usage: gateway ADDRESS MQTT-PORT REDIS-SOCKET\n");
    return 2;
  }
  if (getenv("GATEWAY_PAUSE") != NULL)
    pause_of_sensors = atof(getenv("GATEWAY_PAUSE"));
  here = rac_scheduler_main();
  mqtt = connect_mqtt(words[2]);
  rac_redis *redis = connect_redis(words[3]);
  int result = mqtt != NULL && redis != NULL ? run(words[1], redis) : 2;
  rac_mqtt_release(mqtt);
  rac_redis_release(redis);
  rac_release(here);
  return result;
}
