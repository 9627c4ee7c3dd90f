/* What a host is asked while something goes on for ever: rac_set_interruption_hook(). */
#include <poll.h>
#include <sys/resource.h>

#include "operators.h"
#include "process.h"

typedef struct hook {
  int allowed; /* times that it answers RAC_OK; negative: always */
  atomic_int asked, destroyed;
  rac_status nested; /* what a read that would block answers in there */
  bool raises;
} hook;

static rac_status goes_on(void *context) {
  hook *self = context_target(context);
  int asked = atomic_fetch_add(&self->asked, 1);
  if (self->allowed < 0 || asked < self->allowed) return RAC_OK;
  rac_signal *never = rac_signal_never();
  self->nested = rac_signal_first(never, -1, NULL);
  rac_release(never);
  return self->raises ? rac_raise_error("keyboard", 3, "Ctrl-C") : -77;
}

static void set_hook(hook *self) {
  CHECK_STATUS(rac_set_interruption_hook(context_new(self, &self->destroyed),
                                         goes_on, context_destroy),
               RAC_OK);
}

/* Takes it away, and checks that it was asked one time more than allowed. */
static void unset_hook(hook *self) {
  CHECK_STATUS(rac_set_interruption_hook(NULL, NULL, NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&self->destroyed) == 1);
  CHECK_INT(atomic_load(&self->asked), self->allowed + 1);
  CHECK_STATUS(self->nested, RAC_EDEADLK);
}

/* ---- Schedulers ------------------------------------------------------------ */

typedef struct again {
  rac_scheduler *scheduler;
  double delay;
  int ran;
} again;

static void schedule_again(void *context) {
  again *self = context;
  self->ran++;
  rac_release(self->delay > 0
                  ? rac_schedule_after(self->scheduler, self->delay, self,
                                       schedule_again, NULL)
                  : rac_schedule(self->scheduler, self, schedule_again, NULL));
}

TEST(virtual_time_stops_and_can_go_on) {
  again job = {rac_scheduler_virtual(), 0.25, 0};
  rac_release(rac_schedule(job.scheduler, &job, schedule_again, NULL));
  hook h = {.allowed = 8};
  set_hook(&h);
  CHECK_STATUS(rac_virtual_advance_by(job.scheduler, 1e9), -77);
  CHECK_STATUS(rac_last_error_code(), -77);
  CHECK_TEXT(rac_last_error_message(), "interrupted");
  CHECK_INT(job.ran, 9);
  CHECK(rac_scheduler_now(job.scheduler) == 2); /* where the last job left it */
  unset_hook(&h);
  CHECK_STATUS(rac_virtual_advance_to(job.scheduler, 3), RAC_OK);
  CHECK_INT(job.ran, 13);
  h = (hook){.allowed = 2};
  set_hook(&h);
  CHECK_STATUS(rac_virtual_advance_to(job.scheduler, 1e9), -77);
  unset_hook(&h);
  h = (hook){.allowed = 2};
  set_hook(&h);
  CHECK_STATUS(rac_virtual_step_all(job.scheduler), -77);
  unset_hook(&h);
  CHECK_INT(job.ran, 19);
  rac_release(job.scheduler);
}

TEST(a_step_that_is_the_last_does_not_ask) {
  again job = {rac_scheduler_virtual(), 0, 0};
  rac_release(rac_schedule(job.scheduler, &job, schedule_again, NULL));
  hook h = {.allowed = 2, .raises = true};
  set_hook(&h);
  CHECK_STATUS(rac_virtual_step(job.scheduler), RAC_OK);
  CHECK_STATUS(rac_virtual_step_n(job.scheduler, 3), RAC_OK);
  CHECK_INT(atomic_load(&h.asked), 2);
  CHECK_STATUS(rac_virtual_step_n(job.scheduler, 3), RAC_EUSER);
  CHECK_INT(job.ran, 5);
  unset_hook(&h);
  rac_release(job.scheduler);
}

TEST(a_drain_with_a_bound_and_a_run_of_the_main_scheduler_end) {
  again job = {rac_scheduler_main(), 0, 0};
  rac_disposable *first =
      rac_schedule(job.scheduler, &job, schedule_again, NULL);
  rac_release(first);
  hook h = {.allowed = 4};
  set_hook(&h);
  CHECK_INT(rac_main_drain(1000000), 5);
  unset_hook(&h);
  h = (hook){.allowed = 4};
  set_hook(&h);
  CHECK_INT(rac_main_drain_for(1e6), 5);
  unset_hook(&h);
  h = (hook){.allowed = 4};
  set_hook(&h);
  CHECK_STATUS(rac_main_run(), RAC_OK);
  unset_hook(&h);
  CHECK_INT(job.ran, 15);
  h = (hook){.allowed = 0};
  set_hook(&h);
  CHECK_INT(rac_main_drain(0), 1); /* what is there at the start has an end */
  CHECK_INT(atomic_load(&h.asked), 0);
  CHECK_STATUS(rac_main_run_for(1e6), RAC_OK);
  unset_hook(&h);
  /* Nobody is to find it: the scheduler of the next job is another one. */
  owned rac_scheduler *main = job.scheduler;
  job.scheduler = rac_scheduler_virtual();
  CHECK_INT(rac_main_drain(0), 1);
  rac_release(job.scheduler);
}

static int wakes_within(int seconds) {
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  poll(NULL, 0, seconds * 1000);
  getrusage(RUSAGE_SELF, &after);
  return (int)(after.ru_nvcsw - before.ru_nvcsw);
}

/* A signal that comes just before the sleep wakes nobody. */
TEST(a_run_with_nothing_to_do_asks_now_and_then) {
  hook h = {.allowed = 2};
  set_hook(&h);
  CHECK_STATUS(rac_main_run_for(1e6), RAC_OK);
  unset_hook(&h);
}

static void meet(void *context) {
  atomic_int *left = context;
  atomic_fetch_sub(left, 1);
  while (atomic_load(left) > 0) check_pause();
}

/* Only calls of the host's ask: threads of the library's sleep. Sanitizers have some
 * of their own. */
TEST(workers_with_nothing_to_do_do_not_ask) {
  enum { WORKERS = 8 };
  if (IS_SANITIZED) return;
  rac_scheduler *schedulers[WORKERS];
  atomic_int left = WORKERS;
  for (int i = 0; i < WORKERS; i++) {
    schedulers[i] = rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
    rac_release(rac_schedule(schedulers[i], &left, meet, NULL));
  }
  WAIT_UNTIL(atomic_load(&left) == 0);
  hook h = {.allowed = 0};
  set_hook(&h);
  /* The slow phases of a machine and what looks after memory wake some. */
  int wakes = 1000;
  for (int tries = 0; tries < 10 && wakes > WORKERS; tries++)
    wakes = wakes_within(1);
  CHECK(wakes <= WORKERS);
  CHECK_INT(atomic_load(&h.asked), 0);
  CHECK_STATUS(rac_set_interruption_hook(NULL, NULL, NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
  for (int i = 0; i < WORKERS; i++) rac_release(schedulers[i]);
}

/* Asks for the next run first, so that what stops it is the hook. */
static void reschedule(void *context, rac_recursion *self) {
  ++*(int *)context;
  rac_reschedule(self);
}

TEST(a_recursive_job_of_the_immediate_scheduler_ends) {
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  hook h = {.allowed = 6};
  int ran = 0;
  set_hook(&h);
  rac_release(rac_schedule_recursive(immediate, &ran, reschedule, NULL));
  unset_hook(&h);
  CHECK_INT(ran, 7);
}

/* ---- Signals --------------------------------------------------------------- */

/* What a signal sends that has no end of its own, in rounds. */
static void check_stopped(rac_signal *endless, int rounds, const char *events) {
  for (int raises = 0; raises < 2; raises++) {
    char expected[100];
    recorder r = {0};
    hook h = {.allowed = rounds, .raises = raises};
    snprintf(expected, sizeof expected, "%s%s", events, raises ? "#3" : "#-77");
    set_hook(&h);
    record(endless, &r);
    CHECK_EVENTS(&r, expected);
    unset_hook(&h);
    await_end(&r);
  }
  rac_release(endless);
}

static rac_status one_more(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  *out = rac_signal_return(I(value.bits + 1));
  return RAC_OK;
}

TEST(what_subscribes_for_ever_ends_with_the_error) {
  rac_signal *s = cold("1 |", NULL);
  APPLY0(s, repeat);
  check_stopped(s, 2, "1 1 1 ");
  s = cold("1 #4", NULL);
  APPLY(s, retry, 0);
  check_stopped(s, 3, "1 1 1 1 ");
  s = rac_signal_return(I(1));
  APPLY(s, expand, CALLBACK(one_more));
  check_stopped(s, 2, "1 2 3 4 ");
}

static rac_status count_on(void *context, rac_value state,
                           rac_value *next_state, rac_value *out) {
  (void)context_target(context);
  *out = state;
  *next_state = I(state.bits + 1);
  return RAC_OK;
}

TEST(a_sequence_without_end_on_the_immediate_scheduler_ends) {
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  owned rac_sequence *numbers = rac_sequence_generate(I(0), CALLBACK(count_on));
  check_stopped(rac_sequence_signal(numbers, immediate), 3, "0 1 2 3 ");
}

TEST(an_operator_that_hears_no_errors_asks_again) {
  owned rac_signal *s = cold("1 |", NULL);
  APPLY0(s, repeat);
  APPLY(s, retry, 0);
  hook h = {.allowed = 1};
  set_hook(&h);
  RECORDER(r, s);
  CHECK_EVENTS(&r, "1 1 #-77");
  CHECK_INT(atomic_exchange(&h.asked, 2), 3); /* repeat twice, retry once */
  unset_hook(&h);
}

/* ---- Waits ----------------------------------------------------------------- */

static void block(void *context) {
  atomic_int *state = context;
  atomic_store(state, 1);
  WAIT_UNTIL(atomic_load(state) == 2);
}

TEST(what_blocks_ends_as_if_its_time_had_passed) {
  rac_signal *never = rac_signal_never();
  hook h = {.allowed = 0};
  set_hook(&h);
  CHECK_STATUS(rac_signal_first(never, -1, NULL), RAC_ETIMEDOUT);
  unset_hook(&h);
  rac_release(never);

  owned rac_scheduler *worker = rac_scheduler_background(0, NULL);
  atomic_int state = 0;
  rac_release(rac_schedule(worker, &state, block, NULL));
  WAIT_UNTIL(atomic_load(&state) == 1);
  h = (hook){.allowed = 3};
  set_hook(&h);
  CHECK_STATUS(rac_settle(-1), RAC_ETIMEDOUT);
  unset_hook(&h);
  atomic_store(&state, 2);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
}

/* ---- The hook -------------------------------------------------------------- */

/* Law 9. */
TEST(no_function_is_no_hook_and_destroy_runs) {
  hook h = {0};
  CHECK_STATUS(rac_set_interruption_hook(context_new(&h, &h.destroyed), NULL,
                                         context_destroy),
               RAC_OK);
  CHECK_INT(atomic_load(&h.destroyed), 1);
}

static rac_status replaces_itself(void *context) {
  CHECK_STATUS(rac_set_interruption_hook(NULL, NULL, NULL), RAC_OK);
  CHECK_INT(atomic_load(&((hook *)context_target(context))->destroyed), 0);
  return RAC_OK;
}

TEST(a_hook_may_replace_itself) {
  hook h = {0};
  again job = {rac_scheduler_virtual(), 0, 0};
  rac_release(rac_schedule(job.scheduler, &job, schedule_again, NULL));
  CHECK_STATUS(rac_set_interruption_hook(context_new(&h, &h.destroyed),
                                         replaces_itself, context_destroy),
               RAC_OK);
  CHECK_STATUS(rac_virtual_step_n(job.scheduler, 5), RAC_OK);
  CHECK_INT(atomic_load(&h.destroyed), 1);
  CHECK_INT(job.ran, 5);
  rac_release(job.scheduler);
}

/* ---- Circles --------------------------------------------------------------- */

static rac_status give_shared(void *context, rac_signal **out) {
  *out = rac_retain(*(rac_signal **)context);
  return RAC_OK;
}

static void count_value(void *context, rac_value value) {
  (void)value;
  ((int64_t *)context)[0]++;
}
static void note_code(void *context, rac_value error) {
  ((int64_t *)context)[1] = rac_error_get_code(error);
}

/* It is subscribed to inside of itself, so each value comes again. */
TEST(what_is_fed_back_ends_with_the_error) {
  rac_signal *shared = NULL,
             *inner = rac_signal_defer(&shared, give_shared, NULL);
  rac_signal *inputs[] = {inner, rac_signal_return(I(1))};
  rac_signal *merged = rac_signal_merge(inputs, 2);
  shared = rac_signal_share(merged);
  rac_observer observer = RAC_OBSERVER_INIT;
  int64_t heard[2] = {0, 0};
  observer.context = heard;
  observer.next = count_value;
  observer.error = note_code;
  hook h = {.allowed = 3, .raises = true};
  set_hook(&h);
  rac_release(rac_subscribe(shared, &observer));
  unset_hook(&h);
  CHECK(heard[0] > 3000);
  CHECK_INT(heard[1], 3);
  rac_release(shared);
  rac_release(merged);
  for (int i = 0; i < 2; i++) rac_release(inputs[i]);
}
