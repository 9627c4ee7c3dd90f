/* Brokers that go, hang, or let nobody in. */
#include "broker.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static rac_status say_one(const rac_mqtt_options *options, int64_t *code) {
  of_mqtt *mqtt = rac_mqtt_create(options);
  if (mqtt == NULL) return RAC_EINVAL;
  owned rac_signal *source = counting(1, 1);
  owned rac_signal *said = rac_mqtt_publish(mqtt, source, "a", NULL);
  owned rac_signal *all = rac_signal_collect(said);
  owned_value end = {0};
  rac_status status = rac_signal_first(all, 20, &end);
  *code = status == RAC_ESTREAM ? rac_error_get_code(end) : 0;
  return status;
}

TEST(a_password_opens_the_door) {
  char folder[] = "/tmp/rac-mqtt-pw-XXXXXX", command[300], settings[300];
  if (mkdtemp(folder) == NULL) abort();
  snprintf(
      command, sizeof command,
      "touch %s/pw && chmod 600 %s/pw && mosquitto_passwd -b %s/pw ann secret "
      "2>/dev/null; printf 'user ann\\ntopic readwrite a\\n' > %s/acl; "
      "chmod 600 %s/acl",
      folder, folder, folder, folder, folder);
  if (system(command) != 0) abort();
  snprintf(settings, sizeof settings,
           "allow_anonymous false\npassword_file %s/pw\nacl_file %s/acl\n",
           folder, folder);
  with_broker broker = {.settings = settings};
  broker_start(&broker);
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  int64_t code;
  options.port = broker.port;
  options.user = "ann";
  options.password = "secret";
  CHECK_STATUS(say_one(&options, &code), RAC_OK);
  options.password = "guess";
  CHECK_STATUS(say_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_MQTT_REFUSED);
  options.user = options.password = NULL;
  CHECK_STATUS(say_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_MQTT_REFUSED);
  snprintf(command, sizeof command, "rm -r %s", folder);
  if (system(command) != 0) abort();
}

/* A broker that answers as it is told: to a login, and to a subscription. */
typedef struct stub {
  int listener;
  unsigned char login, granted;
  pthread_t thread;
} stub;

static void *answer_as_told(void *argument) {
  const stub *self = argument;
  unsigned char bytes[512];
  for (int fd; (fd = accept(self->listener, NULL, NULL)) >= 0; close(fd)) {
    while (read(fd, bytes, sizeof bytes) > 0) {
      unsigned char welcome[] = {0x20, 2, 0, self->login};
      /* Behind the length is the number of a SUBSCRIBE. */
      unsigned char there[] = {0x90, 3, bytes[2], bytes[3], self->granted};
      bool is_login = bytes[0] == 0x10;
      if (is_login ? write(fd, welcome, sizeof welcome) < 0
                   : bytes[0] == 0x82 && write(fd, there, sizeof there) < 0)
        break;
      if (is_login && self->login != 0) break;
    }
  }
  return NULL;
}

static rac_mqtt *client_of(stub *self) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t length = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  self->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(self->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(self->listener, 4) != 0 ||
      getsockname(self->listener, (struct sockaddr *)&address, &length) != 0)
    abort();
  self->thread = check_spawn(answer_as_told, self);
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = ntohs(address.sin_port);
  options.give_up_after = 0.3;
  return rac_mqtt_create(&options);
}

static void stop(stub *self) {
  shutdown(self->listener, SHUT_RDWR);
  check_join(self->thread);
  close(self->listener);
}

TEST(a_broker_says_what_it_does_not_want) {
  static const struct {
    unsigned char login, granted;
    int64_t code; /* 0: the subscription goes on */
  } table[] = {
      {0, 0x80, RAC_MQTT_REFUSED},
      {1, 0, RAC_MQTT_REFUSED},
      {2, 0, RAC_MQTT_REFUSED},
      {3, 0, RAC_MQTT_UNREACHABLE},
      {4, 0, RAC_MQTT_REFUSED},
      {5, 0, RAC_MQTT_REFUSED},
      {0, 0, 0},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    stub broker = {.login = table[i].login, .granted = table[i].granted};
    of_mqtt *mqtt = client_of(&broker);
    owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "a", NULL);
    RECORDER(r, hearing);
    char expected[8] = "";
    if (table[i].code != 0) {
      snprintf(expected, sizeof expected, "#%d", (int)table[i].code);
      WAIT_UNTIL(atomic_load(&r.ends) == 1);
    } else
      WAIT_UNTIL(stats_of(mqtt).lowered == 1);
    CHECK_EVENTS(&r, expected);
    rac_dispose(r.subscription);
    WAIT_UNTIL(atomic_load(&r.destroyed) == 1);
    stop(&broker);
  }
}

TEST(a_wire_may_be_encrypted) {
  with_broker broker = {.has_tls = true};
  broker_start(&broker);
  char authorities[100];
  snprintf(authorities, sizeof authorities, "%s/ca.pem", broker.folder);
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  int64_t code;
  options.host = "localhost";
  options.port = broker.port;
  options.tls = true;
  options.authorities = authorities;
  options.give_up_after = 0.3;
  CHECK_STATUS(say_one(&options, &code), RAC_OK);
  /* Many, both ways, so that what TLS holds back is read. */
  of_mqtt *mqtt = rac_mqtt_create(&options);
  rac_mqtt_subscribe_options listen = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "n", &listen);
  tally t = {0};
  owned rac_disposable *d = tally_of(hearing, &t);
  await_subscription(mqtt, "x");
  owned rac_signal *source = counting(1, 3000);
  CHECK_STATUS(publish_all(mqtt, source, "n", NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&t.last) == 3000);
  CHECK_INT(t.missed + t.again, 0);
  rac_dispose(d);
  /* An authority that nobody here trusts. */
  options.authorities = NULL;
  CHECK_STATUS(say_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_MQTT_UNREACHABLE);
  /* Without it the broker does not understand. */
  options.tls = false;
  CHECK_STATUS(say_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_MQTT_UNREACHABLE);
}

TEST(where_no_broker_is_a_signal_gives_up_in_its_time) {
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  int64_t code;
  options.socket = "/tmp/there is no such socket";
  options.give_up_after = 0.2;
  CHECK_STATUS(say_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_MQTT_UNREACHABLE);
  options.socket = NULL;
  options.port = free_port();
  CHECK_STATUS(say_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_MQTT_UNREACHABLE);
  options.host = "no.such.host.invalid";
  CHECK_STATUS(say_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_MQTT_UNREACHABLE);
}

TEST(a_disposal_ends_the_attempts) {
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = free_port();
  of_mqtt *mqtt = rac_mqtt_create(&options);
  owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "a", NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(hearing, &t);
  WAIT_UNTIL(stats_of(mqtt).trouble[0] != 0);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

TEST(options_that_cannot_be_are_refused) {
#define REFUSES(field, value, reason)                                          \
  do {                                                                         \
    rac_mqtt_options refused = RAC_MQTT_OPTIONS_INIT;                          \
    refused.field = value;                                                     \
    CHECK(rac_mqtt_create(&refused) == NULL);                                  \
    CHECK_TEXT(rac_mqtt_last_message(), "rac_mqtt_create: " reason);           \
  } while (0)
  REFUSES(port, -1, "port is none");
  REFUSES(port, 65536, "port is none");
  REFUSES(host, "", "host is empty");
  REFUSES(keep_alive, 4, "keep_alive is not from 5 to 65535");
  REFUSES(patience, -1, "patience is no time");
  REFUSES(give_up_after, -1, "give_up_after is no time");
  REFUSES(password, "x", "a password and no user");
  REFUSES(client, "", "the client's name is empty or longer than 200");
  REFUSES(session, true, "a session and no client's name");
  REFUSES(certificate, "x", "a certificate and a key belong together");
  REFUSES(authorities, "x", "authorities and no tls");
  REFUSES(will_topic, "a/#", "will_topic is none");
  REFUSES(will_qos, 3, "will_qos is none");
  REFUSES(will_length, 1, "will is none");
  REFUSES(size, 2, "options.size is none");
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.tls = true;
  options.authorities = "/no/such/file";
  CHECK(rac_mqtt_create(&options) == NULL);
  options = (rac_mqtt_options)RAC_MQTT_OPTIONS_INIT;
  options.host = options.socket = "x";
  CHECK(rac_mqtt_create(&options) == NULL);
  options = (rac_mqtt_options)RAC_MQTT_OPTIONS_INIT;
  owned rac_scheduler *clock = rac_scheduler_virtual();
  options.scheduler = clock;
  CHECK(rac_mqtt_create(&options) == NULL);
  CHECK(rac_mqtt_create(NULL) == NULL);
  rac_mqtt_release(NULL);
}

/* QoS 1: nothing of it is lost, and what was in the window may come twice. */
TEST(a_killed_broker_loses_nothing_of_a_publisher) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  owned rac_subject *source = rac_subject_create();
  owned rac_signal *said = rac_mqtt_publish(mqtt, as_signal(source), "n", NULL);
  RECORDER(r, said);
  rac_subject_send(source, rac_int64(1));
  WAIT_UNTIL(stats_of(mqtt).acknowledged == 1);
  broker_kill(&broker);
  rac_subject_send(source, rac_int64(2));
  WAIT_UNTIL(stats_of(mqtt).losses == 1);
  rac_subject_send(source, rac_int64(3));
  of_mqtt *other = mqtt_of(&broker, NULL);
  owned rac_signal *hearing = rac_mqtt_subscribe(other, "n", NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(hearing, &t);
  broker_start_again(&broker);
  WAIT_UNTIL(stats_of(mqtt).acknowledged == 3);
  rac_subject_send_completed(source);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "|");
  CHECK_INT(stats_of(mqtt).connections, 2);
  rac_dispose(d);
}

/* Who listens goes on when the broker is there again. */
TEST(a_listener_subscribes_again) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  owned rac_signal *hearing = hear(mqtt, "a", RAC_MQTT_TEXT);
  RECORDER(r, hearing);
  WAIT_UNTIL(stats_of(mqtt).connections == 1);
  for (int i = 2; i <= 3; i++) {
    broker_kill(&broker);
    broker_start_again(&broker);
    WAIT_UNTIL(stats_of(mqtt).connections == (uint64_t)i);
  }
  await_subscription(mqtt, "x");
  broker_say(&broker, "a", "1", false);
  WAIT_UNTIL(atomic_load(&r.nexts) == 1);
  CHECK_EVENTS(&r, "1");
  CHECK_INT(stats_of(mqtt).losses, 2);
}

TEST(a_broker_that_hangs_counts_as_lost) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  owned rac_subject *source = rac_subject_create();
  owned rac_signal *said = rac_mqtt_publish(mqtt, as_signal(source), "n", NULL);
  RECORDER(r, said);
  rac_subject_send(source, rac_int64(1));
  WAIT_UNTIL(stats_of(mqtt).acknowledged == 1);
  broker_pause(&broker);
  rac_subject_send(source, rac_int64(2));
  WAIT_UNTIL(stats_of(mqtt).losses == 1);
  CHECK(strncmp(stats_of(mqtt).trouble, "no answer in 1 s", 16) == 0);
  broker_go_on(&broker);
  WAIT_UNTIL(stats_of(mqtt).acknowledged == 2);
  rac_subject_send_completed(source);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
}

/* The broker keeps what comes while a client with a session is away. */
TEST(a_session_misses_nothing) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *other = mqtt_of(&broker, NULL);
  for (int i = 0; i < 2; i++) {
    of_mqtt *mqtt = mqtt_of(&broker, "keeper");
    owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "n/+", NULL);
    tally t = {0};
    owned rac_disposable *d = tally_of(hearing, &t);
    if (i == 1) {
      WAIT_UNTIL(atomic_load(&t.last) == 500);
      CHECK_INT(t.missed + t.again, 0);
      CHECK_INT(stats_of(mqtt).unheard, 0);
    } else {
      await_subscription(mqtt, "x");
      rac_dispose(d);
      WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
      owned rac_signal *source = counting(1, 500);
      CHECK_STATUS(publish_all(other, source, "n/a", NULL), RAC_OK);
    }
    rac_dispose(d);
    WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
  }
}

/* A goodbye brings none; a client that another of its name has thrown out has
 * said none. */
TEST(a_last_will_is_for_those_who_go_without_a_word) {
  with_broker broker = {0};
  broker_start(&broker);
  of_mqtt *mqtt = mqtt_of(&broker, NULL);
  owned rac_signal *hearing = hear(mqtt, "will", RAC_MQTT_TEXT);
  RECORDER(r, hearing);
  await_subscription(mqtt, "x");
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = broker.port;
  options.client = "ann";
  options.will_topic = "will";
  options.will = "gone";
  options.will_length = 4;
  options.will_qos = 1;
  int64_t code;
  CHECK_STATUS(say_one(&options, &code), RAC_OK);
  await_subscription(mqtt, "x");
  CHECK_INT(r.nexts, 0);
  of_mqtt *first = rac_mqtt_create(&options);
  owned rac_signal *quiet = rac_mqtt_subscribe(first, "y", NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(quiet, &t);
  WAIT_UNTIL(stats_of(first).connections == 1);
  CHECK_STATUS(say_one(&options, &code), RAC_OK);
  WAIT_UNTIL(atomic_load(&r.nexts) >= 1);
  CHECK(strncmp(r.text, "gone", 4) == 0);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

/* Everything on the main scheduler: nothing happens but when it runs. */
TEST(a_loop_of_the_host_s_does_it_all) {
  with_broker broker = {0};
  broker_start(&broker);
  {
    rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
    options.port = broker.port;
    owned rac_scheduler *loop = rac_scheduler_main();
    options.scheduler = loop;
    of_mqtt *mqtt = rac_mqtt_create(&options);
    owned rac_signal *hearing = rac_mqtt_subscribe(mqtt, "n", NULL);
    tally t = {0};
    owned rac_disposable *d = tally_of(hearing, &t);
    owned rac_signal *source = counting(1, 500);
    owned rac_signal *said = rac_mqtt_publish(mqtt, source, "n", NULL);
    CHECK_STATUS(rac_signal_wait_until_completed(said, 20, NULL), RAC_OK);
    for (int i = 0; atomic_load(&t.last) < 500 && i < 20000; i++) {
      rac_main_drain(0);
      check_pause();
    }
    CHECK_INT(t.heard, 500);
    rac_dispose(d);
  }
  for (int i = 0; context_count() + (int)rac_live_objects() > 0 && i < 20000;
       i++) {
    rac_main_drain(0);
    check_pause();
  }
}
