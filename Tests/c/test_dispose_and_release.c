/* rac_dispose_and_release: the end of a disposable and of its handle at once. */
#include "flow.h"
#include "shared_callbacks.h"

TEST(it_disposes_and_gives_back) {
  owned rac_subject *subject = rac_subject_create();
  uint64_t before = rac_live_objects();
  recorder r = {0};
  rac_disposable *d = record(as_signal(subject), &r);
  play(subject, "1");
  CHECK_STATUS(rac_dispose_and_release(rac_retain(d)), RAC_OK);
  CHECK(rac_is_disposed(d));
  play(subject, "2");
  CHECK_EVENTS(&r, "1");
  CHECK_INT(r.destroyed, 1);
  CHECK_STATUS(rac_dispose_and_release(d), RAC_OK);
  CHECK_STATUS(rac_dispose(d), RAC_ESTALE);
  r.subscription = NULL;
  await_end(&r);
  CHECK_INT(rac_live_objects(), before);
}

TEST(its_only_handle_goes_first) {
  owned rac_subject *subject = rac_subject_create();
  uint64_t before = rac_live_objects();
  recorder r = {0};
  rac_disposable *d = record(as_signal(subject), &r);
  r.subscription = NULL;
  play(subject, "1");
  CHECK_STATUS(rac_dispose_and_release(d), RAC_OK);
  CHECK_STATUS(rac_dispose_and_release(d), RAC_ESTALE);
  play(subject, "2");
  CHECK_EVENTS(&r, "1");
  CHECK_INT(r.destroyed, 1);
  await_end(&r);
  CHECK_INT(rac_live_objects(), before);
}

TEST(what_is_refused_stays) {
  owned rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_dispose_and_release(NULL), RAC_OK);
  CHECK_STATUS(rac_dispose_and_release((rac_disposable *)subject), RAC_EKIND);
  RECORDER(r, as_signal(subject));
  play(subject, "1");
  CHECK_EVENTS(&r, "1");
}

static void quit(recorder *self, rac_value value) {
  if (value.bits != 2) return;
  CHECK_STATUS(rac_dispose_and_release(self->subscription), RAC_OK);
  self->subscription = NULL;
}

TEST(a_callback_may_end_its_own_subscription_so) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = quit};
  record(as_signal(subject), &r);
  play(subject, "1 2 3");
  CHECK_EVENTS(&r, "1 2");
  CHECK_INT(r.destroyed, 1);
  await_end(&r);
}

TEST(after_an_end_only_the_handle_goes) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  play(subject, "1 |");
  CHECK_INT(r.destroyed, 1);
  CHECK_STATUS(rac_dispose_and_release(r.subscription), RAC_OK);
  r.subscription = NULL;
  CHECK_EVENTS(&r, "1 |");
  await_end(&r);
}

TEST(a_subscription_outlives_its_subject_until_then) {
  rac_subject *subject = rac_subject_create();
  uint64_t before = rac_live_objects();
  recorder r = {0};
  rac_disposable *d = record(as_signal(subject), &r);
  r.subscription = NULL;
  rac_release(subject);
  CHECK_INT(r.destroyed, 1);
  CHECK_STATUS(rac_dispose_and_release(d), RAC_OK);
  await_end(&r);
  CHECK(rac_live_objects() < before);
}

TEST(any_disposable_may_be_ended_so) {
  atomic_int runs = 0, destroyed = 0;
  rac_disposable *action = rac_disposable_create(context_new(&runs, &destroyed),
                                                 count_up, context_destroy);
  rac_disposable *compound = rac_compound_disposable_create();
  rac_compound_disposable_add(compound, action);
  CHECK_STATUS(rac_dispose_and_release(compound), RAC_OK);
  CHECK_INT(runs, 1);
  CHECK_STATUS(rac_dispose_and_release(action), RAC_OK);
  CHECK_INT(runs, 1);
  CHECK_INT(destroyed, 1);

  owned rac_scheduler *clock = rac_scheduler_virtual();
  rac_disposable *job = rac_schedule_after(clock, 1, context_new(&runs, NULL),
                                           count_up, context_destroy);
  CHECK_STATUS(rac_dispose_and_release(job), RAC_OK);
  rac_virtual_advance_by(clock, 2);
  CHECK_INT(runs, 1);

  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *mapped = rac_signal_map(
      as_signal(subject), context_new(NULL, NULL), plus_one, context_destroy);
  recorder r = {0};
  record(mapped, &r);
  play(subject, "1");
  CHECK_STATUS(rac_dispose_and_release(r.subscription), RAC_OK);
  r.subscription = NULL;
  play(subject, "2");
  CHECK_EVENTS(&r, "2");
  await_end(&r);
}

/* ---- Beside other threads ------------------------------------------------- */

static void *dispose_and_wait(void *subscription) {
  CHECK_STATUS(rac_dispose_and_wait(subscription, -1), RAC_OK);
  rac_release(subscription);
  return NULL;
}

/* Every other time another thread has a reference, and waits. */
TEST(while_events_flow) {
  flow self = {rac_subject_create(), false};
  pthread_t sender = check_spawn(keep_sending, &self);
  for (int64_t round = check_scaled(2000); round > 0; round--) {
    recorder r = {0};
    record(as_signal(self.subject), &r);
    pthread_t other = 0;
    if (round % 2) {
      rac_retain(r.subscription);
      other = check_spawn(dispose_and_wait, r.subscription);
    }
    for (int64_t spin = round % 300; spin > 0; spin--) atomic_load(&self.stop);
    CHECK_STATUS(rac_dispose_and_release(r.subscription), RAC_OK);
    r.subscription = NULL;
    if (other) {
      check_join(other);
      CHECK_INT(r.destroyed, 1);
    }
    await_end(&r);
  }
  atomic_store(&self.stop, true);
  check_join(sender);
  rac_release(self.subject);
}
