/* The parts of a link, as they know each other: its signals (parties.c), the client
 * of libmosquitto (client.c), what is read and written (traffic.c), and its
 * coming and going (link.c). */
#ifndef RAC_MQTT_LINK_PARTS_H
#define RAC_MQTT_LINK_PARTS_H

#include "link.h"

/* Around what goes through the parties: those that leave meanwhile are unlinked
 * behind it. */
void link_enter(rac_mqtt *self);
void link_leave(rac_mqtt *self);
#define FOR_EACH(each, self)                                                   \
  for (party *each = (self)->first; each != NULL; each = each->next)           \
    if (!each->is_leaving)

/* Asks the broker for a party's filter, if it has one. */
void link_subscribe(party *self);
/* Nobody waits any more for the answers to its messages. */
void link_forget_messages(party *self);
/* Ends all signals with an error. */
void link_fail(rac_mqtt *self, int64_t code, const char *message);

/* NULL without memory, or with certificates that cannot be read. */
struct mosquitto *link_make_client(rac_mqtt *self, int *status);

void link_connect(rac_mqtt *self);
/* The broker's to a login, which client.c has noted. */
void link_take_answer(rac_mqtt *self);
/* Waits for nothing any more. */
void link_disconnect(rac_mqtt *self);
/* Opens it again later. */
void link_lose(rac_mqtt *self, const char *reason);
/* Says goodbye, so that there is no last will. */
void link_shut(rac_mqtt *self);

void link_await_reading(rac_mqtt *self);
void link_await_writing(rac_mqtt *self);
/* After each call of libmosquitto's loop, which gave this status. */
void link_settle(rac_mqtt *self, int status);
/* Everything has to be read while something of ours is not acknowledged. */
bool link_may_read(rac_mqtt *self);
/* Whether there is something that we have not come to. */
bool link_has_news(const rac_mqtt *self);

#endif
