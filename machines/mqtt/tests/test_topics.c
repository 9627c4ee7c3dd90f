/* What is published, and what is heard of it. */
#include "broker.h"

static rac_signal *three(void) { return counting(1, 3); }

TEST(a_value_comes_to_who_listens) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, "ann");
  for (int qos = 0; qos <= 2; qos++) {
    rac_mqtt_subscribe_options listen = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
    rac_mqtt_publish_options say = RAC_MQTT_PUBLISH_OPTIONS_INIT;
    listen.qos = say.qos = qos;
    owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "a/b", &listen);
    owned rac_signal *some = rac_signal_take(hearing, 4);
    RECORDER(r, some);
    await_subscription(mqtt, "a/b");
    owned rac_signal *source = three();
    CHECK_STATUS(publish_all(mqtt, source, "a/b", &say), RAC_OK);
    WAIT_UNTIL(atomic_load(&r.ends) == 1);
    CHECK_EVENTS(&r, "0 1 2 3 |");
  }
  rac_mqtt_stats stats = stats_of(mqtt);
  CHECK_INT(stats.sent, 12);
  CHECK_INT(stats.acknowledged, 12);
  CHECK_INT(counter_of(": acknowledged"), 12);
  CHECK_INT(stats.lost + stats.dropped + stats.unreadable, 0);
}

TEST(wildcards_stand_for_levels) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  of_mqtt *other = mqtt_of(&broker, NULL);
  owned rac_signal *plus = hear(mqtt, "house/+/heat", RAC_MQTT_TEXT);
  owned rac_signal *all = hear(other, "house/#", RAC_MQTT_TEXT);
  RECORDER(p, plus);
  RECORDER(a, all);
  await_subscription(mqtt, "x");
  await_subscription(other, "x");
  broker_say(&broker, "house/hall/heat", "1", false);
  broker_say(&broker, "house/hall/light", "2", false);
  broker_say(&broker, "house/a/b/heat", "3", false);
  broker_say(&broker, "garden/heat", "4", false);
  broker_say(&broker, "house/loft/heat", "5", false);
  WAIT_UNTIL(atomic_load(&p.nexts) == 2 && atomic_load(&a.nexts) == 4);
  CHECK_EVENTS(&p, "1 5");
  CHECK_EVENTS(&a, "1 2 3 5");
}

/* What the world writes: text, JSON, bytes; and what is none of it. */
TEST(payloads_have_formats) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  static const struct {
    int format;
    const char *field, *text, *expected;
  } table[] = {
      {RAC_MQTT_TEXT, NULL, "21.5", "21.5"},
      {RAC_MQTT_TEXT, NULL, "", ""},
      {RAC_MQTT_JSON, NULL, "21", "21"},
      {RAC_MQTT_JSON, "t", "{\"t\": 7, \"h\": 40}", "7"},
      {RAC_MQTT_JSON, NULL, "", "nil"},
      {RAC_MQTT_CBOR, NULL, "", "nil"},
      {RAC_MQTT_CBOR, NULL, "\\", NULL},
      {RAC_MQTT_JSON, NULL, "{\"t\": 7}", NULL},
      {RAC_MQTT_JSON, "t", "7", NULL},
  };
  uint64_t unreadable = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    rac_mqtt_subscribe_options o = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
    o.format = table[i].format;
    o.field = table[i].field;
    owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "a", &o);
    owned rac_signal *one = rac_signal_take(hearing, 1);
    RECORDER(r, one);
    await_subscription(mqtt, "x");
    broker_say(&broker, "a", table[i].text, false);
    WAIT_UNTIL(atomic_load(&r.ends) == 1);
    if (table[i].expected != NULL) {
      char all[100];
      const char *text = table[i].expected;
      snprintf(all, sizeof all, "%s%s|", text, *text == 0 ? "" : " ");
      CHECK_EVENTS(&r, all);
    } else
      unreadable++;
    CHECK_INT(stats_of(mqtt).unreadable, unreadable);
  }
}

/* Each format takes what it has, and refuses the rest. */
TEST(values_travel_in_formats) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  rac_value parts[] = {rac_int64(1), rac_value_string("x")};
  owned_value tuple = rac_value_tuple(parts, 2);
  const struct {
    int format;
    rac_value value;
    const char *expected; /* heard as text; NULL: refused */
  } table[] = {
      {RAC_MQTT_TEXT, rac_value_string("hot"), "hot |"},
      {RAC_MQTT_TEXT, rac_double(21.5), "21.5 |"},
      {RAC_MQTT_TEXT, rac_bool(true), "true |"},
      {RAC_MQTT_TEXT, rac_value_bytes_view("x", 1), NULL},
      {RAC_MQTT_TEXT, tuple, NULL},
      {RAC_MQTT_BYTES, rac_value_bytes_view("x", 1), "x |"},
      {RAC_MQTT_BYTES, rac_value_string("hot"), "hot |"},
      {RAC_MQTT_BYTES, rac_int64(1), NULL},
      {RAC_MQTT_JSON, tuple, "[1,\"x\"] |"},
      {RAC_MQTT_JSON, rac_value_bytes_view("x", 1), NULL},
      {RAC_MQTT_CBOR, rac_value_unit(), "<\367> |"},
  };
  uint64_t refused = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    bool is_text = table[i].format != RAC_MQTT_CBOR;
    owned rac_signal *hearing =
        hear(mqtt, "a", is_text ? RAC_MQTT_TEXT : RAC_MQTT_BYTES);
    owned rac_signal *one = rac_signal_take(hearing, 1);
    rac_mqtt_publish_options o = RAC_MQTT_PUBLISH_OPTIONS_INIT;
    o.format = table[i].format;
    owned rac_signal *source = rac_signal_return(table[i].value);
    owned rac_signal *published = rac_mqtt_publish(mqtt, source, "a", &o);
    RECORDER(r, one);
    await_subscription(mqtt, "x");
    RECORDER(p, published);
    WAIT_UNTIL(atomic_load(&p.ends) == 1);
    CHECK_INT(p.nexts, table[i].expected == NULL);
    if (table[i].expected != NULL) WAIT_UNTIL(atomic_load(&r.ends) == 1);
    if (table[i].expected != NULL && is_text)
      CHECK_EVENTS(&r, table[i].expected);
    if (table[i].expected == NULL) refused++;
    CHECK_INT(stats_of(mqtt).refused, refused);
  }
}

/* A tuple has the topic, and whether it was retained. */
TEST(what_is_retained_comes_first) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  rac_mqtt_publish_options say = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  say.retained = true;
  owned rac_signal *source = three();
  CHECK_STATUS(publish_all(mqtt, source, "a/b", &say), RAC_OK);
  rac_mqtt_subscribe_options o = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  o.topics = true;
  owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "a/+", &o);
  owned rac_signal *two = rac_signal_take(hearing, 2);
  owned rac_signal *list = rac_signal_collect(two);
  owned rac_signal *replayed = rac_signal_replay(list);
  RECORDER(r, replayed);
  await_subscription(mqtt, "a/c");
  owned_value all = {0};
  CHECK_STATUS(rac_signal_first(replayed, 20, &all), RAC_OK);
  REQUIRE(rac_tuple_count(all) == 2);
  rac_value first = rac_tuple_get(all, 0), second = rac_tuple_get(all, 1);
  const char *topic = NULL;
  CHECK_INT(rac_tuple_get(first, 0).bits, 3);
  rac_value_get_string(rac_tuple_get(first, 1), &topic, NULL);
  CHECK_TEXT(topic, "a/b");
  CHECK_INT(rac_tuple_get(first, 2).bits, 1);
  CHECK_INT(rac_tuple_get(second, 0).bits, 0);
  CHECK_INT(rac_tuple_get(second, 2).bits, 0);
}

TEST(arguments_that_cannot_be_are_refused) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  owned rac_signal *source = three();
  owned rac_property *property = rac_property_create(rac_int64(1), 0);
  static const char *const filters[] = {"", "a/#/b", "a+", "#a", "a/b#"};
  for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
    CHECK(rac_mqtt_subscribe(mqtt, filters[i], NULL) == NULL);
  CHECK_TEXT(rac_mqtt_last_message(),
             "rac_mqtt_subscribe: filter is none: \"+\" is a whole level, "
             "\"#\" the last one");
  CHECK(rac_mqtt_subscribe(mqtt, NULL, NULL) == NULL);
  CHECK(rac_mqtt_subscribe(NULL, "a", NULL) == NULL);
  CHECK(rac_mqtt_publish(mqtt, source, "a/+", NULL) == NULL);
  CHECK(rac_mqtt_publish(mqtt, source, "", NULL) == NULL);
  CHECK(rac_mqtt_publish(mqtt, NULL, "a", NULL) == NULL);
  CHECK(rac_mqtt_bind(mqtt, property, "#", NULL) == NULL);
  CHECK(rac_mqtt_bind(mqtt, NULL, "a", NULL) == NULL);
  static const int levels[] = {-1, 3, 2};
  for (int i = 0; i < 3; i++) {
    int qos = levels[i];
    rac_mqtt_subscribe_options s = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
    rac_mqtt_publish_options p = RAC_MQTT_PUBLISH_OPTIONS_INIT;
    rac_mqtt_bind_options b = RAC_MQTT_BIND_OPTIONS_INIT;
    s.qos = p.qos = b.qos = qos;
    CHECK(rac_mqtt_subscribe(mqtt, "a", &s) == NULL);
    CHECK(rac_mqtt_publish(mqtt, source, "a", &p) == NULL);
    CHECK(rac_mqtt_bind(mqtt, property, "a", &b) == NULL);
  }
  CHECK_TEXT(rac_mqtt_last_message(),
             "rac_mqtt_bind: qos 2 needs options.session");
  rac_mqtt_publish_options p = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  p.format = 4;
  CHECK(rac_mqtt_publish(mqtt, source, "a", &p) == NULL);
  p.format = RAC_MQTT_TEXT;
  p.field = "t";
  CHECK(rac_mqtt_publish(mqtt, source, "a", &p) == NULL);
  p.field = NULL;
  p.window = 10001;
  CHECK(rac_mqtt_publish(mqtt, source, "a", &p) == NULL);
  p.size = 3;
  CHECK(rac_mqtt_publish(mqtt, source, "a", &p) == NULL);
  rac_mqtt_stats stats = {.size = 4};
  CHECK_STATUS(rac_mqtt_get_stats(mqtt, &stats), RAC_EINVAL);
  CHECK_STATUS(rac_mqtt_get_stats(mqtt, NULL), RAC_ENULL);
  CHECK_STATUS(rac_mqtt_get_stats(NULL, &stats), RAC_ENULL);
}

TEST(a_stale_handle_is_refused) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  rac_subject *gone = rac_subject_create();
  rac_release(gone);
  CHECK(rac_mqtt_publish(mqtt, (rac_signal *)(void *)gone, "a", NULL) == NULL);
  rac_property *property = rac_property_create(rac_int64(1), 0);
  rac_release(property);
  CHECK(rac_mqtt_bind(mqtt, property, "a", NULL) == NULL);
}
