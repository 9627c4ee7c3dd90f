/* rac_signal_retry_when and rac_signal_repeat_when: again when a signal says so. */
#include "stage.h"

typedef struct notifiers {
  rac_scheduler *clock;
  rac_signal *other;
  size_t most; /* then the end goes on */
  size_t last; /* index */
} notifiers;

/* After 1, 2, 3 … seconds. */
static rac_status after_longer(void *context, rac_value value, size_t index,
                               rac_signal **out) {
  notifiers *self = context_target(context);
  self->last = index;
  if (index == self->most) {
    if (value.kind == RAC_ERROR) *out = rac_signal_error(value);
    return RAC_OK;
  }
  *out = rac_signal_return(value);
  APPLY(*out, delay, (double)index + 1, self->clock);
  return RAC_OK;
}

static rac_status the_other(void *context, rac_value value, size_t index,
                            rac_signal **out) {
  notifiers *self = context_target(context);
  (void)value;
  self->last = index;
  *out = rac_retain(self->other);
  return index == self->most ? -9 : RAC_OK;
}

TEST(retry_when_waits_for_its_notifiers) {
  for (int subscription = 0; subscription < 2; subscription++) {
    notifiers self = {.clock = rac_scheduler_virtual(), .most = 3};
    recorder r = {.clock = self.clock};
    rac_signal *s = cold("1 #5", NULL);
    APPLY(s, retry_when, CALLBACK_FOR(&self, after_longer));
    record(s, &r);
    rac_virtual_advance_to(self.clock, 100);
    CHECK_EVENTS(&r, "1@0 1@1 1@3 1@6 #5@6");
    await_end(&r);
    rac_release(s);
    rac_release(self.clock);
  }
}

TEST(repeat_when_gives_up_with_a_completion) {
  notifiers self = {.clock = rac_scheduler_virtual(), .most = 2};
  recorder r = {.clock = self.clock};
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, repeat_when, CALLBACK_FOR(&self, after_longer));
  record(s, &r);
  rac_virtual_advance_to(self.clock, 100);
  CHECK_EVENTS(&r, "1@0 1@1 1@3 |@3");
  await_end(&r);
  rac_release(s);
  rac_release(self.clock);
}

TEST(ends_of_the_other_kind_go_on) {
  notifiers self = {.other = rac_signal_never()};
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, retry_when, CALLBACK_FOR(&self, the_other));
  CHECK_SIGNAL(s, "1 |");
  s = cold("1 #2", NULL);
  APPLY(s, repeat_when, CALLBACK_FOR(&self, the_other));
  CHECK_SIGNAL(s, "1 #2");
  rac_release(self.other);
}

/* Only the first value counts, and the notifier is disposed then. */
TEST(a_notifier_ends_the_wait_or_the_stream) {
  static const struct {
    const char *notifier, *heard;
    int left_open;
  } cases[] = {{"7 8 #3", "1 1 1 #-9", 0},
               {"7", "1 1 1 #-9", 0},
               {"|", "1 |", 0},
               {"#3", "1 #3", 0},
               {"", "1", 1}};
  for (int i = 0; i < 5; i++) {
    source counts = {0};
    notifiers self = {.other = cold(cases[i].notifier, &counts), .most = 2};
    rac_signal *s = cold("1 #5", NULL);
    APPLY(s, retry_when, CALLBACK_FOR(&self, the_other));
    recorder r = {0};
    record(s, &r);
    CHECK_EVENTS(&r, cases[i].heard);
    CHECK_INT(counts.subscribed - counts.disposed, cases[i].left_open);
    finish(&r);
    CHECK_INT(counts.subscribed, counts.disposed);
    rac_release(s);
    rac_release(self.other);
  }
}

TEST(a_million_rounds_at_once_need_no_stack) {
  int64_t many = check_scaled(1000000);
  notifiers self = {.other = rac_signal_return(I(0)), .most = (size_t)many};
  rac_signal *s = rac_signal_empty();
  APPLY(s, repeat_when, CALLBACK_FOR(&self, the_other));
  CHECK_SIGNAL(s, "#-9");
  CHECK_INT(self.last, many);
  rac_release(self.other);
}
