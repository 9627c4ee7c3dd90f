/* +interval:onScheduler:, -timeout:onScheduler: and -delay:. On virtual time
 * where the moment matters. */
#include "stage.h"

#include <math.h>

/* ---- interval ------------------------------------------------------------ */

typedef struct ticks {
  double interval, start;
  int early, astray;
  rac_scheduler *expected;
} ticks;

/* Never before its time; how much later is the machine's affair. */
static void check_tick(recorder *self, rac_value value) {
  ticks *t = self->user;
  double earliest = t->start + (double)(value.bits + 1) * t->interval;
  if (check_clock() < earliest) t->early++;
  rac_scheduler *current = rac_scheduler_current();
  if (current != t->expected) t->astray++;
  rac_release(current);
}

static void check_interval(rac_scheduler *scheduler, bool on_main,
                           double leeway) {
  ticks t = {.interval = 0.005, .expected = scheduler};
  rac_signal *s =
      leeway == 0
          ? rac_signal_interval(scheduler, t.interval)
          : rac_signal_interval_with_leeway(scheduler, t.interval, leeway);
  APPLY(s, take, 3);
  recorder r = {.on_next = check_tick, .user = &t};
  t.start = check_clock();
  record(s, &r);
  if (on_main) RUN_MAIN_UNTIL(atomic_load(&r.ends) == 1);
  await_end(&r);
  CHECK_EVENTS(&r, "0 1 2 |");
  CHECK_INT(t.early, 0);
  CHECK_INT(t.astray, 0);
  rac_release(s);
}

/* signal-166, signal-168: on the main scheduler, none too early. Ours counts
 * where RAC sent dates, and runs with its scheduler as the current one */
TEST(intervals_on_the_main_scheduler) {
  rac_scheduler *main_scheduler = rac_scheduler_main();
  check_interval(main_scheduler, true, 0);
  check_interval(main_scheduler, true, 0.01);
  rac_release(main_scheduler);
}

/* signal-167: as above, in the background */
TEST(intervals_on_a_background_scheduler) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  check_interval(background, false, 0);
  check_interval(background, false, 0.01);
  rac_release(background);
}

/* signal-166, signal-168: exactly when; and it goes on until disposed */
TEST(intervals_in_virtual_time) {
  for (int leeway = 0; leeway < 3; leeway++) {
    rac_scheduler *v = rac_scheduler_virtual();
    rac_signal *s = rac_signal_interval_with_leeway(v, 0.5, leeway * 0.2);
    recorder r = {.clock = v};
    record(s, &r);
    rac_virtual_advance_to(v, 0.25);
    CHECK_EVENTS(&r, "");
    rac_virtual_advance_to(v, 2);
    CHECK_EVENTS(&r, "0.5:0 1:1 1.5:2 2:3");
    finish(&r);
    rac_virtual_advance_to(v, 10);
    CHECK_INT(r.nexts, 4);
    rac_release(s);
    rac_release(v);
  }
}

/* ---- timeout ------------------------------------------------------------- */

static void check_timed_out(void *context, rac_value error) {
  rac_subject *subject = context_target(context);
  CHECK_TEXT(rac_error_get_domain(error), "rac.signal");
  CHECK_INT(rac_error_get_code(error), RAC_SIGNAL_TIMED_OUT);
  CHECK_INT(RAC_SIGNAL_TIMED_OUT, 1);
  CHECK_INT(LISTENERS(subject), 0);
}

static void hear_timeout(stage *self, rac_scheduler *v, double seconds) {
  stage_open(self);
  rac_signal *s = rac_signal_timeout(as_signal(self->a), seconds, v);
  APPLY(s, do_error, CALLBACK_FOR(self->a, check_timed_out));
  stage_hear(self, s);
}

/* signal-170: the source is disposed before the error comes */
TEST(a_timeout_is_an_error_when_its_time_has_come) {
  stage t;
  rac_scheduler *v = rac_scheduler_virtual();
  hear_timeout(&t, v, 1);
  CHECK_EVENTS(&t.heard, "");
  rac_virtual_step(v);
  CHECK_EVENTS(&t.heard, "!1");
  stage_close(&t);
  rac_release(v);
}

/* signal-171: at once, and an end in time is the end */
TEST(a_timeout_lets_everything_pass_before_its_time) {
  stage t;
  rac_scheduler *v = rac_scheduler_virtual();
  hear_timeout(&t, v, 1);
  play(t.a, "1");
  CHECK_EVENTS(&t.heard, "1");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "1 |");
  rac_virtual_step_all(v);
  CHECK_EVENTS(&t.heard, "1 |");
  stage_close(&t);
  rac_release(v);
}

/* signal-170, signal-171: values do not put it off */
TEST(a_timeout_counts_from_the_subscription) {
  stage t;
  rac_scheduler *v = rac_scheduler_virtual();
  hear_timeout(&t, v, 1);
  for (int i = 1; i <= 3; i++) {
    rac_virtual_advance_to(v, i * 0.3);
    play(t.a, "5");
  }
  rac_virtual_advance_to(v, 1);
  play(t.a, "6");
  CHECK_EVENTS(&t.heard, "5 5 5 !1");
  stage_close(&t);
  rac_release(v);
}

/* signal-172 */
TEST(a_disposed_timeout_says_nothing) {
  stage t;
  rac_scheduler *v = rac_scheduler_virtual();
  hear_timeout(&t, v, 1);
  rac_dispose(t.heard.subscription);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&t.heard, "");
  stage_close(&t);
  rac_release(v);
}

/* ---- delay, on the main scheduler ---------------------------------------- */

static void hear_delayed(stage *self, double seconds) {
  stage_open(self);
  stage_hear(self, rac_signal_delay(as_signal(self->a), seconds));
}

/* signal-173 */
TEST(a_value_is_delayed) {
  stage t;
  hear_delayed(&t, 0);
  play(t.a, "1");
  CHECK_EVENTS(&t.heard, "");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.nexts) == 1);
  CHECK_EVENTS(&t.heard, "1");
  stage_close(&t);
}

/* signal-174: and it comes behind the values */
TEST(the_completion_is_delayed) {
  stage t;
  hear_delayed(&t, 0);
  play(t.a, "1 2 |");
  CHECK_EVENTS(&t.heard, "");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.ends) == 1);
  CHECK_EVENTS(&t.heard, "1 2 |");
  stage_close(&t);
}

/* signal-175: it overtakes what is on its way, which is dropped */
TEST(an_error_is_not_delayed) {
  stage t;
  hear_delayed(&t, 0);
  play(t.a, "1 !7");
  CHECK_EVENTS(&t.heard, "!7");
  rac_main_run_for(0.002);
  CHECK_EVENTS(&t.heard, "!7");
  stage_close(&t);
}

/* signal-176 */
TEST(a_delayed_value_does_not_come_after_a_disposal) {
  stage t;
  hear_delayed(&t, 0.001);
  play(t.a, "1 2");
  rac_dispose(t.heard.subscription);
  rac_main_run_for(0.005);
  CHECK_EVENTS(&t.heard, "");
  stage_close(&t);
}

/* signal-166, signal-170, signal-173: what RAC asserts is refused */
TEST(the_immediate_scheduler_and_bad_times_are_refused) {
  rac_scheduler *immediate = rac_scheduler_immediate();
  rac_signal *never = rac_signal_never();
  rac_clear_last_error();
  CHECK(rac_signal_interval(immediate, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_timeout(never, 1, immediate) == NULL);
  CHECK(rac_signal_delay(never, -1) == NULL);
  CHECK(rac_signal_delay(never, NAN) == NULL);
  rac_release(never);
  rac_release(immediate);
}
