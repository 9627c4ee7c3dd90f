#include "link.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* How many are read before others have their turn. */
enum { PACKETS = 64 };

static void rest(rac_mqtt *self);
static void connect_now(rac_mqtt *self);
static void await_reading(rac_mqtt *self);
static void shut(rac_mqtt *self);

static void let_go(void *context) { rac_mqtt_release(context); }

/* ---- The parties --------------------------------------------------------- */

/* Parties may leave while one goes through them: they are unlinked afterwards. */
static void enter(rac_mqtt *self) {
  mqtt_retain(self);
  self->inside++;
}

static void leave(rac_mqtt *self) {
  if (--self->inside == 0) {
    party **place = &self->first;
    while (*place != NULL) {
      party *each = *place;
      if (each->is_leaving) {
        *place = each->next;
        each->is_attached = false;
        owner_release(&each->owner);
      } else
        place = &each->next;
    }
    if (self->first == NULL) shut(self);
  }
  rac_mqtt_release(self);
}

#define FOR_EACH(each, self)                                                   \
  for (party *each = (self)->first; each != NULL; each = each->next)           \
    if (!each->is_leaving)

static void subscribe(party *self) {
  if (self->filter == NULL) return;
  mosquitto_subscribe(self->mqtt->mosquitto, &self->subscribing, self->filter,
                      self->qos);
}

void link_attach(party *self) {
  rac_mqtt *mqtt = self->mqtt;
  enter(mqtt);
  owner_retain(&self->owner);
  self->is_attached = true;
  self->has_wildcards =
      self->filter != NULL && strpbrk(self->filter, "+#") != NULL;
  self->next = mqtt->first;
  mqtt->first = self;
  if (mqtt->state == OPEN) {
    subscribe(self);
    if (self->role->opened != NULL) self->role->opened(self);
  } else if (mqtt->state == IDLE) {
    mqtt->out_since = link_now(mqtt);
    connect_now(mqtt);
  }
  leave(mqtt);
  link_flush(mqtt);
}

/* A session goes on at the broker. */
static void unsubscribe(party *self) {
  rac_mqtt *mqtt = self->mqtt;
  if (self->filter == NULL || mqtt->state != OPEN || mqtt->session) return;
  FOR_EACH(each, mqtt) {
    if (each->filter != NULL && strcmp(each->filter, self->filter) == 0) return;
  }
  mosquitto_unsubscribe(mqtt->mosquitto, NULL, self->filter);
}

/* Nobody waits any more for the answers to its messages. */
static void forget_messages(party *self) {
  for (int i = 0; self->outstanding > 0 && i < 65536; i++) {
    if (self->mqtt->publishers[i] != self) continue;
    self->mqtt->publishers[i] = NULL;
    self->outstanding--;
    if (self->qos > 0) self->mqtt->unacknowledged--;
  }
}

void link_detach(party *self) {
  if (!self->is_attached || self->is_leaving) return;
  enter(self->mqtt);
  self->is_leaving = true;
  unsubscribe(self);
  forget_messages(self);
  leave(self->mqtt);
  link_flush(self->mqtt);
}

static void fail_all(rac_mqtt *self, int64_t code, const char *message) {
  enter(self);
  FOR_EACH(each, self) { owner_fail(&each->owner, mqtt_error(code, message)); }
  leave(self);
}

/* ---- Losing it ----------------------------------------------------------- */

static void disconnect(rac_mqtt *self) {
  drop(&self->reading);
  drop(&self->writing);
  drop(&self->watch);
  drop(&self->rest);
}

/* Says goodbye, so that there is no last will. */
static void shut(rac_mqtt *self) {
  struct mosquitto *old = self->mosquitto;
  disconnect(self);
  if (self->state == OPEN) {
    mosquitto_threaded_set(old, false);
    mosquitto_disconnect(old);
  }
  self->state = IDLE;
  self->mosquitto = NULL;
  self->pause = 0;
  self->is_held = false;
  if (old != NULL) mosquitto_destroy(old);
}

/* With QoS 0 what was not written is gone; the rest libmosquitto publishes
 * again. */
static void lose_messages(rac_mqtt *self) {
  FOR_EACH(each, self) {
    if (each->outstanding == 0 || each->qos > 0) continue;
    mqtt_count(self, LOST, each->outstanding);
    forget_messages(each);
    each->has_news = true;
  }
}

static void lose(rac_mqtt *self, const char *reason) {
  if (self->state == IDLE || self->state == RESTING) return;
  bool was_open = self->state == OPEN;
  double time = link_now(self);
  int fd = mosquitto_socket(self->mosquitto);
  counts_note_trouble(&self->counts, reason);
  disconnect(self);
  if (fd >= 0) shutdown(fd, SHUT_RDWR);
  self->state = RESTING;
  enter(self);
  if (was_open) {
    self->out_since = time;
    mqtt_count(self, LOSSES, 1);
    lose_messages(self);
    FOR_EACH(each, self) {
      if (each->role->lost != NULL) each->role->lost(each);
    }
  }
  if (self->give_up_after > 0 &&
      time - self->out_since >= self->give_up_after) {
    char text[220];
    snprintf(text, sizeof text, "no connection for %g s: %s",
             self->give_up_after, reason);
    self->state = IDLE;
    fail_all(self, RAC_MQTT_UNREACHABLE, text);
  } else
    rest(self);
  leave(self);
}

/* ---- What libmosquitto tells ---------------------------------------------- */

static void on_connect(struct mosquitto *mosquitto, void *of, int answer) {
  rac_mqtt *self = of;
  (void)mosquitto;
  self->has_answered = true;
  self->answer = answer;
}

static bool is_for(const party *self, const char *topic) {
  bool matches = false;
  if (self->filter == NULL) return false;
  if (!self->has_wildcards) return strcmp(self->filter, topic) == 0;
  mosquitto_topic_matches_sub(self->filter, topic, &matches);
  return matches;
}

static void on_message(struct mosquitto *mosquitto, void *of,
                       const struct mosquitto_message *message) {
  rac_mqtt *self = of;
  bool is_heard = false;
  (void)mosquitto;
  enter(self);
  mqtt_count(self, RECEIVED, 1);
  FOR_EACH(each, self) {
    if (each->role->heard == NULL || !is_for(each, message->topic)) continue;
    is_heard = true;
    each->role->heard(each, message);
    if (each->role->has_room != NULL && !each->role->has_room(each))
      self->is_crowded = true;
  }
  if (!is_heard) mqtt_count(self, UNHEARD, 1);
  leave(self);
}

static void on_publish(struct mosquitto *mosquitto, void *of, int number) {
  rac_mqtt *self = of;
  party *publisher = self->publishers[number & 0xffff];
  (void)mosquitto;
  if (publisher == NULL) return;
  self->publishers[number & 0xffff] = NULL;
  publisher->outstanding--;
  if (publisher->qos > 0) self->unacknowledged--;
  publisher->has_news = true;
  mqtt_count(self, ACKNOWLEDGED, 1);
}

static void on_subscribe(struct mosquitto *mosquitto, void *of, int number,
                         int count, const int *granted) {
  rac_mqtt *self = of;
  char text[220];
  (void)mosquitto;
  enter(self);
  FOR_EACH(each, self) {
    if (each->subscribing != number) continue;
    each->subscribing = 0;
    if (count < 1 || granted[0] > 2) {
      snprintf(text, sizeof text, "the broker refuses a subscription to %.150s",
               each->filter);
      owner_fail(&each->owner, mqtt_error(RAC_MQTT_REFUSED, text));
      continue;
    }
    if (granted[0] < each->qos) mqtt_count(self, LOWERED, 1);
    if (each->role->subscribed != NULL) each->role->subscribed(each);
  }
  leave(self);
}

/* ---- Reading and writing -------------------------------------------------- */

static void take_answer(rac_mqtt *self) {
  char text[120];
  self->has_answered = false;
  snprintf(text, sizeof text, "the broker answers: %s",
           mosquitto_connack_string(self->answer));
  if (self->answer == 3) {
    lose(self, text);
  } else if (self->answer != 0) {
    counts_note_trouble(&self->counts, text);
    disconnect(self);
    self->state = IDLE;
    fail_all(self, RAC_MQTT_REFUSED, text);
  } else {
    self->state = OPEN;
    self->pause = 0;
    mqtt_count(self, CONNECTIONS, 1);
    FOR_EACH(each, self) { subscribe(each); }
    FOR_EACH(each, self) {
      if (each->role->opened != NULL) each->role->opened(each);
    }
  }
}

static void on_writable(void *of, rac_value value);
static void on_error(void *of, rac_value error) {
  lose(of, rac_error_get_message(error));
}
static void on_end(void *of) { lose(of, "the broker has gone"); }

static void await(rac_mqtt *self, rac_disposable **place, rac_signal *signal,
                  rac_next_fn next) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = mqtt_retain(self);
  observer.next = next;
  observer.error = on_error;
  observer.completed = on_end;
  observer.destroy = let_go;
  link_state state = self->state;
  rac_disposable *made = rac_subscribe(signal, &observer);
  rac_release(signal);
  if (made != NULL && self->state == state && *place == NULL) {
    *place = made;
    return;
  }
  if (made != NULL) rac_dispose(made);
  rac_release(made);
  if (made == NULL) lose(self, "no memory, or no descriptor");
}

static void await_writing(rac_mqtt *self) {
  if (self->writing == NULL)
    await(self, &self->writing,
          rac_signal_writable(mosquitto_socket(self->mosquitto),
                              RAC_DESCRIPTOR_LENT, self->scheduler),
          on_writable);
}

/* Of a call of libmosquitto's loop; false: the connection is lost. */
static bool take_status(rac_mqtt *self, int status) {
  if (status == MOSQ_ERR_SUCCESS && mosquitto_socket(self->mosquitto) >= 0)
    return true;
  bool is_lost = status == MOSQ_ERR_CONN_LOST || status == MOSQ_ERR_SUCCESS;
  lose(self, status == MOSQ_ERR_ERRNO && errno != 0 ? strerror(errno)
             : is_lost ? "the broker has closed the connection"
                       : mosquitto_strerror(status));
  return false;
}

static bool write_now(rac_mqtt *self) {
  errno = 0;
  return take_status(self, mosquitto_loop_write(self->mosquitto, 1));
}

/* False: there are none. */
static bool tell_news(rac_mqtt *self) {
  bool is_some = false;
  FOR_EACH(each, self) {
    if (!each->has_news) continue;
    is_some = true;
    each->has_news = false;
    if (each->role->settled != NULL) each->role->settled(each);
  }
  return is_some && (self->state == OPEN || self->state == CONNECTING);
}

/* After each call of libmosquitto's loop. */
static void settle(rac_mqtt *self, int status) {
  if (self->has_answered && self->state == CONNECTING) take_answer(self);
  if (self->state != OPEN && self->state != CONNECTING) return;
  if (!take_status(self, status)) return;
  int rounds = 0;
  do {
    if (mosquitto_want_write(self->mosquitto) && !write_now(self)) return;
  } while (tell_news(self) && ++rounds < PACKETS);
  if (self->state != OPEN && self->state != CONNECTING) return;
  if (rounds == PACKETS || mosquitto_want_write(self->mosquitto))
    await_writing(self);
  else if (self->state == OPEN)
    drop(&self->writing);
}

void link_flush(rac_mqtt *self) {
  if (self->inside > 0 || self->state != OPEN) return;
  enter(self);
  settle(self, MOSQ_ERR_SUCCESS);
  leave(self);
}

/* Everything has to be read while something of ours is not acknowledged. */
static bool may_read(rac_mqtt *self) {
  bool has_room = true;
  if (self->unacknowledged > 0) return true;
  FOR_EACH(each, self) {
    if (each->role->has_room != NULL && !each->role->has_room(each))
      has_room = false;
  }
  return has_room;
}

/* A broker whose small answers wait for the acknowledgement of those before, as
 * Mosquitto's do (set_tcp_nodelay is off), would else be waited for 40 ms. */
static void acknowledge_at_once(const rac_mqtt *self) {
  int yes = 1;
  if (self->port != 0)
    setsockopt(mosquitto_socket(self->mosquitto), IPPROTO_TCP, TCP_QUICKACK,
               &yes, sizeof yes);
}

/* Whether there is something that we have not come to. */
static bool has_news(const rac_mqtt *self) {
  struct pollfd each = {mosquitto_socket(self->mosquitto),
                        self->state == CONNECTING ? POLLOUT | POLLIN : POLLIN,
                        0};
  return poll(&each, 1, 0) > 0;
}

/* One packet at a time, as long as there is room, which takes a look at those who
 * have heard something: each reading of libmosquitto's takes one. */
static int read_packets(rac_mqtt *self) {
  int status = MOSQ_ERR_SUCCESS;
  self->is_crowded = false;
  for (int i = 0; i < PACKETS && status == MOSQ_ERR_SUCCESS; i++) {
    if (i > 0 && (self->state != OPEN || !has_news(self))) break;
    if (self->is_crowded && self->unacknowledged == 0) break;
    errno = 0;
    status = mosquitto_loop_read(self->mosquitto, 1);
  }
  if (status == MOSQ_ERR_SUCCESS) acknowledge_at_once(self);
  return status;
}

static void on_readable(void *of, rac_value value) {
  rac_mqtt *self = of;
  (void)value;
  if (self->inside > 0 || self->reading == NULL) return;
  enter(self);
  if (self->state == OPEN && !may_read(self)) {
    self->is_held = true;
    drop(&self->reading);
  } else {
    self->since = link_now(self);
    settle(self, read_packets(self));
  }
  leave(self);
}

static void on_writable(void *of, rac_value value) {
  rac_mqtt *self = of;
  (void)value;
  if (self->inside > 0 || self->writing == NULL) return;
  enter(self);
  errno = 0;
  int status = MOSQ_ERR_SUCCESS;
  if (self->state == CONNECTING) {
    /* The first step of TLS is taken by reading, and the answer awaited. */
    drop(&self->writing);
    if (self->tls) status = mosquitto_loop_read(self->mosquitto, 1);
  }
  if (status == MOSQ_ERR_SUCCESS)
    status = mosquitto_loop_write(self->mosquitto, 1);
  settle(self, status);
  leave(self);
}

static void await_reading(rac_mqtt *self) {
  if (self->reading == NULL)
    await(self, &self->reading,
          rac_signal_readable(mosquitto_socket(self->mosquitto),
                              RAC_DESCRIPTOR_LENT, self->scheduler),
          on_readable);
}

void link_has_room(rac_mqtt *self) {
  if (!self->is_held) return;
  self->is_held = false;
  if (self->state == OPEN)
    await_reading(self);
  else if (self->state == RESTING && self->rest == NULL)
    connect_now(self);
}

/* ---- Publishing ------------------------------------------------------------ */

rac_status link_publish(party *self, const char *topic, const void *payload,
                        size_t length, bool is_retained) {
  rac_mqtt *mqtt = self->mqtt;
  if (length > 268435455) return RAC_ERANGE;
  if (mqtt->unacknowledged == 0) mqtt->since = link_now(mqtt);
  int number = 0;
  int status = mosquitto_publish(mqtt->mosquitto, &number, topic, (int)length,
                                 payload, self->qos, is_retained);
  if (status == MOSQ_ERR_NOMEM) return RAC_ENOMEM;
  if (status == MOSQ_ERR_PAYLOAD_SIZE || status == MOSQ_ERR_OVERSIZE_PACKET)
    return RAC_ERANGE;
  mqtt_count(mqtt, SENT, 1);
  if (status != MOSQ_ERR_SUCCESS && self->qos == 0) {
    mqtt_count(mqtt, LOST, 1);
  } else {
    mqtt->publishers[number & 0xffff] = self;
    self->outstanding++;
    if (self->qos > 0) mqtt->unacknowledged++;
  }
  /* Held packets have to be read now; a lost connection is noticed there, too. */
  if (self->qos > 0) link_has_room(mqtt);
  return RAC_OK;
}

/* ---- Opening it ------------------------------------------------------------ */

/* Four times in the patience. */
static void look(void *of) {
  rac_mqtt *self = of;
  if (self->inside > 0 || self->state == IDLE || self->state == RESTING) return;
  enter(self);
  bool waits = self->state == CONNECTING || self->unacknowledged > 0 ||
               mosquitto_want_write(self->mosquitto);
  if (waits && link_now(self) - self->since >= self->patience &&
      !has_news(self)) {
    char text[80];
    snprintf(text, sizeof text, "no answer in %g s", self->patience);
    lose(self, text);
  } else if (self->state == OPEN && !self->is_held) {
    errno = 0;
    settle(self, mosquitto_loop_misc(self->mosquitto));
  }
  if (self->state == OPEN) FOR_EACH(each, self) {
      if (each->role->looked != NULL) each->role->looked(each);
    }
  leave(self);
}

/* NULL without memory, or with certificates that cannot be read. */
static struct mosquitto *make(rac_mqtt *self, int *status) {
  struct mosquitto *made = mosquitto_new(self->client, !self->session, self);
  *status = MOSQ_ERR_NOMEM;
  if (made == NULL) return NULL;
  *status = MOSQ_ERR_SUCCESS;
  if (self->user != NULL)
    *status = mosquitto_username_pw_set(made, self->user, self->password);
  if (*status == MOSQ_ERR_SUCCESS && self->will_topic != NULL)
    *status =
        mosquitto_will_set(made, self->will_topic, self->will_length,
                           self->will, self->will_qos, self->will_retained);
  if (*status == MOSQ_ERR_SUCCESS && self->tls && self->authorities == NULL)
    *status = mosquitto_int_option(made, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
  if (*status == MOSQ_ERR_SUCCESS && self->tls &&
      (self->authorities != NULL || self->certificate != NULL))
    *status = mosquitto_tls_set(made, self->authorities, NULL,
                                self->certificate, self->key, NULL);
  mosquitto_int_option(made, MOSQ_OPT_TCP_NODELAY, 1);
  /* Its output is put in line, and written when its loop does: else it
   * acknowledges a message before it hands it over, and drops one of QoS 2 when
   * the acknowledgement cannot be written. */
  mosquitto_threaded_set(made, true);
  mosquitto_connect_callback_set(made, on_connect);
  mosquitto_message_callback_set(made, on_message);
  mosquitto_publish_callback_set(made, on_publish);
  mosquitto_subscribe_callback_set(made, on_subscribe);
  if (*status == MOSQ_ERR_SUCCESS) return made;
  mosquitto_destroy(made);
  return NULL;
}

static int open_socket(rac_mqtt *self) {
  int status = MOSQ_ERR_SUCCESS;
  if (self->mosquitto != NULL)
    return mosquitto_reconnect_async(self->mosquitto);
  self->mosquitto = make(self, &status);
  if (self->mosquitto == NULL) return status;
  return mosquitto_connect_async(self->mosquitto, self->host, self->port,
                                 self->keep_alive);
}

static void connect_now(rac_mqtt *self) {
  enter(self);
  self->state = CONNECTING;
  self->since = link_now(self);
  self->has_answered = false;
  errno = 0;
  int status = open_socket(self);
  if (status != MOSQ_ERR_SUCCESS || mosquitto_socket(self->mosquitto) < 0) {
    char text[160];
    snprintf(text, sizeof text, "%s: %.100s", self->host,
             status == MOSQ_ERR_ERRNO ? strerror(errno)
             : status == MOSQ_ERR_EAI ? "no such host"
                                      : mosquitto_strerror(status));
    lose(self, text);
  } else {
    double part = self->patience / 4 > 1 ? 1 : self->patience / 4;
    self->watch = rac_schedule_repeating(self->scheduler, part, part, part / 2,
                                         mqtt_retain(self), look, let_go);
    await_writing(self);
    if (self->state == CONNECTING) await_reading(self);
  }
  leave(self);
}

static void end_rest(void *of) {
  rac_mqtt *self = of;
  if (self->state != RESTING) return;
  rac_disposable *own = self->rest;
  self->rest = NULL;
  rac_release(own);
  enter(self);
  /* First a place has to have room for the values that the broker kept. */
  if (may_read(self))
    connect_now(self);
  else
    self->is_held = true;
  leave(self);
}

static void rest(rac_mqtt *self) {
  self->pause = next_pause(self->pause);
  self->rest = rac_schedule_after(self->scheduler, with_jitter(self->pause),
                                  mqtt_retain(self), end_rest, let_go);
  if (self->rest != NULL) return;
  self->state = IDLE;
  fail_all(self, RAC_MQTT_NO_MEMORY, "no timer to connect again");
}
