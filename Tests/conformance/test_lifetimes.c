/* How long created signals live. Here that is told by the destruction of their
 * context. */
#include "streams.h"

typedef struct life {
  atomic_int destroyed;
  atomic_int subscribed;
  recorder heard;
  /* For what happens on a background scheduler. */
  atomic_bool is_done, may_end;
} life;

static rac_status complete_at_once(void *context, rac_subscriber *subscriber,
                                   rac_disposable **out) {
  (void)out;
  life *self = context_target(context);
  atomic_fetch_add(&self->subscribed, 1);
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static rac_signal *create(life *self) {
  return rac_signal_create(context_new(self, &self->destroyed),
                           complete_at_once, context_destroy);
}

/* signal-126 */
TEST(a_signal_that_nobody_subscribes_to_goes) {
  life t = {0};
  uint64_t before = rac_live_objects();
  rac_signal *s = create(&t);
  CHECK_INT(t.destroyed, 0);
  rac_release(s);
  CHECK_INT(t.destroyed, 1);
  CHECK_INT(t.subscribed, 0);
  CHECK_INT(rac_live_objects(), before);
}

/* signal-127: not while it is held, and at once when it is not */
TEST(a_signal_that_completed_goes) {
  life t = {0};
  uint64_t before = rac_live_objects();
  rac_signal *s = create(&t);
  record(s, &t.heard);
  CHECK_EVENTS(&t.heard, "|");
  await_end(&t.heard);
  CHECK_INT(t.destroyed, 0);
  rac_release(s);
  CHECK_INT(t.destroyed, 1);
  CHECK_INT(rac_live_objects(), before);
}

/* A replay subject remembers, but is no exception. */
TEST(a_replay_subject_that_completed_goes) {
  uint64_t before = rac_live_objects();
  rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  recorder r = {0};
  record(as_signal(subject), &r);
  play(subject, "1 2 |");
  CHECK_EVENTS(&r, "1 2 |");
  await_end(&r);
  rac_release(subject);
  CHECK_INT(rac_live_objects(), before);
}

/* A live subscription keeps what it needs of the signal, and no more. */
TEST(a_signal_goes_with_its_subscription) {
  owned rac_subject *subject = rac_subject_create();
  uint64_t before = rac_live_objects();
  watched around = {.signal = as_signal(subject)};
  atomic_int destroyed = 0;
  rac_signal *s = rac_signal_create(context_new(&around, &destroyed),
                                    watch_subscribe, context_destroy);
  APPLY(s, map, CALLBACK(times_ten));
  recorder r = {0};
  record(s, &r);
  rac_release(s);
  play(subject, "1 2 |");
  CHECK_EVENTS(&r, "10 20 |");
  await_end(&r);
  CHECK_INT(destroyed, 1);
  CHECK_INT(rac_live_objects(), before);
}

static void schedule(life *self, rac_action_fn action) {
  owned rac_scheduler *background = rac_scheduler_background(0, "conformance");
  rac_release(rac_schedule(background, context_new(self, NULL), action,
                           context_destroy));
}

static void create_and_subscribe(void *context) {
  life *self = context_target(context);
  rac_signal *s = create(self);
  record(s, &self->heard);
  rac_release(s);
  atomic_store(&self->is_done, true);
}

/* signal-129 */
TEST(a_signal_of_a_background_scheduler_goes) {
  life t = {0};
  schedule(&t, create_and_subscribe);
  WAIT_UNTIL(atomic_load(&t.is_done));
  WAIT_UNTIL(t.destroyed == 1);
  CHECK_EVENTS(&t.heard, "|");
  await_end(&t.heard);
}

static void create_and_hold(void *context) {
  life *self = context_target(context);
  owned rac_signal *s = create(self);
  atomic_store(&self->is_done, true);
  WAIT_UNTIL(atomic_load(&self->may_end));
  CHECK_INT(self->destroyed, 0);
}

/* signal-130: the job holds it; nothing else does */
TEST(a_signal_lives_as_long_as_the_job_that_made_it) {
  life t = {0};
  schedule(&t, create_and_hold);
  WAIT_UNTIL(atomic_load(&t.is_done));
  CHECK_INT(t.destroyed, 0);
  atomic_store(&t.may_end, true);
  WAIT_UNTIL(t.destroyed == 1);
  CHECK_INT(t.subscribed, 0);
}
