/* What a subject makes of ends: values, then at most one of them. */
#include "check.h"

/* Law 1: whatever is sent, a subscription hears values, then one end. */
TEST(nothing_follows_an_end) {
  static const char *const cases[][2] = {
      {"1 2 | 3", "1 2 |"}, {"| |", "|"},  {"1 #7 |", "1 #7"},
      {"#7 1 #8", "#7"},    {"| #7", "|"}, {"1", "1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_subject *subject = rac_subject_create();
    recorder r = {0};
    record(as_signal(subject), &r);
    play(subject, cases[i][0]);
    CHECK_EVENTS(&r, cases[i][1]);
    finish(&r);
    rac_release(subject);
  }
}
