/* rac_signal_map and rac_signal_map_replace: one value for each. */
#include "operators.h"
#include "shared_callbacks.h"

TEST(map_sends_what_the_callback_makes) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, map, CALLBACK(times_ten));
  CHECK_SIGNAL(s, "10 20 |");
  s = cold("1 #3", NULL);
  APPLY(s, map, CALLBACK(times_ten));
  CHECK_SIGNAL(s, "10 #3");
}

/* Law 17: with an error, once. */
TEST(a_failing_map_ends_the_stream_and_disposes_the_source) {
  source counts = {0};
  rac_signal *s = cold("1 2 3", &counts);
  APPLY(s, map, CALLBACK(map_not_two));
  CHECK_SIGNAL(s, "1 #-22");
  CHECK_INT(counts.disposed, 1);
}

static rac_status make_text(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  char text[20];
  int length = snprintf(text, sizeof text, "<%d>", (int)value.bits);
  *out = rac_value_string_copy(text, (size_t)length);
  return RAC_OK;
}

TEST(map_takes_over_what_the_callback_writes) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, map, CALLBACK(make_text));
  APPLY(s, map, CALLBACK(keep_value));
  APPLY(s, map, CALLBACK(keep_value));
  CHECK_SIGNAL(s, "<1> <2> |");
}

static rac_status text_and_failure(void *context, rac_value value,
                                   rac_value *out) {
  make_text(context, value, out);
  return -3;
}

TEST(what_a_failing_callback_wrote_is_released) {
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, map, CALLBACK(text_and_failure));
  CHECK_SIGNAL(s, "#-3");
  s = cold("1 |", NULL);
  APPLY(s, group_by, context_new(NULL, NULL), text_and_failure, NULL,
        context_destroy);
  CHECK_SIGNAL(s, "#-3");
}

TEST(map_replace_sends_one_value_for_each) {
  rac_value text = rac_value_string_copy("x", 1);
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, map_replace, text);
  rac_value_release(text);
  CHECK_SIGNAL(s, "x x |");
}

TEST(an_operators_context_goes_with_the_last_of_signal_and_subscription) {
  atomic_int destroyed = 0;
  owned rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_map(as_signal(subject), context_new(NULL, &destroyed),
                     times_ten, context_destroy);
  recorder r = {0};
  record(s, &r);
  rac_release(s);
  CHECK_INT(destroyed, 0);
  play(subject, "1 #2");
  CHECK_EVENTS(&r, "10 #2");
  await_end(&r);
  CHECK_INT(destroyed, 1);
}

/* ---- What RAC's specs demand --------------------------------------------- */

static rac_status counted_plus_one(void *context, rac_value value,
                                   rac_value *out) {
  int *calls = context_target(context);
  if (calls) ++*calls;
  *out = I(value.bits + 1);
  return RAC_OK;
}

/* signal-019 */
TEST(map_sends_what_is_made_of_each_value) {
  int calls = 0;
  rac_signal *s = cold("0 1 2 |", NULL);
  APPLY(s, map, CALLBACK_FOR(&calls, counted_plus_one));
  CHECK_SIGNAL(s, "1 2 3 |");
  CHECK_INT(calls, 3);
}

/* What comes out of a stream of values and nils is as many of the new one. */
TEST(map_replace_replaces_every_value) {
  rac_signal *s = cold("0 nil 2 |", NULL);
  APPLY(s, map_replace, S("x"));
  CHECK_SIGNAL(s, "x x x |");
}
