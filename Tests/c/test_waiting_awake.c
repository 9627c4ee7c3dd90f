/* Two threads that answer each other wait awake for each other: nobody else waits
 * for them, and they do not when it is over. */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "process.h"

static rac_scheduler *one, *other;

static void begin(void) {
  one = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "one");
  other = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "other");
}

static void end(void) {
  rac_release(one);
  rac_release(other);
}

static void schedule(rac_scheduler *scheduler, void *context,
                     rac_action_fn action) {
  rac_release(rac_schedule(scheduler, context, action, NULL));
}

/* ---- Processors ------------------------------------------------------------ */

static cpu_set_t usable;

/* The one of that number among those that may be used; false if there is none. */
static bool find_processor(int number, cpu_set_t *set) {
  CPU_ZERO(set);
  for (int i = 0; i < CPU_SETSIZE; i++) {
    if (!CPU_ISSET(i, &usable) || number-- > 0) continue;
    CPU_SET(i, set);
    return true;
  }
  return false;
}

static void place(const cpu_set_t *mine, const cpu_set_t *others) {
  DIR *threads = opendir("/proc/self/task");
  const struct dirent *entry;
  while ((entry = readdir(threads)) != NULL) {
    pid_t thread = (pid_t)atoi(entry->d_name);
    if (thread > 0)
      (void)sched_setaffinity(thread, sizeof *mine,
                              thread == getpid() ? mine : others);
  }
  closedir(threads);
}

/* All threads on one. */
static bool place_together(void) {
  cpu_set_t first;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return false;
  if (!find_processor(0, &first)) return false;
  place(&first, &first);
  return true;
}

/* This thread on one processor, and those of the library on another. */
static bool place_apart(void) {
  cpu_set_t first, second;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return false;
  if (!find_processor(0, &first) || !find_processor(1, &second)) return false;
  place(&first, &second);
  return true;
}

static void place_anywhere(void) { place(&usable, &usable); }

/* ---- There and back ---------------------------------------------------------- */

typedef struct rally {
  int left;
} rally;

static void pong(void *context);

static void ping(void *context) {
  schedule(rac_scheduler_main(), context, pong);
}

static void pong(void *context) {
  rally *self = context;
  if (--self->left > 0)
    schedule(one, self, ping);
  else
    rac_main_stop();
}

static void rally_for(int rounds) {
  rally self = {rounds};
  schedule(one, &self, ping);
  CHECK_STATUS(rac_main_run(), RAC_OK);
}

static long switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

/* Whether at most one round in ten had anybody asleep. */
static bool is_played_awake(int rounds) {
  long before = switches();
  rally_for(rounds);
  return switches() - before < rounds / 10;
}

/* A machine that does something else meanwhile has them sleep: the best of some
 * tries. A sanitizer has them sleep always, and looks at one. */
#define TRIES (IS_SANITIZED ? 1 : 200)

TEST(two_that_answer_each_other_stay_awake) {
  begin();
  rally_for(10);
  if (place_apart()) {
    int tries = TRIES;
    while (tries > 0 && !is_played_awake(500)) tries--;
    CHECK(tries > 0 || IS_SANITIZED);
    place_anywhere();
  }
  end();
}

/* On one processor each lets the other one have it, which takes no nap. */
TEST(two_on_one_processor_let_each_other_have_it) {
  begin();
  rally_for(10);
  if (place_together()) {
    int tries = TRIES;
    while (tries > 0 && !is_played_awake(500)) tries--;
    CHECK(tries > 0 || IS_SANITIZED);
  }
  place_anywhere();
  end();
}

/* Whoever has a processor to itself again stays awake there, too. */
TEST(those_that_shared_a_processor_stay_awake_on_two) {
  int tries = TRIES;
  begin();
  rally_for(10);
  while (tries > 0 && place_together()) {
    bool has_two;
    rally_for(2000);
    place_anywhere();
    has_two = place_apart();
    if (!has_two || is_played_awake(300)) break;
    place_anywhere();
    tries--;
  }
  place_anywhere();
  CHECK(tries > 0 || IS_SANITIZED);
  end();
}

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* What the processor does for others meanwhile may be counted, too: the best of a few
 * tries. */
TEST(nobody_stays_awake_when_it_is_over) {
  bool is_asleep = false;
  begin();
  for (int tries = 0; !is_asleep && tries < 5; tries++) {
    rally_for((int)check_scaled(5000));
    double before = processor_time();
    CHECK_STATUS(rac_main_run_for(0.3), RAC_OK);
    is_asleep = processor_time() - before < 0.03;
  }
  CHECK(is_asleep);
  end();
}

/* ---- Somebody else ------------------------------------------------------------ */

static void wait_for(void *context) {
  while (sem_wait(context) != 0) continue;
}

static void give_way(void *context) { sem_post(context); }

static void stop_main(void *context) {
  (void)context;
  rac_main_stop();
}

static void stop(void *context) {
  schedule(rac_scheduler_main(), context, stop_main);
}

/* The worker that waits awake for the one gets a job that needs the other one's:
 * whichever comes first, somebody runs that. */
TEST(who_waits_awake_leaves_nobody_in_line) {
  int count = (int)check_scaled(20000);
  sem_t gone;
  begin();
  sem_init(&gone, 0, 0);
  place_apart();
  for (int i = 0; i < count; i++) {
    if (i % 100 == 0) rally_for(200);
    if (i & 1) schedule(other, &gone, give_way);
    schedule(one, &gone, wait_for);
    if (!(i & 1)) schedule(other, &gone, give_way);
    schedule(one, NULL, stop);
    CHECK_STATUS(rac_main_run(), RAC_OK);
  }
  place_anywhere();
  sem_destroy(&gone);
  end();
}

static void stop_in_a_moment(void *context) {
  double end = check_clock() + 1e-6 * *(int *)context;
  while (check_clock() < end) continue;
  rac_release(
      rac_schedule_after(rac_scheduler_main(), 0.001, NULL, stop_main, NULL));
}

/* The main loop waits awake, has just stopped to, or sleeps: nobody calls it while
 * it is awake. */
TEST(who_waits_awake_hears_of_deadlines) {
  int count = (int)check_scaled(400);
  begin();
  place_apart();
  for (int i = 0; i < count; i++) {
    int microseconds = i % 40 * 5;
    rally_for(20);
    schedule(one, &microseconds, stop_in_a_moment);
    double start = check_clock();
    CHECK_STATUS(rac_main_run_for(20), RAC_OK);
    bool is_late = check_clock() - start > 15;
    CHECK(!is_late);
    if (is_late) break;
  }
  place_anywhere();
  end();
}
