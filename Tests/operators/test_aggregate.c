/* rac_signal_aggregate and its kin: one result, sent at the completion. */
#include "callbacks.h"

TEST(aggregate_sends_the_last_result_at_the_completion) {
  static const char *const cases[][2] = {
      {"1 2 3 |", "16 |"}, {"|", "10 |"}, {"1 2 #3", "#3"}, {"1 2", ""}};
  for (int i = 0; i < 4; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY(s, aggregate, I(10), CALLBACK(add));
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
  }
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, aggregate_with_index, I(0), CALLBACK(add_index));
  CHECK_SIGNAL(s, "9 |");
  s = cold("1 9 3 |", NULL);
  APPLY(s, aggregate_with_index, I(0), CALLBACK(add_index));
  CHECK_SIGNAL(s, "#-99");
}

/* Counts its calls; the second one fails. */
static rac_status make_start(void *context, rac_value *out) {
  int *calls = context_target(context);
  *out = rac_value_string_copy("start", 5);
  return ++*calls == 2 ? -7 : RAC_OK;
}

TEST(the_factory_of_an_aggregate_runs_for_each_subscription) {
  int calls = 0;
  source counts = {0};
  rac_signal *s = cold("1 2 |", &counts);
  APPLY(s, aggregate_with_factory, context_new(&calls, NULL), make_start,
        append, context_destroy);
  CHECK_INT(calls, 0);
  rac_retain(s);
  rac_retain(s);
  CHECK_SIGNAL(s, "start12 |");
  /* A failing factory: the source is left alone. */
  CHECK_SIGNAL(s, "#-7");
  CHECK_INT(counts.subscribed, 1);
  CHECK_SIGNAL(s, "start12 |");
  CHECK_INT(calls, 3);
}

TEST(aggregate_takes_over_views) {
  /* What reduce writes outlives its call, though its text may not. */
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, aggregate, S(""), CALLBACK(append));
  CHECK_SIGNAL(s, "123 |");
}

TEST(aggregate_below_a_take) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, aggregate, I(0), CALLBACK(add));
  APPLY(s, take, 1);
  CHECK_SIGNAL(s, "3 |");
}
