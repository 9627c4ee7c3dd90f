/* Connections that are made and undone as subscribers come and go. */
#include "check.h"

#include <sched.h>

TEST(autoconnect_connects_with_the_first_subscriber) {
  source counts = {0};
  owned rac_signal *signal = cold("1", &counts);
  owned rac_connection *connection = rac_signal_publish(signal);
  owned rac_signal *automatic = rac_connection_autoconnect(connection);
  recorder a = {0}, b = {0};
  CHECK_INT(counts.subscribed, 0);
  record(automatic, &a);
  CHECK_INT(counts.subscribed, 1);
  record(automatic, &b);
  CHECK_INT(counts.subscribed, 1);
  CHECK_EVENTS(&a, "1");
  CHECK_EVENTS(&b, "");
  finish(&a);
  CHECK_INT(counts.disposed, 0);
  finish(&b);
  CHECK_INT(counts.disposed, 1);
}

TEST(autoconnect_does_not_connect_again) {
  source counts = {0};
  owned rac_signal *signal = cold("1", &counts);
  owned rac_connection *connection = rac_signal_publish(signal);
  owned rac_signal *automatic = rac_connection_autoconnect(connection);
  recorder a = {0};
  record(automatic, &a);
  finish(&a);
  RECORDER(b, automatic);
  CHECK_INT(counts.subscribed, 1);
  CHECK_EVENTS(&b, "");
}

TEST(autoconnect_over_a_replay_subject_still_replays) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_subject *memory = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  owned rac_connection *connection =
      rac_signal_multicast(as_signal(subject), memory);
  owned rac_signal *automatic = rac_connection_autoconnect(connection);
  recorder a = {0};
  record(automatic, &a);
  play(subject, "1 2");
  finish(&a);
  play(subject, "3");
  RECORDER(b, automatic);
  CHECK_EVENTS(&a, "1 2");
  CHECK_EVENTS(&b, "1 2");
}

TEST(autoconnect_passes_the_end_to_everyone) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_connection *connection = rac_signal_publish(as_signal(subject));
  owned rac_signal *automatic = rac_connection_autoconnect(connection);
  recorder a = {0}, b = {0};
  record(automatic, &a);
  record(automatic, &b);
  play(subject, "1 #4");
  CHECK_EVENTS(&a, "1 #4");
  CHECK_EVENTS(&b, "1 #4");
  await_end(&a);
  await_end(&b);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

typedef struct crowd {
  rac_signal *signal;
  atomic_int ready;
} crowd;

static void *come_and_go(void *argument) {
  crowd *self = argument;
  atomic_fetch_add(&self->ready, 1);
  while (atomic_load(&self->ready) < 2) sched_yield();
  for (int i = 0; i < 5; i++) {
    RECORDER(r, self->signal);
  }
  return NULL;
}

TEST(subscribers_race_for_the_first_and_last_place) {
  for (int64_t round = check_scaled(300); round > 0; round--) {
    source counts = {0};
    owned rac_signal *signal = cold("1", &counts);
    owned rac_connection *connection = rac_signal_publish(signal);
    crowd self = {rac_connection_autoconnect(connection), 0};
    pthread_t a = check_spawn(come_and_go, &self);
    pthread_t b = check_spawn(come_and_go, &self);
    check_join(a);
    check_join(b);
    WAIT_UNTIL(atomic_load(&counts.disposed) ==
               atomic_load(&counts.subscribed));
    CHECK(atomic_load(&counts.subscribed) <= 1);
    rac_release(self.signal);
  }
}
