/* A callback of rac_signal_create() that fails. */
#include "operators.h"

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
  CHECK_SIGNAL(rac_retain(plain), "#-100");
  CHECK_SIGNAL(rac_signal_create(CALLBACK(send_and_raise)), "1 #9");
  CHECK_SIGNAL(plain, "#-100");
}
