/* Cold against hot in a screenful.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <rac.h>
#include <stdio.h>

/* The work of the cold signal: done once for every subscriber. */
static rac_status count_to_two(void *context, rac_subscriber *subscriber,
                               rac_disposable **out) {
  (void)context;
  (void)out; /* nothing to cancel: all is sent before this returns */
  puts("  (working)");
  rac_subscriber_send(subscriber, rac_value_int64(1));
  rac_subscriber_send(subscriber, rac_value_int64(2));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static rac_status times_ten(void *context, rac_value value, rac_value *out) {
  int64_t number = 0;
  (void)context;
  rac_status status = rac_value_get_int64(value, &number);
  *out = rac_value_int64(number * 10);
  return status; /* a negative one ends the stream with an error */
}

static void print(void *name, rac_value value) {
  int64_t number = 0;
  rac_value_get_int64(value, &number);
  printf("  %s gets %" PRId64 "\n", (const char *)name, number);
}

/* Releasing a subscription does not end it: it lives as long as its signal. */
static void subscribe(rac_signal *signal, char *name) {
  rac_disposable *subscription = rac_subscribe_next(signal, name, print, NULL);
  if (subscription == NULL)
    fprintf(stderr, "subscribe: %s\n", rac_last_error_message());
  rac_release(subscription);
}

int main(void) {
  puts("cold: every subscriber starts the work anew and gets everything");
  rac_signal *cold = rac_signal_create(NULL, count_to_two, NULL);
  subscribe(cold, "Anna");
  subscribe(cold, "Ben");
  rac_release(cold);

  puts("hot: it happens once, for whoever listens at the time");
  rac_subject *hot = rac_subject_create();
  rac_signal *tens =
      rac_signal_map(rac_subject_as_signal(hot), NULL, times_ten, NULL);
  subscribe(tens, "Anna");
  rac_subject_send(hot, rac_value_int64(1));
  subscribe(tens, "Ben");
  rac_subject_send(hot, rac_value_int64(2));
  rac_subject_send_completed(hot);
  rac_release(tens);
  rac_release(hot);
  return 0;
}
