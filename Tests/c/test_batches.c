/* Subscriptions that take their values in arrays: when, and of what. */
#include <math.h>

#include "batch_recorder.h"
#include "marbles.h"

#define CHECK_BATCHES(signal, form, count, expected)                           \
  check_batches(__LINE__, signal, form, count, expected)
static void check_batches(int line, rac_signal *signal, int form, size_t count,
                          const char *expected) {
  /* With a time limit that never comes, and without one. */
  rac_scheduler *v = rac_scheduler_virtual();
  double intervals[] = {INFINITY, 1, 1e300};
  for (int i = 0; i < 3; i++) {
    batch_recorder t = {0};
    record_batches_as(signal, count, intervals[i], v, &t, form);
    check_text(__FILE__, line, "the batches", t.text, expected);
    finish_batches(&t);
  }
  rac_release(v);
  rac_release(signal);
}

/* ---- By count ----------------------------------------------------------- */

TEST(so_many_make_a_batch) {
  CHECK_BATCHES(cold("1 2 3 4 |", NULL), VALUES, 2, "[1 2] [3 4] |");
  CHECK_BATCHES(cold("1 2 3 4 |", NULL), INT64S, 2, "[1 2] [3 4] |");
  CHECK_BATCHES(cold("1 2 3 4 |", NULL), DOUBLES, 2, "[1 2] [3 4] |");
  CHECK_BATCHES(cold("1 2 |", NULL), INT64S, 1, "[1] [2] |");
  CHECK_BATCHES(cold("1 nil 2 |", NULL), VALUES, 3, "[1 nil 2] |");
}

TEST(a_completion_delivers_what_has_gathered) {
  CHECK_BATCHES(cold("1 2 3 |", NULL), VALUES, 2, "[1 2] [3] |");
  CHECK_BATCHES(cold("1 2 3 |", NULL), DOUBLES, 100, "[1 2 3] |");
  CHECK_BATCHES(cold("1 2 3 |", NULL), INT64S, RAC_BATCH_UNLIMITED,
                "[1 2 3] |");
  CHECK_BATCHES(cold("|", NULL), INT64S, 2, "|");
}

/* Law 16: an error holds nothing back from a subscriber. */
TEST(an_error_does_so_too) {
  CHECK_BATCHES(cold("1 2 3 #5", NULL), VALUES, 2, "[1 2] [3] #5");
  CHECK_BATCHES(cold("1 2 #5", NULL), INT64S, 2, "[1 2] #5");
  CHECK_BATCHES(cold("#5", NULL), DOUBLES, 2, "#5");
  CHECK_BATCHES(rac_signal_error(rac_value_nil()), VALUES, 2, "nil");
}

TEST(large_batches_grow) {
  size_t counts[] = {255, 256, 257, 1000, 5000, RAC_BATCH_UNLIMITED};
  enum { SENT = 3000 };
  int64_t numbers[SENT];
  for (int i = 0; i < SENT; i++) numbers[i] = i;
  for (int i = 0; i < 6; i++) {
    for (int form = VALUES; form <= INT64S; form++) {
      owned rac_subject *subject = rac_subject_create();
      batch_recorder t = {0};
      record_batches_as(as_signal(subject), counts[i], INFINITY, NULL, &t,
                        form);
      CHECK_STATUS(
          rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, SENT),
          RAC_OK);
      rac_subject_send_completed(subject);
      await_batch_end(&t);
      CHECK_INT(t.values, SENT);
      CHECK_INT(t.largest, counts[i] < SENT ? counts[i] : SENT);
      CHECK_INT(t.sum, (int64_t)SENT * (SENT - 1) / 2);
    }
  }
}

/* ---- By time ------------------------------------------------------------ */

static void check_timed(int line, size_t count, double interval,
                        const char *script, const char *expected) {
  /* On a scheduler that is given, and on the one that is current when a value
   * arrives. */
  for (int given = 0; given < 2; given++) {
    owned rac_scheduler *v = rac_scheduler_virtual();
    owned rac_subject *subject = rac_subject_create();
    batch_recorder t = {.clock = v};
    record_batches(as_signal(subject), count, interval, given ? v : NULL, &t);
    play_marbles(v, subject, script);
    rac_virtual_advance_to(v, 100);
    check_text(__FILE__, line, "the batches", t.text, expected);
    finish_batches(&t);
  }
}

TEST(so_long_after_its_first_value_a_batch_is_delivered) {
  check_timed(__LINE__, 10, 1.5, "-1234", "[1 2]@2.5 [3 4]@4.5");
  check_timed(__LINE__, 10, 0.5, "-1-2", "[1]@1.5 [2]@3.5");
  check_timed(__LINE__, RAC_BATCH_UNLIMITED, 20, "-123", "[1 2 3]@21");
  check_timed(__LINE__, 10, 1e300, "-12|", "[1 2]@3 |@3");
}

TEST(a_full_batch_does_not_wait) {
  check_timed(__LINE__, 2, 1.5, "-123", "[1 2]@2 [3]@4.5");
  /* The time of the third value starts with it, not with the first. */
  check_timed(__LINE__, 2, 10, "1@1 2@1 3@2", "[1 2]@1 [3]@12");
  check_timed(__LINE__, 1, 10, "-12", "[1]@1 [2]@2");
  check_timed(__LINE__, 2, 10, "-123|", "[1 2]@2 [3]@4 |@4");
  check_timed(__LINE__, 2, 10, "-123", "[1 2]@2 [3]@13");
  check_timed(__LINE__, 2, 10, "-1", "[1]@11");
  check_timed(__LINE__, 2, 10, "1@1 2@1 3@1 4@1 |@2", "[1 2]@1 [3 4]@1 |@2");
}

TEST(an_end_does_not_wait) {
  check_timed(__LINE__, 10, 5, "-12|", "[1 2]@3 |@3");
  check_timed(__LINE__, 10, 5, "-12#4", "[1 2]@3 #4@3");
  check_timed(__LINE__, 10, 0.5, "-1|", "[1]@1.5 |@2");
  check_timed(__LINE__, 2, 10, "-1#7", "[1]@2 #7@2");
  check_timed(__LINE__, 2, 10, "-|", "|@1");
}

TEST(no_time_gathers_until_the_schedulers_turn) {
  check_timed(__LINE__, 10, 0, "1@1 2@1 3@1 4@2", "[1 2 3]@1 [4]@2");
  check_timed(__LINE__, 2, 0, "-(123)", "[1 2]@1 [3]@1");
}

TEST(without_a_scheduler_there_is_a_background_one) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_subject *subject = rac_subject_create();
  batch_recorder t = {0};
  record_batches_as(as_signal(subject), 1000, 0.001, background, &t, INT64S);
  play(subject, "1 2");
  WAIT_UNTIL(atomic_load(&t.values) == 2);
  finish_batches(&t);
}

static void *send_from_a_foreign_thread(void *subject) {
  rac_subject_send(subject, I(5));
  return NULL;
}

TEST(a_foreign_thread_need_not_have_a_scheduler) {
  owned rac_subject *subject = rac_subject_create();
  batch_recorder t = {0};
  record_batches_as(as_signal(subject), 1000, 0.001, NULL, &t, INT64S);
  check_join(check_spawn(send_from_a_foreign_thread, subject));
  WAIT_UNTIL(atomic_load(&t.values) == 1);
  finish_batches(&t);
  CHECK_TEXT(t.text, "[5]");
}

TEST(on_the_immediate_scheduler_every_value_comes_alone) {
  rac_scheduler *immediate = rac_scheduler_immediate();
  owned rac_subject *subject = rac_subject_create();
  batch_recorder t = {0};
  record_batches(as_signal(subject), 10, 0.0001, immediate, &t);
  play(subject, "1 2 |");
  CHECK_TEXT(t.text, "[1] [2] |");
  await_batch_end(&t);
}

/* ---- Kinds -------------------------------------------------------------- */

static void check_mixed(int line, int form, rac_value odd,
                        const char *expected) {
  rac_scheduler *v = rac_scheduler_virtual();
  for (int i = 0; i < 2; i++) {
    owned rac_subject *subject = rac_subject_create();
    batch_recorder t = {0};
    record_batches_as(as_signal(subject), 10, i ? 1 : INFINITY, v, &t, form);
    rac_value values[] = {I(1), I(2), odd, I(3)};
    CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_VALUES, values, 4),
                 RAC_OK);
    rac_subject_send_completed(subject);
    check_text(__FILE__, line, "the batches", t.text, expected);
    CHECK_INT(rac_subject_subscriber_count(subject), 0);
    await_batch_end(&t);
  }
  rac_release(v);
}

TEST(another_kind_among_numbers_ends_the_stream) {
  check_mixed(__LINE__, INT64S, rac_value_nil(), "[1 2] #-5004");
  check_mixed(__LINE__, INT64S, rac_value_double(2), "[1 2] #-5004");
  check_mixed(__LINE__, INT64S, rac_value_bool(true), "[1 2] #-5004");
  check_mixed(__LINE__, DOUBLES, rac_value_nil(), "[1 2] #-5004");
  check_mixed(__LINE__, DOUBLES, S("2"), "[1 2] #-5004");
  check_mixed(__LINE__, DOUBLES, rac_value_bool(false), "[1 2] #-5004");
}

TEST(integers_are_numbers_among_doubles) {
  check_mixed(__LINE__, DOUBLES, rac_value_double(2.5), "[1 2 2.5 3] |");
}

static double largest_double;
static void keep_double(void *context, const double *numbers, size_t count) {
  (void)context;
  if (count == 1) largest_double = numbers[0];
}

TEST(large_integers_become_the_nearest_double) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.next_doubles = keep_double;
  int64_t numbers[] = {INT64_MAX, INT64_MIN, (INT64_C(1) << 53) + 1};
  double expected[] = {0x1p63, -0x1p63, 0x1p53};
  owned rac_subject *subject = rac_subject_create();
  owned rac_disposable *d =
      rac_subscribe_batches(as_signal(subject), 1, INFINITY, NULL, &observer);
  for (int i = 0; i < 3; i++) {
    rac_subject_send(subject, I(numbers[i]));
    CHECK(largest_double == expected[i]);
  }
}

TEST(what_was_only_lent_is_kept_until_its_batch) {
  owned rac_subject *subject = rac_subject_create();
  batch_recorder t = {0};
  record_batches(as_signal(subject), 3, INFINITY, NULL, &t);
  char text[] = "one";
  rac_subject_send(subject, S(text));
  strcpy(text, "two");
  rac_subject_send(subject, S(text));
  rac_value three = rac_value_string_copy("three", 5);
  rac_subject_send(subject, three);
  rac_value_release(three);
  CHECK_TEXT(t.text, "[one two three]");
  finish_batches(&t);
}

TEST(who_wants_ends_only_hears_ends_only) {
  batch_recorder t = {0};
  owned rac_signal *signal = cold("1 2 3 |", NULL);
  rac_batch_observer observer = batch_recorder_observer(&t, -1);
  t.subscription = rac_subscribe_batches(signal, 2, INFINITY, NULL, &observer);
  CHECK_TEXT(t.text, "|");
  await_batch_end(&t);
  rac_batch_observer nothing = RAC_BATCH_OBSERVER_INIT;
  owned rac_disposable *d = rac_subscribe_batches(signal, 2, 1, NULL, &nothing);
  CHECK(d != NULL);
}
