/* Scenario 2: the numbers 1, 2, 3 through a multicast connection. connect()
 * subscribes to the source once; from then on the numbers come whether anybody
 * listens or not, and who comes late has missed what was before.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"

/* One subscription of the cold source: ticks every second until it is told to
 * stop, which the end of the stream does as well. */
typedef struct {
  rac_subscriber *subscriber;
  int64_t count;
} ticker;

static void tick(void *context) {
  ticker *self = context;
  self->count++;
  if (self->count <= 3)
    rac_subscriber_send(self->subscriber, rac_value_int64(self->count));
  else
    rac_subscriber_send_completed(self->subscriber);
}

static void ticker_destroy(void *context) {
  ticker *self = context;
  rac_release(self->subscriber);
  free(self);
}

static rac_status start_ticking(void *context, rac_subscriber *subscriber,
                                rac_disposable **out) {
  (void)context;
  ticker *self = malloc(sizeof *self);
  if (self == NULL) return RAC_ENOMEM;
  self->subscriber = rac_retain(subscriber); /* lent: kept for later */
  self->count = 0;
  stage_print("source subscribed");
  /* From here on ticker_destroy() runs in any case. */
  *out = rac_schedule_repeating(stage.scheduler, 1.0, 1.0, 0.0, self, tick,
                                ticker_destroy);
  return *out != NULL ? RAC_OK : rac_last_error_code();
}

int main(int argc, char **argv) {
  stage_open(argc, argv);
  rac_signal *source = rac_signal_create(NULL, start_ticking, NULL);
  rac_connection *connection = rac_signal_publish(source);
  rac_signal *signal = rac_connection_signal(connection);
  rac_disposable *connected = rac_connection_connect(connection);
  if (connected == NULL) stage_fail("connect");
  stage_print("connected");

  stage_until(1.1);
  stage_print("first joins");
  stage_subscribe(signal, "first");

  stage_until(2.1);
  stage_print("second joins");
  stage_subscribe(signal, "second");

  stage_until(5.0);
  rac_release(connected);
  rac_release(signal);
  rac_release(connection);
  rac_release(source);
  return stage_close();
}
