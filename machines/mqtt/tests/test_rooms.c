/* Listeners that are slow: nothing grows, and nothing waits for itself. */
#include "broker.h"

#include <stdio.h>

typedef struct slow {
  atomic_llong heard, last;
  atomic_bool is_open;
} slow;

static rac_status pass_when_open(void *context, rac_value value,
                                 rac_signal **out) {
  slow *self = context;
  while (!atomic_load(&self->is_open)) check_pause();
  atomic_fetch_add(&self->heard, 1);
  atomic_store(&self->last, value.bits);
  *out = rac_signal_return(value);
  return RAC_OK;
}

/* While a place below is full the connection is not read: the values stay with
 * the broker, and all of them come in the end. */
TEST(a_full_place_holds_the_connection_up) {
  with_broker broker = {.settings = "allow_anonymous true\n"
                                    "max_queued_messages 0\n"};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  of_mqtt *other = mqtt_of(&broker, NULL);
  static slow s;
  memset(&s, 0, sizeof s);
  owned rac_bound *bound = rac_bound_create(8, RAC_BOUND_WAIT);
  owned rac_scheduler *later = rac_scheduler_background(0, NULL);
  owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "n", NULL);
  owned rac_signal *there =
      rac_signal_deliver_on_bounded(hearing, later, bound);
  owned rac_signal *worked =
      rac_signal_flatten_map(there, &s, pass_when_open, NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(worked, &t);
  await_subscription(other, "x");
  await_subscription(mqtt, "x");
  owned rac_signal *source = counting(1, 3000);
  CHECK_STATUS(publish_all(other, source, "n", NULL), RAC_OK);
  /* One is being worked on, and half of the place has to be free again. */
  WAIT_UNTIL(rac_bound_get(bound, RAC_BOUND_HIGHEST) >= 8);
  for (int i = 0; i < 50; i++) check_pause();
  CHECK(stats_of(mqtt).received < 200);
  atomic_store(&s.is_open, true);
  WAIT_UNTIL(atomic_load(&t.last) == 3000);
  CHECK_INT(t.missed + t.again, 0);
  CHECK_INT(stats_of(mqtt).dropped, 0);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= 9);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

/* What is heard is published by the same client: its acknowledgements come by
 * the connection that a full window would hold up. */
TEST(a_loop_through_the_broker_does_not_wait_for_itself) {
  with_broker broker = {.settings = "allow_anonymous true\n"
                                    "max_queued_messages 0\n"};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  of_mqtt *other = mqtt_of(&broker, NULL);
  rac_mqtt_subscribe_options listen = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  listen.backlog = 100000;
  owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "in", &listen);
  rac_mqtt_publish_options options = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  options.window = 4;
  owned rac_signal *said = rac_mqtt_publish(mqtt, hearing, "out", &options);
  owned rac_signal *answers = rac_mqtt_subscribe(other, "out", NULL);
  tally t = {0}, u = {0};
  owned rac_disposable *d = tally_of(said, &u);
  owned rac_disposable *e = tally_of(answers, &t);
  await_subscription(mqtt, "x");
  owned rac_signal *source = counting(1, 2000);
  CHECK_STATUS(publish_all(other, source, "in", NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&t.last) == 2000);
  CHECK_INT(t.missed + t.again, 0);
  CHECK_INT(stats_of(mqtt).dropped, 0);
  rac_dispose(d);
  rac_dispose(e);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1 && atomic_load(&u.destroyed) == 1);
}

/* What finds no place in the backlog is dropped and counted, and the rest keeps
 * its order. */
TEST(a_backlog_that_is_full_drops) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  static slow s;
  memset(&s, 0, sizeof s);
  rac_mqtt_subscribe_options listen = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  listen.backlog = 10;
  owned rac_bound *bound = rac_bound_create(4, RAC_BOUND_WAIT);
  owned rac_scheduler *later = rac_scheduler_background(0, NULL);
  owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "n", &listen);
  owned rac_signal *there =
      rac_signal_deliver_on_bounded(hearing, later, bound);
  owned rac_signal *worked =
      rac_signal_flatten_map(there, &s, pass_when_open, NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(worked, &t);
  await_subscription(mqtt, "x");
  /* By the same client: its own acknowledgements have to be read. */
  owned rac_signal *source = counting(1, 500);
  CHECK_STATUS(publish_all(mqtt, source, "n", NULL), RAC_OK);
  WAIT_UNTIL(stats_of(mqtt).dropped > 0);
  atomic_store(&s.is_open, true);
  WAIT_UNTIL(atomic_load(&t.heard) + (int64_t)stats_of(mqtt).dropped == 500);
  CHECK_INT(t.again, 0);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= 5);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

/* Law 26: with nobody to take it, the source rests. */
TEST(without_a_broker_the_source_rests) {
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = free_port();
  of_mqtt *mqtt = rac_mqtt_create(&options);
  owned rac_bound *bound = rac_bound_create(8, RAC_BOUND_WAIT);
  rac_mqtt_publish_options publish = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  publish.bound = bound;
  with_broker broker = {.port = options.port};
  owned rac_signal *source = counting(1, 1000);
  owned rac_signal *said = rac_mqtt_publish(mqtt, source, "n", &publish);
  RECORDER(r, said);
  WAIT_UNTIL(rac_bound_get(bound, RAC_BOUND_LENGTH) == 8);
  broker_start(&broker);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "|");
  CHECK_INT(stats_of(mqtt).sent, 1000);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), 8);
}

/* Many come and go while values flow: nothing is left, which check.c counts. */
TEST(subscriptions_come_and_go) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "n", NULL);
  for (int64_t i = check_scaled(100); i > 0; i--) {
    owned rac_signal *source = counting(1, 300);
    owned rac_signal *said = rac_mqtt_publish(mqtt, source, "n", NULL);
    tally t = {0}, u = {0};
    owned rac_disposable *d = tally_of(hearing, &t);
    owned rac_disposable *e = tally_of(said, &u);
    if (i % 3 > 0)
      while (atomic_load(i % 3 == 1 ? &t.heard : &t.last) < 1 &&
             atomic_load(&u.ends) == 0)
        check_pause();
    rac_dispose(d);
    rac_dispose(e);
    WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
    WAIT_UNTIL(atomic_load(&u.destroyed) == 1);
  }
}
