/* Reading sequences as a whole, and sequences and signals of each other. */
#include "sequences.h"
#include "shared_callbacks.h"

/* Called during one function only: no context to count. */
static rac_status minus(void *context, rac_value running, rac_value next,
                        rac_value *out) {
  (void)context;
  *out = I(running.bits - next.bits);
  return next.bits == 99 ? -99 : RAC_OK;
}
static rac_status minus_right(void *context, rac_value value,
                              const rac_value *rest, rac_value *out) {
  if (context) ++*(int *)context;
  if (!rest) return RAC_PENDING;
  *out = I(value.bits - rest->bits);
  return value.bits == 99 ? -99 : RAC_OK;
}
TEST(folds) {
  owned rac_sequence *s = seq("1 2 3"), *none = seq("");
  CHECK_RESULT(rac_sequence_fold_left(s, I(0), NULL, minus, &out), "-6");
  CHECK_RESULT(rac_sequence_fold_right(s, I(0), NULL, minus_right, &out), "2");
  CHECK_RESULT(rac_sequence_fold_left(none, I(4), NULL, minus, &out), "4");
  CHECK_RESULT(rac_sequence_fold_right(none, I(4), NULL, minus_right, &out),
               "4");
  int calls = 0;
  rac_sequence_fold_right(s, I(0), &calls, minus_right, NULL);
  CHECK_INT(calls, 6);
}

static rac_status text_and_pending(void *context, rac_value value,
                                   const rac_value *rest, rac_value *out) {
  (void)context;
  (void)value;
  *out = rac_value_string_copy("x", 1);
  return rest ? RAC_OK : RAC_PENDING;
}

TEST(what_is_written_with_pending_is_released) {
  owned rac_sequence *s = seq("1 2");
  CHECK_RESULT(rac_sequence_fold_right(s, I(9), NULL, text_and_pending, &out),
               "x");
}

TEST(failures_of_folds) {
  rac_sequence *s = seq("1 99 3");
  rac_value out = I(1);
  CHECK_STATUS(rac_sequence_fold_left(s, I(0), NULL, minus, &out), RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(out), -99);
  rac_value_release(out);
  CHECK_STATUS(rac_sequence_fold_right(s, I(0), NULL, minus_right, &out),
               RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(out), -99);
  rac_value_release(out);
  CHECK_STATUS(rac_sequence_fold_left(s, I(0), NULL, minus, NULL), RAC_ESTREAM);
  SEQ(s, map, CALLBACK(map_not_two));
  CHECK_VALUES(s, "1 99 3");
  rac_release(s);
  s = seq("1 2 3");
  SEQ(s, map, CALLBACK(map_not_two));
  CHECK_STATUS(rac_sequence_fold_left(s, I(0), NULL, minus, &out), RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(out), -22);
  rac_value_release(out);
  CHECK_STATUS(rac_sequence_fold_right(s, I(0), NULL, minus_right, &out),
               RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(out), -22);
  rac_value_release(out);
  rac_release(s);
}

static rac_status positive(void *context, rac_value value, bool *out) {
  if (context) ++*(int *)context;
  *out = value.bits > 0;
  return value.bits == 99 ? -99 : RAC_OK;
}

TEST(searches) {
  bool answer = false;
  int calls = 0;
  rac_sequence *s = seq("0 5 6"), *none = seq(""),
               *forever = rac_sequence_range(1, 1, SIZE_MAX);
  CHECK_STATUS(rac_sequence_any(s, &calls, positive, &answer), RAC_OK);
  CHECK(answer);
  CHECK_INT(calls, 2);
  CHECK_STATUS(rac_sequence_all(s, &calls, positive, &answer), RAC_OK);
  CHECK(!answer);
  CHECK_INT(calls, 3);
  CHECK_RESULT(rac_sequence_object_passing_test(s, NULL, positive, &out), "5");
  CHECK_STATUS(rac_sequence_any(none, NULL, positive, &answer), RAC_OK);
  CHECK(!answer);
  CHECK_STATUS(rac_sequence_all(none, NULL, positive, &answer), RAC_OK);
  CHECK(answer);
  rac_value out = I(1);
  CHECK_STATUS(rac_sequence_object_passing_test(none, NULL, positive, &out),
               RAC_EEMPTY);
  CHECK_INT(out.kind, RAC_NIL);
  CHECK_STATUS(rac_sequence_any(forever, NULL, positive, &answer), RAC_OK);
  CHECK(answer);
  rac_release(s);
  rac_release(none);
  rac_release(forever);
  s = seq("0 99");
  CHECK_STATUS(rac_sequence_any(s, NULL, positive, &answer), RAC_ESTREAM);
  CHECK(!answer);
  CHECK_STATUS(rac_sequence_object_passing_test(s, NULL, positive, &out),
               RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(out), -99);
  rac_value_release(out);
  rac_release(s);
}

static bool equal(rac_sequence *a, rac_sequence *b) {
  bool answer = false;
  uint64_t first, second;
  CHECK_STATUS(rac_sequence_is_equal(a, b, &answer), RAC_OK);
  CHECK_STATUS(rac_sequence_hash(a, &first), RAC_OK);
  CHECK_STATUS(rac_sequence_hash(b, &second), RAC_OK);
  if (answer) CHECK_INT(first, second);
  return answer;
}

TEST(equality_is_that_of_the_values) {
  owned rac_sequence *a = seq("1 nil 3"), *b = seq("1 nil 3"),
                     *shorter = seq("1 nil"), *other = seq("1 nil 4"),
                     *none = rac_sequence_empty(),
                     *forever = rac_sequence_range(1, 1, SIZE_MAX);
  SEQ(b, take, 8);
  CHECK(equal(a, a));
  CHECK(equal(a, b));
  CHECK(equal(b, a));
  CHECK(!equal(a, shorter));
  CHECK(!equal(shorter, a));
  CHECK(!equal(a, other));
  CHECK(!equal(a, none));
  CHECK(!equal(none, a));
  CHECK(equal(forever, forever));
  CHECK(!equal(forever, shorter));
  owned rac_sequence *empty = rac_sequence_take(a, 0);
  CHECK(equal(none, empty));
  CHECK(equal(empty, none));
  SEQ(b, map, CALLBACK(map_not_two));
  owned rac_sequence *failing =
      rac_sequence_map(forever, CALLBACK(map_not_two));
  bool answer = true;
  CHECK_STATUS(rac_sequence_is_equal(failing, forever, &answer), RAC_ESTREAM);
  CHECK_STATUS(rac_sequence_is_equal(forever, failing, &answer), RAC_ESTREAM);
  CHECK(!answer);
}

/* ---- To a signal -------------------------------------------------------- */

TEST(a_sequence_as_a_signal_on_the_immediate_scheduler) {
  owned rac_sequence *s = seq("1 2 3");
  CHECK_SIGNAL(rac_sequence_signal(s, rac_scheduler_immediate()), "1 2 3 |");
  SEQ(s, map, CALLBACK(map_not_two));
  CHECK_SIGNAL(rac_sequence_signal(s, rac_scheduler_immediate()), "1 #-22");
}

TEST(a_disposed_subscription_reads_no_further) {
  atomic_int calls = 0;
  owned rac_scheduler *clock = rac_scheduler_virtual();
  rac_sequence *s = rac_sequence_range(1, 1, SIZE_MAX);
  SEQ(s, map, context_new(&calls, NULL), counted_times_ten, context_destroy);
  SEQ(s, map, CALLBACK(times_ten));
  rac_signal *signal = rac_sequence_signal(s, clock);
  finished recorder r = {0};
  r.on_next = dispose_at_two;
  record(signal, &r);
  rac_release(signal);
  rac_release(s);
  rac_dispose(r.subscription);
  rac_virtual_step_all(clock);
  CHECK_EVENTS(&r, "");
  CHECK_INT(calls, 0);
}

/* ---- Of a signal -------------------------------------------------------- */

TEST(a_signal_as_a_sequence) {
  rac_signal *signal = cold("1 nil 3 |", NULL);
  CHECK_SEQUENCE(rac_sequence_from_signal(signal, 0, NULL), "1 nil 3");
  rac_release(signal);
  signal = cold("1 #7", NULL);
  CHECK_SEQUENCE(rac_sequence_from_signal(signal, 0, NULL), "1 #7");
  rac_release(signal);
}

TEST(a_value_that_does_not_come_in_time) {
  source counts = {0};
  rac_subject *subject = rac_subject_create();
  rac_sequence *s = rac_sequence_from_signal(as_signal(subject), 0, NULL);
  rac_value out = I(1);
  CHECK_STATUS(rac_sequence_head(s, &out), RAC_ETIMEDOUT);
  CHECK_INT(out.kind, RAC_NIL);
  rac_sequence *mapped = rac_sequence_map(s, CALLBACK(times_ten));
  CHECK_STATUS(rac_sequence_head(mapped, NULL), RAC_ETIMEDOUT);
  rac_subject_send(subject, I(1));
  CHECK_RESULT(rac_sequence_head(mapped, &out), "10");
  rac_subject_send(subject, I(2));
  CHECK_VALUES(mapped, "10 20 RAC_ETIMEDOUT");
  rac_subject_send_completed(subject);
  CHECK_VALUES(mapped, "10 20");
  CHECK_SEQUENCE(s, "1 2");
  rac_release(mapped);
  rac_release(subject);
  rac_signal *signal = cold("1", &counts);
  s = rac_sequence_from_signal(signal, 0, NULL);
  rac_release(signal);
  CHECK_INT(counts.disposed, 0);
  rac_release(s);
  CHECK_INT(counts.disposed, 1);
}

TEST(a_signal_that_nobody_can_send_to_ends_the_sequence) {
  rac_signal *never = rac_signal_never();
  CHECK_SEQUENCE(rac_sequence_from_signal(never, -1, NULL), "");
  rac_release(never);
  rac_subject *subject = rac_subject_create();
  rac_sequence *s = rac_sequence_from_signal(as_signal(subject), -1, NULL);
  rac_subject_send(subject, I(1));
  rac_release(subject);
  CHECK_SEQUENCE(s, "1");
}

TEST(what_no_reader_can_reach_goes) {
  owned rac_subject *subject = rac_subject_create();
  rac_sequence *s = rac_sequence_from_signal(as_signal(subject), 0, NULL);
  rac_sequence_iterator *each = rac_sequence_iterate(s);
  rac_release(s);
  int64_t before = 0;
  for (int i = 0; i < 100; i++) {
    rac_subject_send(subject, I(i));
    rac_value value;
    CHECK_STATUS(rac_sequence_next(each, &value), RAC_OK);
    CHECK_INT(value.bits, i);
    if (i == 1) before = rac_live_objects();
  }
  CHECK_INT(rac_live_objects(), before);
  rac_release(each);
  rac_subject_send(subject, I(5));
}

static void *send_later(void *subject) {
  for (int i = 1; i <= 100; i++) rac_subject_send(subject, I(i));
  rac_subject_send_completed(subject);
  return NULL;
}

TEST(reading_waits_for_what_another_thread_sends) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_sequence *s =
      rac_sequence_from_signal(as_signal(subject), -1, NULL);
  pthread_t thread = check_spawn(send_later, subject);
  rac_value sum;
  CHECK_STATUS(rac_sequence_fold_left(s, I(0), NULL, minus, &sum),
               RAC_ESTREAM); /* 99 is among them */
  rac_value_release(sum);
  rac_value all;
  CHECK_STATUS(rac_sequence_to_array(s, &all), RAC_OK);
  CHECK_INT(rac_tuple_count(all), 100);
  rac_value_release(all);
  check_join(thread);
}

static void read_inside(recorder *self, rac_value value) {
  if (value.bits == 1)
    CHECK_STATUS(rac_sequence_head(self->user, NULL), RAC_EDEADLK);
}

TEST(reading_inside_a_callback_does_not_wait_for_a_signal) {
  owned rac_subject *subject = rac_subject_create(),
                    *other = rac_subject_create();
  owned rac_sequence *s = rac_sequence_from_signal(as_signal(other), -1, NULL);
  finished recorder r = {0};
  r.user = s;
  r.on_next = read_inside;
  record(as_signal(subject), &r);
  rac_subject_send(subject, I(1));
  CHECK_EVENTS(&r, "1");
  rac_subject_send(other, I(2));
  CHECK_RESULT(rac_sequence_head(s, &out), "2");
}
