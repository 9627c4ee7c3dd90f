/* rac_signal_create: what its callback may do, when what it returns is
 * disposed, and how long a subscriber lives. */
#include "producer.h"
#include "shared_callbacks.h"

/* Laws 1 and 8: what is sent after the end is refused, and what comes after it
 * is disposed. */
TEST(sending_before_the_disposable_is_returned) {
  producer p = {.body = send_and_complete, .returns_disposable = true};
  rac_signal *signal = create(&p);
  recorder r = {0};
  CHECK_INT(p.subscribed, 0);
  record(signal, &r);
  CHECK_EVENTS(&r, "1 2 |");
  /* The subscription was over: disposed as soon as it was given. */
  CHECK_INT(p.disposed, 1);
  await_end(&r);
  clean_up(&p, signal);
}

/* Law 12: the work is done anew for each of them. */
TEST(each_subscription_runs_the_callback) {
  producer p = {.body = send_and_complete};
  rac_signal *signal = create(&p);
  for (int i = 1; i <= 3; i++) {
    rac_retain(signal);
    CHECK_SIGNAL(signal, "1 2 |");
    CHECK_INT(p.subscribed, i);
  }
  clean_up(&p, signal);
}

static rac_status keep(producer *self, rac_subscriber *subscriber) {
  self->kept = rac_retain(subscriber);
  return RAC_OK;
}

TEST(returning_no_disposable_is_fine) {
  producer p = {.body = keep};
  rac_signal *signal = create(&p);
  recorder r = {0};
  record(signal, &r);
  CHECK_STATUS(rac_subscriber_send(p.kept, I(1)), RAC_OK);
  finish(&r);
  CHECK_STATUS(rac_subscriber_send(p.kept, I(2)), RAC_EDONE);
  CHECK(!rac_subscriber_is_active(p.kept));
  CHECK_EVENTS(&r, "1");
  clean_up(&p, signal);
}

static void note_disposed(recorder *self) {
  producer *p = self->user;
  snprintf(p->text, sizeof p->text, "%.40s after %d", self->text, p->disposed);
}

/* Law 8: upstream first, then the end, then destroy. */
TEST(an_end_disposes_upstream_before_the_subscriber_hears_of_it) {
  const char *const ends[] = {"completed", "error"};
  for (int i = 0; i < 2; i++) {
    producer p = {.body = keep, .returns_disposable = true};
    rac_signal *signal = create(&p);
    recorder r = {.on_end = note_disposed, .user = &p};
    record(signal, &r);
    if (*ends[i] == 'c') {
      rac_subscriber_send_completed(p.kept);
      CHECK_TEXT(p.text, "| after 1");
    } else {
      rac_subscriber_send_error(p.kept, rac_value_nil());
      CHECK_TEXT(p.text, "#nil after 1");
    }
    await_end(&r);
    clean_up(&p, signal);
  }
}

static rac_status return_garbage(void *context, rac_subscriber *subscriber,
                                 rac_disposable **out) {
  (void)context_target(context);
  *out = (rac_disposable *)(uintptr_t)0x1234567;
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

TEST(a_garbage_disposable_from_the_callback_harms_nobody) {
  CHECK_SIGNAL(rac_signal_create(context_new(NULL, NULL), return_garbage,
                                 context_destroy),
               "|");
}

/* ---- The life of a subscriber ------------------------------------------- */

TEST(a_lent_subscriber_is_stale_afterwards) {
  producer p = {.returns_disposable = true};
  rac_signal *signal = create(&p);
  recorder r = {0};
  record(signal, &r);
  CHECK_STATUS(rac_subscriber_send(p.lent, I(1)), RAC_ESTALE);
  CHECK(rac_retain(p.lent) == NULL);
  /* Nobody could send any more: the subscription ended, without an event. */
  CHECK_INT(p.disposed, 1);
  CHECK_EVENTS(&r, "");
  await_end(&r);
  clean_up(&p, signal);
}

/* Law 11: nobody can send to it any more. */
TEST(dropping_the_last_reference_ends_the_subscription_silently) {
  producer p = {.body = keep, .returns_disposable = true};
  rac_signal *signal = create(&p);
  recorder r = {0};
  record(signal, &r);
  rac_subscriber_send(p.kept, I(1));
  CHECK_INT(p.disposed, 0);
  rac_release(p.kept);
  p.kept = NULL;
  CHECK_INT(p.disposed, 1);
  CHECK_EVENTS(&r, "1");
  await_end(&r);
  clean_up(&p, signal);
}

TEST(disposables_added_to_a_subscriber_go_with_the_subscription) {
  producer p = {.body = keep};
  rac_signal *signal = create(&p);
  recorder r = {0};
  record(signal, &r);
  atomic_int runs = 0;
  rac_disposable *early = rac_disposable_create(context_new(&runs, NULL),
                                                count_up, context_destroy);
  rac_disposable *late = rac_disposable_create(context_new(&runs, NULL),
                                               count_up, context_destroy);
  CHECK_STATUS(rac_subscriber_add_disposable(p.kept, early), RAC_OK);
  CHECK_INT(runs, 0);
  finish(&r);
  CHECK_INT(runs, 1);
  /* Too late: at once. */
  rac_status status = rac_subscriber_add_disposable(p.kept, late);
  CHECK(status == RAC_OK || status == RAC_EDONE);
  CHECK_INT(runs, 2);
  rac_release(early);
  rac_release(late);
  clean_up(&p, signal);
}

static rac_status pass_on(void *context, rac_subscriber *subscriber,
                          rac_disposable **out) {
  (void)out;
  rac_release(rac_subscribe_subscriber(context_target(context), subscriber));
  return RAC_OK;
}

TEST(a_subscriber_that_is_subscribed_elsewhere_lives_as_long) {
  const char *const scripts[] = {"1", "1 |", "1 #2"};
  for (int i = 0; i < 3; i++) {
    source counts = {0};
    owned rac_signal *inner = cold(scripts[i], &counts);
    owned rac_signal *outer =
        rac_signal_create(context_new(inner, NULL), pass_on, context_destroy);
    recorder r = {0};
    record(outer, &r);
    CHECK_EVENTS(&r, scripts[i]);
    CHECK_INT(counts.disposed, i == 0 ? 0 : 1);
    finish(&r);
    CHECK_INT(counts.disposed, 1);
  }
}

/* ---- Re-entrance -------------------------------------------------------- */

static void send_more(recorder *self, rac_value value) {
  producer *p = self->user;
  if (value.bits < 3)
    CHECK_STATUS(rac_subscriber_send(p->lent, I(value.bits + 1)), RAC_QUEUED);
}

static rac_status send_one(producer *self, rac_subscriber *subscriber) {
  (void)self;
  rac_subscriber_send(subscriber, I(1));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

/* Law 3: in the one line in which the others stand. */
TEST(sends_from_inside_a_callback_queue_behind_the_value) {
  producer p = {.body = send_one};
  rac_signal *signal = create(&p);
  recorder r = {.on_next = send_more, .user = &p};
  record(signal, &r);
  CHECK_EVENTS(&r, "1 2 3 |");
  await_end(&r);
  clean_up(&p, signal);
}

static rac_status send_until_inactive(producer *self, rac_subscriber *s) {
  while (rac_subscriber_is_active(s) && self->sent < 1000)
    rac_subscriber_send(s, I(++self->sent));
  return RAC_OK;
}

/* Law 7: from below, before rac_subscribe() returns. */
TEST(an_endless_producer_sees_that_nobody_listens) {
  producer p = {.body = send_until_inactive};
  rac_signal *signal = create(&p);
  RAC_ASSIGN(signal, rac_signal_take(signal, 3));
  recorder r = {0};
  record(signal, &r);
  CHECK_EVENTS(&r, "1 2 3 |");
  CHECK_INT(p.sent, 3);
  await_end(&r);
  clean_up(&p, signal);
}

static rac_status subscribe_again(producer *self, rac_subscriber *subscriber) {
  if (self->subscribed == 1) {
    owned rac_signal *inner = create(self);
    record(inner, self->listener);
  }
  rac_subscriber_send(subscriber, I(self->subscribed));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

TEST(the_callback_may_subscribe_to_the_same_signal) {
  recorder inner = {0}, outer = {0};
  producer p = {.body = subscribe_again, .listener = &inner};
  rac_signal *signal = create(&p);
  record(signal, &outer);
  CHECK_EVENTS(&inner, "2 |");
  CHECK_EVENTS(&outer, "2 |");
  await_end(&inner);
  await_end(&outer);
  clean_up(&p, signal);
}
