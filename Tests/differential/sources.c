/* Where the events of a case come from. A cold source schedules those that come
 * later, then sends those that come at once; a hot one is a subject whose
 * events are scheduled when it is made, for whoever is subscribed then. A
 * source sends whatever its marble says, also after an end. */

#include "player.h"

#include <stdlib.h>

struct marble *read_marble(const int64_t **from) {
  size_t count = (size_t) * (*from)++;
  struct marble *marble =
      malloc(sizeof *marble + count * sizeof marble->events[0]);
  if (marble == NULL) abort();
  marble->count = count;
  for (size_t i = 0; i < count; i++) {
    struct event *event = &marble->events[i];
    event->time = *(*from)++;
    event->kind = *(*from)++;
    event->value = read_value(from);
  }
  contexts++;
  return marble;
}

void free_marble(void *context) {
  struct marble *marble = context;
  for (size_t i = 0; i < marble->count; i++)
    rac_value_release(marble->events[i].value);
  free(marble);
  contexts--;
}

/* An event on its way to a subscriber or to a subject. */
struct delivery {
  struct event event;
  rac_subscriber *subscriber;
};

static void send(rac_subscriber *subscriber, const struct event *event) {
  if (event->kind == RAC_EVENT_NEXT)
    rac_subscriber_send(subscriber, event->value);
  else if (event->kind == RAC_EVENT_ERROR)
    rac_subscriber_send_error(subscriber, event->value);
  else
    rac_subscriber_send_completed(subscriber);
}

static void deliver(void *context) {
  struct delivery *delivery = context;
  send(delivery->subscriber, &delivery->event);
}

static void delivered(void *context) {
  struct delivery *delivery = context;
  rac_value_release(delivery->event.value);
  rac_release(delivery->subscriber);
  free(delivery);
  contexts--;
}

static void schedule(rac_subscriber *subscriber, const struct event *event) {
  struct delivery *delivery = malloc(sizeof *delivery);
  if (delivery == NULL) abort();
  contexts++;
  delivery->event = *event;
  delivery->event.value = rac_value_retain(event->value);
  delivery->subscriber = rac_retain(subscriber);
  rac_release(rac_schedule_after(virtual_time, (double)event->time, delivery,
                                 deliver, delivered));
}

rac_status start(void *context, rac_subscriber *subscriber) {
  const struct marble *marble = context;
  for (size_t i = 0; i < marble->count; i++)
    if (marble->events[i].time >= 0) schedule(subscriber, &marble->events[i]);
  for (size_t i = 0; i < marble->count; i++)
    if (marble->events[i].time < 0) send(subscriber, &marble->events[i]);
  return RAC_OK;
}

rac_status begin(void *context, rac_subscriber *subscriber,
                 rac_disposable **out) {
  (void)out;
  return start(context, subscriber);
}

rac_signal *make_hot(struct node *node) {
  rac_subject *subject = rac_subject_create();
  rac_subscriber *way_in = rac_subject_as_subscriber(subject);
  for (size_t i = 0; i < node->marble->count; i++)
    schedule(way_in, &node->marble->events[i]);
  free_marble(node->marble);
  keep(subject);
  hot = subject;
  return rac_retain(rac_subject_as_signal(subject));
}

rac_signal *make_values(struct node *node) {
  rac_value values[MAX_EVENTS] = {{0}};
  size_t count = node->marble->count;
  for (size_t i = 0; i < count; i++) values[i] = node->marble->events[i].value;
  rac_signal *signal = rac_signal_from_values(values, count);
  free_marble(node->marble);
  return signal;
}
