/* RACScheduler: jobs now and later, on the immediate, the main and background
 * schedulers, and which scheduler is the current one. */
#include "operators.h"
#include "shared_callbacks.h"

/* Runs the main scheduler until something has happened. */
#define DRAIN_UNTIL(condition)                                                 \
  do {                                                                         \
    for (int drains = 0; !(condition) && drains < 10000; drains++) {           \
      rac_main_drain(0);                                                       \
      check_pause();                                                           \
    }                                                                          \
    CHECK(condition);                                                          \
  } while (0)

static rac_disposable *add_job(rac_scheduler *scheduler, atomic_int *count) {
  return rac_schedule(scheduler, CALLBACK_FOR(count, count_up));
}

static rac_disposable *add_later(rac_scheduler *scheduler, double seconds,
                                 atomic_int *count) {
  return rac_schedule_after(scheduler, seconds, CALLBACK_FOR(count, count_up));
}

/* ---- The current scheduler ------------------------------------------------ */

/* Jobs in jobs, each on the next of the schedulers. NULL stands for the
 * subscription scheduler: where a cold signal starts. */
typedef struct nest {
  rac_scheduler *on[3], *seen[3];
  int count, depth;
  atomic_int done;
} nest;

static void next_level(nest *self);

static void note_current(void *context) {
  nest *self = context_target(context);
  rac_scheduler *current = rac_scheduler_current();
  self->seen[self->depth++] = current;
  rac_release(current);
  if (self->depth < self->count) {
    next_level(self); /* which owns all this from here on */
  } else {
    atomic_store(&self->done, 1);
  }
}

/* By this thread; what the nest holds may be somebody else's by then. */
static _Thread_local int subscribed;

static rac_status note_in_subscribe(void *context, rac_subscriber *subscriber,
                                    rac_disposable **out) {
  (void)out;
  subscribed++;
  note_current(context);
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static void next_level(nest *self) {
  rac_scheduler *on = self->on[self->depth];
  if (on) {
    rac_release(rac_schedule(on, CALLBACK_FOR(self, note_current)));
    return;
  }
  int before = subscribed;
  rac_signal *signal = rac_signal_create(CALLBACK_FOR(self, note_in_subscribe));
  rac_release(rac_subscribe_next(signal, NULL, NULL, NULL));
  rac_release(signal);
  CHECK_INT(subscribed, before + 1); /* it ran at once */
}

static void check_nest(int count, rac_scheduler *const *on,
                       rac_scheduler *const *expected) {
  nest n = {.count = count};
  for (int i = 0; i < count; i++) n.on[i] = on[i];
  next_level(&n);
  DRAIN_UNTIL(atomic_load(&n.done));
  for (int i = 0; i < count; i++) CHECK(n.seen[i] == expected[i]);
}

/* scheduler-001: in jobs in jobs the current scheduler is that of the innermost,
 * except that the immediate one does not become it */
TEST(nested_jobs_have_their_own_current_scheduler) {
  rac_scheduler *m = rac_scheduler_main(), *i = rac_scheduler_immediate();
  owned rac_scheduler *b = rac_scheduler_background(0, NULL);
  check_nest(2, (rac_scheduler *[]){b, i}, (rac_scheduler *[]){b, b});
  check_nest(2, (rac_scheduler *[]){b, NULL}, (rac_scheduler *[]){b, b});
  check_nest(3, (rac_scheduler *[]){m, b, m}, (rac_scheduler *[]){m, b, m});
  check_nest(3, (rac_scheduler *[]){b, m, b}, (rac_scheduler *[]){b, m, b});
}

/* scheduler-010, scheduler-012, scheduler-013: where there is a current
 * scheduler a cold signal starts at once, and it stays the current one */
TEST(a_cold_signal_starts_on_the_current_scheduler) {
  rac_scheduler *m = rac_scheduler_main();
  owned rac_scheduler *b = rac_scheduler_background(0, NULL);
  check_nest(1, (rac_scheduler *[]){NULL}, (rac_scheduler *[]){m});
  check_nest(2, (rac_scheduler *[]){m, NULL}, (rac_scheduler *[]){m, m});
  check_nest(2, (rac_scheduler *[]){b, NULL}, (rac_scheduler *[]){b, b});
}

static void *subscribe_elsewhere(void *argument) {
  nest *self = argument;
  CHECK(rac_scheduler_current() == NULL);
  owned rac_signal *signal =
      rac_signal_create(CALLBACK_FOR(self, note_in_subscribe));
  rac_release(rac_subscribe_next(signal, NULL, NULL, NULL));
  return NULL;
}

/* Where there is none it starts on a background one. */
TEST(a_cold_signal_without_a_current_scheduler_starts_in_the_background) {
  nest n = {.count = 1};
  check_join(check_spawn(subscribe_elsewhere, &n));
  WAIT_UNTIL(atomic_load(&n.done));
  CHECK(n.seen[0] != NULL);
  CHECK(n.seen[0] != rac_scheduler_main());
}

/* ---- The main scheduler --------------------------------------------------- */

/* scheduler-002: nothing runs at once, and what is disposed never does */
TEST(main_runs_later_and_not_what_was_disposed) {
  atomic_int first = 0, second = 0;
  rac_scheduler *m = rac_scheduler_main();
  owned rac_disposable *d = add_job(m, &first);
  rac_release(add_job(m, &second));
  rac_dispose(d);
  CHECK_INT(second, 0);
  CHECK_INT(rac_main_drain(0), 1);
  CHECK_INT(first, 0);
  CHECK_INT(second, 1);
}

/* scheduler-003: not even what is due now */
TEST(main_runs_later_what_is_due_now) {
  atomic_int ran = 0;
  rac_release(add_later(rac_scheduler_main(), 0, &ran));
  CHECK_INT(ran, 0);
  DRAIN_UNTIL(atomic_load(&ran) == 1);
}

/* scheduler-005: again and again, until disposed */
TEST(main_repeats_until_disposed) {
  atomic_int ran = 0;
  owned rac_disposable *d = rac_schedule_repeating(
      rac_scheduler_main(), 0.005, 0.005, 0, CALLBACK_FOR(&ran, count_up));
  CHECK_INT(ran, 0);
  DRAIN_UNTIL(atomic_load(&ran) >= 3);
  rac_dispose(d);
  int so_far = ran;
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) < 0);
  rac_main_run_for(0.012);
  CHECK_INT(ran, so_far);
}

/* ---- Background schedulers ------------------------------------------------ */

typedef struct two {
  rac_scheduler *scheduler;
  atomic_int first, second;
} two;

static void schedule_two(void *context) {
  two *self = context_target(context);
  owned rac_disposable *d = add_job(self->scheduler, &self->first);
  rac_release(add_job(self->scheduler, &self->second));
  rac_dispose(d);
}

/* scheduler-006: inside a job nothing else of the scheduler has started, so
 * what it disposes does not run */
TEST(background_does_not_run_what_was_disposed) {
  two t = {.scheduler = rac_scheduler_background(0, NULL)};
  rac_release(rac_schedule(t.scheduler, CALLBACK_FOR(&t, schedule_two)));
  WAIT_UNTIL(atomic_load(&t.second) == 1);
  CHECK_INT(t.first, 0);
  rac_release(t.scheduler);
}

/* scheduler-007, scheduler-008: later, and not what was disposed */
TEST(background_runs_delayed_jobs) {
  atomic_int first = 0, second = 0;
  owned rac_scheduler *b = rac_scheduler_background(0, NULL);
  double due = rac_scheduler_now(b) + 0.01;
  owned rac_disposable *d = add_later(b, 0.01, &first);
  rac_release(add_later(b, 0.01, &second));
  rac_dispose(d);
  /* Where the machine was so busy that it was due before, it may have run. */
  bool is_in_time = rac_scheduler_now(b) < due;
  CHECK(second == 0 || rac_scheduler_now(b) >= due);
  WAIT_UNTIL(atomic_load(&second) == 1);
  CHECK(rac_scheduler_now(b) >= due);
  if (is_in_time) CHECK_INT(first, 0);
}

/* scheduler-009: again and again, until disposed; the harness waits until the
 * context has gone */
TEST(background_repeats_until_disposed) {
  atomic_int ran = 0;
  owned rac_scheduler *b = rac_scheduler_background(0, NULL);
  owned rac_disposable *d =
      rac_schedule_repeating(b, 0.002, 0.002, 0, CALLBACK_FOR(&ran, count_up));
  WAIT_UNTIL(atomic_load(&ran) >= 3);
  rac_dispose(d);
  WAIT_UNTIL(context_count() == 0);
}

/* ---- The immediate scheduler ----------------------------------------------- */

/* scheduler-014, scheduler-015: jobs run, after sleeping for their delay, before
 * the call returns. RAC returned no disposable; here it is one that is done,
 * because NULL stands for a failure */
TEST(immediate_jobs_run_at_once) {
  rac_scheduler *i = rac_scheduler_immediate();
  atomic_int ran = 0;
  rac_disposable *d = add_job(i, &ran);
  CHECK_INT(ran, 1);
  CHECK(rac_is_disposed(d));
  rac_release(d);
  double before = rac_scheduler_now(i);
  d = add_later(i, 0.01, &ran);
  CHECK_INT(ran, 2);
  CHECK(rac_scheduler_now(i) - before >= 0.01);
  CHECK(rac_is_disposed(d));
  rac_release(d);
}

/* It cannot repeat: that would never return. */
TEST(immediate_jobs_cannot_repeat) {
  atomic_int ran = 0;
  CHECK(rac_schedule_repeating(rac_scheduler_immediate(), 0, 1, 0,
                               CALLBACK_FOR(&ran, count_up)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_INT(ran, 0);
}

/* ---- Recursion -------------------------------------------------------------- */

typedef struct recursive {
  int wanted; /* runs */
  atomic_int ran, inside;
  rac_disposable *disposable; /* disposed by the first run */
  rac_scheduler *elsewhere;   /* asks for the next run from there */
  rac_scheduler *seen;
} recursive;

typedef struct request {
  rac_recursion *recursion;
} request;

static void ask_later(void *context) {
  request *self = context_target(context);
  CHECK_STATUS(rac_reschedule(self->recursion), RAC_OK);
  rac_release(self->recursion);
  free(self);
}

static void again(void *context, rac_recursion *recursion) {
  recursive *self = context_target(context);
  CHECK_INT(atomic_fetch_add(&self->inside, 1), 0);
  rac_scheduler *current = rac_scheduler_current();
  self->seen = current;
  rac_release(current);
  if (self->disposable) {
    rac_dispose(self->disposable);
    CHECK_STATUS(rac_reschedule(recursion), RAC_EDONE);
  } else if (atomic_load(&self->ran) + 1 < self->wanted) {
    if (self->elsewhere) {
      request *ask = malloc(sizeof *ask);
      if (!ask) abort();
      ask->recursion = rac_retain(recursion);
      rac_release(rac_schedule(self->elsewhere, CALLBACK_FOR(ask, ask_later)));
    } else {
      CHECK_STATUS(rac_reschedule(recursion), RAC_OK);
    }
  }
  atomic_fetch_sub(&self->inside, 1);
  atomic_fetch_add(&self->ran, 1);
}

static rac_disposable *recur(rac_scheduler *scheduler, recursive *self) {
  return rac_schedule_recursive(scheduler, CALLBACK_FOR(self, again));
}

/* scheduler-016, scheduler-017: on the immediate scheduler, one run after the
 * other, all of them before the call returns */
TEST(immediate_recursion) {
  for (int wanted = 1; wanted <= 3; wanted += 2) {
    recursive r = {.wanted = wanted};
    rac_release(recur(rac_scheduler_immediate(), &r));
    CHECK_INT(r.ran, wanted);
  }
}

/* scheduler-019, scheduler-020: on the main scheduler, later */
TEST(main_recursion) {
  for (int wanted = 1; wanted <= 3; wanted += 2) {
    recursive r = {.wanted = wanted};
    rac_release(recur(rac_scheduler_main(), &r));
    CHECK_INT(r.ran, 0);
    DRAIN_UNTIL(atomic_load(&r.ran) == wanted);
    CHECK_INT(rac_main_drain(0), 0);
    CHECK_INT(r.ran, wanted);
  }
}

/* scheduler-021: asked for from another scheduler, the next run comes on the
 * first one */
TEST(recursion_asked_for_from_elsewhere) {
  rac_scheduler *m = rac_scheduler_main();
  recursive r = {.wanted = 3, .elsewhere = rac_scheduler_background(0, NULL)};
  rac_release(recur(m, &r));
  for (int run = 1; run <= 3; run++) {
    /* Nothing runs while main does not. */
    CHECK_INT(r.ran, run - 1);
    DRAIN_UNTIL(atomic_load(&r.ran) == run);
    CHECK(r.seen == m);
    if (run < 3)
      WAIT_UNTIL(rac_scheduler_next_deadline(rac_scheduler_main()) == 0);
  }
  rac_release(r.elsewhere);
}

/* scheduler-022: a recursion that was disposed does not run again */
TEST(a_disposed_recursion_does_not_go_on) {
  recursive r = {.wanted = 3};
  r.disposable = recur(rac_scheduler_main(), &r);
  DRAIN_UNTIL(atomic_load(&r.ran) == 1);
  CHECK_INT(rac_main_drain(0), 0);
  CHECK_INT(r.ran, 1);
  rac_release(r.disposable);
}

/* Nothing grows with the runs. */
TEST(a_hundred_thousand_runs_of_a_recursion) {
  recursive r = {.wanted = (int)check_scaled(100000)};
  rac_release(recur(rac_scheduler_immediate(), &r));
  CHECK_INT(r.ran, r.wanted);
}
