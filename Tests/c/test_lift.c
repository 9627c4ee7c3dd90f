/* Lifted functions: bad input, how they end, and several threads. */
#include "operators.h"

typedef struct calls {
  rac_disposable *subscription;
  rac_subject *subject;
  rac_status status;
  atomic_int count, inside;
  int64_t last;
} calls;

/* The sum of its arguments. */
static rac_status sum(void *context, const rac_value *arguments, size_t count,
                      rac_value *out) {
  calls *self = context_target(context);
  int64_t total = 0;
  if (atomic_fetch_add(&self->inside, 1) != 0)
    check_fail(__FILE__, __LINE__, "calls overlap");
  for (size_t i = 0; i < count; i++) total += arguments[i].bits;
  atomic_fetch_add(&self->count, 1);
  self->last = total;
  *out = I(total);
  atomic_fetch_sub(&self->inside, 1);
  return self->status;
}

/* ---- Bad input ---------------------------------------------------------- */

static void check_not_lifted(rac_signal *const *signals, size_t count,
                             rac_reduce_each_fn function, rac_status status) {
  atomic_int destroyed = 0;
  rac_disposable *subscription = (rac_disposable *)&destroyed;
  rac_clear_last_error();
  CHECK(rac_lift(signals, count, &subscription, context_new(NULL, &destroyed),
                 function, context_destroy) == NULL);
  CHECK(subscription == NULL);
  CHECK_STATUS(rac_last_error_code(), status);
  CHECK_TEXT(rac_last_error_function(), "rac_lift");
  CHECK_INT(atomic_load(&destroyed), 1);
}

TEST(lifting_what_will_not_do) {
  rac_subject *subject = rac_subject_create(), *gone = rac_subject_create();
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  rac_release(gone);
  rac_signal *good[] = {as_signal(subject), as_signal(subject)};
  rac_signal *null[] = {as_signal(subject), NULL};
  rac_signal *stale[] = {as_signal(subject), as_signal(gone)};
  rac_signal *other[] = {as_signal(scheduler), as_signal(subject)};
  check_not_lifted(good, 2, NULL, RAC_ENULL);
  check_not_lifted(NULL, 2, sum, RAC_ENULL);
  check_not_lifted(null, 2, sum, RAC_ENULL);
  check_not_lifted(stale, 2, sum, RAC_ESTALE);
  check_not_lifted(other, 2, sum, RAC_EKIND);
  check_not_lifted(good, SIZE_MAX, sum, RAC_ENOMEM);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  rac_release(subject);
}

TEST(arguments_that_will_not_do) {
  rac_subject *gone = rac_subject_create();
  atomic_int destroyed = 0;
  rac_disposable *subscription = (rac_disposable *)&destroyed;
  rac_release(gone);
  rac_clear_last_error();
  CHECK(rac_lift_arguments(as_signal(gone), &subscription,
                           context_new(NULL, &destroyed), sum,
                           context_destroy) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  CHECK(subscription == NULL);
  /* A chain that broke before says what broke it. */
  CHECK(rac_lift_arguments(NULL, NULL, context_new(NULL, &destroyed), sum,
                           context_destroy) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  CHECK_INT(atomic_load(&destroyed), 2);
}

TEST(lifting_nothing_completes_without_a_call) {
  calls self = {0};
  CHECK_SIGNAL(rac_lift(NULL, 0, NULL, CALLBACK_FOR(&self, sum)), "|");
  CHECK_INT(atomic_load(&self.count), 0);
}

TEST(a_chain_that_is_too_deep) {
  rac_signal *deep = rac_signal_never();
  while (deep) APPLY(deep, skip, 1);
  CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
  owned rac_signal *almost = rac_signal_never();
  for (int i = 0; i < 4095; i++) APPLY(almost, skip, 1);
  CHECK(almost != NULL);
  check_not_lifted(&almost, 1, sum, RAC_ERANGE);
}

/* ---- Ends --------------------------------------------------------------- */

TEST(a_value_that_is_no_tuple) {
  calls self = {0};
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *results =
      rac_lift_arguments(as_signal(subject), NULL, CALLBACK_FOR(&self, sum));
  rac_value pair[] = {I(1), I(2)}, tuple = rac_value_tuple(pair, 2);
  RECORDER(r, results);
  rac_subject_send(subject, tuple);
  rac_subject_send(subject, I(3));
  CHECK_EVENTS(&r, "3 #-5004");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  rac_value_release(tuple);
}

TEST(a_function_that_fails) {
  calls self = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {as_signal(subject)};
  rac_signal *results = rac_lift(signals, 1, NULL, CALLBACK_FOR(&self, sum));
  rac_subject_send(subject, I(1));
  self.status = -9;
  rac_subject_send(subject, I(2));
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  CHECK_INT(context_count(), 0);
  CHECK_SIGNAL(results, "1 #-9");
}

static rac_status forge(void *context, const rac_value *arguments, size_t count,
                        rac_value *out) {
  (void)context_target(context);
  (void)arguments;
  (void)count;
  *out = (rac_value){RAC_TUPLE, 0, 0, 0, 64};
  return RAC_OK;
}

TEST(a_result_that_is_no_value) {
  rac_signal *signals[] = {cold("1 2 |", NULL)};
  CHECK_SIGNAL(rac_lift(signals, 1, NULL, CALLBACK(forge)), "#-5004");
  rac_release(signals[0]);
}

TEST(an_error_and_completions) {
  calls self = {0};
  owned rac_subject *a = rac_subject_create(), *b = rac_subject_create();
  rac_signal *signals[] = {as_signal(a), as_signal(b)};
  rac_signal *one = rac_lift(signals, 2, NULL, CALLBACK_FOR(&self, sum));
  play(a, "1 |");
  play(b, "2 3 |");
  CHECK_SIGNAL(one, "4 |");
  rac_signal *other = rac_lift(signals, 2, NULL, CALLBACK_FOR(&self, sum));
  play(a, "1");
  play(b, "2 #6");
  CHECK_INT(rac_subject_subscriber_count(a), 0);
  CHECK_SIGNAL(other, "3 #6");
}

/* The results are released: it goes on. Disposing ends it, without an event. */
TEST(it_lives_until_it_is_disposed) {
  calls self = {0};
  atomic_int destroyed = 0;
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {as_signal(subject)};
  owned rac_disposable *subscription = NULL;
  recorder r = {0};
  record_of(rac_lift(signals, 1, &subscription, context_new(&self, &destroyed),
                     sum, context_destroy),
            &r);
  play(subject, "1 2");
  CHECK_INT(atomic_load(&self.count), 2);
  CHECK(!rac_is_disposed(subscription));
  CHECK_STATUS(rac_dispose_and_wait(subscription, -1), RAC_OK);
  CHECK_INT(atomic_load(&destroyed), 1);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  play(subject, "3");
  CHECK_INT(atomic_load(&self.count), 2);
  await_end(&r);
  CHECK_EVENTS(&r, "1 2");
  CHECK(rac_is_disposed(subscription));
  CHECK_STATUS(rac_dispose(subscription), RAC_OK);
}

/* Nobody can call any more: it goes with its sources. */
TEST(it_goes_with_its_sources) {
  calls self = {0};
  rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {as_signal(subject)};
  rac_release(rac_lift(signals, 1, NULL, CALLBACK_FOR(&self, sum)));
  play(subject, "1");
  CHECK_INT(context_count(), 1);
  rac_release(subject);
  CHECK_INT(context_count(), 0);
}

/* ---- From inside the function ------------------------------------------- */

static rac_status dispose_inside(void *context, const rac_value *arguments,
                                 size_t count, rac_value *out) {
  calls *self = context_target(context);
  CHECK_INT(count, 1);
  atomic_fetch_add(&self->count, 1);
  CHECK_STATUS(rac_dispose_and_wait(self->subscription, -1), RAC_PENDING);
  (void)context_target(context);
  *out = arguments[0];
  return RAC_OK;
}

TEST(a_function_ends_itself) {
  calls self = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {as_signal(subject)};
  rac_signal *results = rac_lift(signals, 1, &self.subscription,
                                 CALLBACK_FOR(&self, dispose_inside));
  recorder r = {0};
  record(results, &r);
  play(subject, "1 2");
  CHECK_INT(atomic_load(&self.count), 1);
  CHECK_INT(context_count(), 1); /* the recorder's */
  CHECK_EVENTS(&r, "");
  rac_release(results);
  await_end(&r);
  rac_release(self.subscription);
}

static rac_status send_inside(void *context, const rac_value *arguments,
                              size_t count, rac_value *out) {
  calls *self = context_target(context);
  if (arguments[0].bits < 5)
    rac_subject_send(self->subject, I(arguments[0].bits + 1));
  return sum(context, arguments, count, out);
}

/* What it sends to its own signal comes after the call. */
TEST(a_function_sends_to_its_signal) {
  calls self = {.subject = rac_subject_create()};
  rac_signal *signals[] = {as_signal(self.subject)};
  rac_signal *results =
      rac_lift(signals, 1, NULL, CALLBACK_FOR(&self, send_inside));
  recorder r = {0};
  record(results, &r);
  play(self.subject, "1");
  CHECK_EVENTS(&r, "1 2 3 4 5");
  finish(&r);
  rac_release(results);
  rac_release(self.subject);
}

/* ---- Threads ------------------------------------------------------------ */

static void *send_up(void *argument) {
  int64_t count = check_scaled(50000);
  for (int64_t i = 1; i <= count; i++) rac_subject_send(argument, I(i));
  return NULL;
}

/* Calls follow one another, whichever threads send, and the last one has what
 * was sent last. */
TEST(signals_of_several_threads) {
  calls self = {0};
  owned rac_subject *a = rac_subject_create(), *b = rac_subject_create();
  rac_signal *signals[] = {as_signal(a), as_signal(b)};
  owned rac_disposable *subscription = NULL;
  rac_release(rac_lift(signals, 2, &subscription, CALLBACK_FOR(&self, sum)));
  pthread_t one = check_spawn(send_up, a), other = check_spawn(send_up, b);
  check_join(one);
  check_join(other);
  int64_t count = check_scaled(50000);
  WAIT_UNTIL(atomic_load(&self.count) > 0);
  play(a, "|");
  play(b, "|");
  WAIT_UNTIL(context_count() == 0);
  CHECK_INT(self.last, 2 * count);
  CHECK(atomic_load(&self.count) >= count);
}

/* After dispose_and_wait the function is not called, and its context gone. */
TEST(disposed_while_others_send) {
  int rounds = (int)check_scaled(200);
  for (int i = 0; i < rounds; i++) {
    calls *self = calloc(1, sizeof *self);
    atomic_int destroyed = 0;
    owned rac_subject *a = rac_subject_create();
    rac_signal *signals[] = {as_signal(a), as_signal(a)};
    owned rac_disposable *subscription = NULL;
    rac_release(rac_lift(signals, 2, &subscription,
                         context_new(self, &destroyed), sum, context_destroy));
    pthread_t sender = check_spawn(send_up, a);
    WAIT_UNTIL(atomic_load(&self->count) > i % 5);
    CHECK_STATUS(rac_dispose_and_wait(subscription, -1), RAC_OK);
    CHECK_INT(atomic_load(&destroyed), 1);
    free(self);
    check_join(sender);
  }
}
