/* Signals that do something for each subscriber: the constant ones, defer,
 * from_values, start eagerly and lazily, interval, and reading them blockingly.
 */
#include "check.h"

TEST(constant_signals) {
  CHECK_SIGNAL(rac_signal_empty(), "|");
  CHECK_SIGNAL(rac_signal_never(), "");
  CHECK_SIGNAL(rac_signal_return(I(5)), "5 |");
  CHECK_SIGNAL(rac_signal_return(rac_value_nil()), "nil |");
  rac_value error = test_error(3);
  CHECK_SIGNAL(rac_signal_error(error), "!3");
  rac_value_release(error);
  CHECK_SIGNAL(rac_signal_error(rac_value_nil()), "!nil");
}

TEST(constant_signals_serve_any_number_of_subscribers) {
  rac_signal *signal = rac_signal_return(I(1));
  recorder r[3] = {{0}, {0}, {0}};
  for (int i = 0; i < 3; i++) {
    record(signal, &r[i]);
    CHECK_EVENTS(&r[i], "1 |");
  }
  for (int i = 0; i < 3; i++) await_end(&r[i]);
  rac_release(signal);
}

TEST(from_values_sends_each_and_completes) {
  rac_value text = rac_value_string_copy("two", 3);
  rac_value values[] = {I(1), text, rac_value_nil()};
  rac_signal *signal = rac_signal_from_values(values, 3);
  rac_value_release(text);
  values[0] = I(9);
  for (int i = 0; i < 2; i++) {
    rac_retain(signal);
    CHECK_SIGNAL(signal, "1 two nil |");
  }
  rac_release(signal);
}

static void dispose_in_next(recorder *self, rac_value value) {
  if (value.bits == 2) rac_dispose(self->subscription);
}

static rac_status later(void *context, rac_subscriber *subscriber,
                        rac_disposable **out) {
  (void)out;
  rac_subscriber **keep = context_target(context);
  *keep = rac_retain(subscriber);
  return RAC_OK;
}

TEST(from_values_stops_at_a_disposal) {
  /* The disposal needs the subscription, so the values wait for a start. */
  rac_subscriber *start = NULL;
  rac_signal *gate =
      rac_signal_create(context_new(&start, NULL), later, context_destroy);
  rac_value values[] = {I(1), I(2), I(3)};
  rac_signal *signal = rac_signal_from_values(values, 3);
  rac_assign((void **)&signal, rac_signal_concat(gate, signal));
  recorder r = {.on_next = dispose_in_next};
  record(signal, &r);
  rac_subscriber_send_completed(start);
  CHECK_EVENTS(&r, "1 2");
  await_end(&r);
  rac_release(start);
  rac_release(gate);
  rac_release(signal);
}

/* ---- defer -------------------------------------------------------------- */

typedef struct deferral {
  int calls;
  rac_status status;
  const char *script; /* NULL: leaves *out alone */
} deferral;

static rac_status make_signal(void *context, rac_signal **out) {
  deferral *self = context_target(context);
  self->calls++;
  if (self->script) *out = cold(self->script, NULL);
  return self->status;
}

static rac_signal *defer(deferral *self) {
  return rac_signal_defer(context_new(self, NULL), make_signal,
                          context_destroy);
}

TEST(defer_asks_for_a_signal_at_each_subscription) {
  deferral d = {0, RAC_OK, "1 2 |"};
  rac_signal *signal = defer(&d);
  CHECK_INT(d.calls, 0);
  rac_retain(signal);
  CHECK_SIGNAL(signal, "1 2 |");
  CHECK_INT(d.calls, 1);
  CHECK_SIGNAL(signal, "1 2 |");
  CHECK_INT(d.calls, 2);
}

TEST(defer_without_a_signal_is_empty) {
  deferral d = {0, RAC_OK, NULL};
  CHECK_SIGNAL(defer(&d), "|");
}

TEST(defer_may_fail) {
  deferral d = {0, -42, NULL};
  CHECK_SIGNAL(defer(&d), "!-42");
  d.script = "1 |"; /* given all the same: released */
  CHECK_SIGNAL(defer(&d), "!-42");
}

/* ---- start -------------------------------------------------------------- */

typedef struct work {
  rac_scheduler *expected;
  atomic_int runs;
  rac_status status;
  const char *script;
} work;

static rac_status do_work(void *context, rac_subscriber *subscriber) {
  work *self = context_target(context);
  atomic_fetch_add(&self->runs, 1);
  rac_scheduler *current = rac_scheduler_current();
  CHECK(current == self->expected);
  rac_release(current);
  for (const char *c = self->script; *c; c++) {
    if (*c == '|') rac_subscriber_send_completed(subscriber);
    if (*c >= '0' && *c <= '9') rac_subscriber_send(subscriber, I(*c - '0'));
  }
  return self->status;
}

TEST(start_eagerly_works_without_a_subscriber) {
  rac_scheduler *v = rac_scheduler_virtual();
  work w = {v, 0, RAC_OK, "12|"};
  rac_signal *signal = rac_signal_start_eagerly(v, context_new(&w, NULL),
                                                do_work, context_destroy);
  CHECK_INT(w.runs, 0);
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 1);
  recorder a = {0}, b = {0};
  record(signal, &a);
  record(signal, &b);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&a, "1 2 |");
  CHECK_EVENTS(&b, "1 2 |");
  CHECK_INT(w.runs, 1);
  await_end(&a);
  await_end(&b);
  rac_release(signal);
  rac_release(v);
}

TEST(start_lazily_waits_for_the_first_subscriber) {
  rac_scheduler *v = rac_scheduler_virtual();
  work w = {v, 0, RAC_OK, "12|"};
  rac_signal *signal = rac_signal_start_lazily(v, context_new(&w, NULL),
                                               do_work, context_destroy);
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 0);
  recorder r[3] = {{0}, {0}, {0}};
  for (int i = 0; i < 3; i++) record(signal, &r[i]);
  CHECK_EVENTS(&r[0], "");
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 1);
  for (int i = 0; i < 3; i++) {
    CHECK_EVENTS(&r[i], "1 2 |");
    await_end(&r[i]);
  }
  rac_release(signal);
  rac_release(v);
}

TEST(started_work_may_fail) {
  rac_scheduler *v = rac_scheduler_virtual();
  work w = {v, 0, -9, "1"};
  rac_signal *signal = rac_signal_start_lazily(v, context_new(&w, NULL),
                                               do_work, context_destroy);
  recorder r = {0};
  record(signal, &r);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&r, "1 !-9");
  await_end(&r);
  rac_release(signal);
  rac_release(v);
}

TEST(started_work_is_not_cancelled_by_its_subscribers) {
  rac_scheduler *v = rac_scheduler_virtual();
  work w = {v, 0, RAC_OK, "1|"};
  rac_signal *signal = rac_signal_start_eagerly(v, context_new(&w, NULL),
                                                do_work, context_destroy);
  recorder r = {0};
  record(signal, &r);
  finish(&r);
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 1);
  CHECK_EVENTS(&r, "");
  rac_release(signal);
  rac_release(v);
}

TEST(started_work_that_never_ran_is_destroyed) {
  rac_scheduler *v = rac_scheduler_virtual();
  work w = {v, 0, RAC_OK, "1|"};
  atomic_int destroyed = 0;
  rac_signal *signal = rac_signal_start_lazily(v, context_new(&w, &destroyed),
                                               do_work, context_destroy);
  rac_release(signal);
  CHECK_INT(destroyed, 1);
  CHECK_INT(w.runs, 0);
  rac_release(v);
}

/* ---- interval ----------------------------------------------------------- */

TEST(interval_counts_the_time) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *signal = rac_signal_interval(v, 0.5);
  recorder r = {.clock = v};
  record(signal, &r);
  rac_virtual_advance_to(v, 0.4);
  CHECK_EVENTS(&r, "");
  rac_virtual_advance_to(v, 1.6);
  CHECK_EVENTS(&r, "0.5:0 1:1 1.5:2");
  rac_dispose(r.subscription);
  rac_virtual_advance_to(v, 10);
  CHECK_EVENTS(&r, "0.5:0 1:1 1.5:2");
  await_end(&r);
  rac_release(signal);
  rac_release(v);
}

TEST(each_subscriber_of_an_interval_has_its_own) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *signal = rac_signal_interval(v, 1);
  rac_assign((void **)&signal, rac_signal_take(signal, 2));
  recorder a = {.clock = v}, b = {.clock = v};
  record(signal, &a);
  rac_virtual_advance_to(v, 0.5);
  record(signal, &b);
  rac_virtual_advance_to(v, 5);
  CHECK_EVENTS(&a, "1:0 2:1 2:|");
  CHECK_EVENTS(&b, "1.5:0 2.5:1 2.5:|");
  await_end(&a);
  await_end(&b);
  rac_release(signal);
  rac_release(v);
}

typedef struct ending {
  atomic_int started;
  rac_disposable *subscription;
} ending;

static void *dispose_soon(void *argument) {
  ending *self = argument;
  while (atomic_load_explicit(&self->started, memory_order_relaxed) == 0) {
  }
  rac_dispose(self->subscription);
  return NULL;
}

/* Relaxed, so that nothing but the library orders the disposal after the start,
 * which is the doing of the thread that sends. */
TEST(an_interval_may_be_disposed_while_it_starts) {
  rac_scheduler *s = rac_scheduler_background(0, NULL);
  rac_signal *interval = rac_signal_interval(s, 3600);
  rac_value value = rac_value_signal(interval);
  for (int64_t i = check_scaled(20); i > 0; i--) {
    rac_subject *subject = rac_subject_create();
    rac_signal *flat = rac_signal_flatten(rac_subject_as_signal(subject), 0);
    ending e = {0, NULL};
    e.subscription = rac_subscribe_next(flat, NULL, NULL, NULL);
    pthread_t thread = check_spawn(dispose_soon, &e);
    rac_subject_send(subject, value);
    atomic_store_explicit(&e.started, 1, memory_order_relaxed);
    check_join(thread);
    rac_release(e.subscription);
    rac_release(flat);
    rac_release(subject);
  }
  rac_value_release(value);
  rac_release(interval);
  rac_release(s);
}

TEST(a_delay_may_be_disposed_while_it_schedules) {
  for (int64_t i = check_scaled(20); i > 0; i--) {
    rac_subject *subject = rac_subject_create();
    rac_signal *late = rac_signal_delay(rac_subject_as_signal(subject), 3600);
    ending e = {0, NULL};
    e.subscription = rac_subscribe_next(late, NULL, NULL, NULL);
    pthread_t thread = check_spawn(dispose_soon, &e);
    rac_subject_send(subject, I(1));
    atomic_store_explicit(&e.started, 1, memory_order_relaxed);
    check_join(thread);
    rac_release(e.subscription);
    rac_release(late);
    rac_release(subject);
  }
}

/* ---- Reading blockingly ------------------------------------------------- */

TEST(first_takes_the_first_value_and_disposes) {
  source counts = {0};
  rac_signal *signal = cold("5 6", &counts);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(signal, 0, &out), RAC_OK);
  CHECK_INT(out.bits, 5);
  CHECK_INT(counts.disposed, 1);
  rac_release(signal);
}

TEST(first_of_nothing_is_empty_and_of_an_error_the_error) {
  rac_signal *signal = rac_signal_empty();
  rac_value out = I(1);
  CHECK_STATUS(rac_signal_first(signal, -1, &out), RAC_EEMPTY);
  CHECK_INT(out.kind, RAC_NIL);
  rac_release(signal);
  signal = cold("!8", NULL);
  CHECK_STATUS(rac_signal_first(signal, -1, &out), RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(out), 8);
  rac_value_release(out);
  rac_release(signal);
}

TEST(blocking_reads_time_out) {
  rac_signal *never = rac_signal_never();
  rac_value out = I(1);
  CHECK_STATUS(rac_signal_first(never, 0.01, &out), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_to_array(never, 0.01, &out), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_wait_until_completed(never, 0.01, NULL),
               RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_first(never, 0, &out), RAC_ETIMEDOUT);
  rac_release(never);
}

TEST(to_array_collects_until_the_end) {
  rac_signal *signal = cold("1 nil 3 |", NULL);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_to_array(signal, -1, &out), RAC_OK);
  char text[40];
  format_value(out, text, sizeof text);
  CHECK_TEXT(text, "(1,nil,3)");
  rac_value_release(out);
  rac_assign((void **)&signal, cold("1 !4", NULL));
  CHECK_STATUS(rac_signal_to_array(signal, -1, &out), RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(out), 4);
  rac_value_release(out);
  rac_assign((void **)&signal, rac_signal_empty());
  CHECK_STATUS(rac_signal_to_array(signal, -1, &out), RAC_OK);
  CHECK_INT(rac_tuple_count(out), 0);
  rac_value_release(out);
  rac_release(signal);
}

TEST(wait_until_completed_reports_the_error) {
  rac_signal *signal = cold("1 |", NULL);
  rac_value error = rac_value_nil();
  CHECK_STATUS(rac_signal_wait_until_completed(signal, -1, &error), RAC_OK);
  rac_assign((void **)&signal, cold("1 !4", NULL));
  CHECK_STATUS(rac_signal_wait_until_completed(signal, -1, &error),
               RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(error), 4);
  rac_value_release(error);
  CHECK_STATUS(rac_signal_wait_until_completed(signal, -1, NULL), RAC_ESTREAM);
  rac_release(signal);
}

static void *read_elsewhere(void *signal) {
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(signal, -1, &out), RAC_OK);
  CHECK_INT(out.bits, 7);
  return NULL;
}

TEST(another_threads_value_ends_the_wait) {
  rac_subject *subject = rac_subject_create();
  pthread_t reader = check_spawn(read_elsewhere, subject);
  WAIT_UNTIL(rac_subject_subscriber_count(subject) == 1);
  play(subject, "7");
  check_join(reader);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  rac_release(subject);
}
