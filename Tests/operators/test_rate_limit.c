/* rac_signal_rate_limit: a bucket of tokens, and what waits for them. */
#include "callbacks.h"
#include "diagrams.h"
#include "stage.h"

#define RATE(seconds, burst, capacity)                                         \
  rac_signal_rate_limit(a, seconds, burst, capacity, v)

TEST(values_that_are_too_many_wait) {
  CHECK_MARBLES(RATE(3, 2, SIZE_MAX), "--1234-------5--|", "--12-3--4----5--|");
  CHECK_MARBLES(RATE(2, 1, SIZE_MAX), "-1234---", "-1-2-3-4");
  CHECK_MARBLES(RATE(1, 1, SIZE_MAX), "-1234|", "-1234|");
  CHECK_MARBLES(RATE(2, 1, SIZE_MAX), "-(1234)", "1@1 2@3 3@5 4@7");
}

TEST(values_that_find_no_room_are_dropped) {
  CHECK_MARBLES(RATE(3, 2, 0), "--1234-------5--|", "--12-4-------5--|");
  CHECK_MARBLES(RATE(2, 1, 1), "-(1234)--5", "1@1 2@3 5@9");
}

TEST(the_bucket_fills_again_up_to_the_burst) {
  CHECK_MARBLES(RATE(1, 3, 0), "-(12345)--(67)-", "1@1 2@1 3@1 6@10 7@10");
  CHECK_MARBLES(RATE(100, 3, 0), "-(12)3------4", "1@1 2@1 3@5");
}

TEST(a_completion_waits_and_an_error_does_not) {
  CHECK_DIAGRAM(RATE(3, 1, 9), "-12|", "-1--(2|)");
  CHECK_DIAGRAM(RATE(3, 1, 9), "-12#4", "-1-#4");
  CHECK_DIAGRAM(RATE(3, 1, 0), "-12|", "-1-|");
}

TEST(the_source_is_gone_while_its_values_wait) {
  TIMED_STAGE(t);
  stage_hear(&t, rac_signal_rate_limit(as_signal(t.a), 5, 1, 9, t.v));
  play(t.a, "1 2 3 |");
  CHECK_INT(LISTENERS(t.a), 0);
  CHECK_EVENTS(&t.heard, "1@0");
  rac_virtual_advance_to(t.v, 60);
  CHECK_EVENTS(&t.heard, "1@0 2@5 3@10 |@10");
}

static void send_more(recorder *self, rac_value value) {
  if (value.bits < 4) rac_subject_send(self->user, I(value.bits + 1));
}
TEST(what_is_sent_back_waits_its_turn) {
  TIMED_STAGE(t);
  t.heard.on_next = send_more;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_rate_limit(as_signal(t.a), 2, 1, 9, t.v));
  play(t.a, "1");
  rac_virtual_advance_to(t.v, 60);
  CHECK_EVENTS(&t.heard, "1@0 2@2 3@4 4@6");
}

/* The numbers at both ends. */
TEST(rates_of_nothing_and_of_everything) {
  const double forever = 1.0 / 0.0;
  CHECK_MARBLES(RATE(forever, 1, 9), "-123", "-1");
  CHECK_MARBLES(RATE(forever, 3, 9), "-1234", "-123");
  CHECK_MARBLES(RATE(1e-19, 1, 9), "-(1234)", "-(1234)");
  CHECK_MARBLES(RATE(1e300, SIZE_MAX, 0), "-1234", "-1234");
  CHECK_MARBLES(RATE(1e-300, 1, 0), "-(123)", "-(123)");
  owned rac_signal *never = rac_signal_never();
  const double bad[] = {0, -1, -forever, 0.0 / 0.0};
  for (int i = 0; i < 4; i++) {
    CHECK(rac_signal_rate_limit(never, bad[i], 1, 1, NULL) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  }
  CHECK(rac_signal_rate_limit(never, 1, 0, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}

TEST(threads_share_a_bucket) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_signal *s = rac_signal_rate_limit(as_signal(subject), 0.000001, 10,
                                              SIZE_MAX, background);
  APPLY0(s, count);
  recorder r = {0};
  record(s, &r);
  pthread_t a = check_spawn(send_many, subject);
  pthread_t b = check_spawn(send_many, subject);
  check_join(a);
  check_join(b);
  rac_subject_send_completed(subject);
  await_end(&r);
  char expected[40];
  snprintf(expected, sizeof expected, "%d |", 2 * (int)check_scaled(20000));
  CHECK_EVENTS(&r, expected);
}
