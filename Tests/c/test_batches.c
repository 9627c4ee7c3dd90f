/* Subscriptions that take their values in arrays. */
#include "operators.h"

#include <math.h>

/* ---- A subscriber that writes down its batches: "[1 2] [3] |" ------------ */

typedef struct taker taker;
struct taker {
  rac_scheduler *clock; /* when set, batches are written as time:[…] */
  void (*on_batch)(taker *self, size_t count);
  void *user;
  rac_disposable *subscription;
  atomic_int batches, values, ends, destroyed;
  atomic_int inside;
  size_t largest;
  int64_t sum;
  size_t used;
  char text[1024];
};

static void write_down(taker *self, const char *text) {
  size_t length = strlen(text);
  if (self->used + length >= sizeof self->text) return;
  memcpy(self->text + self->used, text, length + 1);
  self->used += length;
}

static taker *begin(void *context) {
  taker *self = context_target(context);
  if (atomic_fetch_add_explicit(&self->inside, 1, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "callbacks overlap");
  if (atomic_load_explicit(&self->ends, memory_order_relaxed) != 0)
    check_fail(__FILE__, __LINE__, "a callback after the end");
  char time[32] = "";
  if (self->clock)
    snprintf(time, sizeof time, "%g:", rac_scheduler_now(self->clock));
  if (self->used > 0) write_down(self, " ");
  write_down(self, time);
  return self;
}

static void end(taker *self) {
  atomic_fetch_sub_explicit(&self->inside, 1, memory_order_relaxed);
}

static void note(taker *self, size_t index, rac_value value) {
  char text[300] = " ";
  format_value(value, text + (index > 0), sizeof text - 1);
  write_down(self, text);
}

static void close_batch(taker *self, size_t count) {
  write_down(self, "]");
  CHECK(count > 0);
  if (count > self->largest) self->largest = count;
  atomic_fetch_add(&self->batches, 1);
  atomic_fetch_add(&self->values, (int)count);
  if (self->on_batch) self->on_batch(self, count);
  end(self);
}

static void take_values(void *context, const rac_value *values, size_t count) {
  taker *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++) {
    note(self, i, values[i]);
    self->sum += values[i].bits;
  }
  close_batch(self, count);
}

static void take_int64s(void *context, const int64_t *numbers, size_t count) {
  taker *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++) {
    note(self, i, I(numbers[i]));
    self->sum += numbers[i];
  }
  close_batch(self, count);
}

static void take_doubles(void *context, const double *numbers, size_t count) {
  taker *self = begin(context);
  write_down(self, "[");
  for (size_t i = 0; i < count; i++)
    note(self, i, rac_value_double(numbers[i]));
  close_batch(self, count);
}

static void take_error(void *context, rac_value error) {
  taker *self = begin(context);
  note(self, 0, error);
  end(self);
  atomic_fetch_add(&self->ends, 1);
}

static void take_completed(void *context) {
  taker *self = begin(context);
  write_down(self, "|");
  end(self);
  atomic_fetch_add(&self->ends, 1);
}

static void take_destroy(void *context) {
  taker *self = context_target(context);
  CHECK(atomic_load_explicit(&self->inside, memory_order_relaxed) == 0);
  atomic_int *destroyed = &self->destroyed;
  context_destroy(context);
  atomic_fetch_add(destroyed, 1);
}

enum { VALUES, INT64S, DOUBLES };

static rac_batch_observer observer_for(taker *self, int form) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = context_new(self, NULL);
  if (form == VALUES) observer.next_values = take_values;
  if (form == INT64S) observer.next_int64s = take_int64s;
  if (form == DOUBLES) observer.next_doubles = take_doubles;
  observer.error = take_error;
  observer.completed = take_completed;
  observer.destroy = take_destroy;
  return observer;
}

static void take_form(rac_signal *signal, size_t count, double interval,
                      rac_scheduler *scheduler, taker *self, int form) {
  rac_batch_observer observer = observer_for(self, form);
  self->subscription =
      rac_subscribe_batches(signal, count, interval, scheduler, &observer);
  CHECK(self->subscription != NULL);
}

static void take(rac_signal *signal, size_t count, double interval,
                 rac_scheduler *scheduler, taker *self) {
  take_form(signal, count, interval, scheduler, self, VALUES);
}

/* Waits until destroy has run by itself. */
static void await(taker *self) {
  WAIT_UNTIL(atomic_load(&self->destroyed) != 0);
  CHECK_INT(atomic_load(&self->destroyed), 1);
  rac_release(self->subscription);
}

static void stop(taker *self) {
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  await(self);
}

#define CHECK_BATCHES(signal, form, count, expected)                           \
  check_batches(__LINE__, signal, form, count, expected)
static void check_batches(int line, rac_signal *signal, int form, size_t count,
                          const char *expected) {
  /* With a time limit that never comes, and without one. */
  rac_scheduler *v = rac_scheduler_virtual();
  double intervals[] = {INFINITY, 1, 1e300};
  for (int i = 0; i < 3; i++) {
    taker t = {0};
    take_form(signal, count, intervals[i], v, &t, form);
    check_text(__FILE__, line, "the batches", t.text, expected);
    stop(&t);
  }
  rac_release(v);
  rac_release(signal);
}

/* ---- By count ----------------------------------------------------------- */

TEST(so_many_make_a_batch) {
  CHECK_BATCHES(cold("1 2 3 4 |", NULL), VALUES, 2, "[1 2] [3 4] |");
  CHECK_BATCHES(cold("1 2 3 4 |", NULL), INT64S, 2, "[1 2] [3 4] |");
  CHECK_BATCHES(cold("1 2 3 4 |", NULL), DOUBLES, 2, "[1 2] [3 4] |");
  CHECK_BATCHES(cold("1 2 |", NULL), INT64S, 1, "[1] [2] |");
  CHECK_BATCHES(cold("1 nil 2 |", NULL), VALUES, 3, "[1 nil 2] |");
}

TEST(a_completion_delivers_what_has_gathered) {
  CHECK_BATCHES(cold("1 2 3 |", NULL), VALUES, 2, "[1 2] [3] |");
  CHECK_BATCHES(cold("1 2 3 |", NULL), DOUBLES, 100, "[1 2 3] |");
  CHECK_BATCHES(cold("1 2 3 |", NULL), INT64S, RAC_BATCH_UNLIMITED,
                "[1 2 3] |");
  CHECK_BATCHES(cold("|", NULL), INT64S, 2, "|");
}

TEST(an_error_does_so_too) {
  CHECK_BATCHES(cold("1 2 3 !5", NULL), VALUES, 2, "[1 2] [3] !5");
  CHECK_BATCHES(cold("1 2 !5", NULL), INT64S, 2, "[1 2] !5");
  CHECK_BATCHES(cold("!5", NULL), DOUBLES, 2, "!5");
  CHECK_BATCHES(rac_signal_error(rac_value_nil()), VALUES, 2, "nil");
}

TEST(large_batches_grow) {
  size_t counts[] = {255, 256, 257, 1000, 5000, RAC_BATCH_UNLIMITED};
  enum { SENT = 3000 };
  int64_t numbers[SENT];
  for (int i = 0; i < SENT; i++) numbers[i] = i;
  for (int i = 0; i < 6; i++) {
    for (int form = VALUES; form <= INT64S; form++) {
      rac_subject *subject = rac_subject_create();
      taker t = {0};
      take_form(as_signal(subject), counts[i], INFINITY, NULL, &t, form);
      CHECK_STATUS(rac_subject_send_int64s(subject, numbers, SENT), RAC_OK);
      rac_subject_send_completed(subject);
      await(&t);
      CHECK_INT(t.values, SENT);
      CHECK_INT(t.largest, counts[i] < SENT ? counts[i] : SENT);
      CHECK_INT(t.sum, (int64_t)SENT * (SENT - 1) / 2);
      rac_release(subject);
    }
  }
}

/* ---- By time ------------------------------------------------------------ */

static void check_timed(int line, size_t count, double interval,
                        const char *const *events, const char *expected) {
  /* On a scheduler that is given, and on the one that is current when a value
   * arrives. */
  for (int given = 0; given < 2; given++) {
    rac_scheduler *v = rac_scheduler_virtual();
    rac_subject *subject = rac_subject_create();
    taker t = {.clock = v};
    take(as_signal(subject), count, interval, given ? v : NULL, &t);
    for (int i = 0; events[i]; i++) play_at(v, i + 1, subject, events[i]);
    rac_virtual_advance_to(v, 100);
    check_text(__FILE__, line, "the batches", t.text, expected);
    stop(&t);
    rac_release(subject);
    rac_release(v);
  }
}
/* One event a second, from 1 on. */
#define CHECK_TIMED(count, interval, expected, ...)                            \
  check_timed(__LINE__, count, interval,                                       \
              (const char *const[]){__VA_ARGS__, NULL}, expected)

TEST(so_long_after_its_first_value_a_batch_is_delivered) {
  CHECK_TIMED(10, 1.5, "2.5:[1 2] 4.5:[3 4]", "1", "2", "3", "4");
  CHECK_TIMED(10, 0.5, "1.5:[1] 3.5:[2]", "1", "", "2");
  CHECK_TIMED(RAC_BATCH_UNLIMITED, 20, "21:[1 2 3]", "1", "2", "3");
  CHECK_TIMED(10, 1e300, "3:[1 2] 3:|", "1", "2", "|");
}

TEST(a_full_batch_does_not_wait) {
  CHECK_TIMED(2, 1.5, "2:[1 2] 4.5:[3]", "1", "2", "3");
  /* The time of the third value starts with it, not with the first. */
  CHECK_TIMED(2, 10, "1:[1 2] 12:[3]", "1 2", "3");
  CHECK_TIMED(1, 10, "1:[1] 2:[2]", "1", "2");
}

TEST(an_end_does_not_wait) {
  CHECK_TIMED(10, 5, "3:[1 2] 3:|", "1", "2", "|");
  CHECK_TIMED(10, 5, "3:[1 2] 3:!4", "1", "2", "!4");
  CHECK_TIMED(10, 0.5, "1.5:[1] 2:|", "1", "|");
}

TEST(no_time_gathers_until_the_schedulers_turn) {
  CHECK_TIMED(10, 0, "1:[1 2 3] 2:[4]", "1 2 3", "4");
  CHECK_TIMED(2, 0, "1:[1 2] 1:[3]", "1 2 3");
}

TEST(without_a_scheduler_there_is_a_background_one) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_subject *subject = rac_subject_create();
  taker t = {0};
  take_form(as_signal(subject), 1000, 0.001, background, &t, INT64S);
  play(subject, "1 2");
  WAIT_UNTIL(atomic_load(&t.values) == 2);
  stop(&t);
  rac_release(background);
  rac_release(subject);
}

static void *send_from_a_foreign_thread(void *subject) {
  rac_subject_send(subject, I(5));
  return NULL;
}

TEST(a_foreign_thread_need_not_have_a_scheduler) {
  rac_subject *subject = rac_subject_create();
  taker t = {0};
  take_form(as_signal(subject), 1000, 0.001, NULL, &t, INT64S);
  check_join(check_spawn(send_from_a_foreign_thread, subject));
  WAIT_UNTIL(atomic_load(&t.values) == 1);
  stop(&t);
  CHECK_TEXT(t.text, "[5]");
  rac_release(subject);
}

TEST(on_the_immediate_scheduler_every_value_comes_alone) {
  rac_scheduler *immediate = rac_scheduler_immediate();
  rac_subject *subject = rac_subject_create();
  taker t = {0};
  take(as_signal(subject), 10, 0.0001, immediate, &t);
  play(subject, "1 2 |");
  CHECK_TEXT(t.text, "[1] [2] |");
  await(&t);
  rac_release(subject);
}

/* ---- Kinds -------------------------------------------------------------- */

static void check_mixed(int line, int form, rac_value odd,
                        const char *expected) {
  rac_scheduler *v = rac_scheduler_virtual();
  for (int i = 0; i < 2; i++) {
    rac_subject *subject = rac_subject_create();
    taker t = {0};
    take_form(as_signal(subject), 10, i ? 1 : INFINITY, v, &t, form);
    rac_value values[] = {I(1), I(2), odd, I(3)};
    CHECK_STATUS(rac_subject_send_values(subject, values, 4), RAC_OK);
    rac_subject_send_completed(subject);
    check_text(__FILE__, line, "the batches", t.text, expected);
    CHECK_INT(rac_subject_subscriber_count(subject), 0);
    await(&t);
    rac_release(subject);
  }
  rac_release(v);
}

TEST(another_kind_among_numbers_ends_the_stream) {
  check_mixed(__LINE__, INT64S, rac_value_nil(), "[1 2] !-4");
  check_mixed(__LINE__, INT64S, rac_value_double(2), "[1 2] !-4");
  check_mixed(__LINE__, INT64S, rac_value_bool(true), "[1 2] !-4");
  check_mixed(__LINE__, DOUBLES, rac_value_nil(), "[1 2] !-4");
  check_mixed(__LINE__, DOUBLES, S("2"), "[1 2] !-4");
  check_mixed(__LINE__, DOUBLES, rac_value_bool(false), "[1 2] !-4");
}

TEST(integers_are_numbers_among_doubles) {
  check_mixed(__LINE__, DOUBLES, rac_value_double(2.5), "[1 2 2.5 3] |");
}

static double largest_double;
static void keep_double(void *context, const double *numbers, size_t count) {
  (void)context;
  if (count == 1) largest_double = numbers[0];
}

TEST(large_integers_become_the_nearest_double) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.next_doubles = keep_double;
  int64_t numbers[] = {INT64_MAX, INT64_MIN, (INT64_C(1) << 53) + 1};
  double expected[] = {0x1p63, -0x1p63, 0x1p53};
  rac_subject *subject = rac_subject_create();
  rac_disposable *d =
      rac_subscribe_batches(as_signal(subject), 1, INFINITY, NULL, &observer);
  for (int i = 0; i < 3; i++) {
    rac_subject_send(subject, I(numbers[i]));
    CHECK(largest_double == expected[i]);
  }
  rac_release(subject);
  rac_release(d);
}

TEST(what_was_only_lent_is_kept_until_its_batch) {
  rac_subject *subject = rac_subject_create();
  taker t = {0};
  take(as_signal(subject), 3, INFINITY, NULL, &t);
  char text[] = "one";
  rac_subject_send(subject, S(text));
  strcpy(text, "two");
  rac_subject_send(subject, S(text));
  rac_value owned = rac_value_string_copy("three", 5);
  rac_subject_send(subject, owned);
  rac_value_release(owned);
  CHECK_TEXT(t.text, "[one two three]");
  stop(&t);
  rac_release(subject);
}

TEST(who_wants_ends_only_hears_ends_only) {
  taker t = {0};
  rac_signal *signal = cold("1 2 3 |", NULL);
  rac_batch_observer observer = observer_for(&t, -1);
  t.subscription = rac_subscribe_batches(signal, 2, INFINITY, NULL, &observer);
  CHECK_TEXT(t.text, "|");
  await(&t);
  rac_batch_observer nothing = RAC_BATCH_OBSERVER_INIT;
  rac_disposable *d = rac_subscribe_batches(signal, 2, 1, NULL, &nothing);
  CHECK(d != NULL);
  rac_release(d);
  rac_release(signal);
}

/* ---- Arguments ---------------------------------------------------------- */

TEST(wrong_arguments_destroy_the_context_once) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *never = rac_signal_never();
  rac_signal *gone = rac_signal_never();
  rac_release(gone);
  double bad[] = {-1, -1e-9, -INFINITY, NAN, -NAN};
  rac_batch_observer observer;
#define REFUSED(code, signal, count, interval, scheduler)                      \
  do {                                                                         \
    taker t = {0};                                                             \
    observer = observer_for(&t, VALUES);                                       \
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
  rac_release(never);
  rac_release(v);
}

TEST(two_functions_for_values_are_refused) {
  rac_signal *never = rac_signal_never();
  for (int without = VALUES; without <= DOUBLES + 1; without++) {
    taker t = {0};
    rac_batch_observer observer = observer_for(&t, -1);
    if (without != VALUES) observer.next_values = take_values;
    if (without != INT64S) observer.next_int64s = take_int64s;
    if (without != DOUBLES) observer.next_doubles = take_doubles;
    rac_clear_last_error();
    CHECK(rac_subscribe_batches(never, 1, 1, NULL, &observer) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    CHECK_INT(t.destroyed, 1);
  }
  rac_release(never);
}

TEST(an_observer_says_its_size) {
  rac_signal *never = rac_signal_never();
  rac_clear_last_error();
  CHECK(rac_subscribe_batches(never, 1, 1, NULL, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  taker t = {0};
  rac_batch_observer observer = observer_for(&t, VALUES);
  observer.size = sizeof observer - 1;
  CHECK(rac_subscribe_batches(never, 1, 1, NULL, &observer) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  /* Too small to have said where destroy is. */
  CHECK_INT(t.destroyed, 0);
  take_destroy(observer.context);
  observer = observer_for(&t, VALUES);
  observer.size = sizeof observer + 64; /* of a later version */
  rac_disposable *d = rac_subscribe_batches(never, 1, 1, NULL, &observer);
  CHECK(d != NULL);
  rac_dispose(d);
  rac_release(d);
  rac_release(never);
}

/* ---- Lifetimes ---------------------------------------------------------- */

TEST(a_disposal_drops_what_has_gathered) {
  rac_scheduler *v = rac_scheduler_virtual();
  for (int i = 0; i < 2; i++) {
    rac_subject *subject = rac_subject_create();
    uint64_t before = rac_live_objects();
    taker t = {0};
    take(as_signal(subject), 10, i ? 1 : INFINITY, v, &t);
    rac_value text = rac_value_string_copy("text", 4);
    for (int j = 0; j < 5; j++) rac_subject_send(subject, text);
    rac_value_release(text);
    CHECK(rac_live_objects() > before);
    rac_dispose(t.subscription);
    await(&t);
    /* The timer and what it holds go with the subscription, not later. */
    CHECK_INT(rac_live_objects(), before);
    rac_virtual_advance_to(v, 10 * (i + 1));
    CHECK_TEXT(t.text, "");
    rac_release(subject);
  }
  rac_release(v);
}

static void dispose_now(taker *self, size_t count) {
  (void)count;
  rac_dispose(self->subscription);
}

TEST(a_callback_disposes_its_own_subscription) {
  rac_scheduler *v = rac_scheduler_virtual();
  int64_t numbers[] = {1, 2, 3, 4, 5};
  for (int i = 0; i < 4; i++) {
    rac_subject *subject = rac_subject_create();
    taker t = {.on_batch = dispose_now};
    take_form(as_signal(subject), i < 2 ? 2 : 10, i % 2 ? 1 : INFINITY, v, &t,
              INT64S);
    CHECK_STATUS(rac_subject_send_int64s(subject, numbers, 5), RAC_OK);
    rac_virtual_step_all(v);
    if (i == 2) rac_subject_send_completed(subject);
    CHECK_TEXT(t.text, i < 2 ? "[1 2]" : "[1 2 3 4 5]");
    await(&t);
    CHECK_INT(rac_subject_subscriber_count(subject), 0);
    rac_release(subject);
  }
  rac_release(v);
}

TEST(a_disposal_while_an_end_delivers_keeps_the_end_back) {
  rac_subject *subject = rac_subject_create();
  taker t = {.on_batch = dispose_now};
  take(as_signal(subject), 10, INFINITY, NULL, &t);
  play(subject, "1 |");
  CHECK_TEXT(t.text, "[1]");
  CHECK_INT(t.ends, 0);
  await(&t);
  rac_release(subject);
}

static void send_more(taker *self, size_t count) {
  int64_t numbers[] = {10, 20, 30};
  (void)count;
  if (self->batches == 1)
    CHECK_STATUS(rac_subject_send_int64s(self->user, numbers, 3), RAC_QUEUED);
}

TEST(what_a_callback_sends_is_in_a_later_batch) {
  rac_scheduler *v = rac_scheduler_virtual();
  int64_t numbers[] = {1, 2, 3};
  for (int i = 0; i < 2; i++) {
    rac_subject *subject = rac_subject_create();
    taker t = {.on_batch = send_more, .user = subject};
    take(as_signal(subject), 2, i ? 1 : INFINITY, v, &t);
    CHECK_STATUS(rac_subject_send_int64s(subject, numbers, 3), RAC_OK);
    rac_subject_send_completed(subject);
    CHECK_TEXT(t.text, "[1 2] [10 20] [30 3] |");
    await(&t);
    rac_release(subject);
  }
  rac_release(v);
}

static void release_now(taker *self, size_t count) {
  (void)count;
  if (self->user) rac_release(self->user);
  self->user = NULL;
}

TEST(the_last_reference_goes_inside_a_batch) {
  int64_t numbers[] = {1, 2, 3, 4, 5};
  rac_scheduler *v = rac_scheduler_virtual();
  for (int i = 0; i < 2; i++) {
    rac_subject *subject = rac_subject_create();
    taker t = {.on_batch = release_now, .user = subject};
    take(as_signal(subject), 2, i ? 1 : INFINITY, v, &t);
    CHECK_STATUS(rac_subject_send_int64s(subject, numbers, 5), RAC_OK);
    CHECK_TEXT(t.text, "[1 2] [3 4]");
    /* Nobody can send any more: what waits for a time still comes. */
    rac_virtual_step_all(v);
    CHECK_TEXT(t.text, i ? "[1 2] [3 4] [5]" : "[1 2] [3 4]");
    await(&t);
  }
  rac_release(v);
}

TEST(a_released_scheduler_lets_its_timers_go) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  taker t = {0};
  take(as_signal(subject), 2, 1, v, &t);
  play(subject, "1");
  rac_release(v);
  play(subject, "2 3 |");
  CHECK_TEXT(t.text, "[1 2] [3] |");
  await(&t);
  rac_release(subject);
}

TEST(a_subscription_lives_without_its_handles) {
  rac_subject *subject = rac_subject_create();
  taker t = {0};
  rac_signal *tens = rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  take(tens, 2, INFINITY, NULL, &t);
  rac_release(tens);
  rac_release(t.subscription);
  t.subscription = NULL;
  play(subject, "1 2 3 |");
  CHECK_TEXT(t.text, "[10 20] [30] |");
  await(&t);
  rac_release(subject);
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
    CHECK(rac_subject_send_int64s(self->subject, ones, 7) >= RAC_OK);
    CHECK(rac_subject_send(self->subject, I(1)) >= RAC_OK);
  }
  return NULL;
}

TEST(senders_and_timers_lose_nothing) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_subject *subject = rac_subject_create();
  taker by_time = {0}, by_count = {0};
  take_form(as_signal(subject), 16, 0, background, &by_time, INT64S);
  take_form(as_signal(subject), 5, INFINITY, NULL, &by_count, INT64S);
  sender s = {subject, check_scaled(20000)};
  pthread_t threads[SENDERS];
  for (int i = 0; i < SENDERS; i++) threads[i] = check_spawn(send_ones, &s);
  for (int i = 0; i < SENDERS; i++) check_join(threads[i]);
  rac_subject_send_completed(subject);
  await(&by_time);
  await(&by_count);
  int64_t expected = SENDERS * 8 * s.rounds;
  CHECK_INT(by_time.sum, expected);
  CHECK_INT(by_count.sum, expected);
  CHECK_INT(by_count.batches, (expected + 4) / 5);
  CHECK(by_time.largest <= 16);
  rac_release(subject);
  rac_release(background);
}

typedef struct churn {
  rac_subject *subject;
  atomic_bool over;
} churn;

static void *send_until_over(void *argument) {
  churn *self = argument;
  int64_t numbers[100] = {0};
  while (!atomic_load(&self->over))
    CHECK(rac_subject_send_int64s(self->subject, numbers, 100) >= RAC_OK);
  return NULL;
}

TEST(batch_subscriptions_come_and_go_while_others_send) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  churn c = {.subject = rac_subject_create()};
  pthread_t thread = check_spawn(send_until_over, &c);
  for (int64_t i = check_scaled(3000); i > 0; i--) {
    taker t = {0};
    take_form(as_signal(c.subject), (size_t)(i % 3 ? 64 : 100000),
              i % 2 ? 0 : INFINITY, background, &t, (int)(i % 3));
    if (i % 8 == 0 && i % 3) WAIT_UNTIL(atomic_load(&t.batches) > 0);
    rac_dispose_and_wait(t.subscription, -1);
    CHECK_INT(atomic_load(&t.destroyed), 1);
    rac_release(t.subscription);
  }
  atomic_store(&c.over, true);
  check_join(thread);
  rac_release(c.subject);
  rac_release(background);
}
