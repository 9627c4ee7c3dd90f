/* rac_signal_idle_timeout and rac_signal_idle_timeout_to: a source that is silent
 * for too long. */
#include "diagrams.h"
#include "shared_callbacks.h"
#include "stage.h"

#define IDLE_TO(seconds) rac_signal_idle_timeout_to(a, seconds, b, v)

TEST(values_put_it_off) {
  CHECK_DIAGRAM(rac_signal_idle_timeout(a, 3, v), "-1-2--3------4|",
                "-1-2--3--#1");
  CHECK_DIAGRAM(rac_signal_idle_timeout(a, 3, v), "--1--2--3|", "--1--2--3|");
  CHECK_DIAGRAM(rac_signal_idle_timeout(a, 5, v), "-12|", "-12|");
  CHECK_DIAGRAM(rac_signal_idle_timeout(a, 5, v), "-12#4", "-12#4");
}

TEST(it_counts_from_the_subscription) {
  CHECK_DIAGRAM(rac_signal_idle_timeout(a, 2, v), "---1|", "--#1");
  CHECK_DIAGRAM(rac_signal_idle_timeout(a, 0, v), "-1|", "#1");
}

TEST(it_goes_on_with_another_signal) {
  CHECK_DIAGRAM(IDLE_TO(3), "-1-2-----3|", "8------7-9----6|",
                "-1-2---7-9----6|");
  CHECK_DIAGRAM(IDLE_TO(3), "-1-2", "--------#5", "-1-2----#5");
  CHECK_DIAGRAM(IDLE_TO(3), "-1-2|", "--------#5", "-1-2|");
}

/* The other one's silence does not matter. */
TEST(it_times_out_once) {
  CHECK_MARBLES(IDLE_TO(1), "", "---------7|", "---------7|");
}

TEST(the_source_is_disposed_first) {
  TIMED_STAGE(t);
  stage_hear(
      &t, rac_signal_idle_timeout_to(as_signal(t.a), 1, as_signal(t.b), t.v));
  rac_virtual_advance_to(t.v, 0.5);
  CHECK_INT(LISTENERS(t.a), 1);
  CHECK_INT(LISTENERS(t.b), 0);
  rac_virtual_advance_to(t.v, 2);
  CHECK_INT(LISTENERS(t.a), 0);
  CHECK_INT(LISTENERS(t.b), 1);
}

TEST(what_is_sent_back_counts_too) {
  TIMED_STAGE(t);
  t.heard.on_next = send_next_number;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_idle_timeout(as_signal(t.a), 2, t.v));
  stage_play(&t, t.a, "-1");
  rac_virtual_advance_to(t.v, 9);
  CHECK_EVENTS(&t.heard, "1@1 2@1 3@1 #1@3");
}

/* However close, one of the two comes first and nothing follows an end. */
TEST(a_value_races_the_time) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  for (int i = (int)check_scaled(300); i > 0; i--) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *seven = cold("7 |", NULL);
    owned rac_signal *s = rac_signal_idle_timeout_to(
        as_signal(subject), 0.00002, seven, background);
    recorder r = {0};
    record(s, &r);
    for (int k = 0; k < 50; k++) rac_subject_send(subject, I(1));
    await_end(&r);
    size_t length = strlen(r.text);
    CHECK(length >= 3 && strcmp(r.text + length - 3, "7 |") == 0);
  }
}

TEST(endless_silence_is_borne) {
  CHECK_MARBLES(rac_signal_idle_timeout(a, 1.0 / 0.0, v), "-1------2|",
                "-1------2|");
}

TEST(the_other_signal_must_be_one) {
  owned rac_signal *never = rac_signal_never();
  CHECK(rac_signal_idle_timeout_to(never, 1, NULL, NULL) == NULL);
  CHECK(rac_signal_idle_timeout_to(never, -1, never, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
