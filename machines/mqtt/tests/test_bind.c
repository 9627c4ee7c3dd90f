/* A property and a retained message that stay equal. */
#include "broker.h"

static rac_disposable *bind_to(rac_mqtt *mqtt, rac_property *property) {
  owned rac_signal *bound = rac_mqtt_bind(mqtt, property, "key", NULL);
  return rac_subscribe_next(bound, NULL, NULL, NULL);
}

static int64_t value_of(rac_property *property) {
  owned_value value = {0};
  rac_property_get(property, &value);
  return value.kind == RAC_INT64 ? value.bits : -1;
}

/* What a client that comes now is told first; -1 for nothing. */
static int64_t retained(rac_mqtt *mqtt) {
  owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "key", NULL);
  owned_value stored = {0};
  if (rac_signal_first(hearing, 5, &stored) != RAC_OK) return -1;
  return stored.bits;
}

TEST(the_retained_value_comes_first_and_then_each_change) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  of_mqtt *other = mqtt_of(&broker, NULL);
  owned rac_property *p = rac_property_create(rac_int64(1), 0);
  owned rac_property *q = rac_property_create(rac_int64(2), 0);
  owned rac_disposable *d = bind_to(mqtt, p);
  /* A topic without a value gets the property's. */
  WAIT_UNTIL(stats_of(mqtt).acknowledged == 1);
  owned rac_disposable *e = bind_to(other, q);
  WAIT_UNTIL(value_of(q) == 1);
  rac_property_set(p, rac_int64(3));
  WAIT_UNTIL(value_of(q) == 3);
  rac_property_set(q, rac_int64(4));
  WAIT_UNTIL(value_of(p) == 4);
  /* Echoes are not told: three messages in all. */
  CHECK_INT(stats_of(mqtt).sent + stats_of(other).sent, 3);
  rac_dispose(d);
  rac_dispose(e);
}

/* As a switch that others write: plain JSON. */
TEST(strangers_may_set_it) {
  with_broker broker = {0};
  broker_start(&broker);
  broker_say(&broker, "key", "{\"level\": 5}", true);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  owned rac_property *p = rac_property_create(rac_int64(1), 0);
  rac_mqtt_bind_options options = RAC_MQTT_BIND_OPTIONS_INIT;
  options.format = RAC_MQTT_JSON;
  options.field = "level";
  owned rac_signal *bound = rac_mqtt_bind(mqtt, p, "key", &options);
  owned rac_disposable *d = rac_subscribe_next(bound, NULL, NULL, NULL);
  WAIT_UNTIL(value_of(p) == 5);
  broker_say(&broker, "key", "nonsense", true);
  WAIT_UNTIL(stats_of(mqtt).unreadable == 1);
  broker_say(&broker, "key", "{\"level\": 6}", true);
  WAIT_UNTIL(value_of(p) == 6);
  owned rac_signal *hearing = hear(mqtt, "key", RAC_MQTT_TEXT);
  rac_property_set(p, rac_int64(7));
  WAIT_UNTIL(stats_of(mqtt).acknowledged == 1);
  owned rac_signal *one = rac_signal_take(hearing, 1);
  CHECK_ENDS(rac_retain(one), "{\"level\":7} |");
  rac_dispose(d);
}

TEST(the_signal_completes_with_the_property) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  rac_property *p = rac_property_create(rac_int64(1), 0);
  RECORDER_OF(r, rac_mqtt_bind(mqtt, p, "key", NULL));
  WAIT_UNTIL(stats_of(mqtt).acknowledged == 1);
  rac_release(p);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "|");
}

enum { PLACES = 3 };
typedef struct setter {
  rac_property *property;
  int64_t first, count;
} setter;

static void *set_many(void *argument) {
  const setter *self = argument;
  uint64_t state = (uint64_t)self->first;
  for (int64_t i = 0; i < self->count; i++) {
    rac_property_set(self->property, rac_int64(self->first + i));
    if (check_random(&state) % 4 == 0) check_pause();
  }
  return NULL;
}

/* All of them, and the topic. */
static bool are_equal(rac_property **properties, rac_mqtt *mqtt) {
  int64_t stored = retained(mqtt);
  for (int i = 0; i < PLACES; i++)
    if (value_of(properties[i]) != stored) return false;
  return true;
}

/* After the last set all are equal to the retained message. */
TEST(all_end_with_the_same_value) {
  with_broker broker = {.keeps = true};
  broker_start(&broker);
  rac_mqtt *mqtt[PLACES];
  of_mqtt *looking = mqtt_of(&broker, NULL);
  rac_property *properties[PLACES];
  rac_disposable *bound[PLACES];
  setter setters[PLACES];
  pthread_t threads[PLACES];
  for (int i = 0; i < PLACES; i++) {
    mqtt[i] = mqtt_of(&broker, NULL);
    properties[i] = rac_property_create(rac_int64(0), 0);
    bound[i] = bind_to(mqtt[i], properties[i]);
  }
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < PLACES; i++) {
      setters[i] = (setter){properties[i], 1000000 * (i + 1) + 10000 * round,
                            check_scaled(1000)};
      threads[i] = check_spawn(set_many, &setters[i]);
    }
    if (round % 2 == 1) {
      broker_kill(&broker);
      broker_start_again(&broker);
    }
    for (int i = 0; i < PLACES; i++) check_join(threads[i]);
    WAIT_UNTIL(are_equal(properties, looking));
  }
  for (int i = 0; i < PLACES; i++) {
    rac_dispose(bound[i]);
    rac_release(bound[i]);
    rac_release(properties[i]);
    rac_mqtt_release(mqtt[i]);
  }
}

/* Where the broker passes nothing on a set is given up in its time, and what
 * others set is still heard. */
TEST(a_set_that_does_not_come_back_is_counted) {
  char folder[] = "/tmp/rac-mqtt-acl-XXXXXX", command[200], settings[200];
  if (mkdtemp(folder) == NULL) abort();
  snprintf(command, sizeof command,
           "printf 'topic read key\\n' > %s/acl; chmod 600 %s/acl", folder,
           folder);
  if (system(command) != 0) abort();
  snprintf(settings, sizeof settings, "allow_anonymous true\nacl_file %s/acl\n",
           folder);
  with_broker broker = {.settings = settings};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  owned rac_property *p = rac_property_create(rac_int64(1), 0);
  owned rac_disposable *d = bind_to(mqtt, p);
  WAIT_UNTIL(stats_of(mqtt).unechoed == 1);
  CHECK_INT(stats_of(mqtt).acknowledged, 1);
  rac_dispose(d);
  snprintf(command, sizeof command, "rm -r %s", folder);
  if (system(command) != 0) abort();
}
