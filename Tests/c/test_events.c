/* Events as values: how they compare, what they hold, how deep they nest. */
#include "operators.h"

TEST(events_compare_by_type_and_content) {
  rac_value text = rac_value_string_copy("a", 1), error = test_error(1);
  rac_value a[] = {rac_value_event_next(text),
                   rac_value_event_next(I(1)),
                   rac_value_event_next(rac_value_nil()),
                   rac_value_event_error(error),
                   rac_value_event_error(rac_value_nil()),
                   rac_value_event_completed()};
  rac_value b[] = {
      rac_value_event_next(S("a")),           rac_value_event_next(I(1)),
      rac_value_event_next(rac_value_nil()),  rac_value_event_error(error),
      rac_value_event_error(rac_value_nil()), rac_value_event_completed()};
  const int types[] = {1, 1, 1, 2, 2, 3};
  const char *const texts[] = {"<next a>",    "<next 1>",
                               "<next nil>",  "<error <error test 1: error>>",
                               "<error nil>", "<completed>"};
  for (int i = 0; i < 6; i++) {
    CHECK_INT(a[i].kind, RAC_EVENT);
    CHECK_INT(rac_event_get_type(a[i]), types[i]);
    for (int j = 0; j < 6; j++) CHECK_INT(rac_value_equal(a[i], b[j]), i == j);
    CHECK(rac_value_hash(a[i]) == rac_value_hash(b[i]));
    char buffer[100];
    rac_value_describe(a[i], buffer, sizeof buffer);
    if (i != 3) CHECK_TEXT(buffer, texts[i]);
  }
  CHECK_INT(rac_event_get_value(a[1]).bits, 1);
  CHECK_INT(rac_event_get_value(a[2]).kind, RAC_NIL);
  CHECK_INT(rac_event_get_value(a[3]).kind, RAC_NIL);
  CHECK_INT(rac_event_get_value(a[4]).kind, RAC_NIL);
  CHECK_INT(rac_event_get_value(a[5]).kind, RAC_NIL);
  CHECK_INT(rac_error_get_code(rac_event_get_error(a[3])), 1);
  for (int i = 0; i < 6; i++)
    if (i != 3) CHECK_INT(rac_event_get_error(a[i]).kind, RAC_NIL);
  for (int i = 0; i < 6; i++) {
    rac_value_release(a[i]);
    rac_value_release(b[i]);
  }
  rac_value_release(text);
  rac_value_release(error);
}

TEST(events_refuse_what_they_cannot_hold) {
  rac_clear_last_error();
  CHECK_INT(rac_value_event_error(I(1)).kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_clear_last_error();
  CHECK_INT(rac_event_get_type(I(1)), 0);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_clear_last_error();
  CHECK_INT(rac_event_get_value(I(1)).kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  /* One that nobody made. */
  rac_value forged = {RAC_EVENT, 0, 0, 0, 64};
  owned rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_subject_send(subject, forged), RAC_EKIND);
}

TEST(events_inside_events_cost_no_stack) {
  rac_value value = I(1);
  for (int64_t i = check_scaled(1000000); i > 0; i--) {
    rac_value outer = rac_value_event_next(value);
    rac_value_release(value);
    value = outer;
  }
  CHECK(!rac_value_equal(value, I(1)));
  char buffer[300];
  rac_value_describe(value, buffer, sizeof buffer);
  (void)rac_value_hash(value);
  rac_value_release(value);
}
