/* rac_signal_interval and rac_signal_interval_with_leeway: values at even times. */
#include "disposal.h"
#include "stage.h"

TEST(interval_counts_the_time) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *signal = rac_signal_interval(0.5, v);
  recorder r = {.clock = v};
  record(signal, &r);
  rac_virtual_advance_to(v, 0.4);
  CHECK_EVENTS(&r, "");
  rac_virtual_advance_to(v, 1.6);
  CHECK_EVENTS(&r, "0@0.5 1@1 2@1.5");
  rac_dispose(r.subscription);
  rac_virtual_advance_to(v, 10);
  CHECK_EVENTS(&r, "0@0.5 1@1 2@1.5");
  await_end(&r);
}

TEST(each_subscriber_of_an_interval_has_its_own) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *signal = rac_signal_interval(1, v);
  RAC_ASSIGN(signal, rac_signal_take(signal, 2));
  finished recorder a = {.clock = v}, b = {.clock = v};
  record(signal, &a);
  rac_virtual_advance_to(v, 0.5);
  record(signal, &b);
  rac_virtual_advance_to(v, 5);
  CHECK_EVENTS(&a, "0@1 1@2 |@2");
  CHECK_EVENTS(&b, "0@1.5 1@2.5 |@2.5");
}

/* Relaxed, so that nothing but the library orders the disposal after the start,
 * which is the doing of the thread that sends. */
TEST(an_interval_may_be_disposed_while_it_starts) {
  owned rac_scheduler *s = rac_scheduler_background(0, NULL);
  owned rac_signal *interval = rac_signal_interval(3600, s);
  owned_value value = rac_value_signal(interval);
  for (int64_t i = check_scaled(20); i > 0; i--) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *flat =
        rac_signal_flatten(rac_subject_as_signal(subject), 0);
    ending e = {0, NULL};
    e.subscription = rac_subscribe_next(flat, NULL, NULL, NULL);
    pthread_t thread = check_spawn(dispose_soon, &e);
    rac_subject_send(subject, value);
    atomic_store_explicit(&e.started, 1, memory_order_relaxed);
    check_join(thread);
    rac_release(e.subscription);
  }
}

TEST(an_interval_with_leeway_is_exact_in_virtual_time) {
  TIMED_STAGE(t);
  stage_hear(&t, rac_signal_interval_with_leeway(1, 10, t.v));
  rac_virtual_advance_to(t.v, 3.5);
  CHECK_EVENTS(&t.heard, "0@1 1@2 2@3");
}

static rac_signal *ticks_until(rac_scheduler *v, rac_signal *end) {
  rac_signal *s = rac_signal_interval_with_leeway(2, 0.5, v);
  APPLY(s, take_until, end);
  return s;
}

TEST(an_interval_with_leeway_ends_before_its_first_value) {
  CHECK_MARBLES(ticks_until(v, a), "-1", "-|");
  CHECK_MARBLES(ticks_until(v, a), "-----1", "--0-1|");
}

TEST(an_interval_with_leeway_on_a_background_scheduler) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_signal *s =
      rac_signal_interval_with_leeway(0.001, 0.002, background);
  APPLY(s, take, 3);
  recorder r = {0};
  record(s, &r);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  await_end(&r);
  CHECK_EVENTS(&r, "0 1 2 |");
}

/* ---- What RAC's specs demand --------------------------------------------- */

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
  owned rac_scheduler *current = rac_scheduler_current();
  if (current != t->expected) t->astray++;
}

static void check_interval(rac_scheduler *scheduler, bool on_main,
                           double leeway) {
  ticks t = {.interval = 0.005, .expected = scheduler};
  rac_signal *s =
      leeway == 0
          ? rac_signal_interval(t.interval, scheduler)
          : rac_signal_interval_with_leeway(t.interval, leeway, scheduler);
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
  owned rac_scheduler *main_scheduler = rac_scheduler_main();
  check_interval(main_scheduler, true, 0);
  check_interval(main_scheduler, true, 0.01);
}

/* signal-167: as above, in the background */
TEST(intervals_on_a_background_scheduler) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  check_interval(background, false, 0);
  check_interval(background, false, 0.01);
}

/* signal-166, signal-168: exactly when; and it goes on until disposed */
TEST(intervals_in_virtual_time) {
  for (int leeway = 0; leeway < 3; leeway++) {
    owned rac_scheduler *v = rac_scheduler_virtual();
    owned rac_signal *s = rac_signal_interval_with_leeway(0.5, leeway * 0.2, v);
    recorder r = {.clock = v};
    record(s, &r);
    rac_virtual_advance_to(v, 0.25);
    CHECK_EVENTS(&r, "");
    rac_virtual_advance_to(v, 2);
    CHECK_EVENTS(&r, "0@0.5 1@1 2@1.5 3@2");
    finish(&r);
    rac_virtual_advance_to(v, 10);
    CHECK_INT(r.nexts, 4);
  }
}
