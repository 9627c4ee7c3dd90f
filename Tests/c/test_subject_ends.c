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

/* Law 13: later subscribers hear what is sent later. */
TEST(a_subject_forgets_its_end) {
  rac_subject *subject = rac_subject_create();
  recorder early = {0}, late = {0};
  record(as_signal(subject), &early);
  play(subject, "1 |");
  record(as_signal(subject), &late);
  CHECK_EVENTS(&late, "");
  CHECK_STATUS(rac_subject_send(subject, I(2)), RAC_OK);
  rac_value error = test_error(1);
  CHECK_STATUS(rac_subject_send_error(subject, error), RAC_OK);
  rac_value_release(error);
  CHECK_EVENTS(&early, "1 |");
  CHECK_EVENTS(&late, "2 #1");
  await_end(&early);
  await_end(&late);
  rac_release(subject);
}

TEST(nil_is_a_legal_error) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  CHECK_STATUS(rac_subject_send_error(subject, rac_value_nil()), RAC_OK);
  CHECK_EVENTS(&r, "#nil");
  await_end(&r);
  rac_release(subject);
}

static void send_at_end(recorder *self) { rac_subject_send(self->user, I(5)); }

TEST(a_send_inside_the_end_reaches_no_one_who_ended) {
  rac_subject *subject = rac_subject_create();
  recorder a = {.on_end = send_at_end, .user = subject}, b = {0};
  record(as_signal(subject), &a);
  record(as_signal(subject), &b);
  play(subject, "|");
  CHECK_EVENTS(&a, "|");
  CHECK_EVENTS(&b, "|");
  await_end(&a);
  await_end(&b);
  rac_release(subject);
}
