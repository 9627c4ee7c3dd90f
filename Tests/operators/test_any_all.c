/* rac_signal_any and rac_signal_all: whether some value, or every one, passes. */
#include "callbacks.h"

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
               {"#5", "false |", "false |"},
               {"1 #5", "false |", "false |"},
               {"3 #5", "true |", "false |"},
               {"99 |", "#-99", "#-99"},
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

TEST(a_predicate_of_any_may_dispose_the_subscription) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {0};
  owned rac_signal *s =
      rac_signal_any(as_signal(subject), CALLBACK_FOR(&r, dispose_and_say_yes));
  record(s, &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "");
  await_end(&r);
}
