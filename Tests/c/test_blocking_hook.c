/* What a host does around the waits of its threads: rac_set_blocking_hook(). */
#include <time.h>

#include "operators.h"
#include "shared_callbacks.h"

typedef struct hook {
  atomic_int before, after, destroyed;
  /* Of threads between the two. */
  atomic_int asleep;
  rac_status nested;
  rac_signal *never;
} hook;

static void falls_asleep(void *context) {
  hook *self = context_target(context);
  atomic_fetch_add(&self->before, 1);
  atomic_fetch_add(&self->asleep, 1);
}

static void wakes(void *context) {
  hook *self = context_target(context);
  atomic_fetch_add(&self->after, 1);
  atomic_fetch_sub(&self->asleep, 1);
}

static void set_hook(hook *self) {
  CHECK_STATUS(rac_set_blocking_hook(context_new(self, &self->destroyed),
                                     falls_asleep, wakes, context_destroy),
               RAC_OK);
}

/* Takes it away, and checks that the calls came in pairs. */
static void unset_hook(hook *self) {
  CHECK_STATUS(rac_set_blocking_hook(NULL, NULL, NULL, NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&self->destroyed) == 1);
  CHECK_INT(atomic_load(&self->before), atomic_load(&self->after));
  CHECK_INT(atomic_load(&self->asleep), 0);
}

TEST(a_read_that_waits_calls_both_and_one_that_need_not_neither) {
  hook h = {0};
  set_hook(&h);
  owned rac_signal *ready = cold("1 |", NULL), *never = rac_signal_never();
  CHECK_STATUS(rac_signal_first(ready, -1, NULL), RAC_OK);
  CHECK_STATUS(rac_signal_to_array(ready, -1, NULL), RAC_OK);
  CHECK_INT(atomic_load(&h.before), 0);
  CHECK_STATUS(rac_signal_first(never, 0.002, NULL), RAC_ETIMEDOUT);
  CHECK(atomic_load(&h.before) > 0);
  unset_hook(&h);
  int count = atomic_load(&h.before);
  CHECK_STATUS(rac_signal_first(never, 0.002, NULL), RAC_ETIMEDOUT);
  CHECK_INT(atomic_load(&h.before), count);
}

static void sleep_in_next(void *context, rac_value value) {
  (void)value;
  hook *self = context;
  WAIT_UNTIL(atomic_load(&self->asleep) > 0);
}

/* The one who disposes waits for the callback, which waits for the hook. */
TEST(dispose_and_wait_calls_it) {
  hook h = {0};
  set_hook(&h);
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_subject *subject = rac_subject_create();
  rac_signal *elsewhere = rac_signal_deliver_on(as_signal(subject), background);
  rac_disposable *subscription =
      rac_subscribe_next(elsewhere, &h, sleep_in_next, NULL);
  rac_subject_send(subject, I(1));
  check_pause();
  CHECK_STATUS(rac_dispose_and_wait(subscription, -1), RAC_OK);
  rac_release(subscription);
  rac_release(elsewhere);
  rac_release(subject);
  rac_release(background);
  unset_hook(&h);
}

static void stop_when_asleep(void *context) {
  hook *self = context;
  CHECK_INT(atomic_load(&self->asleep), 0);
  if (atomic_load(&self->before) > 0) rac_main_stop();
}

/* Law 6: the main scheduler's jobs run while the host has its lock. */
TEST(a_run_of_the_main_scheduler_calls_it_between_jobs) {
  hook h = {0};
  set_hook(&h);
  rac_scheduler *main = rac_scheduler_main();
  rac_disposable *ticks =
      rac_schedule_repeating(main, 0.001, 0.001, 0, &h, stop_when_asleep, NULL);
  CHECK_STATUS(rac_main_run_for(20), RAC_OK);
  CHECK(atomic_load(&h.before) > 0);
  rac_dispose(ticks);
  rac_release(ticks);
  rac_main_drain(0);
  rac_release(main);
  unset_hook(&h);
}

static void do_nothing(void *context) { (void)context; }

TEST(a_delay_on_the_immediate_scheduler_calls_it) {
  hook h = {0};
  set_hook(&h);
  rac_scheduler *immediate = rac_scheduler_immediate();
  /* It need not sleep where the time has passed when it comes to that. */
  for (int i = 0; i < 20 && atomic_load(&h.before) == 0; i++)
    rac_release(rac_schedule_after(immediate, 0.001, NULL, do_nothing, NULL));
  CHECK_INT(atomic_load(&h.before), 1);
  rac_release(rac_schedule(immediate, NULL, do_nothing, NULL));
  rac_release(rac_schedule_after(immediate, 0, NULL, do_nothing, NULL));
  CHECK_INT(atomic_load(&h.before), 1);
  rac_release(immediate);
  unset_hook(&h);
}

TEST(reading_the_sequence_of_a_signal_calls_it) {
  hook h = {0};
  set_hook(&h);
  rac_subject *subject = rac_subject_create();
  rac_sequence *values =
      rac_sequence_from_signal(as_signal(subject), 0.002, NULL);
  CHECK_STATUS(rac_sequence_head(values, NULL), RAC_ETIMEDOUT);
  CHECK(atomic_load(&h.before) > 0);
  rac_release(values);
  rac_release(subject);
  unset_hook(&h);
}

/* Some milliseconds, so that another thread has to wait. */
static rac_status compute_slowly(void *context, rac_value value,
                                 rac_value *out) {
  hook *self = context;
  WAIT_UNTIL(atomic_load(&self->asleep) > 0);
  *out = value;
  return RAC_OK;
}

TEST(waiting_for_a_thread_that_computes_a_sequence_calls_it) {
  hook h = {0};
  set_hook(&h);
  rac_sequence *range = rac_sequence_range(1, 1, 3);
  rac_sequence *slow = rac_sequence_map(range, &h, compute_slowly, NULL);
  pthread_t other = check_spawn(read_head, slow);
  read_head(slow);
  check_join(other);
  CHECK(atomic_load(&h.before) > 0);
  rac_release(slow);
  rac_release(range);
  unset_hook(&h);
}

static void read_in_hook(void *context) {
  hook *self = context_target(context);
  atomic_fetch_add(&self->before, 1);
  self->nested = rac_signal_first(self->never, -1, NULL);
}

/* Law 6: a hook is a callback. */
TEST(what_blocks_refuses_to_inside_the_hook) {
  hook h = {.never = rac_signal_never()};
  CHECK_STATUS(rac_set_blocking_hook(context_new(&h, &h.destroyed),
                                     read_in_hook, NULL, context_destroy),
               RAC_OK);
  CHECK_STATUS(rac_signal_first(h.never, 0.002, NULL), RAC_ETIMEDOUT);
  CHECK_STATUS(h.nested, RAC_EDEADLK);
  CHECK_STATUS(rac_set_blocking_hook(NULL, NULL, NULL, NULL), RAC_OK);
  CHECK_INT(atomic_load(&h.destroyed), 1);
  rac_release(h.never);
}

typedef struct replacement {
  hook *first, *second;
  rac_subject *subject;
} replacement;

static void *replace_when_asleep(void *argument) {
  replacement *self = argument;
  WAIT_UNTIL(atomic_load(&self->first->asleep) > 0);
  set_hook(self->second);
  /* Law 9: a thread still sleeps that it was called for. */
  CHECK_INT(atomic_load(&self->first->destroyed), 0);
  rac_subject_send(self->subject, I(1));
  return NULL;
}

TEST(who_fell_asleep_under_a_hook_wakes_under_it) {
  hook first = {0}, second = {0};
  replacement both = {&first, &second, rac_subject_create()};
  set_hook(&first);
  pthread_t other = check_spawn(replace_when_asleep, &both);
  CHECK_STATUS(rac_signal_first(as_signal(both.subject), -1, NULL), RAC_OK);
  check_join(other);
  rac_release(both.subject);
  CHECK_INT(atomic_load(&first.before), atomic_load(&first.after));
  CHECK_INT(atomic_load(&first.destroyed), 1);
  unset_hook(&second);
}

/* Law 9. */
TEST(no_function_is_no_hook_and_destroy_runs) {
  hook h = {0};
  CHECK_STATUS(rac_set_blocking_hook(context_new(&h, &h.destroyed), NULL, NULL,
                                     context_destroy),
               RAC_OK);
  CHECK_INT(atomic_load(&h.destroyed), 1);
}
