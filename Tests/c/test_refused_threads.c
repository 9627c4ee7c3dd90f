/* The system gives no thread: what was asked for is refused with a status, and
 * what has been accepted is kept until there is one.
 *
 * Each test runs in a process of its own, in which the library has no thread
 * yet. pthread_create() below is the one that the library gets. Sanitizers have
 * one of their own, so there is nothing to do with them. */
#include "check.h"
#include "operators.h"
#include "process.h"
#include "rerun.h"

#if !IS_SANITIZED

#include <dlfcn.h>
#include <errno.h>

#include "second_library.h"

/* ---- Threads that are refused --------------------------------------------- */

/* Refuse so many, after so many were given. */
static atomic_int given_first, refused;

static void refuse(int after, int count) {
  atomic_store(&given_first, after);
  atomic_store(&refused, count);
}

enum { ALL = 1 << 30 };

typedef int (*create_fn)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                         void *);

static int create(pthread_t *thread, const pthread_attr_t *attributes,
                  void *(*body)(void *), void *argument) {
  static create_fn real;
  if (!real) LOOK_UP(real, RTLD_NEXT, "pthread_create");
  return real(thread, attributes, body, argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*body)(void *), void *argument) {
  if (atomic_load(&refused) > 0 && atomic_fetch_sub(&given_first, 1) <= 0) {
    atomic_fetch_sub(&refused, 1);
    return EAGAIN;
  }
  return create(thread, attributes, body, argument);
}

/* A thread of the test's, never refused. */
static pthread_t spawn(void *(*body)(void *), void *argument) {
  pthread_t thread;
  if (create(&thread, NULL, body, argument) != 0) abort();
  return thread;
}

/* Defines a test whose body runs in a process of its own. */
#define TEST_ALONE(name)                                                       \
  static void name##_alone(void);                                              \
  TEST(name) {                                                                 \
    char text[4000];                                                           \
    if (getenv("RAC_TEST_ALONE")) {                                            \
      name##_alone();                                                          \
      return;                                                                  \
    }                                                                          \
    int status = rerun(#name, "RAC_TEST_ALONE", "1", text, sizeof text);       \
    CHECK_INT(status, 0);                                                      \
    if (status != 0) fputs(text, stderr);                                      \
  }                                                                            \
  static void name##_alone(void)

/* ---- What is asked for ------------------------------------------------------ */

static rac_scheduler *scheduler;
static atomic_int runs;

static void run(void *context) {
  (void)context_target(context);
  atomic_fetch_add(&runs, 1);
}
static void run_recursive(void *context, rac_recursion *recursion) {
  (void)recursion;
  run(context);
}
static rac_status start(void *context, rac_subscriber *subscriber) {
  run(context);
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}
static rac_status execute(void *context, rac_value input, rac_signal **out) {
  (void)context_target(context);
  *out = rac_signal_return(input);
  return RAC_OK;
}

static void *ask_schedule(void) {
  return rac_schedule(scheduler, CALLBACK(run));
}
static void *ask_schedule_after(void) {
  return rac_schedule_after(scheduler, 0.001, CALLBACK(run));
}
static void *ask_schedule_repeating(void) {
  return rac_schedule_repeating(scheduler, 0.001, 1, 0, CALLBACK(run));
}
static void *ask_schedule_recursive(void) {
  return rac_schedule_recursive(scheduler, CALLBACK(run_recursive));
}
static void *ask_start_eagerly(void) {
  return rac_signal_start_eagerly(scheduler, CALLBACK(start));
}
static void *ask_command(void) {
  atomic_fetch_add(&runs, 1); /* it calls nothing by itself */
  return rac_command_create(NULL, scheduler, CALLBACK(execute));
}

/* Refused as often as it needs threads, then it works. */
static void check_asking(void *(*ask)(void), int threads) {
  scheduler = rac_scheduler_background(0, NULL);
  atomic_store(&runs, 0);
  int contexts = context_count();
  uint64_t objects = rac_live_objects();
  refuse(0, ALL);
  for (int i = 0; i < 3; i++) {
    rac_clear_last_error();
    CHECK(ask() == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
    CHECK_TEXT(rac_last_error_message(), "the system gives no thread");
    CHECK_INT(context_count(), contexts);
    CHECK_INT(rac_live_objects(), objects);
  }
  for (int i = 1; i < threads; i++) {
    refuse(1, 1);
    CHECK(ask() == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
    CHECK_INT(context_count(), contexts);
  }
  refuse(0, 0);
  atomic_store(&runs, 0);
  void *handle = ask();
  REQUIRE(handle != NULL);
  WAIT_UNTIL(atomic_load(&runs) == 1);
  /* From now on there is somebody. */
  refuse(0, ALL);
  void *other = ask();
  CHECK(other != NULL);
  WAIT_UNTIL(atomic_load(&runs) == 2);
  rac_dispose(handle);
  rac_dispose(other);
  rac_release(handle);
  rac_release(other);
  rac_release(scheduler);
}

TEST_ALONE(a_job_is_refused) { check_asking(ask_schedule, 1); }
TEST_ALONE(a_delayed_job_is_refused) { check_asking(ask_schedule_after, 2); }
TEST_ALONE(a_repeating_job_is_refused) {
  check_asking(ask_schedule_repeating, 2);
}
TEST_ALONE(a_recursive_job_is_refused) {
  check_asking(ask_schedule_recursive, 1);
}
TEST_ALONE(an_eager_start_is_refused) { check_asking(ask_start_eagerly, 1); }
TEST_ALONE(a_command_is_refused) { check_asking(ask_command, 1); }

/* ---- What is subscribed to -------------------------------------------------- */

/* Takes over the signal. Its subscriber hears an error, and later the values. */
static void check_subscribing(rac_signal *signal, const char *expected) {
  recorder r = {0};
  refuse(0, ALL);
  record(signal, &r);
  CHECK(r.subscription != NULL);
  CHECK(rac_is_disposed(r.subscription));
  CHECK_EVENTS(&r, "#-6");
  await_end(&r);
  rac_value value = rac_value_nil();
  CHECK_STATUS(rac_signal_first(signal, -1, &value), RAC_ESTREAM);
  CHECK_TEXT(rac_error_get_domain(value), "rac");
  CHECK_INT(rac_error_get_code(value), RAC_ENOMEM);
  rac_value_release(value);
  refuse(0, 0);
  recorder later = {0};
  record(signal, &later);
  atomic_int *last = strpbrk(expected, "|#") ? &later.ends : &later.nexts;
  WAIT_UNTIL(atomic_load(last) > 0);
  finish(&later);
  CHECK_EVENTS(&later, expected);
  rac_release(signal);
}

static void *subscribe_to_cold(void *argument) {
  (void)argument;
  check_subscribing(cold("1 |", NULL), "1 |");
  return NULL;
}

/* The calling thread has no scheduler: a background one starts it. */
TEST_ALONE(a_cold_signal_is_not_started) {
  check_join(spawn(subscribe_to_cold, NULL));
}

static void *subscribe_to_replay(void *argument) {
  check_subscribing(argument, "1");
  return NULL;
}

TEST_ALONE(a_replay_is_not_started) {
  rac_subject *subject = rac_behavior_subject_create(I(1));
  check_join(spawn(subscribe_to_replay, subject));
}

TEST_ALONE(what_would_be_delivered_is_not_subscribed_to) {
  scheduler = rac_scheduler_background(0, NULL);
  rac_signal *one = rac_signal_return(I(1));
  check_subscribing(rac_signal_deliver_on(one, scheduler), "1 |");
  rac_release(one);
  rac_release(scheduler);
}

TEST_ALONE(what_would_be_subscribed_to_elsewhere_is_not) {
  scheduler = rac_scheduler_background(0, NULL);
  rac_signal *one = rac_signal_return(I(1));
  check_subscribing(rac_signal_subscribe_on(one, scheduler), "1 |");
  rac_release(one);
  rac_release(scheduler);
}

TEST_ALONE(an_interval_is_not_started) {
  scheduler = rac_scheduler_background(0, NULL);
  rac_signal *ticks = rac_signal_interval(0.01, scheduler);
  APPLY(ticks, take, 1);
  check_subscribing(ticks, "0 |");
  rac_release(scheduler);
}

TEST_ALONE(a_timeout_is_not_started) {
  scheduler = rac_scheduler_background(0, NULL);
  rac_subject *silent = rac_subject_create();
  check_subscribing(rac_signal_timeout(as_signal(silent), 0.01, scheduler),
                    "#1");
  rac_release(silent);
  rac_release(scheduler);
}

TEST_ALONE(a_buffer_is_not_started) {
  scheduler = rac_scheduler_background(0, NULL);
  rac_signal *one = rac_signal_return(I(1));
  check_subscribing(rac_signal_buffer_with_time(one, 0.01, scheduler), "(1) |");
  rac_release(one);
  rac_release(scheduler);
}

TEST_ALONE(a_sequence_is_not_sent) {
  scheduler = rac_scheduler_background(0, NULL);
  rac_sequence *one = rac_sequence_return(I(1));
  check_subscribing(rac_sequence_signal(one, scheduler), "1 |");
  rac_release(one);
  rac_release(scheduler);
}

/* ---- What has been accepted ------------------------------------------------- */

typedef struct sender {
  rac_subject *subject;
  int from, to;
} sender;

/* On a thread without a scheduler, where a background one holds values back. */
static void *send_some(void *argument) {
  sender *self = argument;
  for (int i = self->from; i <= self->to; i++)
    CHECK(rac_subject_send(self->subject, I(i)) >= 0);
  return NULL;
}

static void send_elsewhere(rac_subject *subject, int from, int to) {
  sender self = {subject, from, to};
  check_join(spawn(send_some, &self));
}

/* A delayed value has been sent and has nobody to deliver it; so many threads are
 * given before the others are refused. */
static rac_signal *hold_back(rac_subject *subject, recorder *r, int given) {
  rac_signal *late = rac_signal_delay(as_signal(subject), 0.001, NULL);
  record(late, r);
  refuse(given, ALL);
  send_elsewhere(subject, 1, 2);
  for (int i = 0; i < 20; i++) check_pause();
  CHECK_EVENTS(r, "");
  return late;
}

static void drop(rac_subject *subject, rac_signal *signal, recorder *r) {
  finish(r);
  rac_release(signal);
  rac_release(subject);
}

TEST_ALONE(the_next_value_asks_again) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  rac_signal *late = hold_back(subject, &r, 0);
  refuse(0, 0);
  send_elsewhere(subject, 3, 3);
  WAIT_UNTIL(atomic_load(&r.nexts) == 3);
  CHECK_EVENTS(&r, "1 2 3");
  drop(subject, late, &r);
}

TEST_ALONE(a_drain_asks_again) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  rac_signal *late = hold_back(subject, &r, 0);
  rac_main_drain(0);
  refuse(0, 0);
  rac_main_drain(0);
  WAIT_UNTIL(atomic_load(&r.nexts) == 2);
  CHECK_EVENTS(&r, "1 2");
  drop(subject, late, &r);
}

static void *give_threads(void *argument) {
  (void)argument;
  for (int i = 0; i < 100; i++) check_pause();
  refuse(0, 0);
  return NULL;
}

static void stop_main(recorder *self, rac_value value) {
  (void)self;
  if (value.bits == 2) rac_main_stop();
}

/* Though nothing wakes it when there are threads again. */
TEST_ALONE(a_run_asks_again) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = stop_main};
  rac_signal *late = hold_back(subject, &r, 0);
  pthread_t thread = spawn(give_threads, NULL);
  CHECK_STATUS(rac_main_run(), RAC_OK);
  check_join(thread);
  CHECK_EVENTS(&r, "1 2");
  drop(subject, late, &r);
}

static void *hold_back_later(void *argument) {
  for (int i = 0; i < 40; i++) check_pause();
  send_some(argument);
  return NULL;
}

/* It sleeps already when the thread is refused. */
TEST_ALONE(a_run_that_sleeps_asks_again) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = stop_main};
  rac_signal *late = rac_signal_delay(as_signal(subject), 0.001, NULL);
  record(late, &r);
  refuse(0, ALL);
  sender self = {subject, 1, 2};
  pthread_t sending = spawn(hold_back_later, &self);
  pthread_t giving = spawn(give_threads, NULL);
  CHECK_STATUS(rac_main_run(), RAC_OK);
  check_join(sending);
  check_join(giving);
  CHECK_EVENTS(&r, "1 2");
  drop(subject, late, &r);
}

/* The timer's thread is there, and asks for a worker in vain, as the run does. */
TEST_ALONE(a_run_that_is_refused_sleeps_meanwhile) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  rac_signal *late = hold_back(subject, &r, 1);
  int before = atomic_load(&refused);
  CHECK_STATUS(rac_main_run_for(0.3), RAC_OK);
  CHECK(before - atomic_load(&refused) < 3000);
  refuse(0, 0);
  rac_main_drain(0);
  WAIT_UNTIL(atomic_load(&r.nexts) == 2);
  CHECK_EVENTS(&r, "1 2");
  drop(subject, late, &r);
}

TEST_ALONE(a_blocking_read_asks_again) {
  rac_subject *subject = rac_replay_subject_create(1);
  rac_subject *source = rac_subject_create();
  rac_signal *late = rac_signal_delay(as_signal(source), 0.001, NULL);
  rac_disposable *feeding =
      rac_subscribe_subscriber(late, rac_subject_as_subscriber(subject));
  refuse(0, ALL);
  send_elsewhere(source, 1, 1);
  pthread_t thread = spawn(give_threads, NULL);
  rac_value value = rac_value_nil();
  CHECK_STATUS(rac_signal_first(as_signal(subject), 20, &value), RAC_OK);
  CHECK_INT(value.bits, 1);
  check_join(thread);
  rac_dispose(feeding);
  rac_release(feeding);
  rac_release(late);
  rac_release(source);
  rac_release(subject);
}

static void note_that_it_ran(void *context) {
  atomic_store((atomic_int *)context, 1);
}

/* A worker is there, and the thread that waits for deadlines is not. */
TEST_ALONE(a_worker_asks_for_the_timer_thread) {
  atomic_int has_run = 0;
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_release(rac_schedule(background, &has_run, note_that_it_ran, NULL));
  WAIT_UNTIL(atomic_load(&has_run));
  rac_release(background);
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  rac_signal *late = hold_back(subject, &r, 0);
  refuse(0, 0);
  WAIT_UNTIL(atomic_load(&r.nexts) == 2);
  CHECK_EVENTS(&r, "1 2");
  drop(subject, late, &r);
}

/* The other way round: the thread for deadlines is given, the worker is not. */
TEST_ALONE(the_timer_thread_asks_for_a_worker) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  rac_signal *late = hold_back(subject, &r, 1);
  for (int i = 0; i < 80; i++) check_pause();
  CHECK_EVENTS(&r, "");
  refuse(0, 0);
  WAIT_UNTIL(atomic_load(&r.nexts) == 2);
  CHECK_EVENTS(&r, "1 2");
  drop(subject, late, &r);
}

/* ---- A sender that others keep busy ------------------------------------------ */

enum { MANY = 5000 };

typedef struct crowd {
  rac_subject *subject;
  int64_t next;
} crowd;

static void in_order(void *context, rac_value value) {
  crowd *self = context_target(context);
  CHECK_INT(value.bits, self->next);
  /* While the first is delivered, another thread sends the rest. */
  if (self->next++ == 0) send_elsewhere(self->subject, 1, MANY);
}

/* It delivers a part, and leaves the others to a worker that does not come. */
static void send_to_crowd(crowd *self) {
  rac_release(rac_subscribe_next(as_signal(self->subject),
                                 context_new(self, NULL), in_order,
                                 context_destroy));
  refuse(0, ALL);
  CHECK_STATUS(rac_subject_send(self->subject, I(0)), RAC_OK);
  CHECK(self->next > 1 && self->next < MANY);
}

TEST_ALONE(what_was_left_to_a_worker_the_next_sender_delivers) {
  crowd self = {rac_subject_create(), 0};
  send_to_crowd(&self);
  int64_t sent = MANY + 1;
  while (self.next < sent && sent < MANY + 20)
    rac_subject_send(self.subject, I(sent++));
  CHECK_INT(self.next, sent);
  rac_release(self.subject);
  refuse(0, 0);
  /* The worker that was asked for holds on to the subject until it comes. */
  rac_main_drain(0);
}

static atomic_int has_all;

static void note_completion(void *context) {
  (void)context;
  atomic_store(&has_all, 1);
}

TEST_ALONE(what_was_left_to_a_worker_it_delivers_when_it_comes) {
  crowd self = {rac_subject_create(), 0};
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.completed = note_completion;
  rac_release(rac_subscribe(as_signal(self.subject), &observer));
  send_to_crowd(&self);
  CHECK_STATUS(rac_subject_send_completed(self.subject), RAC_QUEUED);
  refuse(0, 0);
  rac_main_drain(0);
  WAIT_UNTIL(atomic_load(&has_all));
  CHECK_INT(self.next, MANY + 1);
  rac_release(self.subject);
}

#else

TEST(sanitizers_have_threads_of_their_own) {}

#endif
