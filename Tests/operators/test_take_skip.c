/* rac_signal_take and rac_signal_skip: the first values, and all but those. */
#include "stage.h"
#include "streams.h"

TEST(take_completes_without_waiting_for_the_source) {
  const char *const expected[] = {"|", "1 |", "1 2 |", "1 2 3 |"};
  for (size_t count = 0; count < 4; count++) {
    source counts = {0};
    rac_signal *s = cold("1 2 3 4", &counts);
    APPLY(s, take, count);
    CHECK_SIGNAL(s, expected[count]);
    CHECK_INT(counts.subscribed, count == 0 ? 0 : 1);
    CHECK_INT(counts.disposed, count == 0 ? 0 : 1);
  }
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, take, 4);
  CHECK_SIGNAL(s, "1 2 3 |");
  s = cold("1 #2", NULL);
  APPLY(s, take, 2);
  CHECK_SIGNAL(s, "1 #2");
}

static void send_next(recorder *self, rac_value value) {
  rac_subject_send(self->user, I(value.bits + 1));
}

TEST(take_drops_what_is_sent_while_its_last_value_is_delivered) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_take(as_signal(subject), 3);
  finished recorder r = {.on_next = send_next, .user = subject};
  record(s, &r);
  RECORDER(other, as_signal(subject));
  play(subject, "0");
  CHECK_EVENTS(&r, "0 1 2 |");
  CHECK_EVENTS(&other, "0 1 2 3");
}

TEST(skip_drops_the_first_values_of_each_subscription) {
  const char *const expected[] = {"1 2 3 |", "2 3 |", "3 |", "|", "|"};
  for (size_t count = 0; count < 5; count++) {
    rac_signal *s = cold("1 2 3 |", NULL);
    APPLY(s, skip, count);
    rac_retain(s);
    CHECK_SIGNAL(s, expected[count]);
    CHECK_SIGNAL(s, expected[count]);
  }
  rac_signal *s = cold("1 #2", NULL);
  APPLY(s, skip, 5);
  CHECK_SIGNAL(s, "#2");
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-025, signal-026: none, one, two, and more than there are */
TEST(skip_drops_the_first_values) {
  static const struct {
    size_t count;
    const char *expected;
  } cases[] = {
      {0, "0 1 2 |"}, {1, "1 2 |"}, {2, "2 |"}, {4, "|"}, {SIZE_MAX, "|"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_signal *s = cold("0 1 2 |", NULL);
    APPLY(s, skip, cases[i].count);
    /* Each subscription counts for itself. */
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i].expected);
    CHECK_SIGNAL(s, cases[i].expected);
  }
}

/* signal-027, signal-028: none, one, two, and more than there are */
TEST(take_passes_the_first_values) {
  static const struct {
    size_t count;
    const char *expected;
  } cases[] = {{0, "|"},       {1, "0 |"},     {2, "0 1 |"},
               {3, "0 1 2 |"}, {4, "0 1 2 |"}, {SIZE_MAX, "0 1 2 |"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    source counts = {0};
    rac_signal *s = cold("0 1 2 |", &counts);
    APPLY(s, take, cases[i].count);
    CHECK_SIGNAL(s, cases[i].expected);
    CHECK_INT(counts.subscribed, cases[i].count == 0 ? 0 : 1);
    CHECK_INT(counts.disposed, counts.subscribed);
  }
}

/* signal-029: the stream stops when it has sent enough, or never starts */
TEST(take_ends_an_endless_stream) {
  const char *const expected[] = {"|", "7 |", "7 7 |"};
  for (size_t i = 0; i < 3; i++) {
    progression units = {7, 0, {0}};
    rac_signal *s = endless(&units);
    APPLY(s, take, i);
    CHECK_SIGNAL(s, expected[i]);
    CHECK_INT(units.counts.subscribed, i == 0 ? 0 : 1);
    CHECK_INT(units.counts.disposed, units.counts.subscribed);
  }
}

/* One that sends as time goes by stops as well. */
TEST(take_ends_a_stream_that_goes_on_in_time) {
  owned rac_scheduler *clock = rac_scheduler_virtual();
  owned rac_signal *s = rac_signal_interval(1, clock);
  APPLY(s, take, 2);
  finished recorder r = {.clock = clock};
  record(s, &r);
  rac_virtual_step_all(clock);
  CHECK_EVENTS(&r, "0@1 1@2 |@2");
}

/* signal-030 */
TEST(take_one_of_one) {
  rac_signal *s = rac_signal_return(I(7));
  APPLY(s, take, 1);
  CHECK_SIGNAL(s, "7 |");
}

/* signal-212: the fourth value is sent while the third is being delivered */
TEST(take_ends_at_its_last_value_though_more_are_sent_from_inside) {
  STAGE(t);
  t.heard.on_next = send_next;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_take(as_signal(t.a), 3));
  play(t.a, "0");
  CHECK_EVENTS(&t.heard, "0 1 2 |");
}
