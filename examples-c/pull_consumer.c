/* A consumer that asks for values when it has time for them: the readings of a
 * sensor, whose driver waits for each one, without those that say nothing new.
 *
 *     pull_consumer
 *
 * The sensor is read on a background thread; of what the consumer has not asked
 * for the latest wait. It learns that nothing has come for half a second, and why
 * nothing will come any more. by_hand/pull_consumer.c is the same program without librac.
 *
 * SPDX-License-Identifier: MIT
 */
#include <rac.h>
#include <stdio.h>
#include <string.h>

#include "sensor.h"

enum { WAITING = 64 };

/* On the background thread: a signal of what a blocking call gives. */
static rac_status read_on(void *context, rac_subscriber *subscriber) {
  double reading;
  int error = 0;
  while (rac_subscriber_is_active(subscriber)) {
    error = sensor_read(context, &reading);
    if (error != 0) break;
    rac_subscriber_send(subscriber, rac_double(reading));
  }
  RAC_AUTO_VALUE rac_value why =
      rac_value_error("sensor", error, strerror(error));
  return rac_subscriber_send_error(subscriber, why);
}

int main(void) {
  sensor sensor = {0};
  RAC_AUTO rac_scheduler *thread =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, "sensor");
  RAC_AUTO rac_signal *changes =
      rac_signal_start_lazily(thread, &sensor, read_on, NULL);
  RAC_ASSIGN(changes, rac_signal_distinct_until_changed(changes));
  RAC_AUTO rac_bound *latest = rac_bound_create(WAITING, RAC_BOUND_DROP_OLDEST);
  RAC_AUTO rac_sequence *values = rac_sequence_from_signal(changes, -1, latest);
  RAC_AUTO rac_sequence_iterator *iterator = rac_sequence_iterate(values);
  for (;;) {
    RAC_AUTO_VALUE rac_value value = rac_value_nil();
    double reading = 0;
    rac_status status = rac_sequence_next_for(iterator, 0.5, &value);
    if (status == RAC_OK && rac_value_get_double(value, &reading) == RAC_OK) {
      printf("%.1f\n", reading);
    } else if (status == RAC_ETIMEDOUT) {
      puts("nothing yet");
    } else {
      printf("no more: %s\n", rac_error_get_message(value));
      return 0;
    }
  }
}
