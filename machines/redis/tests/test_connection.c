/* Where a broker is, who may come in, and what happens when there is none. */
#include "server.h"

#include <stdio.h>

static rac_status store_one(const rac_redis_options *options, int64_t *code) {
  of_redis *redis = rac_redis_create(options);
  if (redis == NULL) return RAC_EINVAL;
  owned rac_signal *source = counting(1, 1);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", NULL);
  owned rac_signal *all = rac_signal_collect(stored);
  owned_value end = {0};
  rac_status status = rac_signal_first(all, 20, &end);
  *code = status == RAC_ESTREAM ? rac_error_get_code(end) : 0;
  return status;
}

TEST(a_broker_is_at_a_port) {
  with_server broker = {.port = free_port()};
  server_start(&broker, false);
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  int64_t code;
  options.host = "localhost";
  options.port = broker.port;
  options.database = 3;
  CHECK_STATUS(store_one(&options, &code), RAC_OK);
  CHECK_INT(server_number(&broker, "XLEN s"), 0);
  CHECK(strstr(server_ask(&broker, "INFO keyspace"), "db3:keys=1") != NULL);
  options.database = 1000;
  CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_REDIS_REFUSED);
}

TEST(a_password_opens_the_door) {
  with_server broker = {0};
  server_start(&broker, false);
  server_ask(&broker, "ACL SETUSER ann on >secret ~s +@all");
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  int64_t code;
  options.socket = broker.socket;
  options.user = "ann";
  options.password = "secret";
  CHECK_STATUS(store_one(&options, &code), RAC_OK);
  options.password = "guess";
  CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_REDIS_REFUSED);
  /* Nobody's password for the default user, and what ann must not do. */
  options.user = NULL;
  CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  server_ask(&broker, "ACL SETUSER ann -xadd");
  options.user = "ann";
  options.password = "secret";
  CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_REDIS_REFUSED);
}

TEST(without_a_password_the_door_stays_shut) {
  with_server broker = {0};
  server_start(&broker, false);
  server_ask(&broker, "CONFIG SET requirepass secret");
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  int64_t code;
  options.socket = broker.socket;
  CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_REDIS_REFUSED);
  options.password = "secret";
  CHECK_STATUS(store_one(&options, &code), RAC_OK);
}

/* Certificates of a test's own: one for all, and another authority's. */
static void make_certificates(const char *folder) {
  char command[500];
  for (int i = 0; i < 2; i++) {
    const char *name = i == 0 ? "own" : "other";
    snprintf(command, sizeof command,
             "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 "
             "-nodes -days 2 -subj /CN=localhost -addext "
             "subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout %s/%s.key "
             "-out %s/%s.pem >/dev/null 2>&1",
             folder, name, folder, name);
    if (system(command) != 0) abort();
  }
}

TEST(a_wire_may_be_encrypted) {
  char folder[] = "/tmp/rac-redis-tls-XXXXXX", own[64], key[64], other[64],
       port[16], command[64];
  if (mkdtemp(folder) == NULL) abort();
  make_certificates(folder);
  snprintf(own, sizeof own, "%s/own.pem", folder);
  snprintf(key, sizeof key, "%s/own.key", folder);
  snprintf(other, sizeof other, "%s/other.pem", folder);
  snprintf(port, sizeof port, "%d", free_port());
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.host = "localhost";
  options.port = atoi(port);
  options.tls = true;
  options.authorities = own;
  options.give_up_after = 0.3;
  rac_redis *probe = rac_redis_create(&options);
  bool is_there = probe != NULL;
  rac_redis_release(probe);
  if (!is_there) printf("skipped: %s\n", rac_redis_last_message());
  with_server broker = {.arguments = {"--tls-port", port, "--tls-cert-file",
                                      own, "--tls-key-file", key,
                                      "--tls-ca-cert-file", own,
                                      "--tls-auth-clients", "yes"}};
  if (is_there) server_start(&broker, false);
  int64_t code = 0;
  if (is_there) {
    options.certificate = own;
    options.key = key;
    CHECK_STATUS(store_one(&options, &code), RAC_OK);
    options.host = "127.0.0.1";
    CHECK_STATUS(store_one(&options, &code), RAC_OK);
    /* Much, both ways. */
    of_redis *redis = rac_redis_create(&options);
    owned rac_signal *source = counting(1, 20000);
    CHECK_STATUS(publish_all(redis, source, "n", NULL), RAC_OK);
    rac_redis_read_options read = RAC_REDIS_READ_OPTIONS_INIT;
    read.from = "0";
    owned rac_signal *reading = rac_redis_read(redis, "n", &read);
    tally t = {0};
    owned rac_disposable *d = tally_of(reading, &t);
    WAIT_UNTIL(atomic_load(&t.last) == 20000);
    CHECK_INT(t.missed + t.again, 0);
    rac_dispose(d);
    WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
    /* An authority that did not sign it; no certificate; no TLS. */
    options.authorities = other;
    CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
    CHECK_INT(code, RAC_REDIS_UNREACHABLE);
    options.authorities = own;
    options.certificate = options.key = NULL;
    CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
    CHECK_INT(code, RAC_REDIS_UNREACHABLE);
    options.tls = false;
    options.authorities = NULL;
    CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
    CHECK_INT(code, RAC_REDIS_UNREACHABLE);
    /* A name that the certificate does not have. */
    options.tls = true;
    options.authorities = options.certificate = own;
    options.key = key;
    options.host = "ip6-localhost";
    CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  }
  options.key = "/no/such/file";
  CHECK(rac_redis_create(&options) == NULL);
  options.key = NULL;
  CHECK(rac_redis_create(&options) == NULL);
  CHECK_TEXT(rac_redis_last_message(),
             "rac_redis_create: a certificate and a key belong together");
  snprintf(command, sizeof command, "rm -r %s", folder);
  if (system(command) != 0) abort();
}

TEST(where_no_broker_is_a_signal_gives_up_in_its_time) {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  int64_t code;
  options.socket = "/tmp/there is no such socket";
  options.give_up_after = 0.2;
  CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_REDIS_UNREACHABLE);
  options.socket = NULL;
  options.port = free_port();
  CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_REDIS_UNREACHABLE);
  options.host = "no.such.host.invalid";
  CHECK_STATUS(store_one(&options, &code), RAC_ESTREAM);
  CHECK_INT(code, RAC_REDIS_UNREACHABLE);
}

TEST(a_disposal_ends_the_attempts) {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = "/tmp/there is no such socket";
  of_redis *redis = rac_redis_create(&options);
  owned rac_signal *reading = rac_redis_read(redis, "s", NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  WAIT_UNTIL(stats_of(redis).trouble[0] != 0);
  CHECK_TEXT(stats_of(redis).trouble,
             "/tmp/there is no such socket: No such file or directory");
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

/* All are stored. A broker that syncs each write may take longer on a busy
 * machine than the connection has patience, and get some of them again. */
static void check_stored(server *broker, rac_redis *redis, long long count) {
  long long there = server_number(broker, "XLEN s");
  CHECK(there >= count && there <= count + (long long)stats_of(redis).resent);
}

/* Earlier values go in when the broker is there. */
TEST(a_broker_may_come_later) {
  with_server broker = {0};
  server_start(&broker, true);
  server_kill(&broker);
  of_redis *redis = redis_of(&broker, NULL);
  owned rac_signal *source = counting(1, 100);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", NULL);
  RECORDER(r, stored);
  WAIT_UNTIL(stats_of(redis).trouble[0] != 0);
  server_start_again(&broker);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  check_stored(&broker, redis, 100);
}

static void count_taken(void *context, rac_value value) {
  (void)value;
  atomic_fetch_add((atomic_ullong *)context, 1);
}

/* Law 26: with nobody to store it, the source rests. It goes on when half of a
 * full place is free again, so what has filled the window since may have left 5
 * to 8 values in front of it. */
TEST(without_a_broker_the_source_rests) {
  with_server broker = {0};
  server_start(&broker, true);
  server_kill(&broker);
  of_redis *redis = redis_of(&broker, NULL);
  owned rac_bound *bound = rac_bound_create(8, RAC_BOUND_WAIT);
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.window = 16;
  options.bound = bound;
  atomic_ullong taken = 0;
  owned rac_signal *numbers = counting(1, 1000);
  owned rac_signal *source =
      rac_signal_do_next(numbers, &taken, count_taken, NULL);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", &options);
  RECORDER(r, stored);
  WAIT_UNTIL(rac_bound_get(bound, RAC_BOUND_LENGTH) > 4 &&
             atomic_load(&taken) ==
                 options.window + rac_bound_get(bound, RAC_BOUND_LENGTH));
  server_start_again(&broker);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "|");
  check_stored(&broker, redis, 1000);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= 8);
}

TEST(without_a_broker_a_bound_may_drop) {
  with_server broker = {0};
  server_start(&broker, true);
  server_kill(&broker);
  of_redis *redis = redis_of(&broker, NULL);
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_LATEST);
  rac_redis_publish_options options = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  options.window = 16;
  options.bound = bound;
  owned rac_subject *source = rac_subject_create();
  owned rac_signal *stored =
      rac_redis_publish(redis, as_signal(source), "s", &options);
  RECORDER(r, stored);
  for (int i = 1; i <= 1000; i++) rac_subject_send(source, rac_int64(i));
  server_start_again(&broker);
  rac_subject_send_completed(source);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  int64_t dropped = (int64_t)rac_bound_get(bound, RAC_BOUND_DROPPED);
  CHECK(dropped >= 1000 - 16 - 300);
  check_stored(&broker, redis, 1000 - dropped);
}

static void use_the_loop(void) {
  with_server broker = {0};
  server_start(&broker, false);
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = broker.socket;
  owned rac_scheduler *loop = rac_scheduler_main();
  options.scheduler = loop;
  of_redis *redis = rac_redis_create(&options);
  owned rac_signal *source = counting(1, 1000);
  owned rac_signal *stored = rac_redis_publish(redis, source, "s", NULL);
  rac_redis_read_options read = RAC_REDIS_READ_OPTIONS_INIT;
  read.from = "0";
  owned rac_signal *reading = rac_redis_read(redis, "s", &read);
  tally t = {0};
  owned rac_disposable *d = tally_of(reading, &t);
  CHECK_STATUS(rac_signal_wait_until_completed(stored, 20, NULL), RAC_OK);
  while (atomic_load(&t.last) < 1000) {
    rac_main_drain(0);
    check_pause();
  }
  CHECK_INT(t.heard, 1000);
  rac_dispose(d);
}

/* Everything on the main scheduler: nothing happens but when it runs. */
TEST(a_loop_of_the_host_s_does_it_all) {
  use_the_loop();
  for (int i = 0; context_count() + (int)rac_live_objects() > 0 && i < 20000;
       i++) {
    rac_main_drain(0);
    check_pause();
  }
}
