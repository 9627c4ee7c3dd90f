/* A callback of rac_signal_create() that fails. */
#include "operators.h"
#include "producer.h"

static rac_status send_and_raise(void *context, rac_subscriber *subscriber,
                                 rac_disposable **out) {
  (void)context_target(context);
  (void)out;
  rac_subscriber_send(subscriber, I(1));
  rac_value error = test_error(9);
  rac_status status = rac_raise(error);
  rac_value_release(error);
  return status;
}

static rac_status just_fail(void *context, rac_subscriber *subscriber,
                            rac_disposable **out) {
  (void)context_target(context);
  (void)subscriber, (void)out;
  return RAC_EUSER;
}

/* Law 17: the error it raised is the stream's, and is used up by that. */
TEST(a_failing_callback_names_its_error) {
  rac_signal *plain = rac_signal_create(CALLBACK(just_fail));
  CHECK_SIGNAL(rac_retain(plain), "#-5100");
  CHECK_SIGNAL(rac_signal_create(CALLBACK(send_and_raise)), "1 #9");
  CHECK_SIGNAL(plain, "#-5100");
}

/* ---- What it had sent and returned ----------------------------------------- */

static rac_status fail(producer *self, rac_subscriber *subscriber) {
  (void)self;
  rac_subscriber_send(subscriber, I(1));
  return -77;
}

/* Law 17: its status is the code of the error. */
TEST(a_failing_callbacks_disposable_is_disposed_too) {
  producer p = {.body = fail, .returns_disposable = true};
  rac_signal *signal = create(&p);
  recorder r = {0};
  record(signal, &r);
  CHECK_EVENTS(&r, "1 #-77");
  CHECK_INT(p.disposed, 1);
  await_end(&r);
  clean_up(&p, signal);
}

static rac_status complete_and_fail(producer *self, rac_subscriber *s) {
  (void)self;
  rac_subscriber_send_completed(s);
  return -77;
}

TEST(a_failure_after_the_end_is_not_heard) {
  producer p = {.body = complete_and_fail, .returns_disposable = true};
  rac_signal *signal = create(&p);
  recorder r = {0};
  record(signal, &r);
  CHECK_EVENTS(&r, "|");
  CHECK_INT(p.disposed, 1);
  await_end(&r);
  clean_up(&p, signal);
}
