/* Work that runs once for all: +startLazilyWithScheduler:block:,
 * +startEagerlyWithScheduler:block:, -replayLazily; and what -bind: keeps. */
#include "stage.h"

/* ---- start --------------------------------------------------------------- */

typedef struct work {
  rac_scheduler *expected;
  atomic_int runs;
} work;

static rac_status do_work(void *context, rac_subscriber *subscriber) {
  work *self = context_target(context);
  atomic_fetch_add(&self->runs, 1);
  rac_scheduler *current = rac_scheduler_current();
  CHECK(current == self->expected);
  rac_release(current);
  rac_subscriber_send(subscriber, I(1));
  return rac_subscriber_send_completed(subscriber);
}

typedef rac_signal *(*start_fn)(rac_scheduler *, void *, rac_start_fn,
                                rac_destroy_fn);

/* signal-256, signal-257: not before the first of three subscriptions, once for
 * all of them, on the scheduler, on which they hear of it, too */
TEST(work_started_lazily_runs_once) {
  rac_scheduler *v = rac_scheduler_virtual();
  work w = {.expected = v};
  rac_signal *s = rac_signal_start_lazily(v, CALLBACK_FOR(&w, do_work));
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 0);
  recorder r[3] = {{0}, {0}, {0}};
  for (int i = 0; i < 3; i++) record(s, &r[i]);
  for (int i = 0; i < 3; i++) CHECK_EVENTS(&r[i], "");
  rac_virtual_step_all(v);
  for (int i = 0; i < 3; i++) {
    CHECK_EVENTS(&r[i], "1 |");
    await_end(&r[i]);
  }
  CHECK_INT(w.runs, 1);
  rac_release(s);
  rac_release(v);
}

/* signal-260: at once, without a subscription, on the scheduler */
TEST(work_started_eagerly_needs_no_subscription) {
  rac_scheduler *v = rac_scheduler_virtual();
  work w = {.expected = v};
  rac_signal *s = rac_signal_start_eagerly(v, CALLBACK_FOR(&w, do_work));
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 1);
  recorder r = {0};
  record(s, &r);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&r, "1 |");
  CHECK_INT(w.runs, 1);
  await_end(&r);
  rac_release(s);
  rac_release(v);
}

/* signal-257, signal-260: on a real scheduler */
TEST(started_work_runs_on_a_background_scheduler) {
  static const start_fn forms[] = {rac_signal_start_lazily,
                                   rac_signal_start_eagerly};
  for (int i = 0; i < 2; i++) {
    rac_scheduler *background = rac_scheduler_background(0, NULL);
    work w = {.expected = background};
    rac_signal *s = forms[i](background, CALLBACK_FOR(&w, do_work));
    recorder r = {0};
    record(s, &r);
    await_end(&r);
    CHECK_EVENTS(&r, "1 |");
    CHECK_INT(atomic_load(&w.runs), 1);
    rac_release(s);
    rac_release(background);
  }
}

/* signal-260: no subscriber's disposal takes the work back, not even the last
 * one's */
TEST(started_work_does_not_need_its_subscribers) {
  rac_scheduler *v = rac_scheduler_virtual();
  work w = {.expected = v};
  rac_signal *s = rac_signal_start_eagerly(v, CALLBACK_FOR(&w, do_work));
  recorder r = {0};
  record(s, &r);
  finish(&r);
  rac_release(s);
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 1);
  CHECK_EVENTS(&r, "");
  rac_release(v);
}

/* ---- replayLazily -------------------------------------------------------- */

/* signal-265 */
TEST(a_lazy_replay_subscribes_with_its_first_subscriber) {
  source counts = {0};
  rac_signal *s = cold("1 2 |", &counts);
  APPLY0(s, replay_lazily);
  CHECK_INT(counts.subscribed, 0);
  rac_value error = rac_value_nil();
  CHECK_STATUS(rac_signal_wait_until_completed(s, 5, &error), RAC_OK);
  CHECK_INT(counts.subscribed, 1);
  rac_release(s);
}

/* signal-266: during, and after the end */
TEST(a_lazy_replay_gives_later_subscribers_the_same) {
  source counts = {0};
  stage t;
  stage_open(&t);
  rac_signal *s = cold("1 2", &counts);
  APPLY(s, merge_with, as_signal(t.a));
  APPLY0(s, replay_lazily);
  stage_hear(&t, s);
  recorder later = {0}, last = {0};
  record(s, &later);
  play(t.a, "nil !7");
  CHECK_EVENTS(&t.heard, "1 2 nil !7");
  CHECK_EVENTS(&later, "1 2 nil !7");
  record(s, &last);
  CHECK_EVENTS(&last, "1 2 nil !7");
  CHECK_INT(counts.subscribed, 1);
  await_end(&later);
  await_end(&last);
  stage_close(&t);
}

/* signal-267: the trigger is b */
TEST(a_lazy_replay_of_a_source_that_was_cut_off) {
  stage t;
  stage_open(&t);
  rac_signal *s = rac_signal_take_until(as_signal(t.a), as_signal(t.b));
  APPLY0(s, replay_lazily);
  stage_hear(&t, s);
  play(t.a, "1");
  play(t.b, "|");
  play(t.a, "2");
  CHECK_EVENTS(&t.heard, "1 |");
  rac_retain(s);
  CHECK_SIGNAL(s, "1 |");
  stage_close(&t);
}

/* signal-265: nobody listens any more, and it stays subscribed all the same */
TEST(a_lazy_replay_does_not_disconnect) {
  stage t;
  stage_open(&t);
  rac_signal *s = rac_signal_replay_lazily(as_signal(t.a));
  stage_hear(&t, s);
  play(t.a, "1");
  rac_dispose(t.heard.subscription);
  CHECK_INT(LISTENERS(t.a), 1);
  play(t.a, "2 |");
  rac_retain(s);
  CHECK_SIGNAL(s, "1 2 |");
  stage_close(&t);
}

/* ---- bind ---------------------------------------------------------------- */

static rac_status bind_once(void *context, rac_value value, bool *stop,
                            rac_signal **out) {
  (void)stop;
  (void)context_target(context);
  *out = rac_signal_return(value);
  return RAC_OK;
}

/* signal-272: the subscription lives without the signals it was made of: they
 * are gone, each with what it took, and it hears the delayed value */
TEST(a_binding_does_not_keep_its_source_signal) {
  rac_signal *constant = rac_signal_return(I(1));
  rac_signal *delayed = rac_signal_delay(constant, 0);
  rac_signal *bound = rac_signal_bind(delayed, CALLBACK(bind_once));
  recorder r = {0};
  record(bound, &r);
  uint64_t before = rac_live_objects();
  rac_release(bound);
  rac_release(delayed);
  rac_release(constant);
  CHECK(rac_live_objects() <= before - 3);
  CHECK(rac_retain(delayed) == NULL);
  CHECK_EVENTS(&r, "");
  RUN_MAIN_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "1 |");
  await_end(&r);
}
