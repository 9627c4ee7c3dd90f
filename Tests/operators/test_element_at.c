/* rac_signal_element_at: one value by its index. */
#include "stage.h"

static void check_element(int line, const char *script, size_t index,
                          const char *expected) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_element_at(as_signal(subject), index);
  recorder r = {0};
  record(s, &r);
  play(subject, script);
  check_text(__FILE__, line, script, r.text, expected);
  finish(&r);
  rac_release(s);
  rac_release(subject);
}

TEST(element_at_sends_one_value_and_completes) {
  check_element(__LINE__, "1 2 3", 0, "1 |");
  check_element(__LINE__, "1 2 3 |", 2, "3 |");
  check_element(__LINE__, "1 2", 2, "");
  check_element(__LINE__, "1 #5", 1, "#5");
}

/* RAC_ERANGE, of domain "rac". */
TEST(a_source_that_is_too_short_is_an_error) {
  char expected[16];
  snprintf(expected, sizeof expected, "#%d", RAC_ERANGE);
  check_element(__LINE__, "1 2 |", 2, expected);
  check_element(__LINE__, "|", 0, expected);
  check_element(__LINE__, "1 |", SIZE_MAX, expected);
}
