/* Slices of the main scheduler: what bounds them counts values, whatever
 * carries them, and the order is the same however they are cut. */
#define _GNU_SOURCE
#include "operators.h"
#include "process.h"
#include "shared_callbacks.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether the descriptor is readable now. */
static bool readable(void) {
  struct pollfd fd = {.fd = rac_main_fd(), .events = POLLIN};
  return poll(&fd, 1, 0) == 1 && (fd.revents & POLLIN);
}

/* A subject whose events reach the recorder through the main scheduler. */
typedef struct pipe_ {
  rac_subject *subject;
  recorder r;
} pipe_;

static void open_pipe(pipe_ *self) {
  owned rac_scheduler *loop = rac_scheduler_main();
  self->subject = rac_subject_create();
  owned rac_signal *delivered =
      rac_signal_deliver_on(as_signal(self->subject), loop);
  record(delivered, &self->r);
}

static void close_pipe(pipe_ *self) {
  rac_dispose(self->r.subscription);
  rac_release(self->subject);
  while (rac_main_drain(0) > 0) {
  }
  await_end(&self->r);
}

static void send_many(pipe_ *self, int count) {
  for (int i = 1; i <= count; i++) rac_subject_send(self->subject, I(i));
}

/* ---- How much ------------------------------------------------------------- */

TEST(a_limit_counts_values_whatever_carries_them) {
  static const int limits[] = {1, 3, 255, 256, 257, 300, 5000};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    enum { VALUES = 1000 };
    int limit = limits[i], slices = 0;
    pipe_ p = {0};
    open_pipe(&p);
    send_many(&p, VALUES);
    while (p.r.nexts < VALUES && slices++ < VALUES) {
      int before = p.r.nexts;
      CHECK(readable());
      int64_t count = rac_main_drain((size_t)limit);
      int expected = limit < VALUES - before ? limit : VALUES - before;
      CHECK_INT(count, expected);
      CHECK_INT(p.r.nexts - before, expected);
    }
    CHECK(!readable());
    close_pipe(&p);
  }
}

TEST(without_a_limit_all_that_waits_is_delivered) {
  pipe_ p = {0};
  open_pipe(&p);
  send_many(&p, 1000);
  CHECK_INT(rac_main_drain(0), 1000);
  CHECK_INT(p.r.nexts, 1000);
  CHECK(!readable());
  CHECK_INT(rac_main_drain(0), 0);
  close_pipe(&p);
}

TEST(an_end_counts_as_one_and_what_is_let_go_as_nothing) {
  pipe_ p = {0};
  open_pipe(&p);
  play(p.subject, "1 2 |");
  CHECK_INT(rac_main_drain(2), 2);
  CHECK_EVENTS(&p.r, "1 2");
  CHECK_INT(rac_main_drain(2), 1);
  CHECK_EVENTS(&p.r, "1 2 |");
  CHECK_INT(p.r.destroyed, 1);
  CHECK(!readable());
  rac_release(p.subject);
  await_end(&p.r);
}

static void count(void *context) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}

static void add_job(rac_scheduler *scheduler, atomic_int *runs) {
  rac_release(rac_schedule(scheduler, CALLBACK_FOR(runs, count)));
}

TEST(what_was_disposed_leaves_the_slice_to_others) {
  pipe_ p = {0};
  atomic_int runs = 0;
  owned rac_scheduler *loop = rac_scheduler_main();
  open_pipe(&p);
  send_many(&p, 1000);
  add_job(loop, &runs);
  rac_dispose(p.r.subscription);
  CHECK_INT(rac_main_drain(1), 1);
  CHECK_INT(runs, 1);
  CHECK_INT(p.r.nexts, 0);
  close_pipe(&p);
}

typedef struct batches {
  int calls;
  size_t values;
} batches;

static void take_batch(void *context, const rac_value *values, size_t count) {
  batches *self = context_target(context);
  (void)values;
  self->calls++;
  self->values += count;
}

static void add_batch(rac_subject *subject, rac_scheduler *loop, batches *b) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = context_new(b, NULL);
  observer.next_values = take_batch;
  observer.destroy = context_destroy;
  rac_release(rac_subscribe_batches(as_signal(subject), RAC_BATCH_UNLIMITED,
                                    0.001, loop, &observer));
}

TEST(a_batch_counts_its_values_and_is_not_cut) {
  owned rac_scheduler *loop = rac_scheduler_main();
  owned rac_subject *subject = rac_subject_create();
  atomic_int runs = 0;
  batches b = {0};
  add_batch(subject, loop, &b);
  for (int i = 0; i < 100; i++) rac_subject_send(subject, I(i));
  add_job(loop, &runs);
  int64_t drained = 0;
  WAIT_UNTIL(rac_scheduler_next_deadline(rac_scheduler_main()) == 0 &&
             usleep(2000) == 0);
  drained = rac_main_drain(10);
  CHECK_INT(drained, 100);
  CHECK_INT(b.calls, 1);
  CHECK_INT(b.values, 100);
  CHECK_INT(runs, 0);
  CHECK_INT(rac_main_drain(10), 1);
}

/* ---- In which order ------------------------------------------------------- */

typedef struct journal {
  char text[4000];
  size_t used;
} journal;

static void note(journal *self, const char *what, int64_t number) {
  self->used +=
      (size_t)snprintf(self->text + self->used, sizeof self->text - self->used,
                       "%s%lld ", what, (long long)number);
}

static journal *writing;
static void note_job(void *context) {
  note(writing, "job", (int64_t)(intptr_t)context);
}
static void note_value(void *context, rac_value value) {
  note(writing, context, value.bits);
}

static rac_disposable *listen(rac_subject *subject, char *name) {
  owned rac_scheduler *loop = rac_scheduler_main();
  owned rac_signal *delivered = rac_signal_deliver_on(as_signal(subject), loop);
  rac_disposable *result =
      rac_subscribe_next(delivered, name, note_value, NULL);
  return result;
}

static void note_later(rac_scheduler *loop, intptr_t number) {
  rac_release(rac_schedule(loop, (void *)number, note_job, NULL));
}

/* Two lines and jobs between them, drained in slices. */
static void play_in_slices(size_t limit, journal *result) {
  static char a_name[] = "a", b_name[] = "b";
  owned rac_scheduler *loop = rac_scheduler_main();
  rac_subject *a = rac_subject_create(), *b = rac_subject_create();
  rac_disposable *listening[] = {listen(a, a_name), listen(b, b_name)};
  writing = result;
  note_later(loop, 1);
  for (int i = 0; i < 40; i++) rac_subject_send(a, I(i));
  note_later(loop, 2);
  for (int i = 0; i < 30; i++) rac_subject_send(b, I(i));
  note_later(loop, 3);
  for (int i = 40; i < 60; i++) rac_subject_send(a, I(i));
  while (rac_main_drain(limit) > 0) {
  }
  for (int i = 0; i < 2; i++) {
    rac_dispose(listening[i]);
    rac_release(listening[i]);
  }
  rac_release(a);
  rac_release(b);
  while (rac_main_drain(0) > 0) {
  }
}

TEST(slices_change_nothing_about_the_order) {
  journal whole = {0};
  play_in_slices(0, &whole);
  CHECK(strlen(whole.text) > 300);
  for (size_t limit = 1; limit < 100; limit = limit * 2 + 1) {
    journal cut = {0};
    play_in_slices(limit, &cut);
    CHECK_TEXT(cut.text, whole.text);
  }
}

static void add_timer(rac_scheduler *loop, intptr_t number) {
  rac_release(rac_schedule_after(loop, 0, (void *)number, note_job, NULL));
}

TEST(timers_that_are_due_go_before_what_waits) {
  static char name[] = "v";
  for (size_t limit = 0; limit < 3; limit++) {
    owned rac_scheduler *loop = rac_scheduler_main();
    rac_subject *subject = rac_subject_create();
    rac_disposable *listening = listen(subject, name);
    journal result = {0};
    writing = &result;
    note_later(loop, 9);
    for (int i = 0; i < 3; i++) rac_subject_send(subject, I(i));
    for (int i = 1; i <= 3; i++) add_timer(loop, i);
    check_pause();
    while (rac_main_drain(limit) > 0) {
    }
    CHECK_TEXT(result.text, "job1 job2 job3 job9 v0 v1 v2 ");
    rac_dispose(listening);
    rac_release(listening);
    rac_release(subject);
    while (rac_main_drain(0) > 0) {
    }
  }
}

typedef struct rival {
  rac_scheduler *loop;
  int ticks;
  bool stops;
} rival;

/* There is always one that is due. */
static void tick(void *context) {
  rival *self = context_target(context);
  if (self->stops) return;
  self->ticks++;
  rac_release(rac_schedule_after(self->loop, 0, CALLBACK_FOR(self, tick)));
}

TEST(timers_that_are_always_due_leave_time_to_others) {
  rival timer = {.loop = rac_scheduler_main()};
  pipe_ p = {0};
  open_pipe(&p);
  rac_disposable *first =
      rac_schedule_after(timer.loop, 0, CALLBACK_FOR(&timer, tick));
  send_many(&p, 50);
  for (int i = 0; i < 100; i++) CHECK_INT(rac_main_drain(1), 1);
  CHECK_INT(p.r.nexts, 50);
  CHECK_INT(timer.ticks, 50);
  timer.stops = true;
  rac_release(first);
  close_pipe(&p);
}

/* ---- For so long ------------------------------------------------------------ */

static void take_a_millisecond(recorder *self, rac_value value) {
  (void)self;
  (void)value;
  usleep(1000);
}

TEST(a_slice_of_time_ends_after_the_value_that_exceeds_it) {
  pipe_ p = {.r = {.on_next = take_a_millisecond}};
  open_pipe(&p);
  send_many(&p, 100);
  CHECK_INT(rac_main_drain_for(0), 1);
  CHECK_INT(p.r.nexts, 1);
  double start = check_clock();
  int64_t count = rac_main_drain_for(0.005);
  double taken = check_clock() - start;
  CHECK(count >= 1 && count <= 5);
  CHECK_INT(p.r.nexts, 1 + count);
  CHECK(taken >= 0.005);
  CHECK(readable());
  close_pipe(&p);
}

static void schedule_more(void *context) {
  atomic_int *runs = context_target(context);
  if (atomic_fetch_add(runs, 1) >= 999) return;
  rac_scheduler *loop = rac_scheduler_main();
  rac_release(rac_schedule(loop, CALLBACK_FOR(runs, schedule_more)));
  rac_release(loop);
}

TEST(a_slice_of_time_takes_in_what_comes_meanwhile) {
  owned rac_scheduler *loop = rac_scheduler_main();
  atomic_int runs = 0;
  rac_release(rac_schedule(loop, CALLBACK_FOR(&runs, schedule_more)));
  CHECK_INT(rac_main_drain_for(3600), 1000);
  CHECK_INT(runs, 1000);
  CHECK_INT(rac_main_drain_for(3600), 0);
  CHECK(!readable());
  CHECK_INT(rac_main_drain_for(-1), RAC_EINVAL);
  CHECK_INT(rac_main_drain_for(strtod("nan", NULL)), RAC_EINVAL);
}

static void go_on(void *context, rac_recursion *self) {
  (void)context_target(context);
  rac_reschedule(self);
}

TEST(a_run_for_some_time_ends_also_when_there_is_always_more) {
  owned rac_scheduler *loop = rac_scheduler_main();
  rac_disposable *endless = rac_schedule_recursive(loop, CALLBACK(go_on));
  CHECK_STATUS(rac_main_run_for(0.01), RAC_OK);
  CHECK_STATUS(rac_main_run_for(0), RAC_OK);
  CHECK(readable());
  rac_dispose(endless);
  rac_release(endless);
  rac_main_drain(0);
}

/* ---- From several threads --------------------------------------------------- */

enum { SENDERS = 3 };
typedef struct crowd {
  pipe_ pipes[SENDERS];
  atomic_int next;
  int each;
} crowd;

static void *send_all(void *context) {
  crowd *self = context;
  pipe_ *mine = &self->pipes[atomic_fetch_add(&self->next, 1)];
  send_many(mine, self->each);
  return NULL;
}

/* The descriptor is all that the host goes by: a value that did not make it
 * readable would never come. */
TEST(whatever_the_slices_no_wake_up_is_lost) {
  static const size_t limits[] = {0, 1, 2, 100};
  for (int i = 0; i < 4; i++) {
    crowd c = {.each = (int)check_scaled(20000)};
    pthread_t threads[SENDERS];
    for (int t = 0; t < SENDERS; t++) open_pipe(&c.pipes[t]);
    for (int t = 0; t < SENDERS; t++) threads[t] = check_spawn(send_all, &c);
    int64_t left = (int64_t)SENDERS * c.each;
    struct pollfd fd = {.fd = rac_main_fd(), .events = POLLIN};
    while (left > 0) {
      if (poll(&fd, 1, 10000) != 1) break;
      left -= rac_main_drain(limits[i]);
    }
    CHECK_INT(left, 0);
    for (int t = 0; t < SENDERS; t++) {
      check_join(threads[t]);
      CHECK_INT(c.pipes[t].r.nexts, c.each);
      close_pipe(&c.pipes[t]);
    }
  }
}

/* ---- Turns of a scheduler of the host's, and virtual steps ------------------ */

static void asked(void *context, rac_scheduler *scheduler) {
  (void)scheduler;
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}

TEST(a_turn_of_a_hosted_scheduler_counts_values) {
  atomic_int turns = 0;
  owned rac_scheduler *hosted =
      rac_scheduler_over_queue("test", CALLBACK_FOR(&turns, asked));
  rac_subject *subject = rac_subject_create();
  rac_signal *delivered = rac_signal_deliver_on(as_signal(subject), hosted);
  recorder r = {0};
  record(delivered, &r);
  for (int i = 0; i < 1000; i++) rac_subject_send(subject, I(i));
  CHECK_INT(turns, 1);
  CHECK_INT(rac_scheduler_take_turn(hosted, 3), 3);
  CHECK_INT(r.nexts, 3);
  CHECK_INT(turns, 2);
  CHECK_INT(rac_scheduler_take_turn(hosted, 300), 300);
  CHECK_INT(r.nexts, 303);
  CHECK_INT(rac_scheduler_take_turn(hosted, 0), 256);
  CHECK_INT(rac_scheduler_take_turn(hosted, SIZE_MAX), 441);
  CHECK_INT(turns, 4);
  rac_dispose(r.subscription);
  rac_release(subject);
  rac_release(delivered);
  rac_scheduler_take_turn(hosted, 0);
  await_end(&r);
}

TEST(a_virtual_step_delivers_one_value) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *delivered = rac_signal_deliver_on(as_signal(subject), v);
  atomic_int runs = 0;
  RECORDER(r, delivered);
  play(subject, "1 2 3");
  add_job(v, &runs);
  play(subject, "|");
  rac_virtual_step(v);
  CHECK_EVENTS(&r, "1");
  rac_virtual_step_n(v, 2);
  CHECK_EVENTS(&r, "1 2 3");
  CHECK_INT(runs, 0);
  rac_virtual_step(v);
  CHECK_EVENTS(&r, "1 2 3 |");
  CHECK_INT(r.destroyed, 1);
  rac_virtual_step(v);
  CHECK_INT(runs, 1);
}

/* ---- System calls ------------------------------------------------------------ */

/* Sanitizers have a read() and a write() of their own. */
#if !IS_SANITIZED

static atomic_int reads, writes;

static bool is_eventfd(int fd) {
  char path[40], name[40];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(path, name, sizeof name - 1);
  if (length < 0) return false;
  name[length] = '\0';
  return strstr(name, "[eventfd]") != NULL;
}

ssize_t read(int fd, void *buffer, size_t count) {
  if (is_eventfd(fd)) atomic_fetch_add(&reads, 1);
  return syscall(SYS_read, fd, buffer, count);
}

ssize_t write(int fd, const void *buffer, size_t count) {
  if (is_eventfd(fd)) atomic_fetch_add(&writes, 1);
  return syscall(SYS_write, fd, buffer, count);
}

TEST(a_drain_reads_only_what_was_written) {
  owned rac_scheduler *loop = rac_scheduler_main();
  atomic_int runs = 0;
  rac_main_fd();
  rac_main_drain(0);
  reads = writes = 0;
  /* Nothing to read. */
  for (int i = 0; i < 10; i++) rac_main_drain(0);
  CHECK_INT(reads, 0);
  /* A timer makes the descriptor readable in its own way. */
  rac_release(rac_schedule_after(loop, 0.001, CALLBACK_FOR(&runs, count)));
  while (runs == 0) rac_main_drain(0);
  CHECK_INT(reads + writes, 0);
  /* One write and one read, however many jobs. */
  for (int i = 0; i < 5; i++) add_job(loop, &runs);
  CHECK_INT(rac_main_drain(0), 5);
  CHECK_INT(writes, 1);
  CHECK_INT(reads, 1);
  /* A run that nobody polls for has the same. */
  CHECK_STATUS(rac_main_run_for(0.002), RAC_OK);
  CHECK_INT(reads, 1);
}

#endif
