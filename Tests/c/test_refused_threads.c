/* The system gives no thread: the call that makes the first thing that needs one
 * is refused with a status, and a send that leaves its work to one ends the
 * process.
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
#include <signal.h>

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

/* ---- What is made ------------------------------------------------------------ */

static atomic_int runs;

static void run(void *context) {
  (void)context_target(context);
  atomic_fetch_add(&runs, 1);
}

static void check_refused(void *made) {
  CHECK(made == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  CHECK_TEXT(rac_last_error_message(), "the system gives no thread");
  rac_clear_last_error();
}

static rac_scheduler *make_scheduler(void) {
  rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
  CHECK(scheduler != NULL);
  return scheduler;
}

TEST_ALONE(a_scheduler_is_refused_and_later_made) {
  uint64_t objects = rac_live_objects();
  refuse(0, ALL);
  for (int i = 0; i < 3; i++) check_refused(rac_scheduler_background(0, "own"));
  CHECK_INT(rac_live_objects(), objects);
  refuse(0, 0);
  owned rac_scheduler *scheduler = make_scheduler();
  /* From now on there is a worker, and it stays. */
  refuse(0, ALL);
  owned rac_scheduler *other = make_scheduler();
  rac_release(rac_schedule(scheduler, CALLBACK(run)));
  rac_release(rac_schedule(other, CALLBACK(run)));
  WAIT_UNTIL(atomic_load(&runs) == 2);
}

typedef void *(*make_fn)(rac_scheduler *);

static void *after(rac_scheduler *scheduler) {
  return rac_schedule_after(scheduler, 0.001, CALLBACK(run));
}
static void *repeating(rac_scheduler *scheduler) {
  return rac_schedule_repeating(scheduler, 0.001, 1, 0, CALLBACK(run));
}
static void *interval(rac_scheduler *scheduler) {
  return rac_signal_interval(0.01, scheduler);
}
static void *delay(rac_scheduler *scheduler) {
  owned rac_signal *one = rac_signal_return(I(1));
  rac_signal *late = rac_signal_delay(one, 0.001, scheduler);
  return late;
}
static void *timeout(rac_scheduler *scheduler) {
  owned rac_signal *one = rac_signal_return(I(1));
  rac_signal *limited = rac_signal_timeout(one, 1, scheduler);
  return limited;
}
static void *batches(rac_scheduler *scheduler) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = context_new(NULL, NULL);
  observer.destroy = context_destroy;
  owned rac_signal *one = rac_signal_return(I(1));
  void *made = rac_subscribe_batches(one, 10, 1, scheduler, &observer);
  return made;
}
static void *posix_signals(rac_scheduler *scheduler) {
  return rac_signal_posix_signal(SIGUSR1, scheduler);
}

/* There is a worker, but not the thread that waits for times, or descriptors. */
static void check_making(make_fn make) {
  owned rac_scheduler *scheduler = make_scheduler();
  int contexts = context_count();
  uint64_t objects = rac_live_objects();
  refuse(0, ALL);
  for (int i = 0; i < 3; i++) check_refused(make(scheduler));
  CHECK_INT(context_count(), contexts);
  CHECK_INT(rac_live_objects(), objects);
  refuse(0, 0);
  void *made = make(scheduler);
  CHECK(made != NULL);
  refuse(0, ALL);
  void *other = make(scheduler);
  CHECK(other != NULL);
  /* Of signals there is nothing to dispose. */
  rac_dispose(made);
  rac_dispose(other);
  rac_release(made);
  rac_release(other);
}

TEST_ALONE(a_delayed_job_is_refused) { check_making(after); }
TEST_ALONE(a_repeating_job_is_refused) { check_making(repeating); }
TEST_ALONE(an_interval_is_refused) { check_making(interval); }
TEST_ALONE(a_delay_is_refused) { check_making(delay); }
TEST_ALONE(a_timeout_is_refused) { check_making(timeout); }
TEST_ALONE(batches_of_a_time_are_refused) { check_making(batches); }
TEST_ALONE(a_source_is_refused) { check_making(posix_signals); }

static void note(void *context, rac_value value) {
  (void)value;
  run(context);
}

/* No thread is missed where everything stays on the calling one. */
TEST_ALONE(subjects_and_the_main_scheduler_need_none) {
  refuse(0, ALL);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *late =
      rac_signal_delay(as_signal(subject), 0.001, rac_scheduler_main());
  rac_release(
      rac_subscribe_next(late, context_new(NULL, NULL), note, context_destroy));
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_main_run_for(0.05), RAC_OK);
  CHECK_INT(atomic_load(&runs), 1);
  CHECK_INT(atomic_load(&refused), ALL);
}

/* ---- What is subscribed to --------------------------------------------------- */

/* The calling thread has no scheduler: a background one starts it. The subscriber
 * hears an error, and later the values. */
static void *check_subscribing(void *signal) {
  recorder r = {0};
  refuse(0, ALL);
  record(signal, &r);
  CHECK(r.subscription != NULL);
  CHECK(rac_is_disposed(r.subscription));
  CHECK_EVENTS(&r, "#-5006");
  await_end(&r);
  rac_value value = rac_value_nil();
  CHECK_STATUS(rac_signal_first(signal, -1, &value), RAC_ESTREAM);
  CHECK_TEXT(rac_error_get_domain(value), "rac");
  CHECK_INT(rac_error_get_code(value), RAC_ENOMEM);
  rac_value_release(value);
  refuse(0, 0);
  RECORDER(later, signal);
  WAIT_UNTIL(atomic_load(&later.nexts) > 0);
  rac_release(signal);
  return NULL;
}

TEST_ALONE(a_cold_signal_is_not_started) {
  check_join(spawn(check_subscribing, cold("1 |", NULL)));
}

TEST_ALONE(a_replay_is_not_started) {
  check_join(spawn(check_subscribing, rac_behavior_subject_create(I(1))));
}

/* ---- What is sent ------------------------------------------------------------ */

typedef struct sender {
  rac_subject *subject;
  int64_t count;
} sender;

static void *send_some(void *argument) {
  sender *self = argument;
  for (int i = 0; i < self->count; i++) rac_subject_send(self->subject, I(i));
  return NULL;
}

static void send_more(void *context, rac_value value) {
  (void)value;
  sender *self = context;
  if (self->count == 0) return;
  sender other = *self;
  self->count = 0;
  check_join(spawn(send_some, &other));
}

/* Law 4: what 5000 sends of another thread's leave, a thread of the library
 * delivers. */
static void leave_to_a_worker(void) {
  sender self = {rac_subject_create(), 5000};
  rac_release(
      rac_subscribe_next(as_signal(self.subject), &self, send_more, NULL));
  refuse(0, ALL);
  rac_subject_send(self.subject, I(0));
}

/* Nobody is there for the value that waits for its time. */
static void leave_to_the_timer(void) {
  sender self = {rac_subject_create(), 1};
  rac_signal *late = rac_signal_delay(as_signal(self.subject), 0.001, NULL);
  rac_release(rac_subscribe_next(late, &runs, note, NULL));
  refuse(0, ALL);
  check_join(spawn(send_some, &self));
}

static void check_end(const char *test, void (*leave)(void)) {
  char text[4000];
  if (getenv("RAC_TEST_ALONE")) {
    leave();
    return;
  }
  CHECK_INT(rerun(test, "RAC_TEST_ALONE", "1", text, sizeof text), -SIGABRT);
  CHECK(strstr(text, "librac: pthread_create gives no thread") != NULL);
}

TEST(values_left_to_a_worker_end_the_process) {
  check_end("values_left_to_a_worker_end_the_process", leave_to_a_worker);
}

TEST(a_value_left_to_the_timer_ends_the_process) {
  check_end("a_value_left_to_the_timer_ends_the_process", leave_to_the_timer);
}

#else

TEST(sanitizers_have_threads_of_their_own) {}

#endif
