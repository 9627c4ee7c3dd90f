/* Operators about how a stream ends and what follows: takeUntil, catch,
 * repeat, retry. */
#include "operators.h"

/* ---- takeUntil ---------------------------------------------------------- */

static void check_take_until(int line, const char *trigger_script,
                             const char *expected) {
  rac_subject *subject = rac_subject_create(), *stop = rac_subject_create();
  rac_signal *s = rac_signal_take_until(as_signal(subject), as_signal(stop));
  recorder r = {0};
  record(s, &r);
  play(subject, "1");
  play(stop, trigger_script);
  play(subject, "2");
  check_text(__FILE__, line, trigger_script, r.text, expected);
  CHECK_INT(rac_subject_subscriber_count(subject), r.ends ? 0 : 1);
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(stop), 0);
  rac_release(s);
  rac_release(stop);
  rac_release(subject);
}

TEST(take_until_ends_with_a_value_or_completion_of_the_trigger) {
  check_take_until(__LINE__, "5", "1 |");
  check_take_until(__LINE__, "|", "1 |");
  check_take_until(__LINE__, "nil", "1 |");
  /* Its error is ignored. */
  check_take_until(__LINE__, "!5", "1 2");
}

TEST(take_until_passes_the_sources_own_end) {
  rac_signal *never = rac_signal_never();
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, take_until, never);
  CHECK_SIGNAL(s, "1 |");
  s = cold("1 !2", NULL);
  APPLY(s, take_until, never);
  CHECK_SIGNAL(s, "1 !2");
  rac_release(never);
}

TEST(a_trigger_that_fires_at_once_keeps_the_source_unsubscribed) {
  const char *const triggers[] = {"|", "1"};
  for (int i = 0; i < 2; i++) {
    source counts = {0};
    rac_signal *trigger = cold(triggers[i], NULL);
    rac_signal *s = cold("1 |", &counts);
    APPLY(s, take_until, trigger);
    CHECK_SIGNAL(s, "|");
    CHECK_INT(counts.subscribed, 0);
    rac_release(trigger);
  }
}

TEST(disposing_take_until_disposes_both) {
  source first = {0}, second = {0};
  rac_signal *trigger = cold("", &second);
  rac_signal *s = cold("1", &first);
  APPLY(s, take_until, trigger);
  CHECK_SIGNAL(s, "1");
  CHECK_INT(first.disposed, 1);
  rac_release(trigger);
  CHECK_INT(second.disposed, second.subscribed);
}

/* ---- catch -------------------------------------------------------------- */

typedef struct rescue {
  const char *script;
  rac_status status;
  int calls;
  int64_t code;
} rescue;

static rac_status go_on(void *context, rac_value error, rac_signal **out) {
  rescue *self = context_target(context);
  self->calls++;
  self->code = rac_error_get_code(error);
  if (self->script) *out = cold(self->script, NULL);
  return self->status;
}

static void check_catch(int line, const char *script, rescue how,
                        const char *expected, int calls) {
  rac_signal *s = cold(script, NULL);
  APPLY(s, catch, CALLBACK_FOR(&how, go_on));
  recorder r = {0};
  record(s, &r);
  check_text(__FILE__, line, script, r.text, expected);
  CHECK_INT(how.calls, calls);
  finish(&r);
  rac_release(s);
}

TEST(catch_goes_on_with_another_signal) {
  check_catch(__LINE__, "1 !5", (rescue){.script = "2 3 |"}, "1 2 3 |", 1);
  check_catch(__LINE__, "1 |", (rescue){.script = "2 |"}, "1 |", 0);
  /* Not caught again. */
  check_catch(__LINE__, "!5", (rescue){.script = "2 !6"}, "2 !6", 1);
  check_catch(__LINE__, "!5", (rescue){.script = NULL}, "|", 1);
  check_catch(__LINE__, "!5", (rescue){.script = "2 |", .status = -7}, "!-7",
              1);
}

TEST(catch_gets_the_error_as_its_value) {
  rescue how = {.script = "|"};
  rac_signal *s = cold("!5", NULL);
  APPLY(s, catch, CALLBACK_FOR(&how, go_on));
  CHECK_SIGNAL(s, "|");
  CHECK_INT(how.code, 5);
}

TEST(catch_to_goes_on_with_that_signal) {
  rac_signal *other = cold("8 |", NULL);
  rac_signal *s = cold("1 !5", NULL);
  APPLY(s, catch_to, other);
  rac_retain(s);
  CHECK_SIGNAL(s, "1 8 |");
  CHECK_SIGNAL(s, "1 8 |");
  rac_release(other);
}

/* The callback fails at the first of the two values that take_last sends when its
 * source has completed: what collect sends at the completion that follows is no
 * business of catch's any more. */
TEST(what_was_caught_sends_nothing_more) {
  rac_signal *s = cold("2 3 |", NULL), *other = cold("7", NULL);
  APPLY(s, take_last, 2);
  APPLY(s, map, CALLBACK(map_not_two));
  APPLY0(s, collect);
  APPLY(s, catch_to, other);
  CHECK_SIGNAL(s, "7");
  rac_release(other);
}

TEST(disposing_a_catch_disposes_what_it_went_on_with) {
  source first = {0}, second = {0};
  rac_signal *other = cold("8", &second);
  rac_signal *s = cold("1 !5", &first);
  APPLY(s, catch_to, other);
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "1 8");
  CHECK_INT(first.disposed, 1);
  CHECK_INT(second.disposed, 0);
  finish(&r);
  CHECK_INT(second.disposed, 1);
  rac_release(s);
  rac_release(other);
}

/* ---- repeat and retry --------------------------------------------------- */

typedef struct attempt {
  int number;
  int last; /* how many times before the other end */
  bool fails;
} attempt;

/* Sends its number; ends one way `last` times and then the other way. */
static rac_status try_again(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  (void)out;
  attempt *self = context_target(context);
  rac_subscriber_send(subscriber, I(++self->number));
  bool fails = (self->number > self->last) != self->fails;
  if (fails) {
    rac_value error = test_error(self->number);
    rac_subscriber_send_error(subscriber, error);
    rac_value_release(error);
  } else {
    rac_subscriber_send_completed(subscriber);
  }
  return RAC_OK;
}

static rac_signal *attempts(attempt *self) {
  return rac_signal_create(CALLBACK_FOR(self, try_again));
}

TEST(repeat_goes_on_until_an_error) {
  attempt a = {.last = 3};
  rac_signal *s = attempts(&a);
  APPLY0(s, repeat);
  CHECK_SIGNAL(s, "1 2 3 4 !4");
}

TEST(repeat_stops_when_somebody_below_has_enough) {
  attempt a = {.last = 1000};
  rac_signal *s = attempts(&a);
  APPLY0(s, repeat);
  APPLY(s, take, 2);
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_INT(a.number, 2);
}

static void dispose_at_three(recorder *self, rac_value value) {
  if (value.bits == 3) rac_dispose(self->subscription);
}

TEST(repeat_stops_at_a_disposal) {
  attempt a = {.last = 1000};
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *s = attempts(&a);
  APPLY0(s, repeat);
  APPLY(s, subscribe_on, v);
  recorder r = {.on_next = dispose_at_three};
  record(s, &r);
  rac_virtual_step_n(v, 100);
  CHECK_EVENTS(&r, "1 2 3");
  CHECK_INT(a.number, 3);
  await_end(&r);
  rac_release(s);
  rac_release(v);
}

TEST(retry_subscribes_again_after_an_error) {
  static const struct {
    int last;
    size_t count;
    const char *expected;
  } cases[] = {{2, 5, "1 2 3 |"},  {2, 2, "1 2 3 |"}, {2, 1, "1 2 !2"},
               {3, 2, "1 2 3 !3"}, {0, 1, "1 |"},     {5, 0, "1 2 3 4 5 6 |"}};
  for (int i = 0; i < 6; i++) {
    attempt a = {.last = cases[i].last, .fails = true};
    rac_signal *s = attempts(&a);
    APPLY(s, retry, cases[i].count);
    CHECK_SIGNAL(s, cases[i].expected);
  }
}

TEST(each_subscription_of_a_retry_counts_for_itself) {
  rac_signal *s = cold("1 !2", NULL);
  APPLY(s, retry, 1);
  rac_retain(s);
  CHECK_SIGNAL(s, "1 1 !2");
  CHECK_SIGNAL(s, "1 1 !2");
}

TEST(disposing_a_repeat_or_retry_disposes_the_current_subscription) {
  source counts = {0};
  rac_signal *s = cold("1", &counts);
  APPLY0(s, repeat);
  APPLY(s, retry, 3);
  CHECK_SIGNAL(s, "1");
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 1);
}

TEST(repeat_and_retry_of_a_hot_signal) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_repeat(as_signal(subject));
  APPLY(s, retry, 1);
  recorder r = {0};
  record(s, &r);
  play(subject, "1 |");
  play(subject, "2 |");
  play(subject, "3 !1");
  play(subject, "4 |");
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  play(subject, "5 !2");
  CHECK_EVENTS(&r, "1 2 3 4 5 !2");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  await_end(&r);
  rac_release(s);
  rac_release(subject);
}

TEST(an_operators_context_goes_with_the_last_of_signal_and_subscription) {
  atomic_int destroyed = 0;
  rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_map(as_signal(subject), context_new(NULL, &destroyed),
                     times_ten, context_destroy);
  recorder r = {0};
  record(s, &r);
  rac_release(s);
  CHECK_INT(destroyed, 0);
  play(subject, "1 !2");
  CHECK_EVENTS(&r, "10 !2");
  await_end(&r);
  CHECK_INT(destroyed, 1);
  rac_release(subject);
}
