/* Backtraces from callbacks reach the program: the engine has unwind tables. */
#include <execinfo.h>

#include "check.h"

enum { MOST_FRAMES = 128 };

typedef struct stack {
  void *frames[MOST_FRAMES];
  int count;
} stack;

static stack of_test, of_callback;

static void look(stack *self) {
  self->count = backtrace(self->frames, MOST_FRAMES);
}

static void look_on_value(void *context, rac_value value) {
  (void)context, (void)value;
  look(&of_callback);
}
static void look_in_job(void *context) {
  (void)context;
  look(&of_callback);
}
static rac_status look_in_map(void *context, rac_value value, rac_value *out) {
  (void)context;
  look(&of_callback);
  *out = value;
  return RAC_OK;
}
static rac_status look_in_create(void *context, rac_subscriber *subscriber,
                                 rac_disposable **out) {
  (void)context, (void)out;
  look(&of_callback);
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

/* What called the test is at the end of both: the way out goes through librac. */
static void check_reaches_main(int line) {
  int outer = of_test.count - 1;
  CHECK(outer > 1);
  check_int(__FILE__, line, "reaches further", of_callback.count > outer, true);
  for (int i = 1; i <= outer && i < of_callback.count; i++) {
    void *here = of_test.frames[of_test.count - i];
    void *there = of_callback.frames[of_callback.count - i];
    check_int(__FILE__, line, "the same frame", here == there || i == outer,
              true);
  }
  of_callback.count = 0;
}

TEST(a_backtrace_in_a_callback_reaches_main) {
  look(&of_test);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), NULL, look_in_map, NULL);
  owned rac_signal *skipped = rac_signal_skip(as_signal(subject), 1);
  rac_disposable *d = rac_subscribe_next(skipped, NULL, look_on_value, NULL);
  owned rac_disposable *m =
      rac_subscribe_next(mapped, NULL, look_on_value, NULL);
  rac_subject_send(subject, I(1));
  check_reaches_main(__LINE__);
  rac_subject_send(subject, I(2));
  check_reaches_main(__LINE__);
  rac_signal *cold = rac_signal_create(NULL, look_in_create, NULL);
  rac_release(rac_subscribe_next(cold, NULL, NULL, NULL));
  check_reaches_main(__LINE__);
  rac_scheduler *main = rac_scheduler_main();
  rac_release(rac_schedule(main, NULL, look_in_job, NULL));
  rac_main_drain(0);
  check_reaches_main(__LINE__);
  rac_property *property = rac_property_create(I(0), 0);
  rac_disposable *p = rac_subscribe_next(rac_property_as_signal(property), NULL,
                                         look_on_value, NULL);
  rac_property_set(property, I(3));
  check_reaches_main(__LINE__);
  rac_dispose(p);
  rac_release(p);
  rac_release(property);
  rac_release(main);
  rac_release(cold);
  rac_dispose(d);
  rac_release(d);
  rac_dispose(m);
}
