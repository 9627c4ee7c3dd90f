/* rac_signal_start_eagerly and rac_signal_start_lazily: work that runs once for all
 * subscribers. */
#include "operators.h"

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

TEST(started_work_may_fail) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  work w = {v, 0, -9, "1"};
  owned rac_signal *signal = rac_signal_start_lazily(v, context_new(&w, NULL),
                                                     do_work, context_destroy);
  RECORDER(r, signal);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&r, "1 #-9");
}

TEST(started_work_that_never_ran_is_destroyed) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  work w = {v, 0, RAC_OK, "1|"};
  atomic_int destroyed = 0;
  rac_signal *signal = rac_signal_start_lazily(v, context_new(&w, &destroyed),
                                               do_work, context_destroy);
  rac_release(signal);
  CHECK_INT(destroyed, 1);
  CHECK_INT(w.runs, 0);
}

/* ---- What RAC's specs demand --------------------------------------------- */

typedef struct shared_work {
  rac_scheduler *expected;
  atomic_int runs;
} shared_work;

static rac_status do_shared_work(void *context, rac_subscriber *subscriber) {
  shared_work *self = context_target(context);
  atomic_fetch_add(&self->runs, 1);
  rac_scheduler *current = rac_scheduler_current();
  CHECK(current == self->expected);
  rac_release(current);
  rac_subscriber_send(subscriber, I(1));
  return rac_subscriber_send_completed(subscriber);
}

/* signal-256, signal-257: not before the first of three subscriptions, once for
 * all of them, on the scheduler, on which they hear of it, too */
TEST(work_started_lazily_runs_once) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  shared_work w = {.expected = v};
  owned rac_signal *s =
      rac_signal_start_lazily(v, CALLBACK_FOR(&w, do_shared_work));
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
}

/* signal-260: at once, without a subscription, on the scheduler */
TEST(work_started_eagerly_needs_no_subscription) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  shared_work w = {.expected = v};
  owned rac_signal *s =
      rac_signal_start_eagerly(v, CALLBACK_FOR(&w, do_shared_work));
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 1);
  RECORDER(r, s);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&r, "1 |");
  CHECK_INT(w.runs, 1);
}

typedef rac_signal *(*start_fn)(rac_scheduler *, void *, rac_start_fn,
                                rac_destroy_fn);

/* signal-257, signal-260: on a real scheduler */
TEST(started_work_runs_on_a_background_scheduler) {
  static const start_fn forms[] = {rac_signal_start_lazily,
                                   rac_signal_start_eagerly};
  for (int i = 0; i < 2; i++) {
    owned rac_scheduler *background = rac_scheduler_background(0, NULL);
    shared_work w = {.expected = background};
    owned rac_signal *s =
        forms[i](background, CALLBACK_FOR(&w, do_shared_work));
    recorder r = {0};
    record(s, &r);
    await_end(&r);
    CHECK_EVENTS(&r, "1 |");
    CHECK_INT(atomic_load(&w.runs), 1);
  }
}

/* signal-260: no subscriber's disposal takes the work back, not even the last
 * one's */
TEST(started_work_does_not_need_its_subscribers) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  shared_work w = {.expected = v};
  rac_signal *s = rac_signal_start_eagerly(v, CALLBACK_FOR(&w, do_shared_work));
  recorder r = {0};
  record(s, &r);
  finish(&r);
  rac_release(s);
  rac_virtual_step_all(v);
  CHECK_INT(w.runs, 1);
  CHECK_EVENTS(&r, "");
}
