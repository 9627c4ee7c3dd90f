/* rac_signal_try, rac_signal_try_map, and rac_signal_from_factory, which is RAC's
 * +try:. */
#include "operators.h"

static rac_status not_two(void *context, rac_value value) {
  (void)context_target(context);
  return value.bits == 2 ? -22 : RAC_OK;
}

static rac_status raise_three(void *context, rac_value value) {
  (void)context_target(context);
  if (value.bits != 3) return RAC_OK;
  rac_value error = test_error(33);
  rac_status status = rac_raise(error);
  rac_value_release(error);
  return status;
}

TEST(try_passes_what_the_callback_accepts) {
  source counts = {0};
  rac_signal *s = cold("1 3 |", NULL);
  APPLY(s, try, CALLBACK(not_two));
  CHECK_SIGNAL(s, "1 3 |");
  s = cold("1 2 3", &counts);
  APPLY(s, try, CALLBACK(not_two));
  CHECK_SIGNAL(s, "1 #-22");
  CHECK_INT(counts.disposed, 1);
  s = cold("1 2 3 4 |", NULL);
  APPLY(s, try, CALLBACK(raise_three));
  CHECK_SIGNAL(s, "1 2 #33");
  s = cold("1 #7", NULL);
  APPLY(s, try, CALLBACK(not_two));
  CHECK_SIGNAL(s, "1 #7");
}

TEST(try_map_maps_until_it_fails) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, try_map, CALLBACK(times_ten));
  CHECK_SIGNAL(s, "10 20 |");
  source counts = {0};
  s = cold("1 2 3", &counts);
  APPLY(s, try_map, CALLBACK(map_not_two));
  CHECK_SIGNAL(s, "1 #-22");
  CHECK_INT(counts.disposed, 1);
}

/* The second call fails. */
static rac_status make_text(void *context, rac_value *out) {
  int *calls = context_target(context);
  char text[20];
  int length = snprintf(text, sizeof text, "made%d", ++*calls);
  *out = rac_value_string_copy(text, (size_t)length);
  return *calls == 2 ? -2 : RAC_OK;
}

TEST(a_factory_makes_one_value_for_each_subscriber) {
  int calls = 0;
  rac_signal *s = rac_signal_from_factory(CALLBACK_FOR(&calls, make_text));
  CHECK_INT(calls, 0);
  rac_retain(s);
  rac_retain(s);
  CHECK_SIGNAL(s, "made1 |");
  CHECK_SIGNAL(s, "#-2");
  CHECK_SIGNAL(s, "made3 |");
}

static rac_status make_view(void *context, rac_value *out) {
  (void)context_target(context);
  *out = rac_value_string("view");
  return RAC_OK;
}

static rac_status make_nonsense(void *context, rac_value *out) {
  (void)context_target(context);
  *out = (rac_value){200, 0, 0, 0, 1};
  return RAC_OK;
}

TEST(a_factory_may_lend_text_and_is_checked) {
  rac_signal *s = rac_signal_from_factory(CALLBACK(make_view));
  APPLY0(s, replay_last);
  CHECK_SIGNAL(s, "view |");
  CHECK_SIGNAL(rac_signal_from_factory(CALLBACK(make_nonsense)), "#-5004");
  s = cold("1 |", NULL);
  APPLY(s, aggregate_with_factory, context_new(NULL, NULL), make_nonsense, add,
        context_destroy);
  CHECK_SIGNAL(s, "#-5004");
}

/* ---- What RAC's specs demand --------------------------------------------- */

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
  CHECK_SIGNAL(s, "1 #33");
  CHECK_INT(counts.disposed, 1);
}

static rac_status append_a(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  char text[40];
  size_t length = format_value(value, text, 30);
  memcpy(text + length, "_a", 2);
  if (value.kind == RAC_INT64) {
    owned_value error = test_error(44);
    rac_status status = rac_raise(error);
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
  CHECK_SIGNAL(s, "nil_a #44");
}

typedef struct product {
  int calls;
  bool fails;
} product;

static rac_status produce(void *context, rac_value *out) {
  product *self = context_target(context);
  self->calls++;
  if (self->fails) {
    owned_value error = test_error(55);
    rac_status status = rac_raise(error);
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
  CHECK_SIGNAL(rac_signal_from_factory(CALLBACK_FOR(&p, produce)), "#55");
}
