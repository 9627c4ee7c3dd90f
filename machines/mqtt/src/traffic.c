/* Reads and writes, when the scheduler says that a link can. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "link_parts.h"

/* How many are read before others have their turn. */
enum { PACKETS = 64 };

static void let_go(void *context) { rac_mqtt_release(context); }

static void on_writable(void *of, rac_value value);
static void on_error(void *of, rac_value error) {
  link_lose(of, rac_error_get_message(error));
}
static void on_end(void *of) { link_lose(of, "the broker has gone"); }

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
  rac_dispose_and_release(made);
  if (made == NULL) link_lose(self, "no memory, or no descriptor");
}

void link_await_writing(rac_mqtt *self) {
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
  link_lose(self, status == MOSQ_ERR_ERRNO && errno != 0 ? strerror(errno)
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
void link_settle(rac_mqtt *self, int status) {
  if (self->has_answered && self->state == CONNECTING) link_take_answer(self);
  if (self->state != OPEN && self->state != CONNECTING) return;
  if (!take_status(self, status)) return;
  int rounds = 0;
  do {
    if (mosquitto_want_write(self->mosquitto) && !write_now(self)) return;
  } while (tell_news(self) && ++rounds < PACKETS);
  if (self->state != OPEN && self->state != CONNECTING) return;
  if (rounds == PACKETS || mosquitto_want_write(self->mosquitto))
    link_await_writing(self);
  else if (self->state == OPEN)
    drop(&self->writing);
}

void link_flush(rac_mqtt *self) {
  if (self->inside > 0 || self->state != OPEN) return;
  link_enter(self);
  link_settle(self, MOSQ_ERR_SUCCESS);
  link_leave(self);
}

/* Everything has to be read while something of ours is not acknowledged. */
bool link_may_read(rac_mqtt *self) {
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
bool link_has_news(const rac_mqtt *self) {
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
    if (i > 0 && (self->state != OPEN || !link_has_news(self))) break;
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
  link_enter(self);
  if (self->state == OPEN && !link_may_read(self)) {
    self->is_held = true;
    drop(&self->reading);
  } else {
    self->since = link_now(self);
    link_settle(self, read_packets(self));
  }
  link_leave(self);
}

static void on_writable(void *of, rac_value value) {
  rac_mqtt *self = of;
  (void)value;
  if (self->inside > 0 || self->writing == NULL) return;
  link_enter(self);
  errno = 0;
  int status = MOSQ_ERR_SUCCESS;
  if (self->state == CONNECTING) {
    /* The first step of TLS is taken by reading, and the answer awaited. */
    drop(&self->writing);
    if (self->tls) status = mosquitto_loop_read(self->mosquitto, 1);
  }
  if (status == MOSQ_ERR_SUCCESS)
    status = mosquitto_loop_write(self->mosquitto, 1);
  link_settle(self, status);
  link_leave(self);
}

void link_await_reading(rac_mqtt *self) {
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
    link_await_reading(self);
  else if (self->state == RESTING && self->rest == NULL)
    link_connect(self);
}
