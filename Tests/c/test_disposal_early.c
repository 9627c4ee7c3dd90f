/* Disposal before rac_subscribe() has returned. */
#include "check.h"

typedef struct early {
  rac_subject *trigger;
  recorder r;
  atomic_int disposed;
} early;

static void early_disposed(void *context) {
  atomic_fetch_add(&((early *)context_target(context))->disposed, 1);
}

static rac_status trigger_then_send(void *context, rac_subscriber *subscriber,
                                    rac_disposable **out) {
  early *self = context_target(context);
  rac_subscriber_send(subscriber, I(1));
  rac_subject_send(self->trigger, I(0));
  CHECK(!rac_subscriber_is_active(subscriber));
  CHECK_STATUS(rac_subscriber_send(subscriber, I(2)), RAC_EDONE);
  *out = rac_disposable_create(context_new(self, NULL), early_disposed,
                               context_destroy);
  return RAC_OK;
}

TEST(an_end_before_subscribe_has_returned) {
  early self = {.trigger = rac_subject_create()};
  rac_signal *signal = rac_signal_create(context_new(&self, NULL),
                                         trigger_then_send, context_destroy);
  RAC_ASSIGN(signal, rac_signal_take_until(signal, as_signal(self.trigger)));
  record(signal, &self.r);
  CHECK_EVENTS(&self.r, "1 |");
  CHECK_INT(self.disposed, 1);
  await_end(&self.r);
  rac_release(signal);
  rac_release(self.trigger);
}

static rac_status dispose_early(void *context, rac_subscriber *subscriber,
                                rac_disposable **out) {
  early *self = context_target(context);
  rac_subscriber_send(subscriber, I(1));
  rac_dispose(self->r.subscription);
  rac_subscriber_send(subscriber, I(2));
  *out = rac_disposable_create(context_new(self, NULL), early_disposed,
                               context_destroy);
  return RAC_OK;
}

/* Law 7: from anywhere, also from the callback that begins it. */
TEST(a_disposal_before_subscribe_has_returned) {
  /* subscribe_on puts the callback behind the return of rac_subscribe, and
   * the inner subscription is made while the outer one is disposed. */
  early self = {0};
  rac_scheduler *v = rac_scheduler_virtual();
  rac_signal *signal = rac_signal_create(context_new(&self, NULL),
                                         dispose_early, context_destroy);
  RAC_ASSIGN(signal, rac_signal_subscribe_on(signal, v));
  record(signal, &self.r);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&self.r, "1");
  CHECK_INT(self.disposed, 1);
  await_end(&self.r);
  rac_release(signal);
  rac_release(v);
}

/* ---- What is given to a subscription that is over ------------------------- */

static atomic_int step;

static void note_step(void *context) {
  *(int *)context_target(context) = atomic_fetch_add(&step, 1) + 1;
}

static rac_disposable *noting(int *when) {
  return rac_disposable_create(context_new(when, NULL), note_step,
                               context_destroy);
}

static rac_status send_and_give(void *context, rac_subscriber *subscriber,
                                rac_disposable **out) {
  int *when = context_target(context);
  CHECK_STATUS(rac_subscriber_send(subscriber, I(1)), RAC_OK);
  CHECK(!rac_subscriber_is_active(subscriber));
  CHECK_STATUS(rac_subscriber_send(subscriber, I(2)), RAC_EDONE);
  rac_disposable *added = noting(&when[0]);
  rac_subscriber_add_disposable(subscriber, added);
  rac_release(added);
  CHECK_INT(when[0], 1);
  *out = noting(&when[1]);
  return RAC_OK;
}

/* Law 7: also what is added in between, by way of take. */
TEST(what_comes_too_late_is_disposed_at_once) {
  int when[2] = {0};
  atomic_store(&step, 0);
  owned rac_signal *signal = rac_signal_create(context_new(when, NULL),
                                               send_and_give, context_destroy);
  RAC_ASSIGN(signal, rac_signal_take(signal, 1));
  RECORDER(r, signal);
  CHECK_EVENTS(&r, "1 |");
  CHECK_INT(when[0], 1);
  CHECK_INT(when[1], 2);
}
