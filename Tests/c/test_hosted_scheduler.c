/* Schedulers over a queue of the host's: what a queue may do wrong, turns from
 * several threads, and what becomes of jobs whose turn nobody takes. */
#include "operators.h"
#include "shared_callbacks.h"

/* A queue that notes how often it was asked, and keeps the schedulers. */
typedef struct queue {
  rac_scheduler *asked[64];
  int count;
  bool forgets; /* retains nothing */
  bool at_once; /* takes the turn inside enqueue */
} queue;

static void enqueue(void *context, rac_scheduler *scheduler) {
  queue *q = context_target(context);
  if (q->at_once) rac_scheduler_take_turn(scheduler, 1);
  if (!q->at_once && !q->forgets && q->count < 64)
    q->asked[q->count] = rac_retain(scheduler);
  q->count++;
}

static rac_scheduler *over(queue *q) {
  return rac_scheduler_over_queue("test", CALLBACK_FOR(q, enqueue));
}

/* Takes the turn that was asked for first. */
static int64_t turn(queue *q, size_t max) {
  owned rac_scheduler *scheduler = q->asked[0];
  memmove(q->asked, q->asked + 1, sizeof q->asked - sizeof *q->asked);
  q->count--;
  int64_t count = rac_scheduler_take_turn(scheduler, max);
  return count;
}

static void add_job(rac_scheduler *scheduler, atomic_int *count) {
  rac_release(rac_schedule(scheduler, CALLBACK_FOR(count, count_up)));
}

TEST(the_queue_is_asked_once_for_all_that_waits) {
  queue q = {0};
  atomic_int ran = 0;
  owned rac_scheduler *s = over(&q);
  for (int i = 0; i < 5; i++) add_job(s, &ran);
  CHECK_INT(q.count, 1);
  CHECK_INT(turn(&q, 0), 5);
  CHECK_INT(ran, 5);
  CHECK_INT(q.count, 0);
  add_job(s, &ran);
  CHECK_INT(q.count, 1);
  CHECK_INT(turn(&q, 0), 1);
}

TEST(a_bounded_turn_asks_for_another) {
  queue q = {0};
  atomic_int ran = 0;
  owned rac_scheduler *s = over(&q);
  for (int i = 0; i < 5; i++) add_job(s, &ran);
  CHECK_INT(turn(&q, 2), 2);
  CHECK_INT(q.count, 1);
  CHECK_INT(turn(&q, SIZE_MAX), 3);
  CHECK_INT(q.count, 0);
  for (int i = 0; i < 300; i++) add_job(s, &ran);
  CHECK_INT(turn(&q, 0), 256);
  CHECK_INT(turn(&q, 0), 44);
}

TEST(turns_that_were_not_asked_for) {
  queue q = {0};
  atomic_int ran = 0;
  owned rac_scheduler *s = over(&q);
  CHECK_INT(rac_scheduler_take_turn(s, 0), 0);
  add_job(s, &ran);
  CHECK_INT(rac_scheduler_take_turn(s, 0), 1);
  CHECK_INT(turn(&q, 0), 0);
  add_job(s, &ran);
  CHECK_INT(turn(&q, 0), 1);
}

typedef struct inside {
  rac_scheduler *scheduler;
  int64_t answer;
  atomic_int ran;
} inside;

static void take_a_turn_inside(void *context) {
  inside *self = context_target(context);
  add_job(self->scheduler, &self->ran);
  self->answer = rac_scheduler_take_turn(self->scheduler, 0);
  CHECK_INT(self->ran, 0);
}

TEST(a_turn_inside_a_turn_leaves_it_to_that) {
  queue q = {0};
  inside i = {.scheduler = over(&q), .answer = -1};
  rac_release(rac_schedule(i.scheduler, CALLBACK_FOR(&i, take_a_turn_inside)));
  CHECK_INT(turn(&q, 1), 2);
  CHECK_INT(i.answer, 0);
  CHECK_INT(i.ran, 1);
  CHECK_INT(q.count, 1);
  CHECK_INT(turn(&q, 0), 0);
  rac_release(i.scheduler);
}

static void again(void *context, rac_recursion *self) {
  int *left = context_target(context);
  if (--*left > 0) rac_reschedule(self);
}

TEST(a_queue_that_takes_turns_at_once_uses_constant_stack) {
  queue q = {.at_once = true};
  int left = (int)check_scaled(1000000);
  owned rac_scheduler *s = over(&q);
  rac_release(rac_schedule_recursive(s, CALLBACK_FOR(&left, again)));
  CHECK_INT(left, 0);
}

TEST(jobs_whose_turn_nobody_can_take_go) {
  queue q = {.forgets = true};
  atomic_int ran = 0;
  rac_scheduler *s = over(&q);
  add_job(s, &ran);
  owned rac_disposable *job = rac_schedule(s, CALLBACK_FOR(&ran, count_up));
  CHECK_INT(context_count(), 3);
  rac_release(s);
  CHECK_INT(context_count(), 0);
  CHECK(rac_is_disposed(job));
  CHECK_INT(ran, 0);
}

TEST(so_do_delayed_jobs_whose_time_came) {
  queue q = {.forgets = true};
  atomic_int ran = 0;
  rac_scheduler *s = over(&q);
  rac_release(rac_schedule_after(s, 0.001, CALLBACK_FOR(&ran, count_up)));
  rac_release(s);
  WAIT_UNTIL(context_count() == 0);
  CHECK_INT(ran, 0);
  CHECK_INT(q.count, 1);
}

TEST(what_is_scheduled_after_a_lost_turn_asks_again) {
  queue q = {.forgets = true};
  rac_scheduler *s = over(&q);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *delivered =
      rac_signal_subscribe_on(rac_subject_as_signal(subject), s);
  rac_release(s);
  RECORDER(lost, delivered);
  q.forgets = false;
  RECORDER(r, delivered);
  CHECK_INT(q.count, 2);
  q.asked[0] = q.asked[1];
  CHECK_INT(turn(&q, 0), 1);
  q.count = 0;
  rac_subject_send(subject, I(1));
  CHECK_EVENTS(&r, "1");
  CHECK_EVENTS(&lost, "");
}

TEST(a_lost_turn_ends_what_was_to_be_delivered) {
  queue q = {.forgets = true};
  rac_scheduler *s = over(&q);
  owned rac_subject *subject = rac_subject_create();
  rac_signal *delivered =
      rac_signal_deliver_on(rac_subject_as_signal(subject), s);
  recorder r = {0};
  record(delivered, &r);
  rac_release(delivered);
  rac_subject_send(subject, I(1));
  CHECK_INT(q.count, 1);
  rac_release(s);
  await_end(&r);
  CHECK_EVENTS(&r, "");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

TEST(a_disposed_job_is_not_counted) {
  queue q = {0};
  atomic_int ran = 0;
  owned rac_scheduler *s = over(&q);
  owned rac_disposable *d = rac_schedule(s, CALLBACK_FOR(&ran, count_up));
  add_job(s, &ran);
  rac_dispose(d);
  CHECK_INT(turn(&q, 1), 1);
  CHECK_INT(ran, 1);
}

TEST(bad_arguments) {
  CHECK(rac_scheduler_over_queue(NULL, context_new(NULL, NULL), NULL,
                                 context_destroy) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  CHECK_INT(rac_scheduler_take_turn(background, 0), RAC_EKIND);
  CHECK_INT(rac_scheduler_take_turn(NULL, 0), RAC_ENULL);
  rac_release(background);
  CHECK_INT(rac_scheduler_take_turn(background, 0), RAC_ESTALE);
}

/* ---- A pool of threads ------------------------------------------------- */

typedef struct pool {
  pthread_mutex_t lock;
  rac_scheduler *line[1024];
  size_t count;
  bool closed;
  atomic_int asked;
} pool;

static void pool_enqueue(void *context, rac_scheduler *scheduler) {
  pool *p = context_target(context);
  pthread_mutex_lock(&p->lock);
  if (p->count < 1024) p->line[p->count++] = rac_retain(scheduler);
  pthread_mutex_unlock(&p->lock);
  atomic_fetch_add(&p->asked, 1);
}

/* Takes turns, and now and then ones that nobody asked for. */
static void *pool_work_with(pool *p, int unasked) {
  for (;;) {
    pthread_mutex_lock(&p->lock);
    rac_scheduler *scheduler = p->count > 0 ? p->line[--p->count] : NULL;
    bool closed = p->closed;
    pthread_mutex_unlock(&p->lock);
    if (scheduler) {
      for (int i = 0; i <= unasked; i++) rac_scheduler_take_turn(scheduler, 7);
      rac_release(scheduler);
    } else if (closed) {
      return NULL;
    }
  }
}

static void *pool_work(void *argument) { return pool_work_with(argument, 1); }

static void *pool_work_as_asked(void *argument) {
  return pool_work_with(argument, 0);
}

typedef struct tally {
  rac_scheduler *scheduler;
  atomic_int inside;
  int64_t ran; /* plain: the scheduler alone orders its jobs */
  atomic_int done;
} tally;

static void tally_up(void *context) {
  tally *t = context_target(context);
  if (atomic_fetch_add_explicit(&t->inside, 1, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "jobs of one scheduler overlap");
  t->ran++;
  atomic_fetch_sub_explicit(&t->inside, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
}

static void *tally_many(void *argument) {
  tally *t = argument;
  for (int64_t i = check_scaled(50000); i > 0; i--)
    rac_release(
        i % 16 == 0
            ? rac_schedule_after(t->scheduler, 1e-4, CALLBACK_FOR(t, tally_up))
            : rac_schedule(t->scheduler, CALLBACK_FOR(t, tally_up)));
  return NULL;
}

TEST(turns_from_several_threads_never_overlap_and_lose_nothing) {
  static pool p = {.lock = PTHREAD_MUTEX_INITIALIZER};
  tally t = {.scheduler = rac_scheduler_over_queue(
                 "pool", CALLBACK_FOR(&p, pool_enqueue))};
  pthread_t threads[5];
  for (int i = 0; i < 3; i++) threads[i] = check_spawn(pool_work, &p);
  for (int i = 3; i < 5; i++) threads[i] = check_spawn(tally_many, &t);
  for (int i = 3; i < 5; i++) check_join(threads[i]);
  WAIT_UNTIL(atomic_load(&t.done) == 2 * check_scaled(50000));
  pthread_mutex_lock(&p.lock);
  p.closed = true;
  pthread_mutex_unlock(&p.lock);
  for (int i = 0; i < 3; i++) check_join(threads[i]);
  CHECK_INT(t.ran, 2 * check_scaled(50000));
  CHECK(atomic_load(&p.asked) > 0);
  rac_release(t.scheduler);
}

/* ---- Where the turns hold the only references --------------------------- */

typedef struct row {
  _Atomic int64_t last;
  atomic_int ended;
} row;

static void row_next(void *context, rac_value value) {
  row *r = context_target(context);
  if (value.bits != r->last + 1)
    check_fail(__FILE__, __LINE__, "a value was lost");
  r->last = value.bits;
}

static void row_completed(void *context) {
  ((row *)context_target(context))->ended = 1;
}

/* The reference of a turn that is over goes while a new value asks for the next. */
TEST(a_turn_that_is_over_takes_nothing_from_the_next) {
  static pool p = {.lock = PTHREAD_MUTEX_INITIALIZER};
  row r = {0};
  rac_scheduler *scheduler =
      rac_scheduler_over_queue("pool", CALLBACK_FOR(&p, pool_enqueue));
  owned rac_subject *subject = rac_subject_create();
  rac_signal *delivered =
      rac_signal_deliver_on(rac_subject_as_signal(subject), scheduler);
  rac_release(scheduler);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(&r, NULL);
  observer.next = row_next;
  observer.completed = row_completed;
  observer.destroy = context_destroy;
  rac_release(rac_subscribe(delivered, &observer));
  rac_release(delivered);
  pthread_t thread = check_spawn(pool_work_as_asked, &p);
  int64_t count = 0, most = check_scaled(2500);
  /* On a busy machine each takes the system's own time. */
  double enough = check_clock() + 5;
  while (count < most && check_clock() < enough) {
    rac_subject_send(subject, I(++count));
    for (int spins = 0; spins < 1000 && r.last < count; spins++) continue;
    if (r.last < count) WAIT_UNTIL(r.last == count);
    if (r.last < count) break;
  }
  rac_subject_send_completed(subject);
  WAIT_UNTIL(r.ended);
  CHECK_INT(r.last, count);
  pthread_mutex_lock(&p.lock);
  p.closed = true;
  pthread_mutex_unlock(&p.lock);
  check_join(thread);
}
