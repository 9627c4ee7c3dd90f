/* try, and operators that answer yes or no. */
#include "operators.h"

/* ---- try ---------------------------------------------------------------- */

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
  CHECK_SIGNAL(s, "1 !-22");
  CHECK_INT(counts.disposed, 1);
  s = cold("1 2 3 4 |", NULL);
  APPLY(s, try, CALLBACK(raise_three));
  CHECK_SIGNAL(s, "1 2 !33");
  s = cold("1 !7", NULL);
  APPLY(s, try, CALLBACK(not_two));
  CHECK_SIGNAL(s, "1 !7");
}

TEST(try_map_maps_until_it_fails) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, try_map, CALLBACK(times_ten));
  CHECK_SIGNAL(s, "10 20 |");
  source counts = {0};
  s = cold("1 2 3", &counts);
  APPLY(s, try_map, CALLBACK(map_not_two));
  CHECK_SIGNAL(s, "1 !-22");
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
  CHECK_SIGNAL(s, "!-2");
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
  CHECK_SIGNAL(rac_signal_from_factory(CALLBACK(make_nonsense)), "!-4");
  s = cold("1 |", NULL);
  APPLY(s, aggregate_with_factory, context_new(NULL, NULL), make_nonsense, add,
        context_destroy);
  CHECK_SIGNAL(s, "!-4");
}

/* ---- any and all -------------------------------------------------------- */

static rac_status above_two(void *context, rac_value value, bool *out) {
  (void)context_target(context);
  *out = value.bits > 2;
  return value.bits == 99 ? -99 : RAC_OK;
}

TEST(any_and_all_decide_as_soon_as_they_can) {
  static const struct {
    const char *script, *any, *all;
  } cases[] = {{"1 2 3 4 |", "true |", "false |"},
               {"1 2 |", "false |", "false |"},
               {"3 4 |", "true |", "true |"},
               {"|", "false |", "true |"},
               {"!5", "false |", "false |"},
               {"1 !5", "false |", "false |"},
               {"3 !5", "true |", "false |"},
               {"99 |", "!-99", "!-99"},
               {"1", "", "false |"},
               {"3", "true |", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    source counts = {0};
    rac_signal *s = cold(cases[i].script, &counts), *t = rac_retain(s);
    APPLY(s, any, CALLBACK(above_two));
    CHECK_SIGNAL(s, cases[i].any);
    APPLY(t, all, CALLBACK(above_two));
    CHECK_SIGNAL(t, cases[i].all);
    CHECK_INT(counts.disposed, 2);
  }
}

TEST(any_without_a_predicate_looks_for_any_value) {
  rac_signal *s = cold("nil 2 |", NULL);
  APPLY(s, any, NULL, NULL, NULL);
  CHECK_SIGNAL(s, "true |");
  s = cold("|", NULL);
  APPLY(s, any, context_new(NULL, NULL), NULL, context_destroy);
  CHECK_SIGNAL(s, "false |");
}

static rac_status dispose_and_say_yes(void *context, rac_value value,
                                      bool *out) {
  recorder *r = context_target(context);
  (void)value;
  rac_dispose(r->subscription);
  *out = true;
  return RAC_OK;
}

TEST(a_predicate_of_any_may_dispose_the_subscription) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  rac_signal *s =
      rac_signal_any(as_signal(subject), CALLBACK_FOR(&r, dispose_and_say_yes));
  record(s, &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "");
  await_end(&r);
  rac_release(s);
  rac_release(subject);
}

/* ---- not, and, or ------------------------------------------------------- */

TEST(not_sends_the_opposite) {
  rac_value values[] = {
      rac_value_bool(true), rac_value_bool(false), I(0), I(-3),
      rac_value_double(0),  rac_value_double(0.1)};
  rac_signal *s = rac_signal_from_values(values, 6);
  APPLY0(s, not );
  CHECK_SIGNAL(s, "false true true false true false |");
}

TEST(only_truth_values_have_an_opposite) {
  rac_value values[] = {rac_value_nil(), S("true"),
                        rac_value_event_completed()};
  for (int i = 0; i < 3; i++) {
    rac_signal *s = rac_signal_return(values[i]);
    APPLY0(s, not );
    CHECK_SIGNAL(s, "!-4");
  }
}

static rac_signal *tuple_of(const char *script) {
  rac_signal *s = cold(script, NULL);
  APPLY0(s, collect);
  return s;
}

TEST(and_and_or_look_at_all_of_a_tuple) {
  static const struct {
    const char *script, *whether_all, *whether_any;
  } cases[] = {{"1 0 1 |", "false |", "true |"},
               {"0 0 0 |", "false |", "false |"},
               {"1 1 1 |", "true |", "true |"},
               {"1 |", "true |", "true |"},
               {"|", "!-4", "!-4"},
               {"1 nil |", "!-4", "!-4"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_signal *s = tuple_of(cases[i].script), *t = rac_retain(s);
    APPLY0(s, and);
    CHECK_SIGNAL(s, cases[i].whether_all);
    APPLY0(t, or);
    CHECK_SIGNAL(t, cases[i].whether_any);
  }
  rac_signal *s = cold("1 |", NULL);
  APPLY0(s, and);
  CHECK_SIGNAL(s, "!-4");
}
