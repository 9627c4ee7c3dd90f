/* Numbers that flow while the network is cut, the broker stands still, and
 * producers, consumers and brokers are killed: what is lost, and what comes
 * twice. docs/Machines.md has the table. */
#include "broker.h"
#include "deaths.h"
#include "proxy.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLS = 4, WINDOW = 256, INFLIGHT = 20 /* Mosquitto's */ };

static int64_t numbers(void) { return count_of("RAC_MQTT_NUMBERS", 4000); }

/* Nothing is dropped for a client that is slow or away. */
static void start(broker *self) {
  self->settings = "allow_anonymous true\nmax_queued_messages 0\n"
                   "set_tcp_nodelay true\n";
  broker_start(self);
}

static rac_signal *listening(rac_mqtt *mqtt, int qos) {
  rac_mqtt_subscribe_options options = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  options.qos = qos;
  return rac_mqtt_subscribe(mqtt, "n", &options);
}

static rac_signal *publishing(rac_mqtt *mqtt, rac_signal *source, int qos) {
  rac_mqtt_publish_options options = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  options.qos = qos;
  return rac_mqtt_publish(mqtt, source, "n", &options);
}

/* ---- What has come ---------------------------------------------------------- */

static int notes;

static int slowness; /* microseconds that each takes */

static void note(void *context, rac_value value) {
  (void)context_target(context);
  if (!add_note(notes, value.bits)) abort();
  if (slowness > 0) usleep((unsigned)slowness);
}

static rac_disposable *note_all(rac_signal *signal, const char *path) {
  notes = open_notes(path);
  return rac_subscribe_next(signal, context_new(NULL, NULL), note,
                            context_destroy);
}

/* Once the last number has come, and everything else that will. */
static noted settled_notes(const char *path) {
  noted all = read_notes(path, numbers());
  for (int i = 0; i < 20000 && all.last < numbers(); i++) {
    check_pause();
    if (count_notes(path) > all.count) all = read_notes(path, numbers());
  }
  CHECK_INT(all.last, numbers());
  return all;
}

static void check_notes(const char *what, const char *path, int qos,
                        int64_t most_lost, int64_t most_doubles) {
  noted all = settled_notes(path);
  int64_t lost = numbers() - all.distinct, doubles = all.count - all.distinct;
  CHECK(lost <= most_lost);
  CHECK(doubles <= most_doubles);
  printf("%s, QoS %d: of %lld lost %lld, twice %lld\n", what, qos,
         (long long)numbers(), (long long)lost, (long long)doubles);
}

/* ---- Those that are killed --------------------------------------------------- */

static void write_progress(const char *path, int64_t number) {
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (pwrite(file, &number, sizeof number, 0) < 0) abort();
  close(file);
}

static int64_t read_progress(const char *path) {
  int64_t number = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0 && pread(file, &number, sizeof number, 0) < 0) abort();
  if (file >= 0) close(file);
  return number;
}

/* Goes on behind the last number of which it knows that the broker has it. */
static int be_producer(rac_mqtt *mqtt, const char *path, int qos) {
  int64_t known = read_progress(path);
  if (known >= numbers()) return 0;
  owned rac_signal *source = counting(known + 1, numbers());
  owned rac_signal *said = publishing(mqtt, source, qos);
  tally t = {0};
  rac_release(tally_of(said, &t));
  for (;;) {
    bool is_over = atomic_load(&t.ends) != 0;
    write_progress(path, known + (int64_t)stats_of(mqtt).acknowledged);
    if (is_over) return atomic_load(&t.ends) == 1 ? 0 : 3;
    usleep(500);
  }
}

/* Callbacks that return at once would hide what is between them and the
 * acknowledgement. */
static void be_consumer(rac_mqtt *mqtt, const char *path, int qos) {
  slowness = 200;
  rac_release(note_all(listening(mqtt, qos), path));
  for (;;) pause();
}

__attribute__((constructor)) static void be_somebody(void) {
  part as;
  broker broker = {0};
  int qos = 0;
  if (!has_part(&as)) return;
  sscanf(as.broker, "%d %d", &broker.port, &qos);
  bool is_producer = strcmp(as.name, "producer") == 0;
  rac_mqtt *mqtt = mqtt_of(&broker, is_producer ? NULL : "keeper");
  if (is_producer) _exit(be_producer(mqtt, as.file, qos));
  be_consumer(mqtt, as.file, qos);
}

static pid_t start_beside(broker *broker, const char *name, const char *file,
                          int qos) {
  char text[40];
  snprintf(text, sizeof text, "%d %d", broker->port, qos);
  return start_as((part){name, text, file});
}

/* ---- The tests ---------------------------------------------------------------- */

/* All in one process, which lives. */
typedef struct flow {
  broker broker;
  char notes[100], progress[100];
  rac_mqtt *listener, *publisher;
  rac_signal *hearing, *source, *said;
  rac_disposable *listens;
  recorder end;
} flow;

static void prepare(flow *self) {
  start(&self->broker);
  snprintf(self->notes, sizeof self->notes, "%s/notes", self->broker.folder);
  snprintf(self->progress, sizeof self->progress, "%s/progress",
           self->broker.folder);
}

static void listen_to(flow *self, int qos) {
  self->hearing = listening(self->listener, qos);
  self->listens = note_all(self->hearing, self->notes);
  await_subscription(self->listener, "x");
}

static void publish_to(flow *self, int qos) {
  self->source = counting(1, numbers());
  self->said = publishing(self->publisher, self->source, qos);
  record(self->said, &self->end);
}

static void await_completion(flow *self) {
  while (atomic_load(&self->end.ends) == 0) check_pause();
  CHECK_EVENTS(&self->end, "|");
}

static void end_flow(flow *self) {
  if (self->listens != NULL) rac_dispose(self->listens);
  rac_release(self->listens);
  rac_release(self->hearing);
  if (self->said != NULL) finish(&self->end);
  rac_release(self->said);
  rac_release(self->source);
  rac_mqtt_release(self->listener);
  rac_mqtt_release(self->publisher);
  broker_remove(&self->broker);
}
#define with_flow __attribute__((cleanup(end_flow))) flow

/* The publisher's connection is cut, and with QoS 1 the listener's, too. */
static void check_cuts(int qos) {
  with_flow flow = {0};
  int64_t most = numbers() * 10 > 1000000 ? 1000000 : numbers() * 10;
  proxy between = {.most = (uint64_t)most};
  prepare(&flow);
  between.port = flow.broker.port;
  proxy_start(&between, flow.broker.folder);
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.socket = between.socket;
  options.session = true;
  options.client = "teller";
  flow.publisher = rac_mqtt_create(&options);
  if (qos == 2) {
    options.socket = NULL;
    options.port = flow.broker.port;
  }
  options.client = "keeper";
  flow.listener = rac_mqtt_create(&options);
  listen_to(&flow, qos);
  publish_to(&flow, qos);
  while (stats_of(flow.publisher).acknowledged < (uint64_t)numbers() * 3 / 4)
    check_pause();
  atomic_store(&between.is_whole, true);
  await_completion(&flow);
  CHECK(between.cuts > 1);
  check_notes("a network that was cut", flow.notes, qos, 0,
              qos == 2 ? 0 : (int64_t)WINDOW * between.cuts);
  rac_dispose(flow.listens);
  finish(&flow.end);
  proxy_stop(&between);
}

TEST(a_cut_loses_nothing) { check_cuts(1); }
TEST(a_cut_doubles_nothing_of_qos_2) { check_cuts(2); }

static void check_standstill(int qos) {
  with_flow flow = {0};
  prepare(&flow);
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = flow.broker.port;
  options.patience = 0.2;
  options.session = true;
  options.client = "teller";
  flow.publisher = rac_mqtt_create(&options);
  options.patience = 0;
  options.client = "keeper";
  flow.listener = rac_mqtt_create(&options);
  listen_to(&flow, qos);
  publish_to(&flow, qos);
  while (stats_of(flow.publisher).acknowledged < (uint64_t)numbers() / 2)
    check_pause();
  broker_pause(&flow.broker);
  while (stats_of(flow.publisher).losses == 0) check_pause();
  broker_go_on(&flow.broker);
  await_completion(&flow);
  int64_t losses = (int64_t)stats_of(flow.publisher).losses +
                   (int64_t)stats_of(flow.listener).losses;
  check_notes("a broker that stood still", flow.notes, qos, 0,
              qos == 2 ? 0 : WINDOW * losses);
}

TEST(a_standstill_loses_nothing) { check_standstill(1); }
TEST(a_standstill_doubles_nothing_of_qos_2) { check_standstill(2); }

/* The window of a killed one comes again, or was not there yet. */
TEST(a_killed_producer_loses_nothing) {
  with_flow flow = {0};
  prepare(&flow);
  flow.listener = mqtt_of(&flow.broker, "keeper");
  listen_to(&flow, 1);
  for (int i = 1; i <= KILLS; i++) {
    pid_t producer = start_beside(&flow.broker, "producer", flow.progress, 1);
    while (read_progress(flow.progress) < numbers() * i / (KILLS + 1))
      check_pause();
    kill_now(producer);
  }
  int status = -1;
  waitpid(start_beside(&flow.broker, "producer", flow.progress, 1), &status, 0);
  CHECK_INT(status, 0);
  check_notes("killed producers", flow.notes, 1, 0, WINDOW * KILLS);
}

/* With QoS 1. With QoS 2 the broker and a process that is gone had agreed upon
 * values that nobody has. */
TEST(a_killed_consumer_loses_nothing) {
  with_flow flow = {0};
  prepare(&flow);
  flow.publisher = mqtt_of(&flow.broker, NULL);
  pid_t consumer = start_beside(&flow.broker, "consumer", flow.notes, 1);
  /* It has subscribed when something has come. */
  while (count_notes(flow.notes) == 0) {
    owned rac_signal *probe = rac_signal_return(I(0));
    CHECK_STATUS(publish_all(flow.publisher, probe, "n", NULL), RAC_OK);
    check_pause();
  }
  publish_to(&flow, 1);
  for (int i = 1; i <= KILLS; i++) {
    while (count_notes(flow.notes) < numbers() * i / (KILLS + 1)) check_pause();
    kill_now(consumer);
    consumer = start_beside(&flow.broker, "consumer", flow.notes, 1);
  }
  await_completion(&flow);
  /* The probes are no numbers, and count as doubles. */
  check_notes("killed consumers", flow.notes, 1, 0,
              (INFLIGHT + WINDOW) * KILLS);
  kill_now(consumer);
}

/* A killed broker forgets what it has acknowledged; nobody waits for ever, and
 * nothing of what it has not acknowledged is lost. */
static void check_killed_brokers(int qos) {
  with_flow flow = {0};
  prepare(&flow);
  flow.listener = mqtt_of(&flow.broker, "keeper");
  flow.publisher = mqtt_of(&flow.broker, "teller");
  listen_to(&flow, qos);
  publish_to(&flow, qos);
  for (int i = 1; i <= KILLS; i++) {
    while (stats_of(flow.publisher).acknowledged <
           (uint64_t)(numbers() * i / (KILLS + 1)))
      check_pause();
    broker_kill(&flow.broker);
    broker_start_again(&flow.broker);
  }
  await_completion(&flow);
  CHECK_INT(stats_of(flow.publisher).acknowledged, numbers());
  /* One may be killed before anybody knows of the death before. */
  CHECK(stats_of(flow.publisher).losses > 0);
  WAIT_UNTIL(stats_of(flow.listener).connections >= 2);
  noted all = read_notes(flow.notes, numbers());
  CHECK(all.count - all.distinct <= WINDOW * KILLS);
  printf("killed brokers, QoS %d: of %lld lost %lld, twice %lld\n", qos,
         (long long)numbers(), (long long)(numbers() - all.distinct),
         (long long)(all.count - all.distinct));
}

TEST(a_killed_broker_holds_up_nobody) { check_killed_brokers(1); }
TEST(a_killed_broker_holds_up_nobody_with_qos_2) { check_killed_brokers(2); }
