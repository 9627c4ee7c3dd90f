/* rac_signal_buffer_with_time: tuples of what came within some time. */
#include "callbacks.h"
#include "stage.h"

#define BUFFER(seconds) rac_signal_buffer_with_time(a, seconds, v)

TEST(buffer_gathers_from_the_first_value_on) {
  CHECK_MARBLES(BUFFER(1.5), "1@1 2@2 3@4 nil@5", "(1,2)@2.5 (3,nil)@5.5");
  CHECK_MARBLES(BUFFER(0.5), "-(123)", "(1,2,3)@1.5");
  CHECK_MARBLES(BUFFER(1), "1@1 2@1.5 3@4.5 |@6", "(1,2)@2 (3)@5.5 |@6");
  CHECK_MARBLES(BUFFER(1), "", "");
  CHECK_MARBLES(BUFFER(0), "-(12)", "(1,2)@1");
}

TEST(the_completion_sends_what_has_gathered) {
  CHECK_MARBLES(BUFFER(5), "-1|", "(1)@2 |@2");
  CHECK_MARBLES(BUFFER(0.5), "-1|", "(1)@1.5 |@2");
  CHECK_MARBLES(BUFFER(5), "-|", "|@1");
}

TEST(an_error_drops_what_has_gathered) {
  CHECK_MARBLES(BUFFER(5), "-1#5", "#5@2");
}

TEST(a_buffer_of_text_is_let_go_with_the_subscription) {
  TIMED_STAGE(t);
  stage_hear(&t, rac_signal_buffer_with_time(as_signal(t.a), 5, t.v));
  rac_value text = rac_value_string_copy("text", 4);
  rac_subject_send(t.a, text);
  rac_value_release(text);
  rac_dispose(t.heard.subscription);
  rac_virtual_advance_to(t.v, 50);
  CHECK_EVENTS(&t.heard, "");
}

static void send_again(recorder *self, rac_value value) {
  (void)value;
  if (self->nexts == 1) play(self->user, "7");
}

TEST(a_value_from_below_a_buffer_starts_the_next_one) {
  TIMED_STAGE(t);
  t.heard.on_next = send_again;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_buffer_with_time(as_signal(t.a), 1, t.v));
  stage_play(&t, t.a, "-1");
  rac_virtual_advance_to(t.v, 10);
  CHECK_EVENTS(&t.heard, "(1)@2 (7)@3");
}

static void add_count(recorder *self, rac_value value) {
  *(int64_t *)self->user += (int64_t)rac_tuple_count(value);
}

TEST(two_threads_fill_a_buffer_that_a_third_empties) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_signal *s =
      rac_signal_buffer_with_time(as_signal(subject), 0.0001, background);
  int64_t heard = 0;
  recorder r = {.on_next = add_count, .user = &heard};
  record(s, &r);
  pthread_t a = check_spawn(send_many, subject);
  pthread_t b = check_spawn(send_many, subject);
  check_join(a);
  check_join(b);
  rac_subject_send_completed(subject);
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_INT(heard, 2 * check_scaled(20000));
  await_end(&r);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-224 */
TEST(buffer_sends_what_came_until_a_step) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  STAGE(t);
  stage_hear(&t, rac_signal_buffer_with_time(as_signal(t.a), 1, v));
  play(t.a, "1 2");
  CHECK_EVENTS(&t.heard, "");
  rac_virtual_step(v);
  CHECK_EVENTS(&t.heard, "(1,2)");
  play(t.a, "3 4");
  rac_virtual_step(v);
  CHECK_EVENTS(&t.heard, "(1,2) (3,4)");
}

/* signal-224, signal-225: each buffer counts from its first value, and without
 * one there is none */
TEST(a_buffer_begins_with_its_first_value) {
  CHECK_MARBLES(BUFFER(1.5), "-12-34", "(1,2)@2.5 (3,4)@5.5");
  CHECK_MARBLES(BUFFER(1.5), "--12", "(1,2)@3.5");
  CHECK_MARBLES(BUFFER(1.5), "", "");
}

/* signal-227, signal-228: nil is one kind of nothing here, and is kept */
TEST(a_buffer_keeps_nil) {
  CHECK_MARBLES(BUFFER(1.5), "nil@1 1@1 nil@2", "(nil,1,nil)@2.5");
}

/* signal-224: the completion sends what has gathered, an error drops it */
TEST(a_buffer_ends_with_its_source) {
  CHECK_MARBLES(BUFFER(1.5), "-1|", "(1)@2 |@2");
  CHECK_MARBLES(BUFFER(1.5), "-|", "|@1");
  CHECK_MARBLES(BUFFER(1.5), "-1#7", "#7@2");
}

/* ---- Or by count ------------------------------------------------------------ */

#define EITHER(seconds, count)                                                 \
  rac_signal_buffer_with_time_or_count(a, seconds, count, v)

TEST(a_full_tuple_does_not_wait) {
  CHECK_MARBLES(EITHER(5, 2), "-12-3-------4|", "(1,2)@2 (3)@9 (4)@13 |@13");
  CHECK_MARBLES(EITHER(5, 1), "-12|", "(1)@1 (2)@2 |@3");
  CHECK_MARBLES(EITHER(5, SIZE_MAX), "-12---------|", "(1,2)@6 |@12");
  CHECK_MARBLES(EITHER(5, 3), "-12#4", "#4@3");
}

/* The time of one that was full is not that of the next. */
TEST(each_tuple_has_a_time_of_its_own) {
  CHECK_MARBLES(EITHER(4, 2), "-(12)-3------", "(1,2)@1 (3)@10");
  CHECK_MARBLES(EITHER(4, 2), "-1-2-3------", "(1,2)@3 (3)@9");
}

TEST(a_tuple_of_none_is_refused) {
  owned rac_signal *never = rac_signal_never();
  CHECK(rac_signal_buffer_with_time_or_count(never, 1, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
