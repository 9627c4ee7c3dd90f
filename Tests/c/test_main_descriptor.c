/* The descriptor of the main scheduler, for a loop of one's own, and the next
 * deadline for hosts that cannot poll. */
#include "main_jobs.h"

static void schedule_another(void *context) {
  atomic_int *runs = context_target(context);
  atomic_fetch_add(runs, 1);
  rac_release(add(runs));
}

TEST(the_descriptor_is_level_triggered) {
  atomic_int runs = 0;
  int fd = rac_main_fd();
  CHECK(fd >= 0);
  CHECK_INT(rac_main_fd(), fd);
  CHECK(!readable(0));
  rac_release(add(&runs));
  rac_release(add(&runs));
  /* Looking does not change it, and half a drain neither. */
  CHECK(readable(0) && readable(0));
  rac_main_drain(1);
  CHECK(readable(0));
  rac_main_drain(1);
  CHECK(!readable(0));
}

TEST(a_deadline_makes_the_descriptor_readable) {
  atomic_int runs = 0;
  double due = check_clock() + 0.3;
  rac_release(add_after(0.3, &runs));
  CHECK_UNTIL(due, !readable(0));
  CHECK_UNTIL(due, rac_main_drain(0) == 0);
  CHECK(runs == 1 || readable(5000));
  CHECK(runs == 1 || readable(0));
  while (runs == 0) rac_main_drain(0);
  CHECK(!readable(0));
}

TEST(an_earlier_deadline_wakes_earlier) {
  atomic_int late = 0, early = 0;
  rac_disposable *far = add_after(3600, &late);
  rac_release(add_after(0.01, &early));
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) <= 0.01);
  CHECK(readable(5000));
  while (early == 0) rac_main_drain(0);
  CHECK(!readable(0));
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) > 3000);
  rac_dispose(far);
  rac_release(far);
  CHECK_INT(late, 0);
}

static void stop(void *context) {
  count_up(context);
  CHECK_STATUS(rac_main_stop(), RAC_OK);
}

TEST(a_cancelled_deadline_does_not_make_the_descriptor_readable) {
  atomic_int late = 0, runs = 0;
  double due = check_clock() + 0.2;
  rac_disposable *first = add_after(0.1, &late), *only;
  rac_release(add_after(0.2, &runs));
  rac_dispose(first);
  rac_release(first);
  CHECK_UNTIL(due, !readable(150));
  CHECK(readable(5000));
  while (runs == 0) rac_main_drain(0);
  only = add_after(0.02, &late);
  rac_dispose(only);
  rac_release(only);
  CHECK(!readable(60));
  CHECK_INT(late, 0);
}

TEST(a_run_leaves_the_descriptor_as_it_should_be) {
  atomic_int runs = 0, started = 0;
  rac_release(add(&runs));
  CHECK_STATUS(rac_main_run_for(0), RAC_OK);
  CHECK(!readable(0));
  rac_release(rac_schedule(main_scheduler(), context_new(&started, NULL), stop,
                           context_destroy));
  rac_release(rac_schedule(main_scheduler(), context_new(&runs, NULL),
                           schedule_another, context_destroy));
  CHECK_STATUS(rac_main_run(), RAC_OK);
  /* What the last job scheduled is still to be done. */
  CHECK(readable(0));
  CHECK_INT(rac_main_drain(0), 1);
  CHECK(!readable(0));
}

static void look(void *context) {
  atomic_int *runs = context_target(context);
  rac_release(add(runs));
  CHECK(readable(0));
}

TEST(a_job_of_a_run_may_poll_the_descriptor) {
  atomic_int runs = 0;
  rac_release(rac_schedule(main_scheduler(), context_new(&runs, NULL), look,
                           context_destroy));
  CHECK_STATUS(rac_main_run_for(0.01), RAC_OK);
  CHECK_INT(runs, 1);
  CHECK(!readable(0));
}

TEST(the_next_deadline_for_hosts_that_cannot_poll) {
  atomic_int runs = 0;
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) < 0);
  rac_disposable *far = add_after(100, &runs);
  double left = rac_scheduler_next_deadline(rac_scheduler_main());
  CHECK(left > 90 && left <= 100);
  rac_release(add(&runs));
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) == 0);
  rac_main_drain(0);
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) > 90);
  rac_dispose(far);
  rac_release(far);
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) < 0);
}
