/* RACTestScheduler. */
#include "operators.h"

static void count_up(void *context) { ++*(int *)context_target(context); }

static void add_job(rac_scheduler *scheduler, int *count) {
  rac_release(rac_schedule(scheduler, CALLBACK_FOR(count, count_up)));
}

static void add_later(rac_scheduler *scheduler, double seconds, int *count) {
  rac_release(
      rac_schedule_after(scheduler, seconds, CALLBACK_FOR(count, count_up)));
}

/* virtual-time-002: a step runs one job, the oldest */
TEST(a_step_runs_one_job) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  int first = 0, second = 0;
  add_job(v, &first);
  add_job(v, &second);
  CHECK_INT(first + second, 0);
  rac_virtual_step(v);
  CHECK_INT(first, 1);
  CHECK_INT(second, 0);
  rac_virtual_step(v);
  CHECK_INT(second, 1);
}

/* virtual-time-003: several steps at once */
TEST(steps_are_counted) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  int count = 0;
  for (int i = 0; i < 3; i++) add_job(v, &count);
  rac_virtual_step_n(v, 2);
  CHECK_INT(count, 2);
  rac_virtual_step_n(v, 1);
  CHECK_INT(count, 3);
}

/* virtual-time-004: all steps */
TEST(all_jobs_run) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  int count = 0;
  for (int i = 0; i < 10; i++) add_job(v, &count);
  CHECK_INT(count, 0);
  rac_virtual_step_all(v);
  CHECK_INT(count, 10);
}

/* virtual-time-005, virtual-time-006: the earlier time goes first, whichever was
 * scheduled first */
TEST(earlier_times_go_first) {
  static const double times[][2] = {{1e300, 20}, {100, 50}};
  for (int i = 0; i < 2; i++) {
    owned rac_scheduler *v = rac_scheduler_virtual();
    int late = 0, early = 0;
    add_later(v, times[i][0], &late);
    add_later(v, times[i][1], &early);
    rac_virtual_step(v);
    CHECK_INT(early, 1);
    CHECK_INT(late, 0);
    rac_virtual_step(v);
    CHECK_INT(late, 1);
  }
}

/* A disposed job is skipped. In RAC it took a step all the same. */
TEST(a_disposed_job_takes_no_step) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  int first = 0, second = 0;
  rac_disposable *d[] = {
      rac_schedule(v, CALLBACK_FOR(&first, count_up)),
      rac_schedule_after(v, 1, CALLBACK_FOR(&first, count_up))};
  add_later(v, 2, &second);
  for (int i = 0; i < 2; i++) rac_dispose(d[i]);
  rac_virtual_step(v);
  CHECK_INT(first, 0);
  CHECK_INT(second, 1);
  for (int i = 0; i < 2; i++) rac_release(d[i]);
}
