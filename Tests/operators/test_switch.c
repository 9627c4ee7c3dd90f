/* rac_signal_switch: keys choose which of several signals is heard. */
#include "stage.h"

static void switch_begin(stage *self, rac_signal *fallback) {
  stage_open(self);
  rac_value copy = rac_value_string_copy("two", 3);
  rac_value keys[] = {I(1), copy, I(1)};
  rac_signal *cases[] = {as_signal(self->a), as_signal(self->b),
                         as_signal(self->b)};
  self->result =
      rac_signal_switch(as_signal(self->d), keys, cases, 3, fallback);
  rac_value_release(copy);
  record(self->result, &self->heard);
}

TEST(switch_sends_what_belongs_to_the_key) {
  stage t;
  rac_signal *fallback = cold("99", NULL);
  switch_begin(&t, fallback);
  rac_release(fallback);
  play(t.a, "1");
  play(t.b, "1");
  CHECK_EVENTS(&t.heard, "");
  play(t.d, "1");
  play(t.a, "2");
  play(t.b, "2");
  rac_subject_send(t.d, S("two"));
  play(t.a, "3 #4");
  play(t.b, "3");
  play(t.d, "5 nil");
  play(t.b, "4 #4");
  CHECK_EVENTS(&t.heard, "2 3 99 99");
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "2 3 99 99");
  stage_close(&t);
}

TEST(the_error_of_the_chosen_case_goes_on) {
  closed_stage t;
  switch_begin(&t, NULL);
  play(t.d, "1");
  play(t.b, "#5");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "#6");
  CHECK_EVENTS(&t.heard, "#6");
}

TEST(a_key_without_a_case_is_an_error) {
  stage t;
  switch_begin(&t, NULL);
  play(t.d, "1");
  play(t.a, "2");
  play(t.d, "nil");
  CHECK_EVENTS(&t.heard, "2 #2");
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
  stage_close(&t);
  owned rac_signal *keys = cold("1", NULL), *s = NULL;
  s = rac_signal_switch(keys, NULL, NULL, 0, NULL);
  owned_value error = rac_value_nil();
  CHECK_STATUS(rac_signal_first(s, 1, &error), RAC_ESTREAM);
  CHECK_TEXT(rac_error_get_domain(error), "rac.signal");
  CHECK_INT(rac_error_get_code(error), RAC_SIGNAL_NO_MATCHING_CASE);
}

TEST(the_arguments_of_switch) {
  rac_signal *never = rac_signal_never();
  rac_value key = I(1), nonsense = {200, 0, 0, 0, 0};
  rac_signal *none = NULL;
  rac_clear_last_error();
  CHECK(rac_signal_switch(never, NULL, &never, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_signal_switch(never, &key, NULL, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  rac_clear_last_error();
  CHECK(rac_signal_switch(never, &key, &none, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_signal_switch(never, &nonsense, &never, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_signal_switch(never, &key, &never, SIZE_MAX, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  rac_clear_last_error();
  CHECK(rac_signal_switch(NULL, &key, &never, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  rac_release(never);
}

/* ---- What RAC's specs demand: d sends the keys of a, b and c ------------- */

static void hear_switch(stage *self, rac_signal *fallback) {
  stage_open(self);
  rac_value keys[] = {I(0), I(1), I(2)};
  rac_signal *cases[] = {as_signal(self->a), as_signal(self->b),
                         as_signal(self->c)};
  stage_hear(self,
             rac_signal_switch(as_signal(self->d), keys, cases, 3, fallback));
  rac_release(fallback);
}

/* signal-155 */
TEST(before_the_first_key_no_case_is_heard) {
  closed_stage t;
  hear_switch(&t, rac_signal_never());
  play(t.a, "1 2");
  play(t.b, "3 #4");
  play(t.c, "5 |");
  CHECK_EVENTS(&t.heard, "");
}

/* signal-156 */
TEST(only_the_case_of_the_latest_key_is_heard) {
  closed_stage t;
  hear_switch(&t, rac_signal_never());
  play(t.d, "0");
  play(t.a, "1");
  play(t.b, "8");
  play(t.d, "1");
  play(t.a, "9");
  play(t.b, "2");
  play(t.d, "2");
  play(t.a, "#8");
  play(t.b, "#9");
  CHECK_EVENTS(&t.heard, "1 2");
  play(t.c, "#3");
  CHECK_EVENTS(&t.heard, "1 2 #3");
}

/* signal-157, signal-158: the keys' completion is not the end, together with
 * the last case's it is, in either order */
TEST(switch_completes_with_the_keys_and_the_case) {
  for (int order = 0; order < 2; order++) {
    closed_stage t;
    hear_switch(&t, rac_signal_never());
    play(t.d, "0");
    play(t.a, "1");
    play(order ? t.a : t.d, "|");
    CHECK_EVENTS(&t.heard, "1");
    play(order ? t.d : t.a, "|");
    CHECK_EVENTS(&t.heard, "1 |");
  }
}

/* signal-159 */
TEST(keys_without_a_case_switch_to_the_default) {
  stage t;
  hear_switch(&t, cold("99", NULL));
  play(t.d, "5");
  CHECK_EVENTS(&t.heard, "99");
  play(t.d, "nil");
  CHECK_EVENTS(&t.heard, "99 99");
  stage_close(&t);
}

static void check_no_case(void *context, rac_value error) {
  (void)context_target(context);
  CHECK_TEXT(rac_error_get_domain(error), "rac.signal");
  CHECK_INT(rac_error_get_code(error), RAC_SIGNAL_NO_MATCHING_CASE);
  CHECK_INT(RAC_SIGNAL_NO_MATCHING_CASE, 2);
}

/* signal-160 */
TEST(without_a_default_a_key_without_a_case_is_an_error) {
  STAGE(t);
  rac_value key = I(0);
  rac_signal *only = as_signal(t.a);
  rac_signal *s = rac_signal_switch(as_signal(t.d), &key, &only, 1, NULL);
  APPLY(s, do_error, CALLBACK(check_no_case));
  stage_hear(&t, s);
  play(t.d, "0");
  play(t.a, "1");
  play(t.d, "nil");
  CHECK_EVENTS(&t.heard, "1 #2");
}

/* signal-156, signal-159: nil may have a case of its own, and a key that comes
 * again subscribes again */
TEST(nil_as_a_case_and_a_key_that_is_repeated) {
  source counts = {0};
  owned rac_subject *keys = rac_subject_create();
  rac_value key = rac_value_nil();
  owned rac_signal *only = cold("1 |", &counts);
  owned rac_signal *s =
      rac_signal_switch(as_signal(keys), &key, &only, 1, NULL);
  RECORDER(r, s);
  play(keys, "nil nil |");
  CHECK_EVENTS(&r, "1 1 |");
  CHECK_INT(counts.subscribed, 2);
}
