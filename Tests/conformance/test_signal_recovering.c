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
