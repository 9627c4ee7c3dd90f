/* Scenario 4: three ways to make a cold signal hot, so that its work is done
 * once for all: by hand through a subject, by a connection, and by an
 * autoconnecting signal. The source sends A 1.5 s after it was subscribed, B
 * after 3 s, and completes after 5 s; each time it is subscribed at 2 s, and
 * the second subscriber joins at 4 s, when A is over.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"

static void send_a(void *subscriber) {
  rac_subscriber_send(subscriber, rac_value_string("A"));
}

static void send_b(void *subscriber) {
  rac_subscriber_send(subscriber, rac_value_string("B"));
}

static void finish(void *subscriber) {
  rac_subscriber_send_completed(subscriber);
}

static void release(void *handle) { rac_release(handle); }

/* Each timer has a reference of its own to the subscriber, given back by
 * release() when the timer has run or was disposed. */
static void after(rac_disposable *timers, double seconds, rac_action_fn action,
                  rac_subscriber *subscriber) {
  rac_disposable *timer = rac_schedule_after(
      stage.scheduler, seconds, rac_retain(subscriber), action, release);
  rac_compound_disposable_add(timers, timer);
  rac_release(timer);
}

static void print_source_left(void *context) {
  (void)context;
  stage_print("source: disposed");
}

static rac_status start_source(void *context, rac_subscriber *subscriber,
                               rac_disposable **out) {
  (void)context;
  stage_print("source: subscribed");
  rac_disposable *timers = rac_compound_disposable_create();
  after(timers, 1.5, send_a, subscriber);
  after(timers, 3.0, send_b, subscriber);
  after(timers, 5.0, finish, subscriber);
  rac_disposable *last = rac_disposable_create(NULL, print_source_left, NULL);
  rac_compound_disposable_add(timers, last);
  rac_release(last);
  *out = timers;
  return RAC_OK;
}

static void by_hand(rac_signal *source) {
  stage_scene("by hand, through a subject");
  rac_subject *subject = rac_subject_create();
  rac_signal *hot = rac_subject_as_signal(subject); /* lent */
  stage_subscribe(hot, "first");
  stage_until(2.0);
  rac_release(
      rac_subscribe_subscriber(source, rac_subject_as_subscriber(subject)));
  stage_until(4.0);
  stage_subscribe(hot, "second");
  stage_until(8.0);
  rac_release(subject);
}

static void by_connection(rac_signal *source) {
  stage_scene("by a connection");
  rac_connection *connection = rac_signal_publish(source);
  rac_signal *hot = rac_connection_signal(connection);
  stage_subscribe(hot, "first");
  stage_until(2.0);
  rac_release(rac_connection_connect(connection));
  stage_until(4.0);
  stage_subscribe(hot, "second");
  stage_until(8.0);
  rac_release(hot);
  rac_release(connection);
}

/* The first subscriber connects, the last one to leave disconnects, and that
 * is final: a later one does not start the source again. */
static void by_autoconnect(rac_signal *source) {
  stage_scene("by autoconnect");
  rac_connection *connection = rac_signal_publish(source);
  rac_signal *hot = rac_connection_autoconnect(connection);
  rac_observer first = stage_observer("first");
  rac_observer second = stage_observer("second");
  rac_observer third = stage_observer("third");

  stage_until(2.0);
  rac_disposable *one = rac_subscribe(hot, &first);
  stage_until(4.0);
  rac_disposable *two = rac_subscribe(hot, &second);
  stage_until(5.5);
  stage_print("first leaves");
  rac_dispose(one);
  stage_until(6.0);
  stage_print("second leaves");
  rac_dispose(two);
  stage_until(6.5);
  stage_print("third joins");
  rac_disposable *three = rac_subscribe(hot, &third);
  stage_until(12.0);
  stage_print("third leaves, having heard nothing");
  rac_dispose(three);

  rac_release(one);
  rac_release(two);
  rac_release(three);
  rac_release(hot);
  rac_release(connection);
}

int main(int argc, char **argv) {
  stage_open(argc, argv);
  rac_signal *source = rac_signal_create(NULL, start_source, NULL);
  by_hand(source);
  by_connection(source);
  by_autoconnect(source);
  rac_release(source);
  return stage_close();
}
