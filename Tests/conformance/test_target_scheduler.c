/* RACTargetQueueScheduler and subclasses of RACQueueScheduler: schedulers over
 * a queue that is not the library's. */
#include "operators.h"

/* A queue of turns with two threads, so that two can be taken at a time. */
typedef struct queue {
  pthread_mutex_t lock;
  rac_scheduler *line[64];
  int count;
  bool closed;
  pthread_t threads[2];
} queue;

static void enqueue(void *context, rac_scheduler *scheduler) {
  queue *q = context_target(context);
  pthread_mutex_lock(&q->lock);
  if (q->count < 64) q->line[q->count++] = rac_retain(scheduler);
  pthread_mutex_unlock(&q->lock);
}

static void *work(void *argument) {
  queue *q = argument;
  for (;;) {
    pthread_mutex_lock(&q->lock);
    rac_scheduler *scheduler = q->count > 0 ? q->line[--q->count] : NULL;
    bool closed = q->closed;
    pthread_mutex_unlock(&q->lock);
    if (scheduler) {
      CHECK(rac_scheduler_take_turn(scheduler, 1) >= 0);
      rac_release(scheduler);
    } else if (closed) {
      return NULL;
    } else {
      check_pause();
    }
  }
}

static void open_queue(queue *q) {
  *q = (queue){.lock = PTHREAD_MUTEX_INITIALIZER};
  for (int i = 0; i < 2; i++) q->threads[i] = check_spawn(work, q);
}

static void close_queue(queue *q) {
  pthread_mutex_lock(&q->lock);
  q->closed = true;
  pthread_mutex_unlock(&q->lock);
  for (int i = 0; i < 2; i++) check_join(q->threads[i]);
}

typedef struct job {
  rac_scheduler *scheduler, *current;
  atomic_int has_run;
} job;

static void note_current(void *context) {
  job *self = context_target(context);
  self->current = rac_scheduler_current();
  rac_release(self->current);
  atomic_store(&self->has_run, 1);
}

/* target-scheduler-001, scheduler-023, scheduler-025: its jobs run, and see it
 * as the current scheduler */
TEST(a_scheduler_over_a_queue_is_current_in_its_jobs) {
  queue q;
  open_queue(&q);
  job j = {.scheduler =
               rac_scheduler_over_queue(NULL, CALLBACK_FOR(&q, enqueue))};
  rac_release(rac_schedule(j.scheduler, CALLBACK_FOR(&j, note_current)));
  WAIT_UNTIL(atomic_load(&j.has_run));
  CHECK(j.current == j.scheduler);
  rac_release(j.scheduler);
  close_queue(&q);
}

/* scheduler-024: delayed jobs run as well, in its turns */
TEST(a_scheduler_over_a_queue_runs_delayed_jobs) {
  queue q;
  open_queue(&q);
  job j = {.scheduler =
               rac_scheduler_over_queue("queue", CALLBACK_FOR(&q, enqueue))};
  double before = rac_scheduler_now(j.scheduler);
  rac_release(
      rac_schedule_after(j.scheduler, 0.01, CALLBACK_FOR(&j, note_current)));
  WAIT_UNTIL(atomic_load(&j.has_run));
  CHECK(rac_scheduler_now(j.scheduler) - before >= 0.01);
  CHECK(j.current == j.scheduler);
  rac_release(j.scheduler);
  close_queue(&q);
}

typedef struct spinning {
  atomic_int started, may_end, ended;
} spinning;

static void spin(void *context) {
  spinning *self = context_target(context);
  atomic_store(&self->started, 1);
  WAIT_UNTIL(atomic_load(&self->may_end));
  atomic_store(&self->ended, 1);
}

/* target-scheduler-002: one job at a time, in order, though the queue has a
 * thread free for the second */
TEST(a_scheduler_over_a_concurrent_queue_is_serial) {
  queue q;
  open_queue(&q);
  rac_scheduler *s = rac_scheduler_over_queue(NULL, CALLBACK_FOR(&q, enqueue));
  spinning first = {0}, second = {.may_end = 1};
  rac_release(rac_schedule(s, CALLBACK_FOR(&first, spin)));
  rac_release(rac_schedule(s, CALLBACK_FOR(&second, spin)));
  WAIT_UNTIL(atomic_load(&first.started));
  CHECK_INT(rac_scheduler_take_turn(s, 1), 0);
  CHECK_INT(atomic_load(&second.started), 0);
  atomic_store(&first.may_end, 1);
  WAIT_UNTIL(atomic_load(&second.ended));
  CHECK_INT(atomic_load(&first.ended), 1);
  rac_release(s);
  close_queue(&q);
}

/* Operators take it like any other scheduler. */
TEST(deliver_on_a_scheduler_over_a_queue) {
  queue q;
  open_queue(&q);
  rac_scheduler *s = rac_scheduler_over_queue(NULL, CALLBACK_FOR(&q, enqueue));
  rac_signal *signal = cold("1 2 3 |", NULL);
  APPLY(signal, deliver_on, s);
  recorder r = {0};
  record(signal, &r);
  await_end(&r);
  CHECK_EVENTS(&r, "1 2 3 |");
  rac_release(signal);
  rac_release(s);
  close_queue(&q);
}
