/* The host's scheduler: run, run for a time, stop, drain. */
#include "main_jobs.h"

#include <math.h>

TEST(nothing_runs_before_the_host_says_so) {
  atomic_int runs = 0;
  rac_release(add(&runs));
  CHECK_INT(runs, 0);
  CHECK_INT(rac_main_drain(0), 1);
  CHECK_INT(runs, 1);
  CHECK_INT(rac_main_drain(0), 0);
}

TEST(a_drain_runs_at_most_so_many) {
  atomic_int runs = 0;
  for (int i = 0; i < 5; i++) rac_release(add(&runs));
  CHECK_INT(rac_main_drain(2), 2);
  CHECK_INT(runs, 2);
  CHECK(readable(0));
  CHECK_INT(rac_main_drain(SIZE_MAX), 3);
  CHECK(!readable(0));
}

static char order[8];

static void note_order(void *context) {
  strcat(order, context_target(context));
}

/* First come, first served, also over several drains. */
TEST(jobs_run_in_the_order_they_came) {
  order[0] = 0;
  char *const names[] = {"1", "2", "3"};
  for (int i = 0; i < 3; i++)
    rac_release(rac_schedule(main_scheduler(), context_new(names[i], NULL),
                             note_order, context_destroy));
  CHECK_TEXT(order, "");
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) == 0);
  CHECK_INT(rac_main_drain(2), 2);
  CHECK_TEXT(order, "12");
  CHECK_INT(rac_main_drain(0), 1);
  CHECK_TEXT(order, "123");
}

static void schedule_another(void *context) {
  atomic_int *runs = context_target(context);
  atomic_fetch_add(runs, 1);
  rac_release(add(runs));
}

TEST(a_drain_leaves_what_its_jobs_cause) {
  atomic_int runs = 0;
  rac_release(rac_schedule(main_scheduler(), context_new(&runs, NULL),
                           schedule_another, context_destroy));
  CHECK_INT(rac_main_drain(0), 1);
  CHECK_INT(runs, 1);
  CHECK(readable(0));
  CHECK_INT(rac_main_drain(0), 1);
  CHECK_INT(runs, 2);
}

/* Laws 7 and 9: its context goes at once. */
TEST(a_disposed_job_does_not_run) {
  atomic_int runs = 0;
  rac_disposable *jobs[] = {add(&runs), add_after(0, &runs),
                            add_after(3600, &runs)};
  for (int i = 0; i < 3; i++) {
    rac_dispose(jobs[i]);
    rac_release(jobs[i]);
  }
  CHECK_INT(context_count(), 0);
  CHECK_STATUS(rac_main_run_for(0.01), RAC_OK);
  CHECK_INT(runs, 0);
}

/* ---- Running ------------------------------------------------------------ */

static void stop(void *context) {
  count_up(context);
  CHECK_STATUS(rac_main_stop(), RAC_OK);
}

TEST(run_for_takes_its_time) {
  atomic_int runs = 0;
  rac_release(add(&runs));
  rac_release(add_after(0.01, &runs));
  double before = rac_scheduler_now(main_scheduler());
  CHECK_STATUS(rac_main_run_for(0.03), RAC_OK);
  CHECK(rac_scheduler_now(main_scheduler()) - before >= 0.03);
  CHECK_INT(runs, 2);
  CHECK_STATUS(rac_main_run_for(0), RAC_OK);
  CHECK_STATUS(rac_main_run_for(-1), RAC_EINVAL);
  CHECK_STATUS(rac_main_run_for(NAN), RAC_EINVAL);
}

static void take_long(void *context) {
  count_up(context);
  double end = check_clock() + 0.03;
  while (check_clock() < end) check_pause();
}

TEST(run_for_runs_what_was_due_in_time_however_late_it_is) {
  atomic_int runs = 0;
  rac_release(rac_schedule(main_scheduler(), context_new(&runs, NULL),
                           take_long, context_destroy));
  rac_release(add_after(0.01, &runs));
  CHECK_STATUS(rac_main_run_for(0.02), RAC_OK);
  CHECK_INT(runs, 2);
}

TEST(run_goes_on_until_it_is_stopped) {
  atomic_int runs = 0;
  rac_release(add(&runs));
  rac_release(rac_schedule_after(
      main_scheduler(), 0.01, context_new(&runs, NULL), stop, context_destroy));
  CHECK_STATUS(rac_main_run(), RAC_OK);
  CHECK_INT(runs, 2);
}

TEST(a_stop_ends_the_next_run_when_none_is_going_on) {
  atomic_int runs = 0;
  CHECK_STATUS(rac_main_stop(), RAC_OK);
  CHECK_STATUS(rac_main_run(), RAC_OK);
  rac_release(add(&runs));
  CHECK_INT(rac_main_drain(0), 1);
}

static void *stop_elsewhere(void *argument) {
  atomic_int *started = argument;
  while (!atomic_load(started)) check_pause();
  CHECK_STATUS(rac_main_stop(), RAC_OK);
  return NULL;
}

TEST(another_thread_may_stop_it) {
  atomic_int started = 0;
  pthread_t thread = check_spawn(stop_elsewhere, &started);
  rac_release(add(&started));
  CHECK_STATUS(rac_main_run(), RAC_OK);
  check_join(thread);
}

static void run_inside(void *context) {
  atomic_int *runs = context_target(context);
  if (atomic_fetch_add(runs, 1) == 0) {
    rac_release(add(runs));
    CHECK_STATUS(rac_main_run_for(0), RAC_OK);
    CHECK_INT(*runs, 2);
  }
}

TEST(a_job_may_run_the_scheduler_again) {
  atomic_int runs = 0;
  rac_release(rac_schedule(main_scheduler(), context_new(&runs, NULL),
                           run_inside, context_destroy));
  rac_main_drain(0);
  CHECK_INT(runs, 2);
}

static void *drain_elsewhere(void *argument) {
  (void)argument;
  CHECK_INT(rac_main_drain(0), RAC_EBUSY);
  CHECK_STATUS(rac_main_run_for(0), RAC_EBUSY);
  return NULL;
}

static void let_another_drain(void *context) {
  count_up(context);
  check_join(check_spawn(drain_elsewhere, NULL));
  CHECK_INT(rac_main_drain(0), 0); /* who runs it may */
}

TEST(one_thread_at_a_time_runs_it) {
  atomic_int runs = 0;
  rac_release(rac_schedule(main_scheduler(), context_new(&runs, NULL),
                           let_another_drain, context_destroy));
  rac_main_drain(0);
  CHECK_INT(runs, 1);
}

/* ---- Work from other threads -------------------------------------------- */

static void *add_many(void *argument) {
  for (int64_t i = check_scaled(20000); i > 0; i--) rac_release(add(argument));
  return NULL;
}

TEST(work_is_queued_never_coalesced_and_never_lost) {
  atomic_int runs = 0;
  pthread_t a = check_spawn(add_many, &runs), b = check_spawn(add_many, &runs);
  int expected = 2 * (int)check_scaled(20000);
  /* Only a readable descriptor lets us drain: a lost wake-up would hang. */
  while (atomic_load(&runs) < expected) {
    if (!readable(10000)) {
      check_fail(__FILE__, __LINE__, "a wake-up was lost");
      break;
    }
    rac_main_drain(100);
  }
  check_join(a);
  check_join(b);
  CHECK_INT(runs, expected);
  /* The last job may have run before its thread had announced it. */
  CHECK_INT(rac_main_drain(0), 0);
  CHECK(!readable(0));
}

TEST(repeating_on_the_main_scheduler) {
  atomic_int runs = 0;
  rac_disposable *d = rac_schedule_repeating(main_scheduler(), 0.001, 0.001, 0,
                                             context_new(&runs, NULL), count_up,
                                             context_destroy);
  CHECK_INT(runs, 0);
  for (int tries = 0; runs < 3 && tries < 1000; tries++) {
    CHECK(readable(5000));
    rac_main_drain(0);
  }
  CHECK(runs >= 3);
  rac_dispose(d);
  rac_release(d);
  int final_ = runs;
  rac_main_run_for(0.005);
  CHECK_INT(runs, final_);
}

static void main_is_current(void *context) {
  count_up(context);
  CHECK(rac_scheduler_current() == rac_scheduler_main());
}

static void *drain_here(void *argument) {
  (void)argument;
  CHECK_INT(rac_main_drain(0), 1);
  CHECK(rac_scheduler_current() == NULL);
  return NULL;
}

TEST(inside_its_jobs_it_is_current_on_any_thread) {
  atomic_int runs = 0;
  rac_release(rac_schedule(main_scheduler(), context_new(&runs, NULL),
                           main_is_current, context_destroy));
  check_join(check_spawn(drain_here, NULL));
  CHECK_INT(runs, 1);
}
