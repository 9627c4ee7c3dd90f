/* Threads with small stacks: jobs that run their own scheduler, or the immediate
 * one, inside each other. */

#include "small_stacks.h"

typedef struct runs {
  rac_scheduler *scheduler;
  int64_t (*run)(rac_scheduler *scheduler);
  int depth, refused;
} runs;

static void run_again(void *context) {
  runs *self = context;
  if (++self->depth >= 20 * KB) return;
  rac_release(rac_schedule(self->scheduler, self, run_again, NULL));
  if (self->run(self->scheduler) >= 0) return;
  self->refused++;
  CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
}

static int64_t drain(rac_scheduler *scheduler) {
  (void)scheduler;
  return rac_main_drain(0);
}
static int64_t drain_for(rac_scheduler *scheduler) {
  (void)scheduler;
  return rac_main_drain_for(1e-9);
}
static int64_t run_for(rac_scheduler *scheduler) {
  (void)scheduler;
  return rac_main_run_for(0);
}
static int64_t step(rac_scheduler *scheduler) {
  return rac_virtual_step(scheduler);
}
static int64_t advance(rac_scheduler *scheduler) {
  return rac_virtual_advance_by(scheduler, 1);
}

/* The innermost is refused; what it would have run is left to the outer ones. */
static void run_inside(rac_scheduler *scheduler,
                       int64_t (*run)(rac_scheduler *)) {
  runs self = {scheduler, run, 0, 0};
  rac_release(rac_schedule(scheduler, &self, run_again, NULL));
  for (int i = 0; i < 10 && self.depth < 20 * KB; i++)
    CHECK(run(scheduler) >= 0);
  CHECK(self.depth > 10);
  CHECK(self.refused > 0);
  while (self.depth < 20 * KB) run(scheduler);
  rac_release(scheduler);
}

/* Law 18. */
ON_SMALL_STACKS(jobs_that_run_their_scheduler_are_refused) {
  (void)argument;
  run_inside(rac_scheduler_main(), drain);
  run_inside(rac_scheduler_main(), drain_for);
  run_inside(rac_scheduler_main(), run_for);
  run_inside(rac_scheduler_virtual(), step);
  run_inside(rac_scheduler_virtual(), advance);
}

static void schedule_again(void *context) {
  runs *self = context;
  rac_disposable *d = NULL;
  if (++self->depth < 20 * KB) {
    d = rac_schedule(self->scheduler, self, schedule_again, NULL);
    if (d == NULL) {
      self->refused++;
      CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
    }
  }
  rac_release(d);
}

ON_SMALL_STACKS(immediate_jobs_inside_each_other_are_refused) {
  (void)argument;
  runs self = {rac_scheduler_immediate(), NULL, 0, 0};
  rac_release(rac_schedule(self.scheduler, &self, schedule_again, NULL));
  CHECK(self.depth > 10);
  CHECK_INT(self.refused, 1);
  rac_release(self.scheduler);
}
