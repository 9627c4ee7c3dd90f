/* Deadlines while jobs of the thread that waits for them are running. */
#define _GNU_SOURCE
#include <math.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "check.h"

/* How often the alarm was set that wakes who stands in: librac calls this one. */
static atomic_int settings;

int timerfd_settime(int fd, int flags, const struct itimerspec *spec,
                    struct itimerspec *old) {
  atomic_fetch_add(&settings, 1);
  return (int)syscall(SYS_timerfd_settime, fd, flags, spec, old);
}

static rac_scheduler *one, *other;

static void begin(void) {
  one = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "one");
  other = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "other");
}

static void end(void) {
  rac_release(one);
  rac_release(other);
}

static void after(rac_scheduler *scheduler, double seconds, void *context,
                  rac_action_fn action) {
  rac_release(rac_schedule_after(scheduler, seconds, context, action, NULL));
}

static void note(void *context) { atomic_store((atomic_int *)context, 1); }

static void count(void *context) { atomic_fetch_add((atomic_int *)context, 1); }

/* ---- A job that waits for one that is due later -------------------------- */

static void wait_for(void *context) {
  WAIT_UNTIL(atomic_load((atomic_int *)context) == 1);
}

/* The second time there is somebody to stand in. */
TEST(a_job_that_blocks_does_not_hold_up_others) {
  begin();
  for (int i = 0; i < 20; i++) {
    atomic_int is_noted = 0, is_over = 0;
    after(one, 0.0005, &is_noted, wait_for);
    after(one, 0.0005, &is_over, note);
    after(other, 0.002, &is_noted, note);
    WAIT_UNTIL(atomic_load(&is_over) == 1);
  }
  end();
}

typedef struct hold_up {
  atomic_int is_blocked, is_noted, is_over;
} hold_up;

static void block(void *context) {
  hold_up *self = context;
  atomic_store(&self->is_blocked, 1);
  wait_for(&self->is_noted);
  atomic_store(&self->is_over, 1);
}

TEST(nor_those_that_come_meanwhile) {
  begin();
  for (int i = 0; i < 20; i++) {
    hold_up h = {0};
    after(one, 0.0005, &h, block);
    WAIT_UNTIL(atomic_load(&h.is_blocked) == 1);
    after(other, i % 2 ? 0.001 : 0, &h.is_noted, note);
    WAIT_UNTIL(atomic_load(&h.is_over) == 1);
  }
  end();
}

/* What is first waits for the job in any case: it must not hide what is behind it. */
TEST(nor_those_behind_deadlines_of_its_own) {
  begin();
  for (int i = 0; i < 20; i++) {
    hold_up h = {0};
    atomic_int is_noted = 0;
    after(one, 0.0005, &h, block);
    WAIT_UNTIL(atomic_load(&h.is_blocked) == 1);
    after(one, 0.0005, &is_noted, note);
    after(other, i % 2 ? 0.001 : 0.02, &h.is_noted, note);
    WAIT_UNTIL(atomic_load(&h.is_over) == 1);
    WAIT_UNTIL(atomic_load(&is_noted) == 1);
  }
  end();
}

/* More than there are threads that wait for deadlines. */
TEST(many_that_block_do_not_hold_up_each_other) {
  enum { MANY = 5 };
  rac_scheduler *schedulers[MANY];
  atomic_int is_noted = 0, over = 0;
  begin();
  for (int i = 0; i < MANY; i++) {
    schedulers[i] = rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
    after(schedulers[i], 0.001 * (i + 1), &is_noted, wait_for);
    after(schedulers[i], 0.001 * (i + 1), &over, count);
  }
  after(other, 0.02, &is_noted, note);
  WAIT_UNTIL(atomic_load(&over) == MANY);
  for (int i = 0; i < MANY; i++) rac_release(schedulers[i]);
  end();
}

/* ---- What a tick costs --------------------------------------------------- */

static long switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

/* Waking up for it, and no other thread's. */
static bool is_one_switch_a_tick(atomic_int *ticks) {
  enum { TICKS = 200 };
  int first = atomic_load(ticks);
  long before = switches(), naps = 0;
  while (atomic_load(ticks) < first + TICKS) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    naps++;
  }
  int passed = atomic_load(ticks) - first;
  return switches() - before - naps < passed + passed / 2;
}

/* A machine that does something else meanwhile adds some: the best of a few tries. */
TEST(a_tick_is_one_switch_of_threads) {
  atomic_int ticks = 0;
  begin();
  rac_disposable *job =
      rac_schedule_repeating(one, 0, 1e-3, 0, &ticks, count, NULL);
  WAIT_UNTIL(atomic_load(&ticks) > 20);
  int tries = 10;
  while (tries > 0 && !is_one_switch_a_tick(&ticks)) tries--;
  CHECK(tries > 0);
  rac_dispose(job);
  rac_release(job);
  end();
}

/* What waits for the job in any case needs nobody to stand in. */
TEST(a_tick_sets_no_alarm_where_no_other_is_waited_for) {
  enum { TICKS = 50 };
  atomic_int ticks = 0;
  begin();
  rac_disposable *job =
      rac_schedule_repeating(one, 0, 1e-3, 0, &ticks, count, NULL);
  WAIT_UNTIL(atomic_load(&ticks) > 20);
  int before = atomic_load(&settings);
  WAIT_UNTIL(atomic_load(&ticks) > 20 + TICKS);
  CHECK(atomic_load(&settings) - before < TICKS / 10);
  rac_dispose(job);
  rac_release(job);
  end();
}

/* ---- What hosts do on threads -------------------------------------------- */

static atomic_int started, ended, forgotten;

static void start(void *context) {
  (void)context;
  atomic_fetch_add(&started, 1);
}
static void stop(void *context) {
  (void)context;
  atomic_fetch_add(&ended, 1);
}
static void forget(void *context) {
  (void)context;
  atomic_store(&forgotten, 1);
}

static void run_ticks(int how_many) {
  atomic_int ticks = 0;
  owned rac_disposable *job =
      rac_schedule_repeating(one, 0, 1e-3, 0, &ticks, count, NULL);
  WAIT_UNTIL(atomic_load(&ticks) >= how_many);
  rac_dispose_and_wait(job, -1);
}

/* Also the one that sleeps until it has to stand in. */
TEST(every_thread_follows_the_hook) {
  begin();
  run_ticks(10);
  for (int i = 0; i < 10; i++) {
    atomic_store(&started, 0);
    atomic_store(&ended, 0);
    atomic_store(&forgotten, 0);
    CHECK_STATUS(rac_set_thread_hook(NULL, start, stop, forget), RAC_OK);
    run_ticks(i);
    CHECK_STATUS(rac_set_thread_hook(NULL, NULL, NULL, NULL), RAC_OK);
    WAIT_UNTIL(atomic_load(&forgotten) == 1);
    CHECK_INT(atomic_load(&started), atomic_load(&ended));
  }
  end();
}
