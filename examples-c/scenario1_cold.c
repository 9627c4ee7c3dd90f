/* Scenario 1: a cold signal, created once and subscribed twice. Nothing
 * happens until somebody subscribes; then the work is done for that subscriber
 * alone, so that the one who comes late gets everything too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"

static rac_status send_three_numbers(void *context, rac_subscriber *subscriber,
                                     rac_disposable **out) {
  (void)context;
  (void)out; /* all is sent before this returns: nothing to dispose later */
  stage_print("subscribed");
  for (int64_t number = 1; number <= 3; number++)
    rac_subscriber_send(subscriber, rac_value_int64(number));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

int main(int argc, char **argv) {
  stage_open(argc, argv);
  rac_signal *signal = rac_signal_create(NULL, send_three_numbers, NULL);
  stage_print("signal created");

  stage_until(0.1);
  stage_subscribe(signal, "first");

  stage_until(1.0);
  stage_subscribe(signal, "second");

  rac_release(signal);
  return stage_close();
}
