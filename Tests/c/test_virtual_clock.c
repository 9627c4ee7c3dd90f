/* The clock of a virtual scheduler: set, planned, asleep. */
#include "diary.h"

static void refused(rac_status status, const char *message) {
  CHECK_STATUS(status, RAC_EINVAL);
  CHECK_TEXT(rac_last_error_message(), message);
}

TEST(a_job_runs_before_those_that_are_due_earlier) {
  diary d = begin();
  rac_release(after(&d, 1, "a"));
  rac_release(after(&d, 2, "b"));
  rac_disposable *gone = after(&d, 2, "gone");
  rac_release(after(&d, 2, "c"));
  rac_release(after(&d, 3, "d"));
  rac_release(now(&d, "now"));
  rac_dispose(gone);
  rac_release(gone);
  CHECK_STATUS(rac_virtual_set_time(d.scheduler, 4000000000), RAC_OK);
  for (int i = 0; i < 2; i++)
    CHECK_STATUS(rac_virtual_step_due(d.scheduler, 2000000000), RAC_OK);
  refused(rac_virtual_step_due(d.scheduler, 2000000000),
          "no job has that deadline");
  CHECK_STATUS(rac_virtual_step_due(d.scheduler, -1), RAC_OK);
  refused(rac_virtual_step_due(d.scheduler, -1), "no job has that deadline");
  CHECK_STATUS(rac_virtual_set_time(d.scheduler, 500000000), RAC_OK);
  CHECK_STATUS(rac_virtual_step_due(d.scheduler, 3000000000), RAC_OK);
  CHECK_STATUS(rac_virtual_step_all(d.scheduler), RAC_OK);
  CHECK_TEXT(d.text, "b@4 c@4 now@4 d@0.5 a@1");
  end(&d);
}

static void set_back(void *context) {
  rac_scheduler *scheduler = context;
  CHECK_STATUS(rac_virtual_set_time(scheduler, 0), RAC_EBUSY);
  CHECK_STATUS(rac_virtual_plan_reading(scheduler, 0), RAC_EBUSY);
}

TEST(a_job_does_not_set_its_clock_back) {
  rac_scheduler *scheduler = rac_scheduler_virtual();
  rac_disposable *job =
      rac_schedule_repeating(scheduler, 1, 1, 0, scheduler, set_back, NULL);
  CHECK_STATUS(rac_virtual_advance_by(scheduler, 3), RAC_OK);
  CHECK(rac_scheduler_now(scheduler) == 3);
  CHECK_STATUS(rac_virtual_set_time(scheduler, 0), RAC_OK);
  rac_dispose(job);
  rac_release(job);
  rac_release(scheduler);
}

TEST(readings_of_the_clock_are_as_planned) {
  enum { SECOND = 1000000000 };
  recorder r = {0};
  owned rac_scheduler *clock_ = rac_scheduler_virtual();
  owned rac_subject *source = rac_subject_create();
  owned rac_signal *timed =
      rac_signal_timestamp(rac_subject_as_signal(source), clock_);
  record(timed, &r);
  CHECK_STATUS(rac_virtual_plan_reading(clock_, 7 * (int64_t)SECOND), RAC_OK);
  CHECK_STATUS(rac_virtual_plan_reading(clock_, 5 * (int64_t)SECOND), RAC_OK);
  CHECK(rac_scheduler_now(clock_) == 0);
  rac_subject_send(source, I(1));
  CHECK(rac_scheduler_now(clock_) == 7);
  rac_subject_send(source, I(2));
  CHECK_STATUS(rac_virtual_set_time(clock_, 2 * (int64_t)SECOND), RAC_OK);
  rac_subject_send(source, I(3));
  const char *words = "the clock was read more or less often than planned";
  refused(rac_virtual_set_time(clock_, 3 * (int64_t)SECOND), words);
  CHECK_STATUS(rac_virtual_plan_reading(clock_, SECOND), RAC_OK);
  refused(rac_virtual_set_time(clock_, 4 * (int64_t)SECOND), words);
  rac_subject_send(source, I(4));
  CHECK_EVENTS(&r, "(7,1) (5,2) (2,3) (4,4)");
  finish(&r);
}

TEST(asleep_it_runs_nothing_and_what_is_due_comes_late) {
  diary d = begin();
  rac_release(after(&d, 1, "a"));
  rac_release(after(&d, 4, "c"));
  CHECK_STATUS(rac_virtual_sleep(d.scheduler, 2.5), RAC_OK);
  CHECK_TEXT(d.text, "");
  CHECK(rac_scheduler_now(d.scheduler) == 2.5);
  CHECK(rac_scheduler_next_deadline(d.scheduler) == 0);
  rac_release(after(&d, 1, "b"));
  rac_release(now(&d, "now"));
  CHECK_STATUS(rac_virtual_step_n(d.scheduler, 2), RAC_OK);
  CHECK_TEXT(d.text, "now@2.5 a@2.5");
  CHECK_STATUS(rac_virtual_sleep(d.scheduler, 0), RAC_OK);
  CHECK_STATUS(rac_virtual_advance_by(d.scheduler, 9), RAC_OK);
  CHECK_TEXT(d.text, "now@2.5 a@2.5 b@3.5 c@4");
  end(&d);
}

TEST(a_job_that_was_taken_back_is_no_next_one) {
  diary d = begin();
  owned rac_disposable *first = after(&d, 1, "a");
  rac_release(after(&d, 3, "b"));
  rac_dispose(first);
  CHECK(rac_scheduler_next_deadline(d.scheduler) == 3);
  end(&d);
}

TEST(the_clock_does_not_go_back) {
  diary d = begin();
  rac_virtual_advance_to(d.scheduler, 10);
  rac_release(now(&d, "a"));
  CHECK_STATUS(rac_virtual_advance_to(d.scheduler, 5), RAC_OK);
  CHECK_TEXT(d.text, "a@10");
  rac_release(after(&d, 0, "b"));
  CHECK_STATUS(rac_virtual_advance_to(d.scheduler, 0), RAC_OK);
  CHECK(rac_scheduler_now(d.scheduler) == 10);
  end(&d);
}
