/* -catch:, -try:, -tryMap:, +try: and -then:. */
#include "stage.h"

/* ---- catch --------------------------------------------------------------- */

/* What the handler goes on with. */
typedef struct recovery {
  rac_signal *signal;
  int calls;
  int64_t code;
} recovery;

static rac_status recover(void *context, rac_value error, rac_signal **out) {
  recovery *self = context_target(context);
  self->calls++;
  self->code = rac_error_get_code(error);
  *out = rac_retain(self->signal);
  return RAC_OK;
}

/* signal-177: the handler gets the error */
TEST(catch_goes_on_with_another_signal) {
  recovery r = {cold("41", NULL), 0, 0};
  rac_signal *s = cold("1 !7", NULL);
  APPLY(s, catch, CALLBACK_FOR(&r, recover));
  CHECK_SIGNAL(s, "1 41");
  CHECK_INT(r.calls, 1);
  CHECK_INT(r.code, 7);
  rac_release(r.signal);
}

/* signal-177: not asked when there is no error */
TEST(catch_lets_a_completion_pass) {
  recovery r = {cold("41", NULL), 0, 0};
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, catch, CALLBACK_FOR(&r, recover));
  CHECK_SIGNAL(s, "1 |");
  CHECK_INT(r.calls, 0);
  rac_release(r.signal);
}

/* signal-179: once, not again */
TEST(an_error_of_the_signal_gone_on_with_is_not_caught) {
  recovery r = {cold("41 !8", NULL), 0, 0};
  rac_signal *s = cold("!7", NULL), *to = cold("!7", NULL);
  APPLY(s, catch, CALLBACK_FOR(&r, recover));
  CHECK_SIGNAL(s, "41 !8");
  CHECK_INT(r.calls, 1);
  APPLY(to, catch_to, r.signal);
  CHECK_SIGNAL(to, "41 !8");
  rac_release(r.signal);
}

/* signal-180: also through catchTo */
TEST(disposing_a_catch_disposes_what_it_went_on_with) {
  for (int form = 0; form < 2; form++) {
    source counts = {0};
    recovery r = {cold("41", &counts), 0, 0};
    stage t;
    stage_open(&t);
    stage_hear(
        &t, form ? rac_signal_catch_to(as_signal(t.a), r.signal)
                 : rac_signal_catch(as_signal(t.a), CALLBACK_FOR(&r, recover)));
    play(t.a, "1 !7");
    CHECK_EVENTS(&t.heard, "1 41");
    CHECK_INT(counts.disposed, 0);
    rac_dispose(t.heard.subscription);
    CHECK_INT(counts.disposed, 1);
    stage_close(&t);
    rac_release(r.signal);
  }
}

/* Writes what it has, and fails all the same. */
static rac_status fail_to_recover(void *context, rac_value error,
                                  rac_signal **out) {
  (void)error;
  *out = rac_retain(context_target(context));
  return -9;
}
static rac_status recover_with_nothing(void *context, rac_value error,
                                       rac_signal **out) {
  (void)context_target(context);
  (void)error;
  (void)out;
  return RAC_OK;
}

/* signal-177, signal-179: RAC asserted that there is a signal; none is an empty
 * one here, and a failure of the handler takes the error's place */
TEST(a_handler_without_a_signal) {
  source counts = {0};
  rac_signal *s = cold("1 !7", NULL), *other = cold("8 |", &counts);
  rac_signal *failing =
      rac_signal_catch(s, CALLBACK_FOR(other, fail_to_recover));
  CHECK_SIGNAL(failing, "1 !-9");
  CHECK_INT(counts.subscribed, 0);
  APPLY(s, catch, CALLBACK(recover_with_nothing));
  CHECK_SIGNAL(s, "1 |");
  rac_release(other);
}

/* ---- try ----------------------------------------------------------------- */

static rac_status accept_below_three(void *context, rac_value value) {
  (void)context_target(context);
  if (value.bits < 3) return RAC_OK;
  rac_value error = test_error(33);
  rac_status status = rac_raise(error);
  rac_value_release(error);
  return status;
}

/* signal-181 */
TEST(try_passes_the_values_that_its_callback_accepts) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, try, CALLBACK(accept_below_three));
  CHECK_SIGNAL(s, "1 2 |");
}

/* signal-181: the first refusal is the end, with the callback's error */
TEST(try_fails_with_the_error_of_its_callback) {
  source counts = {0};
  rac_signal *s = cold("1 3 2", &counts);
  APPLY(s, try, CALLBACK(accept_below_three));
  CHECK_SIGNAL(s, "1 !33");
  CHECK_INT(counts.disposed, 1);
}

/* ---- tryMap -------------------------------------------------------------- */

static rac_status append_a(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  char text[40];
  size_t length = format_value(value, text, 30);
  memcpy(text + length, "_a", 2);
  if (value.kind == RAC_INT64) {
    rac_value error = test_error(44);
    rac_status status = rac_raise(error);
    rac_value_release(error);
    return status;
  }
  *out = rac_value_string_copy(text, length + 2);
  return RAC_OK;
}

/* signal-183 */
TEST(try_map_sends_what_its_callback_makes) {
  rac_value values[] = {S("foo"), S("bar"), S("buzz")};
  rac_signal *s = rac_signal_from_values(values, 3);
  APPLY(s, try_map, CALLBACK(append_a));
  CHECK_SIGNAL(s, "foo_a bar_a buzz_a |");
}

/* signal-183: nil is no failure, a status is: docs/Differences.md */
TEST(try_map_fails_with_the_error_of_its_callback) {
  rac_signal *s = cold("nil 1 nil", NULL);
  APPLY(s, try_map, CALLBACK(append_a));
  CHECK_SIGNAL(s, "nil_a !44");
}

/* ---- +try: --------------------------------------------------------------- */

typedef struct product {
  int calls;
  bool fails;
} product;

static rac_status produce(void *context, rac_value *out) {
  product *self = context_target(context);
  self->calls++;
  if (self->fails) {
    rac_value error = test_error(55);
    rac_status status = rac_raise(error);
    rac_value_release(error);
    return status;
  }
  *out = rac_value_string_copy("foo", 3);
  return RAC_OK;
}

/* signal-273: once for each subscriber, and not before */
TEST(a_factory_sends_its_value_and_completes) {
  product p = {0};
  rac_signal *s = rac_signal_from_factory(CALLBACK_FOR(&p, produce));
  CHECK_INT(p.calls, 0);
  rac_retain(s);
  CHECK_SIGNAL(s, "foo |");
  CHECK_SIGNAL(s, "foo |");
  CHECK_INT(p.calls, 2);
}

/* signal-275 */
TEST(a_factory_that_fails_sends_its_error) {
  product p = {0, true};
  CHECK_SIGNAL(rac_signal_from_factory(CALLBACK_FOR(&p, produce)), "!55");
}

/* ---- then ---------------------------------------------------------------- */

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
TEST(then_goes_on_after_the_completion) {
  check_then("1", "", 0);
  check_then("1 |", "2 |", 1);
  check_then("|", "2 |", 1);
  check_then("1 !7", "!7", 0);
}

static rac_status fail_to_go_on(void *context, rac_signal **out) {
  (void)out;
  return *(rac_status *)context_target(context);
}

/* signal-197: the next signal's own error, or there is none */
TEST(then_without_a_next_signal) {
  rac_status statuses[] = {-9, RAC_OK};
  static const char *const expected[] = {"!-9", "|"};
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
