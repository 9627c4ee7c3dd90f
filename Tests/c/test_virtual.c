/* The virtual scheduler: RACTestScheduler's rules, and the clock on top. */
#include <math.h>

#include "diary.h"

TEST(the_earliest_goes_first_and_equal_times_in_order) {
  diary d = begin();
  rac_release(after(&d, 1e9, "far"));
  rac_release(after(&d, 100, "late"));
  rac_release(after(&d, 50, "x"));
  rac_release(after(&d, 50, "y"));
  rac_release(now(&d, "now"));
  rac_virtual_step(d.scheduler);
  rac_virtual_step(d.scheduler);
  CHECK_TEXT(d.text, "now@0 x@50");
  rac_virtual_step_all(d.scheduler);
  CHECK_TEXT(d.text, "now@0 x@50 y@50 late@100 far@1e+09");
  end(&d);
}

TEST(advancing_runs_what_is_due_and_sets_the_clock) {
  diary d = begin();
  rac_release(after(&d, 1, "a"));
  rac_release(after(&d, 2, "b"));
  rac_release(after(&d, 2.5, "c"));
  CHECK_STATUS(rac_virtual_advance_to(d.scheduler, 2), RAC_OK);
  CHECK_TEXT(d.text, "a@1 b@2");
  CHECK(rac_scheduler_now(d.scheduler) == 2);
  CHECK_STATUS(rac_virtual_advance_by(d.scheduler, 0.25), RAC_OK);
  CHECK(rac_scheduler_now(d.scheduler) == 2.25);
  CHECK_STATUS(rac_virtual_advance_by(d.scheduler, 0.25), RAC_OK);
  CHECK_TEXT(d.text, "a@1 b@2 c@2.5");
  end(&d);
}

static void schedule_more(diary *d) {
  rac_release(now(d, "child"));
  rac_release(after(d, 1, "later"));
}

TEST(jobs_may_schedule_jobs) {
  diary d = begin();
  rac_release(rac_schedule_after(d.scheduler, 3,
                                 entry_new(&d, "parent", schedule_more),
                                 write_entry, free_target));
  rac_virtual_advance_to(d.scheduler, 4);
  CHECK_TEXT(d.text, "parent@3 child@3 later@4");
  end(&d);
}

static void step_inside(diary *d) {
  CHECK_STATUS(rac_virtual_step(d->scheduler), RAC_OK);
}

TEST(a_job_may_step_the_scheduler_that_runs_it) {
  diary d = begin();
  rac_release(rac_schedule(d.scheduler, entry_new(&d, "outer", step_inside),
                           write_entry, free_target));
  rac_release(now(&d, "inner"));
  rac_virtual_step(d.scheduler);
  CHECK_TEXT(d.text, "outer@0 inner@0");
  end(&d);
}

TEST(a_disposed_job_does_not_run_and_is_freed_at_once) {
  diary d = begin();
  uint64_t before = rac_live_objects();
  int contexts = context_count();
  rac_disposable *first = now(&d, "a"), *second = after(&d, 5, "b");
  rac_release(after(&d, 6, "c"));
  CHECK_STATUS(rac_dispose(first), RAC_OK);
  CHECK_STATUS(rac_dispose(second), RAC_OK);
  CHECK(rac_is_disposed(first));
  CHECK_INT(context_count(), contexts + 1);
  rac_release(first);
  rac_release(second);
  rac_virtual_step_all(d.scheduler);
  CHECK_TEXT(d.text, "c@6");
  CHECK_INT(rac_live_objects(), before);
  end(&d);
}

static rac_disposable *to_dispose;
static void dispose_other(diary *d) {
  (void)d;
  rac_dispose(to_dispose);
}

TEST(a_job_may_dispose_a_later_one_and_itself) {
  diary d = begin();
  rac_disposable *self = rac_schedule(
      d.scheduler, entry_new(&d, "a", dispose_other), write_entry, free_target);
  to_dispose = now(&d, "b");
  rac_virtual_step_all(d.scheduler);
  CHECK_TEXT(d.text, "a@0");
  rac_release(to_dispose);
  rac_release(self);
  self = rac_schedule(d.scheduler, entry_new(&d, "c", dispose_other),
                      write_entry, free_target);
  to_dispose = self;
  rac_virtual_step_all(d.scheduler);
  CHECK_TEXT(d.text, "a@0 c@0");
  rac_release(self);
  end(&d);
}

TEST(jobs_that_never_ran_are_destroyed_with_the_scheduler) {
  diary d = begin();
  rac_release(now(&d, "a"));
  rac_release(after(&d, 1, "b"));
  int contexts = context_count();
  end(&d);
  CHECK_INT(context_count(), contexts - 2);
  CHECK_TEXT(d.text, "");
}

static void count(void *context) { ++*(int *)context; }

TEST(delivery_on_a_scheduler_that_is_gone_ends_the_subscription) {
  int calls = 0;
  rac_scheduler *scheduler = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *delivered =
      rac_signal_deliver_on(rac_subject_as_signal(subject), scheduler);
  rac_disposable *subscription =
      rac_subscribe_next(delivered, &calls, count_value, count);
  rac_subject_send(subject, rac_value_int64(1));
  CHECK(!rac_is_disposed(subscription));
  rac_release(scheduler);
  rac_subject_send(subject, rac_value_int64(2));
  CHECK(rac_is_disposed(subscription));
  rac_release(subscription);
  rac_release(delivered);
  rac_release(subject);
  /* destroy alone */
  CHECK_INT(calls, 1);
}

TEST(repeating_keeps_its_times) {
  diary d = begin();
  rac_disposable *r =
      rac_schedule_repeating(d.scheduler, 1, 0.5, 0, entry_new(&d, "r", NULL),
                             write_entry, free_target);
  rac_virtual_advance_to(d.scheduler, 2);
  CHECK_TEXT(d.text, "r@1 r@1.5 r@2");
  rac_dispose(r);
  rac_virtual_advance_to(d.scheduler, 20);
  CHECK_TEXT(d.text, "r@1 r@1.5 r@2");
  rac_release(r);
  end(&d);
}

static rac_disposable *repeating;
static int repeats;
static void stop_at_three(diary *d) {
  (void)d;
  if (++repeats == 3) rac_dispose(repeating);
}

TEST(a_repeating_job_may_stop_itself) {
  diary d = begin();
  repeats = 0;
  repeating = rac_schedule_repeating(d.scheduler, 0, 1, 0,
                                     entry_new(&d, "r", stop_at_three),
                                     write_entry, free_target);
  rac_virtual_step_all(d.scheduler);
  CHECK_TEXT(d.text, "r@0 r@1 r@2");
  rac_release(repeating);
  end(&d);
}

/* A clock that has come to its end stays there: so would a job that repeats. */
TEST(repeating_ends_with_time) {
  diary d = begin();
  rac_disposable *r = rac_schedule_repeating(d.scheduler, 0, INFINITY, 0,
                                             entry_new(&d, "r", NULL),
                                             write_entry, free_target);
  CHECK_STATUS(rac_virtual_step_n(d.scheduler, 5), RAC_OK);
  CHECK(rac_is_disposed(r));
  CHECK_INT(context_count(), 0);
  CHECK_TEXT(d.text, "r@0 r@4.61169e+09 r@9.22337e+09");
  rac_release(r);
  end(&d);
}

/* A host that steps in portions asks how long it can wait. */
TEST(next_deadline_says_when_the_next_job_is_due) {
  diary d = begin();
  CHECK(rac_scheduler_next_deadline(d.scheduler) == -1);
  rac_release(rac_schedule_after(d.scheduler, 3, entry_new(&d, "a", NULL),
                                 write_entry, free_target));
  CHECK(rac_scheduler_next_deadline(d.scheduler) == 3);
  rac_virtual_advance_by(d.scheduler, 1);
  CHECK(rac_scheduler_next_deadline(d.scheduler) == 2);
  rac_release(rac_schedule(d.scheduler, entry_new(&d, "b", NULL), write_entry,
                           free_target));
  CHECK(rac_scheduler_next_deadline(d.scheduler) == 0);
  rac_virtual_step_all(d.scheduler);
  CHECK(rac_scheduler_next_deadline(d.scheduler) == -1);
  CHECK_TEXT(d.text, "b@1 a@3");
  end(&d);
}

static void check_current(diary *d) {
  owned rac_scheduler *current = rac_scheduler_current();
  CHECK(current == d->scheduler);
}

TEST(it_is_the_current_scheduler_inside_its_jobs) {
  diary d = begin();
  rac_release(rac_schedule(d.scheduler, entry_new(&d, "a", check_current),
                           write_entry, free_target));
  rac_release(rac_schedule_after(d.scheduler, 1,
                                 entry_new(&d, "b", check_current), write_entry,
                                 free_target));
  rac_disposable *r = rac_schedule_repeating(d.scheduler, 1, 1, 0,
                                             entry_new(&d, "c", check_current),
                                             write_entry, free_target);
  rac_virtual_advance_to(d.scheduler, 2);
  CHECK_TEXT(d.text, "a@0 b@1 c@1 c@2");
  rac_dispose(r);
  rac_release(r);
  end(&d);
}

typedef struct stepping {
  rac_scheduler *scheduler;
  atomic_int inside, leave;
} stepping;

static void hold_on(void *context) {
  stepping *self = context_target(context);
  atomic_store(&self->inside, 1);
  while (!atomic_load(&self->leave)) check_pause();
}

static void *step_it(void *argument) {
  stepping *self = argument;
  CHECK_STATUS(rac_virtual_step(self->scheduler), RAC_OK);
  return NULL;
}

TEST(one_thread_at_a_time_steps) {
  stepping self = {rac_scheduler_virtual(), 0, 0};
  rac_release(rac_schedule(self.scheduler, context_new(&self, NULL), hold_on,
                           context_destroy));
  pthread_t thread = check_spawn(step_it, &self);
  WAIT_UNTIL(atomic_load(&self.inside));
  CHECK_STATUS(rac_virtual_step(self.scheduler), RAC_EBUSY);
  CHECK_STATUS(rac_virtual_advance_to(self.scheduler, 1), RAC_EBUSY);
  atomic_store(&self.leave, 1);
  check_join(thread);
  CHECK_STATUS(rac_virtual_step(self.scheduler), RAC_OK);
  rac_release(self.scheduler);
}

typedef struct heir {
  rac_scheduler *scheduler; /* the test's reference, if it has any */
  int runs, keeps;
} heir;

static void count_run(void *context) { ++((heir *)context)->runs; }

static void never(void *context) {
  (void)context;
  CHECK(false);
}

/* Gives up the last handle, and asks for one again. */
static void inherit_scheduler(void *context) {
  heir *self = context;
  rac_release(self->scheduler);
  CHECK_STATUS(rac_virtual_step(self->scheduler), RAC_ESTALE);
  self->scheduler = rac_scheduler_current();
  REQUIRE(self->scheduler != NULL);
  rac_release(rac_schedule(self->scheduler, self, count_run, NULL));
  if (self->keeps) return;
  /* That one as well: nobody is left who could step it. */
  rac_release(self->scheduler);
  self->scheduler = NULL;
}

TEST(a_job_that_asks_for_its_scheduler_keeps_what_waits) {
  for (int keeps = 0; keeps < 2; keeps++) {
    heir self = {rac_scheduler_virtual(), 0, keeps};
    rac_scheduler *first = self.scheduler;
    rac_release(rac_schedule(first, &self, inherit_scheduler, NULL));
    rac_release(rac_schedule_after(first, 1, context_new(&self, NULL), never,
                                   context_destroy));
    int contexts = context_count();
    CHECK_STATUS(rac_virtual_step(first), RAC_OK);
    CHECK_STATUS(rac_virtual_step(first), RAC_ESTALE);
    CHECK_INT(context_count(), contexts - !keeps);
    CHECK_INT(self.runs, 0);
    if (!keeps) continue;
    CHECK_STATUS(rac_virtual_step(self.scheduler), RAC_OK);
    CHECK_INT(self.runs, 1);
    rac_release(rac_schedule(self.scheduler, &self, count_run, NULL));
    CHECK_STATUS(rac_virtual_step(self.scheduler), RAC_OK);
    CHECK_INT(self.runs, 2);
    rac_release(self.scheduler);
    CHECK_INT(context_count(), contexts - 1);
  }
}

/* Each round the last handle goes on another thread while a job asks for one. */
typedef struct passing {
  _Atomic(rac_scheduler *) given;
  rac_scheduler *scheduler;
  atomic_bool done;
  int runs;
} passing;

static void *release_given(void *argument) {
  passing *self = argument;
  while (!atomic_load(&self->done))
    rac_release(atomic_exchange(&self->given, NULL));
  return NULL;
}

static void pass_on(void *context) {
  passing *self = context;
  rac_release(atomic_exchange(&self->given, self->scheduler));
  for (int i = 0; i < 20; i++)
    rac_release(atomic_exchange(&self->given, rac_scheduler_current()));
  self->scheduler = rac_scheduler_current();
}
static void count_passing(void *context) { ++((passing *)context)->runs; }

TEST(a_handle_made_while_the_last_one_goes_is_good) {
  passing self = {0};
  pthread_t other = check_spawn(release_given, &self);
  int rounds = (int)check_scaled(2000);
  self.scheduler = rac_scheduler_virtual();
  for (int round = 1; round <= rounds; round++) {
    rac_scheduler *stepped = self.scheduler;
    rac_release(rac_schedule(stepped, &self, pass_on, NULL));
    CHECK_STATUS(rac_virtual_step(stepped), RAC_OK);
    rac_release(rac_schedule(self.scheduler, &self, count_passing, NULL));
    CHECK_STATUS(rac_virtual_step(self.scheduler), RAC_OK);
    if (self.runs != round) break;
  }
  CHECK_INT(self.runs, rounds);
  atomic_store(&self.done, true);
  check_join(other);
  rac_release(atomic_exchange(&self.given, NULL));
  rac_release(self.scheduler);
}

typedef struct watch {
  rac_scheduler *scheduler;
  double last;
  int64_t count;
} watch;

static void look_at_the_clock(void *context) {
  watch *self = context_target(context);
  double time = rac_scheduler_now(self->scheduler);
  CHECK(time >= self->last);
  self->last = time;
  self->count++;
}

TEST(a_hundred_thousand_timers_in_any_order) {
  watch self = {rac_scheduler_virtual(), 0, 0};
  uint64_t state = 1;
  int64_t count = check_scaled(100000), disposed = 0;
  for (int64_t i = 0; i < count; i++) {
    double at = (double)(check_random(&state) % 1000000) / 1000;
    owned rac_disposable *job =
        rac_schedule_after(self.scheduler, at, context_new(&self, NULL),
                           look_at_the_clock, context_destroy);
    if (i % 3 == 0) {
      rac_dispose(job);
      disposed++;
    }
  }
  rac_virtual_step_all(self.scheduler);
  CHECK_INT(self.count, count - disposed);
  rac_release(self.scheduler);
}
