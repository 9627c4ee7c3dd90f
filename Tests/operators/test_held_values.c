/* What operators hold until a time, a partner, or the completion. */
#include "stage.h"

static rac_signal *delay(rac_signal *s) { return rac_signal_delay(s, 1, NULL); }
static rac_signal *throttle(rac_signal *s) {
  return rac_signal_throttle(s, 1, NULL);
}
static rac_signal *zip(rac_signal *s) {
  owned rac_signal *never = rac_signal_never();
  rac_signal *zipped = rac_signal_zip_with(s, never);
  return zipped;
}
static rac_signal *combine_latest(rac_signal *s) {
  owned rac_signal *never = rac_signal_never();
  rac_signal *combined = rac_signal_combine_latest_with(s, never);
  return combined;
}

static rac_signal *(*const holding[])(rac_signal *) = {
    delay, throttle, rac_signal_collect, zip, combine_latest};
enum { HOLDING = sizeof holding / sizeof *holding };

static void count_up(void *pointer) { ++*(int *)pointer; }

typedef struct sending {
  rac_subject *subject;
  int *released;
} sending;

static void send_owned(void *context) {
  sending *self = context_target(context);
  owned_value value = rac_value_pointer(self->released, NULL, count_up);
  rac_subject_send(self->subject, value);
}

/* Laws 7 and 21: at the disposal, neither before nor later. */
TEST(disposal_releases_what_is_held) {
  for (int i = 0; i < HOLDING; i++) {
    stage t;
    int released = 0;
    stage_open_timed(&t);
    stage_hear(&t, holding[i](as_signal(t.a)));
    sending s = {t.a, &released};
    rac_release(rac_schedule_after(t.v, 1, CALLBACK_FOR(&s, send_owned)));
    rac_virtual_advance_to(t.v, 1.5);
    CHECK_INT(released, 0);
    rac_dispose(t.heard.subscription);
    CHECK_INT(released, 1);
    CHECK_INT(atomic_load(&t.heard.destroyed), 1);
    stage_close(&t);
    CHECK_EVENTS(&t.heard, "");
  }
}
