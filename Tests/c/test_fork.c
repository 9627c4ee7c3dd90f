/* Forked children in which everything works, those that have to begin anew, and
 * that neither takes a wake-up from the other. */
#define _GNU_SOURCE
#include "check.h"
#include "children.h"

#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>

/* Runs one in a child of this process that has no threads of the library's, so
 * that the order of the tests does not matter. */
static void alone(void (*body)(void *)) { CHECK_INT(in_child(body, NULL), 0); }

static bool readable(void) {
  struct pollfd fd = {.fd = rac_main_fd(), .events = POLLIN};
  return poll(&fd, 1, 0) == 1 && (fd.revents & POLLIN);
}

static void add(void *context, rac_value value) {
  *(int64_t *)context += value.bits;
}
static void count(void *context) { ++*(int *)context; }
static rac_status twice(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_int64(value.bits * 2);
  return RAC_OK;
}

/* A bit of everything, on the calling thread and on the library's. */
static void use_everything(void) {
  int64_t sum = 0;
  int destroyed = 0;
  rac_subject *subject = rac_subject_create();
  CHILD(subject != NULL);
  rac_signal *doubled = rac_signal_map(as_signal(subject), NULL, twice, NULL);
  rac_disposable *d = rac_subscribe_next(doubled, &sum, add, NULL);
  CHILD(d != NULL);
  CHILD(rac_subject_send(subject, I(21)) == RAC_OK);
  CHILD(sum == 42);
  rac_release(d);
  rac_release(doubled);
  rac_release(subject);

  rac_scheduler *loop = rac_scheduler_main();
  CHILD(rac_main_fd() >= 0);
  rac_disposable *job =
      rac_schedule_after(loop, 0.001, &destroyed, count, count);
  CHILD(job != NULL);
  CHILD(rac_main_run_for(0.02) == RAC_OK);
  CHILD(destroyed == 2);
  rac_release(job);
  rac_release(loop);

  /* Threads of the child's own. */
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_signal *late = rac_signal_return(I(7));
  rac_signal *delivered = rac_signal_deliver_on(late, background);
  rac_value out;
  CHILD(rac_signal_first(delivered, 5, &out) == RAC_OK);
  CHILD(out.bits == 7);
  start_library_threads();
  rac_release(delivered);
  rac_release(late);
  rac_release(background);
}

/* ---- Where the library has no threads --------------------------------------- */

static void only_loaded(void *argument) {
  (void)argument;
  use_everything();
}

/* Law 22: everything works where it was only loaded. */
TEST(a_child_of_a_process_that_only_loaded_the_library) { alone(only_loaded); }

typedef struct inherited {
  rac_subject *subject;
  rac_disposable *subscription, *job;
  int64_t sum;
  int runs;
} inherited;

static void inherit(inherited *self) {
  rac_scheduler *loop = rac_scheduler_main();
  self->subject = rac_subject_create();
  self->subscription =
      rac_subscribe_next(as_signal(self->subject), &self->sum, add, NULL);
  self->job = rac_schedule(loop, &self->runs, count, NULL);
  rac_release(loop);
}

static void use_inherited(void *argument) {
  inherited *i = argument;
  CHILD(rac_subject_send(i->subject, I(3)) == RAC_OK);
  CHILD(i->sum == 4);
  CHILD(readable());
  CHILD(rac_main_drain(0) >= 1); /* a parent's parent's, too */
  CHILD(i->runs == 1);
  CHILD(!readable());
  CHILD(rac_dispose(i->subscription) == RAC_OK);
  CHILD(rac_subject_send(i->subject, I(3)) == RAC_OK);
  CHILD(i->sum == 4);
  rac_release(i->subscription);
  rac_release(i->job);
  rac_release(i->subject);
  CHILD(rac_subject_send(i->subject, I(3)) == RAC_ESTALE);
  use_everything();
}

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

static void wait_readable(void) {
  struct pollfd fd = {.fd = rac_main_fd(), .events = POLLIN};
  CHILD(poll(&fd, 1, 10000) == 1);
}

static int same_number;

static void drain_own(void *argument) {
  int *pipes = argument;
  int runs = 0;
  char go = 0;
  CHILD(rac_main_fd() == same_number);
  CHILD((fcntl(rac_main_fd(), F_GETFD) & FD_CLOEXEC) != 0);
  rac_scheduler *loop = rac_scheduler_main();
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
  rac_release(loop);
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
    alarm(20);
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

static void wait_for_timer(void *argument) {
  CHILD(!readable());
  wait_readable();
  CHILD(rac_main_drain(0) == 1);
  CHILD(*(int *)argument == 1);
}

static void inherit_a_timer(void *argument) {
  (void)argument;
  int runs = 0;
  rac_scheduler *loop = rac_scheduler_main();
  CHILD(rac_main_fd() >= 0);
  rac_release(rac_schedule_after(loop, 0.1, &runs, count, NULL));
  CHILD(in_child(wait_for_timer, &runs) == 0);
  wait_readable();
  CHILD(rac_main_drain(0) == 1);
  rac_release(loop);
}

TEST(a_deadline_wakes_the_parent_and_the_child) { alone(inherit_a_timer); }

/* ---- Other threads of the program -------------------------------------------- */

static void *sit(void *argument) {
  sem_t *both = argument;
  rac_subject *subject = rac_subject_create();
  rac_subject_send(subject, I(1));
  rac_release(subject);
  sem_post(&both[0]);
  sem_wait(&both[1]);
  return NULL;
}

static void settle_down(void) { usleep(50000); }

static void fork_beside_a_sitter(void *argument) {
  (void)argument;
  sem_t both[2];
  inherited i = {0};
  inherit(&i);
  CHILD(rac_subject_send(i.subject, I(1)) == RAC_OK);
  sem_init(&both[0], 0, 0);
  sem_init(&both[1], 0, 0);
  pthread_t thread = check_spawn(sit, both);
  sem_wait(&both[0]);
  settle_down();
  CHILD(in_child(use_inherited, &i) == 0);
  sem_post(&both[1]);
  check_join(thread);
  CHILD(in_child(use_inherited, &i) == 0);
  use_inherited(&i);
}

TEST(a_child_beside_a_thread_that_sleeps_elsewhere) {
  alone(fork_beside_a_sitter);
}

static void *read_first(void *argument) {
  rac_value out;
  CHILD(rac_signal_first(as_signal(argument), 10, &out) == RAC_OK);
  CHILD(out.bits == 5);
  return NULL;
}

static void send_to_reader(void *argument) {
  CHILD(rac_subject_send(argument, I(5)) == RAC_OK);
  rac_value out;
  CHILD(rac_signal_first(as_signal(argument), 0.01, &out) == RAC_ETIMEDOUT);
  use_everything();
  CHILD(rac_release(argument) == RAC_OK);
}

static void fork_beside_a_reader(void *argument) {
  (void)argument;
  rac_subject *subject = rac_subject_create();
  pthread_t thread = check_spawn(read_first, subject);
  settle_down();
  CHILD(in_child(send_to_reader, subject) == 0);
  CHILD(rac_subject_send(subject, I(5)) == RAC_OK);
  check_join(thread);
  rac_release(subject);
}

TEST(a_child_beside_a_blocked_reader) { alone(fork_beside_a_reader); }

static void *run_main(void *argument) {
  (void)argument;
  CHILD(rac_main_run() == RAC_OK);
  return NULL;
}

static void fork_beside_a_run(void *argument) {
  (void)argument;
  pthread_t thread = check_spawn(run_main, NULL);
  settle_down();
  CHILD(in_child(only_loaded, NULL) == 0);
  rac_main_stop();
  check_join(thread);
}

TEST(a_child_may_run_what_another_thread_ran) { alone(fork_beside_a_run); }

typedef struct crowd {
  rac_subject *subject;
  atomic_bool stop;
} crowd;

static atomic_int churned;
static void count_churned(void *context, rac_value value) {
  (void)context, (void)value;
  atomic_fetch_add(&churned, 1);
}

static void *churn(void *argument) {
  crowd *c = argument;
  while (!atomic_load(&c->stop)) {
    rac_disposable *d =
        rac_subscribe_next(as_signal(c->subject), NULL, count_churned, NULL);
    rac_subject_send(c->subject, I(1));
    rac_dispose(d);
    rac_release(d);
    if (atomic_load(&churned) % 64 == 0) usleep(100);
  }
  return NULL;
}

static void whole_or_not(void *argument) {
  crowd *c = argument;
  int64_t sum = 0;
  rac_subject *mine = rac_subject_create();
  if (mine == NULL) {
    CHILD(rac_last_error_code() == RAC_EFORK);
    CHILD(rac_subject_send(c->subject, I(1)) == RAC_EFORK);
    CHILD(rac_reinitialize() == RAC_OK);
    use_everything();
    return;
  }
  rac_release(mine);
  rac_disposable *d =
      rac_subscribe_next(as_signal(c->subject), &sum, add, NULL);
  CHILD(rac_subject_send(c->subject, I(2)) == RAC_OK);
  CHILD(sum == 2);
  CHILD(rac_dispose(d) == RAC_OK);
  CHILD(rac_release(d) == RAC_OK);
  use_everything();
}

static void fork_beside_a_crowd(void *argument) {
  crowd c = {.subject = rac_subject_create()};
  (void)argument;
  pthread_t a = check_spawn(churn, &c), b = check_spawn(churn, &c);
  for (int64_t i = check_scaled(100); i > 0; i--)
    CHILD(in_child(whole_or_not, &c) == 0);
  atomic_store(&c.stop, true);
  check_join(a);
  check_join(b);
  CHILD(rac_release(c.subject) == RAC_OK);
}

/* Where another thread is inside the child says so, and elsewhere it works. */
TEST(a_child_beside_busy_threads_works_or_says_so) {
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
  alarm(20);
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

/* ---- Where the library has threads ------------------------------------------------ */

typedef struct legacy {
  inherited i;
  rac_scheduler *loop;
  rac_signal *signal;
  rac_value value;
  int destroyed;
} legacy;

static void begin_anew(void *argument) {
  legacy *l = argument;
  int fd = same_number;
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(rac_main_fd() == -1);
  CHILD(rac_reinitialize() == RAC_OK);
  CHILD(rac_reinitialize() == RAC_OK);
  CHILD(rac_main_fd() == fd);
  CHILD(!readable());
  CHILD(rac_main_drain(0) == 0);
  CHILD(rac_live_objects() == 0);
  /* The parent's are stale, whatever is made here. */
  rac_subject *many[2000];
  for (int i = 0; i < 2000; i++) {
    many[i] = rac_subject_create();
    CHILD(many[i] != l->i.subject && (void *)many[i] != (void *)l->i.job);
  }
  CHILD(rac_subject_send(l->i.subject, I(1)) == RAC_ESTALE);
  CHILD(rac_release(l->i.subject) == RAC_ESTALE);
  CHILD(rac_dispose(l->i.subscription) == RAC_ESTALE);
  CHILD(rac_value_to_signal(l->value) == NULL);
  rac_subject_send(many[0], l->value);
  CHILD(rac_last_error_code() == RAC_ESTALE);
  rac_value_release(l->value);
  CHILD(l->destroyed == 0 && l->i.runs == 0);
  for (int i = 0; i < 2000; i++) CHILD(rac_release(many[i]) == RAC_OK);
  /* But the schedulers that there is one of. */
  CHILD(rac_scheduler_main() == l->loop);
  use_everything();
  CHILD(rac_live_objects() == 0);
}

static void fork_with_threads(void *argument) {
  (void)argument;
  legacy l = {.loop = rac_scheduler_main()};
  start_library_threads();
  same_number = rac_main_fd();
  inherit(&l.i);
  l.signal = rac_signal_map(as_signal(l.i.subject), &l.destroyed, twice, count);
  l.value = rac_value_signal(l.signal);
  CHILD(rac_reinitialize() == RAC_OK); /* where all works it does nothing */
  CHILD(in_child(begin_anew, &l) == 0);
  CHILD(in_child(begin_anew, &l) == 0);
  CHILD(rac_subject_send(l.i.subject, I(1)) == RAC_OK);
  CHILD(rac_main_drain(0) == 1);
  rac_value_release(l.value);
  rac_release(l.signal);
  CHILD(l.destroyed == 1);
}

/* Law 22: a child of a process with threads begins anew. */
TEST(a_child_of_a_process_with_threads_begins_anew) {
  alone(fork_with_threads);
}

static atomic_bool is_in_callback, may_leave;

static void stay(void *context, rac_value value) {
  (void)context, (void)value;
  atomic_store(&is_in_callback, true);
  while (!atomic_load(&may_leave)) usleep(1000);
}
static void *send_one(void *subject) {
  rac_subject_send(subject, I(1));
  return NULL;
}

/* Whoever was inside in the parent is not waited for. */
static void settle_anew(void *argument) {
  (void)argument;
  CHILD(rac_reinitialize() == RAC_OK);
  CHILD(rac_settle(5) == RAC_OK);
  CHILD(rac_close(5) == RAC_OK);
}

static void fork_beside_a_callback(void *argument) {
  (void)argument;
  rac_subject *subject = rac_subject_create();
  rac_disposable *d = rac_subscribe_next(as_signal(subject), NULL, stay, NULL);
  pthread_t thread = check_spawn(send_one, subject);
  while (!atomic_load(&is_in_callback)) usleep(1000);
  CHILD(in_child(settle_anew, NULL) == 0);
  atomic_store(&may_leave, true);
  check_join(thread);
  rac_release(d);
  rac_release(subject);
}

TEST(a_child_that_begins_anew_waits_for_nobody_of_the_parents) {
  alone(fork_beside_a_callback);
}

static void begin_anew_again(void *argument) {
  int depth = argument ? *(int *)argument + 1 : 1;
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_reinitialize() == RAC_OK);
  use_everything();
  if (depth < 4) CHILD(in_child(begin_anew_again, &depth) == 0);
  use_everything();
}

static void anew_of_anew(void *argument) {
  (void)argument;
  start_library_threads();
  CHILD(in_child(begin_anew_again, NULL) == 0);
  use_everything();
}

TEST(a_child_that_began_anew_forks_like_any_other) { alone(anew_of_anew); }

static void refuse_inside(void *context, rac_value value) {
  (void)context, (void)value;
  pid_t pid = fork();
  if (pid == 0) {
    alarm(20);
    CHILD(rac_reinitialize() == RAC_EDEADLK);
    CHILD(rac_subject_create() == NULL);
    return; /* and leaves it */
  }
  CHILD(await_child(pid) == 0);
}

static void anew_inside(void *argument) {
  (void)argument;
  start_library_threads();
  pid_t me = getpid();
  rac_subject *subject = rac_subject_create();
  rac_disposable *d =
      rac_subscribe_next(as_signal(subject), NULL, refuse_inside, NULL);
  rac_subject_send(subject, I(1));
  if (getpid() != me) {
    CHILD(rac_subject_send(subject, I(1)) == RAC_EFORK);
    CHILD(rac_reinitialize() == RAC_OK);
    use_everything();
    return;
  }
  rac_release(d);
  rac_release(subject);
}

TEST(not_inside_a_callback_but_after_it) { alone(anew_inside); }

/* ---- A server that forks before it serves -------------------------------------------- */

enum { WORKERS = 4, REQUESTS = 500 };

typedef struct server {
  rac_subject *requests;
  rac_disposable *subscription;
  int64_t answers;
} server;

static void answer(void *context, rac_value value) {
  ((server *)context)->answers += value.bits;
}

static void serve(server *s, int from, int to) {
  int64_t number;
  int heard = 0;
  while (heard < REQUESTS) {
    struct pollfd fds[2] = {{.fd = from, .events = POLLIN},
                            {.fd = rac_main_fd(), .events = POLLIN}};
    CHILD(poll(fds, 2, 10000) > 0);
    if (fds[0].revents & POLLIN) {
      CHILD(read(from, &number, sizeof number) == sizeof number);
      CHILD(rac_subject_send(s->requests, I(number)) >= 0);
      heard++;
    }
    if (fds[1].revents & POLLIN) CHILD(rac_main_drain_for(0.002) >= 0);
  }
  while (rac_main_drain(0) > 0) {
  }
  CHILD(write(to, &s->answers, sizeof s->answers) == sizeof s->answers);
}

static void prefork(void *argument) {
  (void)argument;
  rac_scheduler *loop = rac_scheduler_main();
  server s = {.requests = rac_subject_create()};
  rac_signal *doubled =
      rac_signal_map(as_signal(s.requests), NULL, twice, NULL);
  rac_signal *delivered = rac_signal_deliver_on(doubled, loop);
  s.subscription = rac_subscribe_next(delivered, &s, answer, NULL);
  rac_release(delivered);
  rac_release(doubled);
  CHILD(rac_main_fd() >= 0);
  int pipes[WORKERS][4];
  pid_t workers[WORKERS];
  for (int w = 0; w < WORKERS; w++) {
    CHILD(pipe(pipes[w]) == 0 && pipe(pipes[w] + 2) == 0);
    workers[w] = fork();
    if (workers[w] == 0) {
      alarm(30);
      serve(&s, pipes[w][0], pipes[w][3]);
      _exit(0);
    }
  }
  for (int64_t i = 1; i <= REQUESTS; i++)
    for (int64_t w = 0; w < WORKERS; w++) {
      int64_t number = i * (w + 1);
      CHILD(write(pipes[w][1], &number, sizeof number) == sizeof number);
    }
  for (int64_t w = 0; w < WORKERS; w++) {
    int64_t sum = 0;
    CHILD(read(pipes[w][2], &sum, sizeof sum) == sizeof sum);
    CHILD(sum == (w + 1) * REQUESTS * (REQUESTS + 1));
    CHILD(await_child(workers[w]) == 0);
  }
  CHILD(s.answers == 0);
  rac_release(loop);
}

TEST(a_server_that_forks_its_workers) { alone(prefork); }
