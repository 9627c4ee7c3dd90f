/* rac_signal_delay: everything later, but for an error. */
#include "disposal.h"
#include "stage.h"

TEST(delay_sends_values_and_the_completion_later) {
  CHECK_MARBLES(rac_signal_delay(a, 0.5, NULL), "-12|", "1@1.5 2@2.5 |@3.5");
  CHECK_MARBLES(rac_signal_delay(a, 10, NULL), "-12|", "1@11 2@12 |@13");
  CHECK_MARBLES(rac_signal_delay(a, 0, NULL), "-1|", "1@1 |@2");
  CHECK_MARBLES(rac_signal_delay(a, 3, NULL), "-1-2|", "----1-2|");
  CHECK_MARBLES(rac_signal_delay(a, 0.5, NULL), "1@0.1 2@0.2 |@0.3",
                "1@0.6 2@0.7 |@0.8");
  CHECK_MARBLES(rac_signal_delay(a, 0.5, NULL), "|", "|@0.5");
  CHECK_MARBLES(rac_signal_delay(a, 0.5, NULL), "nil@0.1", "nil@0.6");
  /* Values of one moment keep their order, and the completion is last. */
  CHECK_MARBLES(rac_signal_delay(a, 1, NULL), "-(123|)", "1@2 2@2 3@2 |@2");
}

/* Law 16: errors do not wait. */
TEST(an_error_overtakes_what_is_delayed) {
  CHECK_MARBLES(rac_signal_delay(a, 10, NULL), "-1#5", "--#5");
  CHECK_MARBLES(rac_signal_delay(a, 3, NULL), "-1-2-#7", "----1#7");
  CHECK_MARBLES(rac_signal_delay(a, 0.5, NULL), "1@0.1 2@0.2 #7@0.65",
                "1@0.6 #7@0.65");
  CHECK_MARBLES(rac_signal_delay(a, 0.5, NULL), "1@0.1 #7@0.3", "#7@0.3");
}

TEST(delay_of_nothing_is_still_later) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_delay(as_signal(subject), 0, NULL);
  RECORDER(r, s);
  play_marbles(v, subject, "(1|)");
  rac_virtual_step(v);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(v);
  CHECK_EVENTS(&r, "1 |");
}

TEST(disposing_a_delay_drops_what_it_holds) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_delay(as_signal(subject), 1, NULL);
  recorder r = {0};
  record(s, &r);
  uint64_t before = rac_live_objects();
  play_marbles(v, subject, "(123)");
  rac_virtual_step(v);
  CHECK(rac_live_objects() > before);
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  /* The timers and what they hold go with the subscription, not later. */
  CHECK(rac_live_objects() <= before);
  rac_virtual_advance_to(v, 10);
  CHECK_EVENTS(&r, "");
  await_end(&r);
}

TEST(delay_without_a_current_scheduler_uses_a_background_one) {
  owned rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, delay, 0.001, NULL);
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  APPLY(s, subscribe_on, background);
  recorder r = {0};
  record(s, &r);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  await_end(&r);
  CHECK_EVENTS(&r, "1 2 |");
}

TEST(a_delay_may_be_disposed_while_it_schedules) {
  for (int64_t i = check_scaled(20); i > 0; i--) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *late =
        rac_signal_delay(rac_subject_as_signal(subject), 3600, NULL);
    ending e = {0, NULL};
    e.subscription = rac_subscribe_next(late, NULL, NULL, NULL);
    pthread_t thread = check_spawn(dispose_soon, &e);
    rac_subject_send(subject, I(1));
    atomic_store_explicit(&e.started, 1, memory_order_relaxed);
    check_join(thread);
    rac_release(e.subscription);
  }
}

/* ---- What RAC's specs demand, on the main scheduler ---------------------- */

static void hear_delayed(stage *self, double seconds) {
  stage_open(self);
  stage_hear(self, rac_signal_delay(as_signal(self->a), seconds, NULL));
}

/* signal-173 */
TEST(a_value_is_delayed) {
  closed_stage t;
  hear_delayed(&t, 0);
  play(t.a, "1");
  CHECK_EVENTS(&t.heard, "");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.nexts) == 1);
  CHECK_EVENTS(&t.heard, "1");
}

/* signal-174: and it comes behind the values */
TEST(the_completion_is_delayed) {
  closed_stage t;
  hear_delayed(&t, 0);
  play(t.a, "1 2 |");
  CHECK_EVENTS(&t.heard, "");
  RUN_MAIN_UNTIL(atomic_load(&t.heard.ends) == 1);
  CHECK_EVENTS(&t.heard, "1 2 |");
}

/* signal-175: it overtakes what is on its way, which is dropped */
TEST(an_error_is_not_delayed) {
  closed_stage t;
  hear_delayed(&t, 0);
  play(t.a, "1 #7");
  CHECK_EVENTS(&t.heard, "#7");
  rac_main_run_for(0.002);
  CHECK_EVENTS(&t.heard, "#7");
}

/* signal-176 */
TEST(a_delayed_value_does_not_come_after_a_disposal) {
  closed_stage t;
  hear_delayed(&t, 0.001);
  play(t.a, "1 2");
  rac_dispose(t.heard.subscription);
  rac_main_run_for(0.005);
  CHECK_EVENTS(&t.heard, "");
}
