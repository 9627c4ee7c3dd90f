/* What a subject makes of ends: values, then at most one of them. */
#include "check.h"

/* Law 1: whatever is sent, a subscription hears values, then one end. */
TEST(nothing_follows_an_end) {
  static const char *const cases[][2] = {
      {"1 2 | 3", "1 2 |"}, {"| |", "|"},  {"1 #7 |", "1 #7"},
      {"#7 1 #8", "#7"},    {"| #7", "|"}, {"1", "1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    owned rac_subject *subject = rac_subject_create();
    RECORDER(r, as_signal(subject));
    play(subject, cases[i][0]);
    CHECK_EVENTS(&r, cases[i][1]);
  }
}

/* Law 13: later subscribers hear what is sent later. */
TEST(a_subject_forgets_its_end) {
  owned rac_subject *subject = rac_subject_create();
  RECORDER(early, as_signal(subject));
  play(subject, "1 |");
  RECORDER(late, as_signal(subject));
  CHECK_EVENTS(&late, "");
  CHECK_STATUS(rac_subject_send(subject, I(2)), RAC_OK);
  rac_value error = test_error(1);
  CHECK_STATUS(rac_subject_send_error(subject, error), RAC_OK);
  rac_value_release(error);
  CHECK_EVENTS(&early, "1 |");
  CHECK_EVENTS(&late, "2 #1");
}

TEST(nil_is_a_legal_error) {
  owned rac_subject *subject = rac_subject_create();
  RECORDER(r, as_signal(subject));
  CHECK_STATUS(rac_subject_send_error(subject, rac_value_nil()), RAC_OK);
  CHECK_EVENTS(&r, "#nil");
}

static void send_at_end(recorder *self) { rac_subject_send(self->user, I(5)); }

TEST(a_send_inside_the_end_reaches_no_one_who_ended) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder a = {.on_end = send_at_end, .user = subject};
  record(as_signal(subject), &a);
  RECORDER(b, as_signal(subject));
  play(subject, "|");
  CHECK_EVENTS(&a, "|");
  CHECK_EVENTS(&b, "|");
}
