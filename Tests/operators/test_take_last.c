/* rac_signal_take_last: the last values, at the completion. */
#include "callbacks.h"
#include "shared_callbacks.h"

TEST(take_last_sends_the_last_values_at_the_completion) {
  static const struct {
    size_t count;
    const char *script, *expected;
  } cases[] = {{0, "1 2 3 |", "|"},
               {1, "1 2 3 |", "3 |"},
               {2, "1 2 3 |", "2 3 |"},
               {3, "1 2 3 |", "1 2 3 |"},
               {4, "1 2 3 |", "1 2 3 |"},
               {SIZE_MAX, "1 nil 3 |", "1 nil 3 |"},
               {2, "|", "|"},
               {2, "1 2 #4", "#4"},
               {0, "1 #4", "#4"},
               {2, "1 2 3", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_signal *s = cold(cases[i].script, NULL);
    APPLY(s, take_last, cases[i].count);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i].expected);
    CHECK_SIGNAL(s, cases[i].expected);
  }
}

TEST(take_last_keeps_no_more_than_it_needs) {
  rac_signal *s = cold("1 2 3 4 5 6 7 8 9 |", NULL);
  APPLY(s, scan, S(""), CALLBACK(append));
  APPLY(s, take_last, 8);
  APPLY(s, take_last, 1);
  CHECK_SIGNAL(s, "123456789 |");
}

TEST(disposal_stops_take_last_between_two_values) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_take_last(as_signal(subject), 3);
  recorder r = {.on_next = dispose_self};
  record(s, &r);
  play(subject, "1 2 3 |");
  CHECK_EVENTS(&r, "1");
  await_end(&r);
}
