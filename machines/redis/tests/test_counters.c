/* Seen from outside: positions, the lag of a group, what was lost. */
#include "server.h"

#include <stdio.h>

static rac_status never_done(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  (void)value;
  *out = rac_signal_never();
  return *out == NULL ? RAC_ENOMEM : RAC_OK;
}

TEST(positions_and_the_lag_of_a_group_are_counters) {
  with_server broker = {0};
  server_start(&broker, false);
  of_redis *redis = redis_of(&broker, "shop");
  rac_redis_publish_options unique = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  unique.unique = true;
  owned rac_subject *more = rac_subject_create();
  owned rac_signal *numbers = counting(1, 100);
  owned rac_signal *both = rac_signal_concat(numbers, as_signal(more));
  owned rac_signal *stored = rac_redis_publish(redis, both, "s", &unique);
  RECORDER(publishing, stored);
  WAIT_UNTIL(counter_of(" s: stored") == 100);
  CHECK_INT(counter_of(": acknowledged"), 100);
  CHECK_INT(counter_of(": losses"), 0);

  rac_redis_read_options from = RAC_REDIS_READ_OPTIONS_INIT;
  from.from = "0";
  owned rac_signal *entries = rac_redis_read(redis, "s", &from);
  tally t = {0};
  owned rac_disposable *reading = tally_of(entries, &t);
  WAIT_UNTIL(atomic_load(&t.heard) == 100);
  WAIT_UNTIL(counter_of(" s: position") > 1700000000000);

  rac_redis_work_options options = RAC_REDIS_WORK_OPTIONS_INIT;
  options.in_flight = 16;
  options.claim_after = 0.3;
  owned rac_signal *work =
      rac_redis_work(redis, "s", "g", &options, context_new(NULL, NULL),
                     never_done, context_destroy);
  tally u = {0};
  owned rac_disposable *working = tally_of(work, &u);
  WAIT_UNTIL(counter_of(" s g: lag") == 84);
  rac_subject_send(more, I(101));
  WAIT_UNTIL(counter_of(" s g: lag") == 85);

  server_kill(&broker);
  WAIT_UNTIL(counter_of(": losses") >= 3);
  rac_dispose(working);
  rac_dispose(reading);
  rac_dispose(publishing.subscription);
  WAIT_UNTIL(counter_of(" s g: lag") == -1);
}
