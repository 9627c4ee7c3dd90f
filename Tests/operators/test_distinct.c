/* rac_signal_distinct: nothing twice, ever. */
#include "stage.h"

static rac_status first_digit(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  if (value.bits == 99) return -9;
  *out = I(value.bits / 10);
  return RAC_OK;
}

TEST(distinct_drops_what_came_before) {
  static const char *const cases[][2] = {{"1 2 1 3 2 |", "1 2 3 |"},
                                         {"nil 1 nil |", "nil 1 |"},
                                         {"1 1 #2", "1 #2"},
                                         {"|", "|"}};
  for (int i = 0; i < 4; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY(s, distinct, NULL, NULL, NULL);
    rac_retain(s); /* each subscription has values of its own */
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}

TEST(keys_are_compared) {
  rac_signal *s = cold("11 12 23 13 20 |", NULL);
  APPLY(s, distinct, CALLBACK(first_digit));
  CHECK_SIGNAL(s, "11 23 |");
}

TEST(a_key_that_fails_ends_the_stream) {
  rac_signal *s = cold("11 99 23 |", NULL);
  APPLY(s, distinct, CALLBACK(first_digit));
  CHECK_SIGNAL(s, "11 #-9");
}

/* More than its table has room for at first, and all given back. */
TEST(distinct_keeps_many) {
  enum { MANY = 3000 };
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s =
      rac_signal_distinct(as_signal(subject), NULL, NULL, NULL);
  RECORDER(r, s);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < MANY; i++) rac_subject_send(subject, I(i));
  CHECK_INT(atomic_load(&r.nexts), MANY);
}
