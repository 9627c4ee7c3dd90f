/* rac_signal_defer: a signal for each subscription. */
#include "check.h"

typedef struct deferral {
  int calls;
  rac_status status;
  const char *script; /* NULL: leaves *out alone */
} deferral;

static rac_status make_signal(void *context, rac_signal **out) {
  deferral *self = context_target(context);
  self->calls++;
  if (self->script) *out = cold(self->script, NULL);
  return self->status;
}

static rac_signal *defer(deferral *self) {
  return rac_signal_defer(context_new(self, NULL), make_signal,
                          context_destroy);
}

/* Law 12: the work is done anew for each of them. */
TEST(defer_asks_for_a_signal_at_each_subscription) {
  deferral d = {0, RAC_OK, "1 2 |"};
  rac_signal *signal = defer(&d);
  CHECK_INT(d.calls, 0);
  rac_retain(signal);
  CHECK_SIGNAL(signal, "1 2 |");
  CHECK_INT(d.calls, 1);
  CHECK_SIGNAL(signal, "1 2 |");
  CHECK_INT(d.calls, 2);
}

TEST(defer_without_a_signal_is_empty) {
  deferral d = {0, RAC_OK, NULL};
  CHECK_SIGNAL(defer(&d), "|");
}

TEST(defer_may_fail) {
  deferral d = {0, -42, NULL};
  CHECK_SIGNAL(defer(&d), "#-42");
  d.script = "1 |"; /* given all the same: released */
  CHECK_SIGNAL(defer(&d), "#-42");
}
