/* rac_queued_values: what was sent and waits, anywhere. */
#include "operators.h"

static size_t queued(void) { return (size_t)rac_queued_values(); }

TEST(values_for_a_scheduler_wait) {
  rac_scheduler *slow = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *signal = rac_signal_deliver_on(as_signal(subject), slow);
  recorder r = {0};
  record(signal, &r);
  for (int i = 0; i < 1000; i++) rac_subject_send(subject, I(i));
  CHECK_INT(queued(), 1000);
  rac_subject_send_completed(subject);
  CHECK_INT(queued(), 1000);
  rac_virtual_step_all(slow);
  CHECK_INT(queued(), 0);
  /* Those that nobody hears wait, too, until they are let go of. */
  recorder silent = {0};
  record(signal, &silent);
  rac_subject_send(subject, I(1));
  rac_release(slow);
  finish(&r);
  finish(&silent);
  rac_release(signal);
  rac_release(subject);
  CHECK_INT(queued(), 0);
}

static void send_three(void *context, rac_value value) {
  if (value.bits != 0) return;
  for (int i = 1; i <= 3; i++)
    CHECK_STATUS(rac_subject_send(context, I(i)), RAC_QUEUED);
  CHECK_INT(queued(), 3);
}

TEST(values_behind_the_one_that_is_being_delivered_wait) {
  rac_subject *subject = rac_subject_create();
  rac_release(
      rac_subscribe_next(as_signal(subject), subject, send_three, NULL));
  rac_subject_send(subject, I(0));
  CHECK_INT(queued(), 0);
  rac_release(subject);
}

TEST(values_at_a_bound_wait) {
  rac_bound *bound = rac_bound_create(2, RAC_BOUND_DROP_OLDEST);
  rac_scheduler *slow = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), slow, bound);
  recorder r = {0};
  record(signal, &r);
  for (int i = 0; i < 10; i++) rac_subject_send(subject, I(i));
  CHECK_INT(queued(), 2);
  rac_dispose(r.subscription);
  CHECK_INT(queued(), 0);
  rac_virtual_step_all(slow);
  finish(&r);
  rac_release(signal);
  rac_release(subject);
  rac_release(slow);
  rac_release(bound);
}

static atomic_bool is_over;

static void *count(void *unused) {
  (void)unused;
  while (!atomic_load(&is_over)) CHECK(queued() < 1000000);
  return NULL;
}
static void *send_many(void *subject) {
  for (int i = 0; i < 20000; i++) rac_subject_send(subject, I(i));
  return NULL;
}

TEST(any_thread_may_ask_beside_those_that_send) {
  rac_scheduler *other =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, "other");
  rac_subject *subject = rac_subject_create();
  rac_signal *signal = rac_signal_deliver_on(as_signal(subject), other);
  recorder r = {0};
  record(signal, &r);
  pthread_t senders[2] = {check_spawn(send_many, subject),
                          check_spawn(send_many, subject)};
  pthread_t asking = check_spawn(count, NULL);
  for (int i = 0; i < 2; i++) check_join(senders[i]);
  rac_subject_send_completed(subject);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  atomic_store(&is_over, true);
  check_join(asking);
  CHECK_INT(r.nexts, 40000);
  CHECK_INT(queued(), 0);
  finish(&r);
  rac_release(signal);
  rac_release(subject);
  rac_release(other);
}
