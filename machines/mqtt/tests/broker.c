#include "broker.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool answers(const broker *self) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_port = htons((uint16_t)self->port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool is_there = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
  close(fd);
  return is_there;
}

static void configure(const broker *self) {
  char path[100];
  snprintf(path, sizeof path, "%s/conf", self->folder);
  FILE *file = fopen(path, "w");
  if (file == NULL) abort();
  fprintf(file, "%slistener %d 127.0.0.1\nlog_dest file %s/log\nuser root\n",
          self->settings != NULL ? self->settings : "allow_anonymous true\n",
          self->port, self->folder);
  if (self->keeps)
    fprintf(file,
            "persistence true\npersistence_location %s/\n"
            "autosave_on_changes true\nautosave_interval 1\n",
            self->folder);
  if (self->has_tls)
    fprintf(file, "cafile %s/ca.pem\ncertfile %s/ca.pem\nkeyfile %s/key.pem\n",
            self->folder, self->folder, self->folder);
  fclose(file);
}

static void run(broker *self) {
  char path[100];
  snprintf(path, sizeof path, "%s/conf", self->folder);
  /* It does not outlive a test that crashes. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (freopen("/dev/null", "w", stderr) == NULL) _exit(127);
  execl(MOSQUITTO, MOSQUITTO, "-c", path, (char *)NULL);
  _exit(127);
}

void broker_start_again(broker *self) {
  self->process = fork();
  if (self->process < 0) abort();
  if (self->process == 0) run(self);
  for (int i = 0; i < 20000; i++) {
    if (answers(self)) return;
    usleep(1000);
  }
  fprintf(stderr, "mosquitto does not answer\n");
  abort();
}

void broker_start(broker *self) {
  char command[400];
  strcpy(self->folder, "/tmp/rac-mqtt-XXXXXX");
  if (mkdtemp(self->folder) == NULL) abort();
  if (self->port == 0) self->port = free_port();
  if (self->has_tls) {
    snprintf(command, sizeof command,
             "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 "
             "-nodes -days 2 -subj /CN=localhost -addext "
             "subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout %s/key.pem "
             "-out %s/ca.pem >/dev/null 2>&1",
             self->folder, self->folder);
    if (system(command) != 0) abort();
  }
  configure(self);
  broker_start_again(self);
}

void broker_kill(broker *self) {
  if (self->process <= 0) return;
  kill(self->process, SIGKILL);
  waitpid(self->process, NULL, 0);
  self->process = 0;
}

void broker_pause(broker *self) { kill(self->process, SIGSTOP); }
void broker_go_on(broker *self) { kill(self->process, SIGCONT); }

void broker_remove(broker *self) {
  char command[100];
  broker_kill(self);
  snprintf(command, sizeof command, "rm -rf '%s'", self->folder);
  if (self->folder[0] != 0 && system(command) != 0) abort();
}

void broker_say(broker *self, const char *topic, const char *text,
                bool is_retained) {
  char command[400];
  snprintf(command, sizeof command,
           "mosquitto_pub -p %d -q 1 -t '%s' %s -m '%s'", self->port, topic,
           is_retained ? "-r" : "", text);
  if (system(command) != 0) abort();
}

rac_mqtt *mqtt_of(broker *self, const char *client) {
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = self->port;
  options.client = client;
  options.session = client != NULL;
  options.patience = 1;
  rac_mqtt *made = rac_mqtt_create(&options);
  if (made == NULL) fprintf(stderr, "%s\n", rac_mqtt_last_message());
  return made;
}

rac_mqtt_stats stats_of(rac_mqtt *mqtt) {
  rac_mqtt_stats stats = {.size = sizeof stats};
  CHECK_STATUS(rac_mqtt_get_stats(mqtt, &stats), RAC_OK);
  return stats;
}

rac_signal *hear(rac_mqtt *mqtt, const char *filter, int format) {
  rac_mqtt_subscribe_options options = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  options.format = format;
  return rac_mqtt_subscribe(mqtt, filter, &options);
}

rac_status publish_all(rac_mqtt *mqtt, rac_signal *source, const char *topic,
                       const rac_mqtt_publish_options *options) {
  owned rac_signal *published = rac_mqtt_publish(mqtt, source, topic, options);
  if (published == NULL) return RAC_EINVAL;
  return rac_signal_wait_until_completed(published, 60, NULL);
}

/* The broker answers in the order in which it was asked: once a message of ours
 * is acknowledged the subscription is there. */
void await_subscription(rac_mqtt *mqtt, const char *topic) {
  owned rac_signal *source = rac_signal_return(rac_int64(0));
  CHECK_STATUS(publish_all(mqtt, source, topic, NULL), RAC_OK);
}
