/* rac_signal_min, rac_signal_max: by an order of one's own. */
#include "stage.h"

/* By the last digit; 99 cannot be compared, and with 88 nothing is written. */
static rac_status last_digit(void *context, rac_value value, rac_value other,
                             int32_t *out) {
  (void)context_target(context);
  if (value.bits == 99) return -9;
  if (value.bits != 88)
    *out = (int32_t)(value.bits % 10 - other.bits % 10) * 1000000;
  return RAC_OK;
}

#define CHECK_EXTREME(name, events, expected)                                  \
  do {                                                                         \
    rac_signal *s = cold(events, NULL);                                        \
    APPLY(s, name, CALLBACK(last_digit));                                      \
    CHECK_SIGNAL(s, expected);                                                 \
  } while (0)

TEST(of_equal_ones_it_is_the_first) {
  CHECK_EXTREME(min, "15 32 22 18 |", "32 |");
  CHECK_EXTREME(max, "15 38 18 22 |", "38 |");
  CHECK_EXTREME(min, "15 88 |", "15 |");
  CHECK_EXTREME(max, "15 88 |", "15 |");
}

TEST(of_nothing_there_is_nothing) {
  CHECK_EXTREME(min, "|", "|");
  CHECK_EXTREME(max, "|", "|");
  CHECK_EXTREME(min, "5 #4", "#4");
}

TEST(one_alone_is_not_compared) {
  CHECK_EXTREME(min, "99 |", "99 |");
  CHECK_EXTREME(max, "nil |", "nil |");
}

TEST(a_comparer_that_fails_ends_it) {
  source counts = {0};
  rac_signal *s = cold("1 99 3 |", &counts);
  APPLY(s, max, CALLBACK(last_digit));
  CHECK_SIGNAL(s, "#-9");
  CHECK_INT(counts.disposed, 1);
}

static rac_status by_text(void *context, rac_value value, rac_value other,
                          int32_t *out) {
  const char *left = "", *right = "";
  (void)context_target(context);
  rac_status status = rac_value_get_string(value, &left, NULL);
  if (status >= 0) status = rac_value_get_string(other, &right, NULL);
  *out = strcmp(left, right);
  return status;
}

TEST(the_best_is_kept_for_each_subscription) {
  STAGE(t);
  rac_signal *s = rac_retain(rac_subject_as_signal(t.a));
  APPLY(s, min, CALLBACK(by_text));
  stage_hear(&t, s);
  const char *const texts[] = {"pear", "quince", "fig", "lemon"};
  finished recorder late = {0};
  for (int i = 0; i < 4; i++) {
    owned_value text = rac_value_string_copy(texts[i], strlen(texts[i]));
    if (i == 3) record(s, &late);
    rac_subject_send(t.a, text);
  }
  rac_subject_send_completed(t.a);
  CHECK_EVENTS(&t.heard, "fig |");
  CHECK_EVENTS(&late, "lemon |");
}
