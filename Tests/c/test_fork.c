/* Forked children in which everything works, and that neither side takes a wake-up
 * from the other. */
#define _GNU_SOURCE
#include "forked.h"

#include <fcntl.h>
#include <semaphore.h>

/* ---- Where the library has no threads --------------------------------------- */

static void only_loaded(void *argument) {
  (void)argument;
  use_everything();
}

/* Law 22: everything works where it was only loaded. */
TEST(a_child_of_a_process_that_only_loaded_the_library) { alone(only_loaded); }

static void inherit_and_fork(void *argument) {
  (void)argument;
  inherited i = {0};
  inherit(&i);
  CHILD(rac_main_fd() >= 0);
  CHILD(rac_subject_send(i.subject, I(1)) == RAC_OK);
  /* The child's copy is the child's: several get the same. */
  CHILD(in_child(use_inherited, &i) == 0);
  CHILD(in_child(use_inherited, &i) == 0);
  CHILD(i.runs == 0 && i.sum == 1);
  use_inherited(&i);
}

/* Law 22: what was made and scheduled before is the child's too. */
TEST(a_child_goes_on_with_what_was_there) { alone(inherit_and_fork); }

static void forks_of_forks(void *argument) {
  int depth = argument ? *(int *)argument + 1 : 0;
  inherited i = {0};
  inherit(&i);
  CHILD(rac_subject_send(i.subject, I(1)) == RAC_OK);
  if (depth < 4) CHILD(in_child(forks_of_forks, &depth) == 0);
  use_inherited(&i);
}

TEST(a_fork_of_a_fork_of_a_fork) { alone(forks_of_forks); }

/* ---- Descriptors ------------------------------------------------------------- */

static int same_number;

static void drain_own(void *argument) {
  int *pipes = argument;
  int runs = 0;
  char go = 0;
  CHILD(rac_main_fd() == same_number);
  CHILD((fcntl(rac_main_fd(), F_GETFD) & FD_CLOEXEC) != 0);
  owned rac_scheduler *loop = rac_scheduler_main();
  for (int i = 0; i < 200; i++) {
    rac_release(
        rac_schedule_after(loop, i % 2 ? 0 : 0.0005, &runs, count, NULL));
    while (runs <= i) {
      wait_readable();
      CHILD(rac_main_drain(0) >= 0);
    }
  }
  CHILD(!readable());
  /* The parent has work, and this one hears nothing of it. */
  CHILD(read(pipes[0], &go, 1) == 1);
  CHILD(!readable());
  CHILD(rac_main_drain(0) == 0);
  CHILD(write(pipes[3], &go, 1) == 1);
}

static void drain_both(void *argument) {
  (void)argument;
  int pipes[4], runs = 0;
  char go = 1;
  CHILD(pipe(pipes) == 0 && pipe(pipes + 2) == 0);
  rac_scheduler *loop = rac_scheduler_main();
  same_number = rac_main_fd();
  pid_t pid = fork();
  if (pid == 0) {
    alarm(CHILD_SECONDS);
    drain_own(pipes);
    _exit(0);
  }
  /* At the same time. */
  for (int i = 0; i < 200; i++) {
    rac_release(
        rac_schedule_after(loop, i % 2 ? 0 : 0.0005, &runs, count, NULL));
    while (runs <= i) {
      wait_readable();
      CHILD(rac_main_drain(0) >= 0);
    }
  }
  rac_disposable *job = rac_schedule(loop, &runs, count, NULL);
  CHILD(write(pipes[1], &go, 1) == 1);
  CHILD(read(pipes[2], &go, 1) == 1);
  /* It was drained over there. */
  CHILD(readable());
  CHILD(rac_main_drain(0) == 1);
  CHILD(await_child(pid) == 0);
  rac_release(job);
  rac_release(loop);
}

/* Law 22: each side has its own descriptor, under one number. */
TEST(neither_side_takes_the_others_wake_ups) { alone(drain_both); }

typedef struct timed {
  int runs;
  double due;
} timed;

static void wait_for_timer(void *argument) {
  timed *t = argument;
  CHILD(!readable() || check_clock() >= t->due);
  wait_readable();
  CHILD(rac_main_drain(0) == 1);
  CHILD(t->runs == 1);
}

static void inherit_a_timer(void *argument) {
  (void)argument;
  timed t = {0, check_clock() + 0.1};
  owned rac_scheduler *loop = rac_scheduler_main();
  CHILD(rac_main_fd() >= 0);
  rac_release(rac_schedule_after(loop, 0.1, &t.runs, count, NULL));
  CHILD(in_child(wait_for_timer, &t) == 0);
  wait_readable();
  CHILD(rac_main_drain(0) == 1);
}

TEST(a_deadline_wakes_the_parent_and_the_child) { alone(inherit_a_timer); }

/* ---- Other threads of the program -------------------------------------------- */

typedef struct neighbour {
  bool calls;
  sem_t sits, leaves;
} neighbour;

static void *sit(void *argument) {
  neighbour *self = argument;
  if (self->calls) {
    owned rac_subject *subject = rac_subject_create();
    rac_subject_send(subject, I(1));
  }
  sem_post(&self->sits);
  sem_wait(&self->leaves);
  return NULL;
}

static void begin_anew(void *argument) {
  inherited *i = argument;
  CHILD(rac_subject_send(i->subject, I(3)) == RAC_EFORK);
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(rac_release(i->subject) == RAC_OK);
  CHILD(rac_dispose(i->subscription) == RAC_OK);
  rac_value text = rac_value_string_copy("a value", 7);
  CHILD(text.length == 7);
  rac_value_release(text);
  CHILD(rac_reinitialize() == RAC_OK);
  CHILD(i->sum == 1 && i->runs == 0);
  CHILD(rac_subject_send(i->subject, I(3)) == RAC_ESTALE);
  use_everything();
}

static void fork_beside(bool calls) {
  neighbour other = {.calls = calls};
  inherited i = {0};
  inherit(&i);
  CHILD(rac_subject_send(i.subject, I(1)) == RAC_OK);
  sem_init(&other.sits, 0, 0);
  sem_init(&other.leaves, 0, 0);
  pthread_t thread = check_spawn(sit, &other);
  sem_wait(&other.sits);
  CHILD(in_child(calls ? begin_anew : use_inherited, &i) == 0);
  sem_post(&other.leaves);
  check_join(thread);
  /* One that has ended is nobody. */
  CHILD(in_child(use_inherited, &i) == 0);
  use_inherited(&i);
}
static void fork_beside_a_caller(void *argument) {
  (void)argument;
  fork_beside(true);
}
static void fork_beside_a_stranger(void *argument) {
  (void)argument;
  fork_beside(false);
}

/* Law 22: it is idle, and inside nothing; but it has called. */
TEST(a_child_beside_a_thread_that_has_called_begins_anew) {
  alone(fork_beside_a_caller);
}
TEST(a_child_beside_a_thread_that_never_called_goes_on) {
  alone(fork_beside_a_stranger);
}

static void *fork_here_instead(void *argument) {
  CHILD(in_child(begin_anew, argument) == 0);
  return NULL;
}

static void fork_on_another_thread(void *argument) {
  (void)argument;
  inherited i = {0};
  inherit(&i);
  CHILD(rac_subject_send(i.subject, I(1)) == RAC_OK);
  check_join(check_spawn(fork_here_instead, &i));
  use_inherited(&i);
}

/* Law 22: whichever of them forks. */
TEST(a_child_of_a_thread_that_never_called_begins_anew) {
  alone(fork_on_another_thread);
}

typedef struct crowd {
  inherited i;
  atomic_bool stop;
} crowd;

/* Records come and go: these threads call once and end. */
static void *call_once(void *unused) {
  (void)unused;
  rac_release(rac_subject_create());
  return NULL;
}

static void *churn(void *argument) {
  crowd *c = argument;
  while (!atomic_load(&c->stop)) check_join(check_spawn(call_once, NULL));
  return NULL;
}

static void either(void *argument) {
  inherited *i = argument;
  rac_subject *mine = rac_subject_create();
  rac_release(mine);
  if (mine != NULL) {
    use_inherited(i);
    CHILD(rac_close(5) == RAC_OK);
  } else {
    begin_anew(i);
  }
}

static void fork_beside_a_crowd(void *argument) {
  (void)argument;
  crowd c = {0};
  inherit(&c.i);
  CHILD(rac_subject_send(c.i.subject, I(1)) == RAC_OK);
  pthread_t a = check_spawn(churn, &c), b = check_spawn(churn, &c);
  for (int64_t i = check_scaled(100); i > 0; i--)
    CHILD(in_child(either, &c.i) == 0);
  atomic_store(&c.stop, true);
  check_join(a);
  check_join(b);
  use_inherited(&c.i);
}

/* Some are at their first call just then, or at their end. */
TEST(a_child_beside_threads_that_come_and_go_works_or_says_so) {
  alone(fork_beside_a_crowd);
}

/* ---- Inside a callback --------------------------------------------------------- */

static void fork_and_return(void *context, rac_value value) {
  inherited *i = context;
  i->sum += value.bits;
  if (value.bits != 1) return;
  pid_t pid = fork();
  if (pid != 0) {
    CHILD(await_child(pid) == 0);
    return;
  }
  alarm(CHILD_SECONDS);
  i->runs = 77; /* the child, and it returns from here */
}

static void fork_in_callback(void *argument) {
  (void)argument;
  inherited i = {0};
  i.subject = rac_subject_create();
  i.subscription =
      rac_subscribe_next(as_signal(i.subject), &i, fork_and_return, NULL);
  CHILD(rac_subject_send(i.subject, I(1)) == RAC_OK);
  CHILD(rac_subject_send(i.subject, I(2)) == RAC_OK);
  CHILD(i.sum == 3);
  CHILD(rac_dispose(i.subscription) == RAC_OK);
  rac_release(i.subscription);
  rac_release(i.subject);
  use_everything();
}

TEST(a_child_returns_from_the_callback_it_was_forked_in) {
  alone(fork_in_callback);
}

static void fork_and_close(void *argument) {
  (void)argument;
  inherited i = {0};
  i.subject = rac_subject_create();
  i.subscription =
      rac_subscribe_next(as_signal(i.subject), &i, fork_and_return, NULL);
  CHILD(rac_subject_send(i.subject, I(1)) == RAC_OK);
  CHILD(rac_close(5) == RAC_OK);
  CHILD(rac_release(i.subscription) == RAC_OK);
  CHILD(rac_release(i.subject) == RAC_OK);
}

TEST(a_child_forked_in_a_callback_closes) { alone(fork_and_close); }

/* ---- Beside a hook that others are setting ------------------------------------- */

static rac_status goes_on(void *context) {
  (void)context;
  return RAC_OK;
}

static void *set_hooks(void *stop) {
  while (!atomic_load((atomic_bool *)stop))
    rac_set_interruption_hook(NULL, goes_on, NULL);
  return NULL;
}

static void fork_and_go_on(void *is_child) {
  pid_t pid = fork();
  if (pid != 0) {
    CHILD(await_child(pid) == 0);
    return;
  }
  alarm(CHILD_SECONDS);
  *(bool *)is_child = true;
}

static void do_nothing(void *context) { (void)context; }

static void fork_beside_setters(void *argument) {
  atomic_bool stop = false;
  (void)argument;
  pthread_t a = check_spawn(set_hooks, &stop);
  pthread_t b = check_spawn(set_hooks, &stop);
  double end = check_clock() + 5;
  for (int64_t i = check_scaled(500); i > 0 && check_clock() < end; i--) {
    bool is_child = false;
    owned rac_scheduler *steps = rac_scheduler_virtual();
    rac_release(rac_schedule(steps, &is_child, fork_and_go_on, NULL));
    rac_release(rac_schedule(steps, NULL, do_nothing, NULL));
    /* Between the two the hook is asked. */
    rac_virtual_step_n(steps, 2);
    if (is_child) {
      CHILD(rac_reinitialize() == RAC_OK);
      CHILD(rac_set_interruption_hook(NULL, NULL, NULL) == RAC_OK);
      CHILD(rac_set_blocking_hook(NULL, NULL, NULL, NULL) == RAC_OK);
      CHILD(rac_set_thread_hook(NULL, NULL, NULL, NULL) == RAC_OK);
      LEAVE(0);
    }
  }
  atomic_store(&stop, true);
  check_join(a);
  check_join(b);
  CHILD(rac_set_interruption_hook(NULL, NULL, NULL) == RAC_OK);
}

/* What another thread was just at is nothing that the child waits for. */
TEST(a_child_goes_on_past_hooks_that_others_set) { alone(fork_beside_setters); }

/* ---- What it costs ---------------------------------------------------------- */

enum { IDLE = 100 };

static void *sit_between(void *argument) {
  pthread_barrier_t *step = argument;
  pthread_barrier_wait(step); /* there is a thread */
  pthread_barrier_wait(step);
  rac_release(rac_subject_create());
  pthread_barrier_wait(step); /* that has called */
  pthread_barrier_wait(step);
  return NULL;
}

/* Seconds of the fastest fork(): nothing else that runs makes it faster. */
static double fastest_fork(void) {
  double fastest = 1e9;
  for (int i = 0; i < 40; i++) {
    double begun = check_clock();
    pid_t child = fork();
    if (child == 0) _exit(0);
    double took = check_clock() - begun;
    if (took < fastest) fastest = took;
    CHILD(await_child(child) == 0);
  }
  return fastest;
}

static void fork_beside_idle_threads(void *argument) {
  pthread_barrier_t step;
  pthread_t threads[IDLE];
  (void)argument;
  rac_release(rac_subject_create());
  pthread_barrier_init(&step, NULL, IDLE + 1);
  for (int i = 0; i < IDLE; i++) threads[i] = check_spawn(sit_between, &step);
  pthread_barrier_wait(&step);
  double before = fastest_fork();
  pthread_barrier_wait(&step);
  pthread_barrier_wait(&step);
  double after = fastest_fork();
  pthread_barrier_wait(&step);
  for (int i = 0; i < IDLE; i++) check_join(threads[i]);
  pthread_barrier_destroy(&step);
  printf(
      "fork() beside idle threads: %.0f us, and %.0f once they have called\n",
      before * 1e6, after * 1e6);
  CHILD(after < 3 * before);
}

/* fork() asks nothing of threads that have called: it took sixty times as long. */
TEST(a_fork_is_as_fast_beside_threads_that_have_called) {
  alone(fork_beside_idle_threads);
}
