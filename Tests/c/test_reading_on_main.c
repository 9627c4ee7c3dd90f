/* Reads that run the main scheduler while they wait:
 * rac_signal_asynchronous_first_or_default and
 * rac_signal_asynchronously_wait_until_completed. */
#include <math.h>

#include "operators.h"
#include "shared_callbacks.h"

TEST(a_value_from_another_thread_wakes_an_asynchronous_read) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  for (int64_t i = check_scaled(500); i > 0; i--) {
    source counts = {0};
    owned rac_signal *s = cold(i % 2 ? "7" : "#7", &counts);
    APPLY(s, deliver_on, background);
    rac_value out = rac_value_nil(), error = rac_value_nil();
    CHECK_STATUS(
        rac_signal_asynchronous_first_or_default(s, -1, I(5), &out, &error),
        i % 2 ? RAC_OK : RAC_ESTREAM);
    CHECK_INT(out.bits, i % 2 ? 7 : 5);
    rac_value_release(error);
    WAIT_UNTIL(atomic_load(&counts.disposed) == 1);
  }
}

static void stop(void *context) {
  (void)context_target(context);
  rac_main_stop();
}

TEST(stopping_the_main_scheduler_ends_an_asynchronous_read) {
  rac_release(rac_schedule(rac_scheduler_main(), context_new(NULL, NULL), stop,
                           context_destroy));
  owned rac_signal *never = rac_signal_never();
  CHECK_STATUS(
      rac_signal_asynchronous_first_or_default(never, -1, I(0), NULL, NULL),
      RAC_ETIMEDOUT);
}

static void read_inside(recorder *self, rac_value value) {
  (void)value;
  rac_signal *one = cold("1 |", NULL);
  CHECK_STATUS(
      rac_signal_asynchronous_first_or_default(one, 1, I(0), NULL, NULL),
      RAC_EDEADLK);
  CHECK_STATUS(rac_signal_asynchronously_wait_until_completed(one, 1, NULL),
               RAC_EDEADLK);
  rac_release(one);
  self->user = NULL;
}

TEST(an_asynchronous_read_inside_a_callback_is_refused) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder r = {.on_next = read_inside, .user = &r};
  record(as_signal(subject), &r);
  play(subject, "1");
  CHECK(r.user == NULL);
}

static void *run_main(void *context) {
  (void)context;
  rac_main_run();
  return NULL;
}

TEST(only_one_thread_runs_the_main_scheduler) {
  atomic_int runs = 0;
  pthread_t thread = check_spawn(run_main, NULL);
  rac_release(rac_schedule(rac_scheduler_main(), context_new(&runs, NULL),
                           count_up, context_destroy));
  WAIT_UNTIL(atomic_load(&runs) == 1);
  owned rac_signal *never = rac_signal_never();
  CHECK_STATUS(
      rac_signal_asynchronous_first_or_default(never, 1, I(0), NULL, NULL),
      RAC_EBUSY);
  CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
  rac_main_stop();
  check_join(thread);
}
