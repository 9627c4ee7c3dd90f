/* A property that takes its values from a signal. */
#include "properties.h"

TEST(a_binding_sets_what_the_signal_sends) {
  rac_property *p = property(0);
  rac_subject *s = rac_subject_create();
  rac_disposable *binding = rac_property_bind(p, as_signal(s), I(42));
  CHECK_INT(number(p), 0);
  play(s, "1");
  CHECK_INT(number(p), 1);
  play(s, "nil");
  CHECK_INT(number(p), 42);
  /* One at a time. */
  CHECK(rac_property_bind(p, as_signal(s), I(0)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
  play(s, "3 |");
  CHECK_INT(number(p), 3);
  CHECK(rac_is_disposed(binding));
  rac_release(binding);
  /* The end made room for another. */
  binding = rac_property_bind(p, as_signal(s), I(0));
  REQUIRE(binding != NULL);
  rac_dispose(binding);
  play(s, "4");
  CHECK_INT(number(p), 3);
  rac_release(binding);
  binding = rac_property_bind(p, as_signal(s), I(0));
  REQUIRE(binding != NULL);
  /* Nobody can send any more: that ends it as well. */
  rac_release(s);
  CHECK(rac_is_disposed(binding));
  rac_release(binding);
  s = rac_subject_create();
  binding = rac_property_bind(p, as_signal(s), I(0));
  REQUIRE(binding != NULL);
  /* The binding keeps neither. */
  rac_release(p);
  CHECK(rac_is_disposed(binding));
  CHECK_INT(rac_subject_subscriber_count(s), 0);
  rac_release(binding);
  rac_release(s);
}

static void note_line(void *context, const char *line) {
  snprintf(context_target(context), 200, "%s", line);
}

TEST(an_error_ends_a_binding_and_is_logged) {
  char line[200] = "";
  rac_set_log(context_new(line, NULL), note_line, context_destroy);
  owned rac_property *p = property(0);
  rac_signal_set_name(rac_property_as_signal(p), "price");
  owned rac_subject *s = rac_subject_create();
  rac_disposable *binding = rac_property_bind(p, as_signal(s), rac_value_nil());
  play(s, "1 #7");
  CHECK_INT(number(p), 1);
  CHECK(rac_is_disposed(binding));
  CHECK_TEXT(line, "rac: an error ended a binding of \"price\": "
                   "<error test 7: made by a test>");
  rac_set_log(NULL, NULL, NULL);
  rac_release(binding);
  binding = rac_property_bind(p, as_signal(s), rac_value_nil());
  CHECK(binding != NULL);
  rac_release(binding);
}

TEST(a_binding_to_a_signal_that_ends_at_once) {
  owned rac_property *p = property(0);
  owned rac_signal *s = rac_signal_return(I(1));
  for (int i = 0; i < 3; i++) {
    owned rac_disposable *binding = rac_property_bind(p, s, rac_value_nil());
    REQUIRE(binding != NULL);
    CHECK(rac_is_disposed(binding));
  }
  CHECK_INT(number(p), 1);
}

TEST(a_property_bound_to_itself_settles_when_it_is_distinct) {
  rac_property *p = rac_property_create(I(1), RAC_PROPERTY_DISTINCT);
  recorder r = {0};
  record(rac_property_as_signal(p), &r);
  rac_disposable *binding =
      rac_property_bind(p, rac_property_as_signal(p), rac_value_nil());
  rac_property_set(p, I(2));
  CHECK_EVENTS(&r, "1 2");
  rac_release(binding);
  rac_release(p);
  await_end(&r);
}

TEST(bad_bindings) {
  owned rac_property *p = property(0);
  owned rac_subject *s = rac_subject_create();
  CHECK(rac_property_bind(NULL, as_signal(s), I(0)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  rac_clear_last_error();
  CHECK(rac_property_bind(p, NULL, I(0)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_property_bind(p, (rac_signal *)rac_scheduler_main(), I(0)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_property_bind(p, as_signal(s), (rac_value){.kind = 99}) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_property_bind((rac_property *)s, as_signal(s), I(0)) == NULL);
  CHECK(rac_property_bind(p, rac_property_as_signal(p), I(0)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  /* None of them left it bound. */
  owned rac_disposable *binding = rac_property_bind(p, as_signal(s), I(0));
  CHECK(binding != NULL);
}
