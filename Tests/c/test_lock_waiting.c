/* A thread that the system holds up in the middle of a call, perhaps with a
 * lock of the library: whoever needs that lock sleeps, so that the thread can
 * get the processor and go on. Who spins there keeps it from that, for good
 * where he comes first, as with OSSpinLock. */
#include "operators.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

static double processor_time(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static void nothing(void *context) { (void)context; }
static void hear(void *context, rac_value value) { (void)context, (void)value; }

/* What two threads have in common, and what they do with it: all of this takes
 * a lock somewhere. */
typedef struct shared {
  rac_subject *subject, *replay;
  rac_signal *all;
  rac_property *property;
  rac_disposable *compound, *serial;
  rac_scheduler *scheduler;
  atomic_int enough;
} shared;

static void do_everything(shared *s) {
  owned rac_disposable *job =
      rac_schedule_after(s->scheduler, 1000, NULL, nothing, NULL);
  rac_compound_disposable_add(s->compound, job);
  rac_disposable *heard =
      rac_subscribe_next(s->all, context_new(s, NULL), hear, context_destroy);
  rac_subject_send(s->replay, I(1));
  rac_subject_send(s->subject, I(2));
  rac_property_set(s->property, S("a string of more than fifteen bytes"));
  rac_dispose(heard);
  rac_release(heard);
  rac_compound_disposable_remove(s->compound, job);
  rac_serial_disposable_set(s->serial, job);
  rac_release(rac_schedule(s->scheduler, NULL, nothing, NULL));
  rac_dispose(job);
}

static void *do_it_again(void *argument) {
  shared *s = argument;
  while (!atomic_load(&s->enough)) do_everything(s);
  return NULL;
}

/* ---- Holding it up ---------------------------------------------------------- */

enum { HELD_FOR = 4 }; /* milliseconds */

static atomic_int held, let_run;

static void hold_up(int number) {
  (void)number;
  int before = errno;
  atomic_fetch_add(&held, 1);
  nanosleep(&(struct timespec){.tv_nsec = HELD_FOR * 1000000}, NULL);
  atomic_fetch_add(&let_run, 1);
  errno = before;
}

/* How often this thread was awake meanwhile, by the processor time of each round: what
 * a busy machine takes is not in it. */
static int64_t rounds_awake(shared *s, pthread_t thread, int64_t rounds) {
  int64_t awake = 0;
  for (; rounds > 0; rounds--) {
    int times = atomic_load(&held);
    pthread_kill(thread, SIGUSR1);
    WAIT_UNTIL(atomic_load(&held) > times);
    double began = processor_time();
    do_everything(s);
    if (processor_time() - began > HELD_FOR / 2e3) awake++;
    /* Then it gets on, to some other place. */
    WAIT_UNTIL(atomic_load(&let_run) > times);
    check_pause();
  }
  return awake;
}

TEST(who_waits_for_a_thread_that_is_held_up_sleeps) {
  struct sigaction before,
      action = {.sa_handler = hold_up, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, &before);
  shared s = {.subject = rac_subject_create(),
              .replay = rac_replay_subject_create(3),
              .property = rac_property_create(I(0), RAC_PROPERTY_PLAIN),
              .compound = rac_compound_disposable_create(),
              .serial = rac_serial_disposable_create(),
              .scheduler = rac_scheduler_background(0, NULL)};
  s.all = rac_signal_combine_latest_with(as_signal(s.replay),
                                         rac_property_as_signal(s.property));
  RAC_ASSIGN(s.all, rac_signal_merge_with(s.all, as_signal(s.subject)));
  pthread_t thread = check_spawn(do_it_again, &s);
  /* A machine where all of it takes that long has some as well: the best of three. */
  int64_t rounds = check_scaled(300);
  int tries = 3;
  while (tries > 0 && rounds_awake(&s, thread, rounds) > rounds / 100) tries--;
  CHECK(tries > 0);
  atomic_store(&s.enough, 1);
  check_join(thread);
  sigaction(SIGUSR1, &before, NULL);
  rac_dispose(s.serial);
  rac_release(s.scheduler);
  rac_release(s.serial);
  rac_release(s.compound);
  rac_release(s.all);
  rac_release(s.property);
  rac_release(s.replay);
  rac_release(s.subject);
}
