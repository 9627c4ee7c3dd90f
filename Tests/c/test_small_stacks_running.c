#define _GNU_SOURCE /* pthread_getattr_np */

/* Threads with small stacks: jobs that run their own scheduler, or the immediate
 * one, inside each other; and what is disposed of where next to none is left. */

#include <alloca.h>

#include "small_stacks.h"

typedef struct runs {
  rac_scheduler *scheduler;
  int64_t (*run)(rac_scheduler *scheduler);
  int depth, refused;
} runs;

/* Far more than fit into one another. */
static int jobs(void) { return (int)check_scaled(20 * KB); }

static void run_again(void *context) {
  runs *self = context;
  if (++self->depth >= jobs()) return;
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
  for (int i = 0; i < 10 && self.depth < jobs(); i++)
    CHECK(run(scheduler) >= 0);
  CHECK(self.depth > 10);
  CHECK(self.refused > 0);
  while (self.depth < jobs()) run(scheduler);
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
  owned rac_disposable *d = NULL;
  if (++self->depth < jobs()) {
    d = rac_schedule(self->scheduler, self, schedule_again, NULL);
    if (d == NULL) {
      self->refused++;
      CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
    }
  }
}

ON_SMALL_STACKS(immediate_jobs_inside_each_other_are_refused) {
  (void)argument;
  runs self = {rac_scheduler_immediate(), NULL, 0, 0};
  rac_release(rac_schedule(self.scheduler, &self, schedule_again, NULL));
  CHECK(self.depth > 10);
  CHECK_INT(self.refused, 1);
  rac_release(self.scheduler);
}

/* ---- Disposal ---------------------------------------------------------------- */

typedef struct ending {
  rac_disposable *subscription;
  char *lowest;
} ending;

static __attribute__((noinline)) void dispose_at_the_end(ending *self) {
  /* Less is left than the library leaves to callbacks. */
  size_t rest = (size_t)((char *)__builtin_frame_address(0) - self->lowest);
  volatile char *used = alloca(rest - 40 * 1024);
  used[0] = 1;
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  CHECK(rac_is_disposed(self->subscription));
}

static rac_subscriber *kept;

static rac_status keep_it(void *context, rac_subscriber *subscriber,
                          rac_disposable **out) {
  (void)context;
  (void)out;
  kept = rac_retain(subscriber);
  return RAC_OK;
}

static char *lowest_of_stack(void) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) abort();
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return lowest;
}

static void dispose_and_send(rac_signal *signal, bool has_end, bool is_two,
                             rac_status (*send)(void *to), void *to) {
  hearing h = {0};
  rac_disposable *other = is_two ? hear_signal(signal, &h) : NULL;
  ending e = {has_end ? hear_signal(signal, &h)
                      : rac_subscribe_next(signal, &h, hear, NULL),
              lowest_of_stack()};
  void *target = to ? to : kept;
  dispose_at_the_end(&e);
  send(target);
  /* The other one hears it, perhaps from a thread of the library. */
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  CHECK_INT(h.nexts, is_two);
  rac_dispose(other);
  if (has_end) WAIT_UNTIL(atomic_load(&h.destroyed) == 1 + is_two);
  rac_release(other);
  rac_release(e.subscription);
}

static rac_status send_one(void *subject) {
  return rac_subject_send(subject, I(1));
}
static rac_status send_one_below(void *subscriber) {
  return rac_subscriber_send(subscriber, I(1));
}

static void dispose_of_all(void *argument) {
  (void)argument;
  for (int round = 0; round < 50; round++) {
    for (int i = 0; i < 4; i++) {
      owned rac_subject *subject = rac_subject_create();
      dispose_and_send(as_signal(subject), i % 2, i / 2, send_one, subject);
    }
    rac_subject *memory = rac_replay_subject_create(1);
    dispose_and_send(as_signal(memory), true, false, send_one, memory);
    rac_release(memory);
    owned rac_signal *cold = rac_signal_create(NULL, keep_it, NULL);
    dispose_and_send(cold, true, false, send_one_below, NULL);
    rac_release(kept);
  }
}

/* Laws 7 and 18: it is over at once, although the rest is left to a thread of the
 * library. */
TEST(what_is_disposed_of_on_a_short_stack_hears_no_more) {
  on_stack(512, dispose_of_all, NULL);
}

static atomic_bool is_cleaning, may_go_on;

static void clean_up(void *context) {
  (void)context;
  atomic_store(&is_cleaning, true);
  while (!atomic_load(&may_go_on)) check_pause();
}
static rac_status keep_with_cleanup(void *context, rac_subscriber *subscriber,
                                    rac_disposable **out) {
  *out = rac_disposable_create(NULL, clean_up, NULL);
  return keep_it(context, subscriber, out);
}
static void *dispose_first(void *subscription) {
  CHECK_STATUS(rac_dispose(subscription), RAC_OK);
  return NULL;
}

static void dispose_second(void *argument) {
  hearing h = {0};
  atomic_store(&is_cleaning, false);
  atomic_store(&may_go_on, false);
  ending e = {hear_signal(argument, &h), lowest_of_stack()};
  CHECK_STATUS(send_one_below(kept), RAC_OK);
  CHECK_INT(h.nexts, 1);
  pthread_t other = check_spawn(dispose_first, e.subscription);
  WAIT_UNTIL(atomic_load(&is_cleaning));
  dispose_at_the_end(&e);
  send_one_below(kept);
  CHECK_INT(h.nexts, 1);
  atomic_store(&may_go_on, true);
  check_join(other);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
  CHECK_INT(h.nexts, 1);
  CHECK_INT(h.completions + h.errors, 0);
  rac_release(kept);
  rac_release(e.subscription);
}

/* Law 7: whoever comes second must not come back too early there either. */
TEST(whoever_disposes_second_on_a_short_stack_hears_no_more) {
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  owned rac_signal *cold = rac_signal_create(NULL, keep_with_cleanup, NULL);
  /* The second one has two links at a time. */
  owned rac_signal *moved = rac_signal_subscribe_on(cold, immediate);
  on_stack(512, dispose_second, cold);
  on_stack(512, dispose_second, moved);
}
