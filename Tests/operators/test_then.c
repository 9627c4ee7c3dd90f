/* rac_signal_then: what follows a completion. */
#include "stage.h"

static rac_status make_next(void *context, rac_signal **out) {
  int *calls = context_target(context);
  if (++*calls == 2) return -5;
  if (*calls < 2) *out = cold("7 8 |", NULL);
  return RAC_OK;
}

TEST(then_goes_on_after_the_completion) {
  int calls = 0;
  rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_then(as_signal(subject), CALLBACK_FOR(&calls, make_next));
  recorder r = {0};
  record(s, &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "");
  CHECK_INT(calls, 0);
  play(subject, "|");
  CHECK_EVENTS(&r, "7 8 |");
  await_end(&r);
  rac_release(s);
  rac_release(subject);
  s = cold("|", NULL);
  APPLY(s, then, CALLBACK_FOR(&calls, make_next));
  rac_retain(s);
  CHECK_SIGNAL(s, "#-5");
  CHECK_SIGNAL(s, "|");
  s = cold("1 #4", NULL);
  APPLY(s, then, CALLBACK_FOR(&calls, make_next));
  CHECK_SIGNAL(s, "#4");
  CHECK_INT(calls, 3);
}

/* ---- What RAC's specs demand --------------------------------------------- */

typedef struct sequel {
  rac_signal *signal;
  int calls;
} sequel;

static rac_status go_on(void *context, rac_signal **out) {
  sequel *self = context_target(context);
  self->calls++;
  *out = rac_retain(self->signal);
  return RAC_OK;
}

static void check_then(const char *script, const char *expected, int calls) {
  sequel next = {rac_signal_return(I(2)), 0};
  stage t;
  stage_open(&t);
  stage_hear(&t, rac_signal_then(as_signal(t.a), CALLBACK_FOR(&next, go_on)));
  CHECK_INT(next.calls, 0);
  play(t.a, script);
  CHECK_EVENTS(&t.heard, expected);
  CHECK_INT(next.calls, calls);
  stage_close(&t);
  rac_release(next.signal);
}

/* signal-197, signal-198: values or none, the completion calls for the next
 * signal, and nothing else does */
TEST(then_waits_for_the_completion) {
  check_then("1", "", 0);
  check_then("1 |", "2 |", 1);
  check_then("|", "2 |", 1);
  check_then("1 #7", "#7", 0);
}

static rac_status fail_to_go_on(void *context, rac_signal **out) {
  (void)out;
  return *(rac_status *)context_target(context);
}

/* signal-197: the next signal's own error, or there is none */
TEST(then_without_a_next_signal) {
  rac_status statuses[] = {-9, RAC_OK};
  static const char *const expected[] = {"#-9", "|"};
  for (int i = 0; i < 2; i++) {
    rac_signal *s = cold("1 |", NULL);
    APPLY(s, then, CALLBACK_FOR(&statuses[i], fail_to_go_on));
    CHECK_SIGNAL(s, expected[i]);
  }
}

/* signal-197, signal-198: the source is over when the next one begins, and a
 * disposal then disposes that */
TEST(disposing_a_then_disposes_the_next_signal) {
  source first = {0}, second = {0};
  sequel next = {cold("2", &second), 0};
  rac_signal *s = cold("1 |", &first);
  APPLY(s, then, CALLBACK_FOR(&next, go_on));
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "2");
  CHECK_INT(first.disposed, 1);
  CHECK_INT(second.disposed, 0);
  finish(&r);
  CHECK_INT(second.disposed, 1);
  rac_release(s);
  rac_release(next.signal);
}
