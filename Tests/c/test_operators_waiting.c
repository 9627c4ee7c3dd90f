/* Operators with a clock: buffers, timeouts, samples, intervals; virtual time. */
#include "operators.h"

#include <math.h>

/* A subject, an operator on it, and a clock. */
typedef struct timed {
  rac_scheduler *v;
  rac_subject *subject;
  rac_signal *result;
  recorder heard;
} timed;

static void begin(timed *self) {
  self->v = rac_scheduler_virtual();
  self->subject = rac_subject_create();
  self->heard.clock = self->v;
}
/* Subscribes; then one event a second, from 1 on. */
static void run(timed *self, rac_signal *result, const char *const *events) {
  self->result = result;
  record(result, &self->heard);
  for (int i = 0; events && events[i]; i++)
    play_at(self->v, i + 1, self->subject, events[i]);
}
static void end(timed *self) {
  rac_virtual_advance_to(self->v, 100);
  finish(&self->heard);
  rac_release(self->result);
  rac_release(self->subject);
  rac_release(self->v);
}
#define EVENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define CHECK_RUN(expected, operator, ...)                                     \
  do {                                                                         \
    timed t = {0};                                                             \
    begin(&t);                                                                 \
    run(&t, operator, EVENTS(__VA_ARGS__));                                    \
    rac_virtual_advance_to(t.v, 100);                                          \
    CHECK_EVENTS(&t.heard, expected);                                          \
    end(&t);                                                                   \
  } while (0)

/* ---- bufferWithTime ----------------------------------------------------- */

#define BUFFER(seconds)                                                        \
  rac_signal_buffer_with_time(as_signal(t.subject), seconds, t.v)

TEST(buffer_gathers_from_the_first_value_on) {
  CHECK_RUN("2.5:(1,2) 5.5:(3,nil)", BUFFER(1.5), "1", "2", "", "3", "nil");
  CHECK_RUN("1.5:(1,2,3)", BUFFER(0.5), "1 2 3");
  CHECK_RUN("", BUFFER(1), "");
  CHECK_RUN("1:(1,2)", BUFFER(0), "1 2");
}

TEST(the_completion_sends_what_has_gathered) {
  CHECK_RUN("2:(1) 2:|", BUFFER(5), "1", "|");
  CHECK_RUN("1.5:(1) 2:|", BUFFER(0.5), "1", "|");
  CHECK_RUN("1:|", BUFFER(5), "|");
}

TEST(an_error_drops_what_has_gathered) {
  CHECK_RUN("2:!5", BUFFER(5), "1", "!5");
}

TEST(a_buffer_of_text_is_let_go_with_the_subscription) {
  timed t = {0};
  begin(&t);
  run(&t, BUFFER(5), NULL);
  rac_value text = rac_value_string_copy("text", 4);
  rac_subject_send(t.subject, text);
  rac_value_release(text);
  rac_dispose(t.heard.subscription);
  rac_virtual_advance_to(t.v, 50);
  CHECK_EVENTS(&t.heard, "");
  end(&t);
}

static void send_again(recorder *self, rac_value value) {
  (void)value;
  if (self->nexts == 1) play(self->user, "7");
}

TEST(a_value_from_below_a_buffer_starts_the_next_one) {
  timed t = {0};
  begin(&t);
  t.heard.on_next = send_again;
  t.heard.user = t.subject;
  run(&t, BUFFER(1), EVENTS("1"));
  rac_virtual_advance_to(t.v, 10);
  CHECK_EVENTS(&t.heard, "2:(1) 3:(7)");
  end(&t);
}

/* ---- throttle with a test ----------------------------------------------- */

static rac_status below_nine(void *context, rac_value value, bool *out) {
  (void)context_target(context);
  *out = value.bits < 9;
  return value.bits == 99 ? -99 : RAC_OK;
}

#define THROTTLE(seconds)                                                      \
  rac_signal_throttle_passing_test(as_signal(t.subject), seconds,              \
                                   CALLBACK(below_nine))

TEST(what_fails_the_test_is_sent_at_once) {
  CHECK_RUN("1.5:1 2.5:2", THROTTLE(0.5), "1", "2");
  CHECK_RUN("5.5:3", THROTTLE(2.5), "1", "2", "3");
  CHECK_RUN("3:10 5.5:4", THROTTLE(1.5), "1", "2", "10", "4");
  CHECK_RUN("1:10 1:11 2:|", THROTTLE(5), "10 11", "|");
  CHECK_RUN("2:1 2:|", THROTTLE(5), "1", "|");
  CHECK_RUN("2:!3", THROTTLE(5), "1", "!3");
  CHECK_RUN("1.1:1 3:|", THROTTLE(0.1), "1", "", "|");
}

TEST(a_failing_test_ends_the_stream) {
  CHECK_RUN("2:!-99", THROTTLE(5), "1", "99", "3");
}

static rac_status dispose_and_hold(void *context, rac_value value, bool *out) {
  recorder *r = context_target(context);
  (void)value;
  rac_dispose(r->subscription);
  *out = true;
  return RAC_OK;
}

TEST(a_test_may_dispose_its_subscription) {
  timed t = {0};
  begin(&t);
  run(&t,
      rac_signal_throttle_passing_test(
          as_signal(t.subject), 1, CALLBACK_FOR(&t.heard, dispose_and_hold)),
      EVENTS("1 2"));
  rac_virtual_advance_to(t.v, 10);
  CHECK_EVENTS(&t.heard, "");
  end(&t);
}

/* ---- sample ------------------------------------------------------------- */

TEST(sample_sends_the_latest_value_again_and_again) {
  rac_subject *source = rac_subject_create(), *sampler = rac_subject_create();
  rac_signal *s = rac_signal_sample(as_signal(source), as_signal(sampler));
  recorder r = {0};
  record(s, &r);
  play(sampler, "0");
  play(source, "1 2");
  CHECK_EVENTS(&r, "");
  play(sampler, "0");
  play(source, "3");
  play(sampler, "0 nil");
  play(source, "nil");
  play(sampler, "0");
  CHECK_EVENTS(&r, "2 3 3 nil");
  finish(&r);
  rac_release(s);
  rac_release(source);
  rac_release(sampler);
}

TEST(either_end_ends_a_sample) {
  const char *const ends[] = {"|", "!5"};
  for (int i = 0; i < 4; i++) {
    rac_subject *both[] = {rac_subject_create(), rac_subject_create()};
    rac_signal *s = rac_signal_sample(as_signal(both[0]), as_signal(both[1]));
    recorder r = {0};
    record(s, &r);
    play(both[0], "1");
    play(both[i / 2], ends[i % 2]);
    CHECK_EVENTS(&r, ends[i % 2]);
    CHECK_INT(rac_subject_subscriber_count(both[0]), 0);
    CHECK_INT(rac_subject_subscriber_count(both[1]), 0);
    await_end(&r);
    rac_release(s);
    rac_release(both[0]);
    rac_release(both[1]);
  }
}

/* ---- timeout ------------------------------------------------------------ */

#define TIMEOUT(seconds) rac_signal_timeout(as_signal(t.subject), seconds, t.v)

TEST(a_timeout_counts_from_the_subscription) {
  CHECK_RUN("1:1 2:2 2.5:!1", TIMEOUT(2.5), "1", "2", "3");
  CHECK_RUN("0:!1", TIMEOUT(0), "1");
}

TEST(a_source_that_ends_has_no_timeout) {
  CHECK_RUN("1:1 2:|", TIMEOUT(10), "1", "|");
  CHECK_RUN("1:1 2:!7", TIMEOUT(10), "1", "!7");
  CHECK_RUN("1:1 2:|", TIMEOUT(INFINITY), "1", "|");
}

TEST(a_timeout_says_so_and_disposes_the_source_first) {
  timed t = {0};
  begin(&t);
  run(&t, TIMEOUT(1), NULL);
  rac_signal *events = rac_signal_materialize(t.result);
  APPLY(events, take, 1);
  recorder other = {0};
  record(events, &other);
  CHECK_INT(rac_subject_subscriber_count(t.subject), 2);
  rac_virtual_advance_to(t.v, 1);
  CHECK_INT(rac_subject_subscriber_count(t.subject), 0);
  CHECK_EVENTS(&t.heard, "1:!1");
  CHECK_EVENTS(&other, "<!1> |");
  await_end(&other);
  rac_release(events);
  end(&t);
}

static void check_domain(void *context, rac_value error) {
  (void)context_target(context);
  CHECK_TEXT(rac_error_get_domain(error), "rac.signal");
  CHECK_INT(rac_error_get_code(error), RAC_SIGNAL_TIMED_OUT);
}

static rac_signal *with_domain(rac_signal *s) {
  APPLY(s, do_error, CALLBACK(check_domain));
  return s;
}

TEST(a_timeout_has_a_domain_and_a_code) {
  CHECK_RUN("1:!1", with_domain(TIMEOUT(1)), "");
}

TEST(a_disposed_timeout_is_silent) {
  timed t = {0};
  begin(&t);
  run(&t, TIMEOUT(1), NULL);
  rac_dispose(t.heard.subscription);
  rac_virtual_advance_to(t.v, 10);
  CHECK_EVENTS(&t.heard, "");
  end(&t);
}

/* ---- interval with leeway ----------------------------------------------- */

TEST(an_interval_with_leeway_is_exact_in_virtual_time) {
  timed t = {0};
  begin(&t);
  run(&t, rac_signal_interval_with_leeway(t.v, 1, 10), NULL);
  rac_virtual_advance_to(t.v, 3.5);
  CHECK_EVENTS(&t.heard, "1:0 2:1 3:2");
  end(&t);
}

TEST(an_interval_with_leeway_on_a_background_scheduler) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_signal *s = rac_signal_interval_with_leeway(background, 0.001, 0.002);
  APPLY(s, take, 3);
  recorder r = {0};
  record(s, &r);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  await_end(&r);
  CHECK_EVENTS(&r, "0 1 2 |");
  rac_release(s);
  rac_release(background);
}

/* ---- Arguments ---------------------------------------------------------- */

#define REFUSED(call)                                                          \
  do {                                                                         \
    rac_clear_last_error();                                                    \
    CHECK((call) == NULL);                                                     \
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);                           \
  } while (0)

TEST(times_are_checked) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_scheduler *immediate = rac_scheduler_immediate();
  rac_signal *never = rac_signal_never();
  const double bad[] = {-1, -1e-9, -INFINITY, NAN};
  for (int i = 0; i < 4; i++) {
    REFUSED(rac_signal_buffer_with_time(never, bad[i], v));
    REFUSED(rac_signal_timeout(never, bad[i], v));
    REFUSED(rac_signal_interval_with_leeway(v, bad[i], 0));
    REFUSED(rac_signal_interval_with_leeway(v, 1, bad[i]));
    REFUSED(
        rac_signal_throttle_passing_test(never, bad[i], CALLBACK(below_nine)));
  }
  REFUSED(rac_signal_interval_with_leeway(v, 0, 1));
  REFUSED(rac_signal_buffer_with_time(never, 1, immediate));
  REFUSED(rac_signal_timeout(never, 1, immediate));
  REFUSED(rac_signal_interval_with_leeway(immediate, 1, 1));
  rac_clear_last_error();
  CHECK(rac_signal_timeout(never, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  rac_release(never);
  rac_release(v);
}

/* ---- Threads ------------------------------------------------------------ */

static void *send_many(void *subject) {
  for (int64_t i = check_scaled(20000); i > 0; i--)
    rac_subject_send(subject, I(i));
  return NULL;
}

static void add_count(recorder *self, rac_value value) {
  *(int64_t *)self->user += (int64_t)rac_tuple_count(value);
}

TEST(two_threads_fill_a_buffer_that_a_third_empties) {
  rac_subject *subject = rac_subject_create();
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_signal *s =
      rac_signal_buffer_with_time(as_signal(subject), 0.0001, background);
  int64_t heard = 0;
  recorder r = {.on_next = add_count, .user = &heard};
  record(s, &r);
  pthread_t a = check_spawn(send_many, subject);
  pthread_t b = check_spawn(send_many, subject);
  check_join(a);
  check_join(b);
  rac_subject_send_completed(subject);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_INT(heard, 2 * check_scaled(20000));
  await_end(&r);
  rac_release(s);
  rac_release(background);
  rac_release(subject);
}

TEST(a_timeout_races_with_the_end) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  for (int64_t i = check_scaled(2000); i > 0; i--) {
    rac_subject *subject = rac_subject_create();
    rac_signal *s = rac_signal_timeout(as_signal(subject), 0.00001, background);
    recorder r = {0};
    record(s, &r);
    rac_subject_send_completed(subject);
    WAIT_UNTIL(atomic_load(&r.ends) == 1);
    CHECK(strcmp(r.text, "|") == 0 || strcmp(r.text, "!1") == 0);
    await_end(&r);
    rac_release(s);
    rac_release(subject);
  }
  rac_release(background);
}

TEST(a_sample_whose_inputs_race) {
  rac_subject *source = rac_subject_create(), *sampler = rac_subject_create();
  rac_signal *s = rac_signal_sample(as_signal(source), as_signal(sampler));
  recorder r = {0};
  record(s, &r);
  pthread_t a = check_spawn(send_many, source);
  pthread_t b = check_spawn(send_many, sampler);
  check_join(a);
  check_join(b);
  finish(&r);
  rac_release(s);
  rac_release(source);
  rac_release(sampler);
}
