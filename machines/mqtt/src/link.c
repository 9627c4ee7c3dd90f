/* Opens a link, loses it, and opens it again. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "link_parts.h"

static void rest(rac_mqtt *self);

static void let_go(void *context) { rac_mqtt_release(context); }

/* ---- Losing it ----------------------------------------------------------- */

void link_disconnect(rac_mqtt *self) {
  drop(&self->reading);
  drop(&self->writing);
  drop(&self->watch);
  drop(&self->rest);
}

/* Says goodbye, so that there is no last will. */
void link_shut(rac_mqtt *self) {
  struct mosquitto *old = self->mosquitto;
  link_disconnect(self);
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
    link_forget_messages(each);
    each->has_news = true;
  }
}

void link_lose(rac_mqtt *self, const char *reason) {
  if (self->state == IDLE || self->state == RESTING) return;
  bool was_open = self->state == OPEN;
  double time = link_now(self);
  int fd = mosquitto_socket(self->mosquitto);
  counts_note_trouble(&self->counts, reason);
  link_disconnect(self);
  if (fd >= 0) shutdown(fd, SHUT_RDWR);
  self->state = RESTING;
  link_enter(self);
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
    link_fail(self, RAC_MQTT_UNREACHABLE, text);
  } else
    rest(self);
  link_leave(self);
}

/* ---- Opening it ------------------------------------------------------------ */

/* Four times in the patience. */
static void look(void *of) {
  rac_mqtt *self = of;
  if (self->inside > 0 || self->state == IDLE || self->state == RESTING) return;
  link_enter(self);
  bool waits = self->state == CONNECTING || self->unacknowledged > 0 ||
               mosquitto_want_write(self->mosquitto);
  if (waits && link_now(self) - self->since >= self->patience &&
      !link_has_news(self)) {
    char text[80];
    snprintf(text, sizeof text, "no answer in %g s", self->patience);
    link_lose(self, text);
  } else if (self->state == OPEN && !self->is_held) {
    errno = 0;
    link_settle(self, mosquitto_loop_misc(self->mosquitto));
  }
  if (self->state == OPEN) FOR_EACH(each, self) {
      if (each->role->looked != NULL) each->role->looked(each);
    }
  link_leave(self);
}

static int open_socket(rac_mqtt *self) {
  int status = MOSQ_ERR_SUCCESS;
  if (self->mosquitto != NULL)
    return mosquitto_reconnect_async(self->mosquitto);
  self->mosquitto = link_make_client(self, &status);
  if (self->mosquitto == NULL) return status;
  return mosquitto_connect_async(self->mosquitto, self->host, self->port,
                                 self->keep_alive);
}

void link_connect(rac_mqtt *self) {
  link_enter(self);
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
    link_lose(self, text);
  } else {
    double part = self->patience / 4 > 1 ? 1 : self->patience / 4;
    self->watch = rac_schedule_repeating(self->scheduler, part, part, part / 2,
                                         mqtt_retain(self), look, let_go);
    link_await_writing(self);
    if (self->state == CONNECTING) link_await_reading(self);
  }
  link_leave(self);
}

void link_take_answer(rac_mqtt *self) {
  char text[120];
  self->has_answered = false;
  snprintf(text, sizeof text, "the broker answers: %s",
           mosquitto_connack_string(self->answer));
  if (self->answer == 3) {
    link_lose(self, text);
  } else if (self->answer != 0) {
    counts_note_trouble(&self->counts, text);
    link_disconnect(self);
    self->state = IDLE;
    link_fail(self, RAC_MQTT_REFUSED, text);
  } else {
    self->state = OPEN;
    self->pause = 0;
    mqtt_count(self, CONNECTIONS, 1);
    FOR_EACH(each, self) { link_subscribe(each); }
    FOR_EACH(each, self) {
      if (each->role->opened != NULL) each->role->opened(each);
    }
  }
}

static void end_rest(void *of) {
  rac_mqtt *self = of;
  if (self->state != RESTING) return;
  rac_disposable *own = self->rest;
  self->rest = NULL;
  rac_release(own);
  link_enter(self);
  /* First a place has to have room for the values that the broker kept. */
  if (link_may_read(self))
    link_connect(self);
  else
    self->is_held = true;
  link_leave(self);
}

static void rest(rac_mqtt *self) {
  self->pause = next_pause(self->pause);
  self->rest = rac_schedule_after(self->scheduler, with_jitter(self->pause),
                                  mqtt_retain(self), end_rest, let_go);
  if (self->rest != NULL) return;
  self->state = IDLE;
  link_fail(self, RAC_MQTT_NO_MEMORY, "no timer to connect again");
}
