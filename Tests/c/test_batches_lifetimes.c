/* Subscriptions that take their values in arrays: arguments, disposals, what
 * callbacks do, threads. */
#include <math.h>

#include "batch_recorder.h"
#include "operators.h"

/* ---- Arguments ---------------------------------------------------------- */

/* Law 9, where the call fails. */
TEST(wrong_arguments_destroy_the_context_once) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *never = rac_signal_never();
  rac_signal *gone = rac_signal_never();
  rac_release(gone);
  double bad[] = {-1, -1e-9, -INFINITY, NAN, -NAN};
  rac_batch_observer observer;
#define REFUSED(code, signal, count, interval, scheduler)                      \
  do {                                                                         \
    batch_recorder t = {0};                                                    \
    observer = batch_recorder_observer(&t, VALUES);                            \
    rac_clear_last_error();                                                    \
    CHECK(rac_subscribe_batches((signal), count, interval, (void *)scheduler,  \
                                &observer) == NULL);                           \
    CHECK_STATUS(rac_last_error_code(), code);                                 \
    CHECK_TEXT(rac_last_error_function(), "rac_subscribe_batches");            \
    CHECK_INT(t.destroyed, 1);                                                 \
    CHECK_TEXT(t.text, "");                                                    \
  } while (0)
  for (int i = 0; i < 5; i++) REFUSED(RAC_EINVAL, never, 2, bad[i], v);
  REFUSED(RAC_EINVAL, never, 0, 1, v);
  REFUSED(RAC_EINVAL, never, 0, INFINITY, NULL);
  REFUSED(RAC_ENULL, NULL, 2, 1, v);
  REFUSED(RAC_ESTALE, gone, 2, 1, v);
  REFUSED(RAC_EKIND, (void *)v, 2, 1, v);
  REFUSED(RAC_ESTALE, never, 2, 1, gone);
  REFUSED(RAC_EKIND, never, 2, 1, never);
}

TEST(two_functions_for_values_are_refused) {
  owned rac_signal *never = rac_signal_never();
  for (int without = VALUES; without <= DOUBLES + 1; without++) {
    batch_recorder t = {0};
    rac_batch_observer observer = batch_recorder_observer(&t, -1);
    if (without != VALUES) observer.next_values = record_values;
    if (without != INT64S) observer.next_int64s = record_int64s;
    if (without != DOUBLES) observer.next_doubles = record_doubles;
    rac_clear_last_error();
    CHECK(rac_subscribe_batches(never, 1, 1, NULL, &observer) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    CHECK_INT(t.destroyed, 1);
  }
}

TEST(an_observer_says_its_size) {
  owned rac_signal *never = rac_signal_never();
  rac_clear_last_error();
  CHECK(rac_subscribe_batches(never, 1, 1, NULL, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  batch_recorder t = {0};
  rac_batch_observer observer = batch_recorder_observer(&t, VALUES);
  observer.size = sizeof observer - 1;
  CHECK(rac_subscribe_batches(never, 1, 1, NULL, &observer) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  /* Too small to have said where destroy is. */
  CHECK_INT(t.destroyed, 0);
  batch_recorder_destroy(observer.context);
  observer = batch_recorder_observer(&t, VALUES);
  observer.size = sizeof observer + 64; /* of a later version */
  owned rac_disposable *d = rac_subscribe_batches(never, 1, 1, NULL, &observer);
  CHECK(d != NULL);
  rac_dispose(d);
}

/* ---- Lifetimes ---------------------------------------------------------- */

/* Law 7: it is silent, whatever has gathered. */
TEST(a_disposal_drops_what_has_gathered) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  for (int i = 0; i < 2; i++) {
    owned rac_subject *subject = rac_subject_create();
    uint64_t before = rac_live_objects();
    batch_recorder t = {0};
    record_batches(as_signal(subject), 10, i ? 1 : INFINITY, v, &t);
    rac_value text = rac_value_string_copy("text", 4);
    for (int j = 0; j < 5; j++) rac_subject_send(subject, text);
    rac_value_release(text);
    CHECK(rac_live_objects() > before);
    rac_dispose(t.subscription);
    await_batch_end(&t);
    /* The timer and what it holds go with the subscription, not later. */
    CHECK_INT(rac_live_objects(), before);
    rac_virtual_advance_to(v, 10 * (i + 1));
    CHECK_TEXT(t.text, "");
  }
}

static void dispose_now(batch_recorder *self, size_t count) {
  (void)count;
  rac_dispose(self->subscription);
}

TEST(a_callback_disposes_its_own_subscription) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  int64_t numbers[] = {1, 2, 3, 4, 5};
  for (int i = 0; i < 4; i++) {
    owned rac_subject *subject = rac_subject_create();
    batch_recorder t = {.on_batch = dispose_now};
    record_batches_as(as_signal(subject), i < 2 ? 2 : 10, i % 2 ? 1 : INFINITY,
                      v, &t, INT64S);
    CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, 5),
                 RAC_OK);
    rac_virtual_step_all(v);
    if (i == 2) rac_subject_send_completed(subject);
    CHECK_TEXT(t.text, i < 2 ? "[1 2]" : "[1 2 3 4 5]");
    await_batch_end(&t);
    CHECK_INT(rac_subject_subscriber_count(subject), 0);
  }
}

TEST(a_disposal_while_an_end_delivers_keeps_the_end_back) {
  owned rac_subject *subject = rac_subject_create();
  batch_recorder t = {.on_batch = dispose_now};
  record_batches(as_signal(subject), 10, INFINITY, NULL, &t);
  play(subject, "1 |");
  CHECK_TEXT(t.text, "[1]");
  CHECK_INT(t.ends, 0);
  await_batch_end(&t);
}

static void send_more(batch_recorder *self, size_t count) {
  int64_t numbers[] = {10, 20, 30};
  (void)count;
  if (self->batches == 1)
    CHECK_STATUS(
        rac_subject_send_array(self->user, RAC_ARRAY_INT64S, numbers, 3),
        RAC_QUEUED);
}

TEST(what_a_callback_sends_is_in_a_later_batch) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  int64_t numbers[] = {1, 2, 3};
  for (int i = 0; i < 2; i++) {
    owned rac_subject *subject = rac_subject_create();
    batch_recorder t = {.on_batch = send_more, .user = subject};
    record_batches(as_signal(subject), 2, i ? 1 : INFINITY, v, &t);
    CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, 3),
                 RAC_OK);
    rac_subject_send_completed(subject);
    CHECK_TEXT(t.text, "[1 2] [10 20] [30 3] |");
    await_batch_end(&t);
  }
}

static void release_now(batch_recorder *self, size_t count) {
  (void)count;
  if (self->user) rac_release(self->user);
  self->user = NULL;
}

TEST(the_last_reference_goes_inside_a_batch) {
  int64_t numbers[] = {1, 2, 3, 4, 5};
  owned rac_scheduler *v = rac_scheduler_virtual();
  for (int i = 0; i < 2; i++) {
    rac_subject *subject = rac_subject_create();
    batch_recorder t = {.on_batch = release_now, .user = subject};
    record_batches(as_signal(subject), 2, i ? 1 : INFINITY, v, &t);
    CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, 5),
                 RAC_OK);
    CHECK_TEXT(t.text, "[1 2] [3 4]");
    /* Nobody can send any more: what waits for a time still comes. */
    rac_virtual_step_all(v);
    CHECK_TEXT(t.text, i ? "[1 2] [3 4] [5]" : "[1 2] [3 4]");
    await_batch_end(&t);
  }
}

TEST(a_released_scheduler_lets_its_timers_go) {
  rac_scheduler *v = rac_scheduler_virtual();
  owned rac_subject *subject = rac_subject_create();
  batch_recorder t = {0};
  record_batches(as_signal(subject), 2, 1, v, &t);
  play(subject, "1");
  rac_release(v);
  play(subject, "2 3 |");
  CHECK_TEXT(t.text, "[1 2] [3] |");
  await_batch_end(&t);
}

TEST(a_subscription_lives_without_its_handles) {
  owned rac_subject *subject = rac_subject_create();
  batch_recorder t = {0};
  rac_signal *tens = rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  record_batches(tens, 2, INFINITY, NULL, &t);
  rac_release(tens);
  rac_release(t.subscription);
  t.subscription = NULL;
  play(subject, "1 2 3 |");
  CHECK_TEXT(t.text, "[10 20] [30] |");
  await_batch_end(&t);
}

/* ---- Threads ------------------------------------------------------------ */

enum { SENDERS = 2 };

typedef struct sender {
  rac_subject *subject;
  int64_t rounds;
} sender;

static void *send_ones(void *argument) {
  sender *self = argument;
  int64_t ones[7] = {1, 1, 1, 1, 1, 1, 1};
  for (int64_t i = 0; i < self->rounds; i++) {
    CHECK(rac_subject_send_array(self->subject, RAC_ARRAY_INT64S, ones, 7) >=
          RAC_OK);
    CHECK(rac_subject_send(self->subject, I(1)) >= RAC_OK);
  }
  return NULL;
}

TEST(senders_and_timers_lose_nothing) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_subject *subject = rac_subject_create();
  batch_recorder by_time = {0}, by_count = {0};
  record_batches_as(as_signal(subject), 16, 0, background, &by_time, INT64S);
  record_batches_as(as_signal(subject), 5, INFINITY, NULL, &by_count, INT64S);
  sender s = {subject, check_scaled(20000)};
  pthread_t threads[SENDERS];
  for (int i = 0; i < SENDERS; i++) threads[i] = check_spawn(send_ones, &s);
  for (int i = 0; i < SENDERS; i++) check_join(threads[i]);
  rac_subject_send_completed(subject);
  await_batch_end(&by_time);
  await_batch_end(&by_count);
  int64_t expected = SENDERS * 8 * s.rounds;
  CHECK_INT(by_time.sum, expected);
  CHECK_INT(by_count.sum, expected);
  CHECK_INT(by_count.batches, (expected + 4) / 5);
  CHECK(by_time.largest <= 16);
}

typedef struct churn {
  rac_subject *subject;
  atomic_bool over;
} churn;

static void *send_until_over(void *argument) {
  churn *self = argument;
  int64_t numbers[100] = {0};
  while (!atomic_load(&self->over))
    CHECK(rac_subject_send_array(self->subject, RAC_ARRAY_INT64S, numbers,
                                 100) >= RAC_OK);
  return NULL;
}

TEST(batch_subscriptions_come_and_go_while_others_send) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  churn c = {.subject = rac_subject_create()};
  pthread_t thread = check_spawn(send_until_over, &c);
  for (int64_t i = check_scaled(3000); i > 0; i--) {
    batch_recorder t = {0};
    record_batches_as(as_signal(c.subject), (size_t)(i % 3 ? 64 : 100000),
                      i % 2 ? 0 : INFINITY, background, &t, (int)(i % 3));
    if (i % 8 == 0 && i % 3) WAIT_UNTIL(atomic_load(&t.batches) > 0);
    rac_dispose_and_wait(t.subscription, -1);
    CHECK_INT(atomic_load(&t.destroyed), 1);
    rac_release(t.subscription);
  }
  atomic_store(&c.over, true);
  check_join(thread);
  rac_release(c.subject);
}
