/* rac_signal_step and rac_step_send: an operator of one's own. */
#include "operators.h"

/* ---- None, one, many -------------------------------------------------------- */

/* As often as it says; 9 ends, 8 fails. Before a completion how many there were. */
static rac_status times(void *context, rac_step *step, rac_value value,
                        rac_value *out) {
  int64_t *count = step->state;
  (void)context_target(context);
  CHECK_INT(step->size, sizeof *step);
  if (step->event == RAC_EVENT_ERROR) return RAC_OK;
  if (step->event == RAC_EVENT_COMPLETED) {
    CHECK_INT(value.kind, RAC_NIL);
    *out = I(*count * 100);
    return RAC_OK;
  }
  ++*count;
  for (int64_t i = 1; i < value.bits; i++)
    CHECK_STATUS(rac_step_send(step, value), RAC_OK);
  if (value.bits == 8) return -88;
  if (value.bits > 0) *out = value;
  return value.bits == 9 ? RAC_STEP_COMPLETE : RAC_OK;
}

static int cleared;
static void count_clear(void *context, void *state) {
  (void)context_target(context);
  (void)state;
  cleared++;
}

#define STEP(signal, size, function)                                           \
  APPLY(signal, step, size, context_new(NULL, NULL), function, count_clear,    \
        context_destroy)

static void check_step(const char *script, const char *expected) {
  rac_signal *s = cold(script, NULL);
  STEP(s, sizeof(int64_t), times);
  cleared = 0;
  rac_retain(s);
  /* Each subscription has a state of its own. */
  CHECK_SIGNAL(s, expected);
  CHECK_SIGNAL(s, expected);
  CHECK_INT(cleared, 2);
}

TEST(step_sends_none_one_or_many) {
  check_step("0 1 3 |", "1 3 3 3 300 |");
  check_step("|", "0 |");
  check_step("2 #5", "2 2 #5");
  check_step("1", "1");
}

TEST(step_completes_or_fails_after_what_it_sent) {
  check_step("9 1 |", "9 9 9 9 9 9 9 9 9 |");
  check_step("1 8 1 |", "1 8 8 8 8 8 8 8 #-88");
}

/* nil is a value; a view is copied; what is counted is handed over. */
static rac_status write_what(void *context, rac_step *step, rac_value value,
                             rac_value *out) {
  char text[] = "lent";
  (void)context_target(context);
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  if (value.bits == 1) *out = rac_value_nil();
  if (value.bits == 2) *out = rac_value_string_copy("made", 4);
  if (value.bits == 3) rac_step_send(step, rac_value_string_view(text, 4));
  return RAC_OK;
}

TEST(step_sends_any_value) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  STEP(s, 0, write_what);
  CHECK_SIGNAL(s, "nil made lent |");
}

/* ---- Ends -------------------------------------------------------------------- */

/* An error 1 completes, 2 becomes another; a completion fails if 7 was heard. */
static rac_status change_end(void *context, rac_step *step, rac_value value,
                             rac_value *out) {
  bool *fails = step->state;
  (void)context_target(context);
  if (step->event == RAC_EVENT_NEXT && value.bits == 7) *fails = true;
  if (step->event == RAC_EVENT_COMPLETED && *fails) return -70;
  if (step->event != RAC_EVENT_ERROR) return RAC_OK;
  *out = I(rac_error_get_code(value));
  if (rac_error_get_code(value) == 1) return RAC_STEP_COMPLETE;
  return rac_error_get_code(value) == 2 ? -20 : RAC_OK;
}

TEST(step_may_make_another_end_of_an_end) {
  static const char *const cases[][2] = {{"#1", "1 |"},
                                         {"#2", "#-20"},
                                         {"#3", "3 #3"},
                                         {"|", "|"},
                                         {"7 |", "#-70"}};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    STEP(s, sizeof(bool), change_end);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}

/* ---- Bad answers --------------------------------------------------------------- */

static rac_status answer;
static rac_status give_answer(void *context, rac_step *step, rac_value value,
                              rac_value *out) {
  (void)context_target(context);
  if (step->event == RAC_EVENT_NEXT) *out = value;
  return step->event == RAC_EVENT_NEXT ? answer : RAC_OK;
}

TEST(an_unknown_answer_is_an_error) {
  static const struct {
    rac_status answer;
    const char *heard;
  } cases[] = {{RAC_QUEUED, "1 2 |"},
               {RAC_PENDING, "1 2 |"},
               {RAC_STEP_COMPLETE + 1, "1 #-5001"},
               {INT32_MAX, "1 #-5001"},
               {-1, "#-1"},
               {INT32_MIN, "#-2147483648"},
               {RAC_STEP_COMPLETE, "1 |"}};
  for (int i = 0; i < 7; i++) {
    rac_signal *s = cold("1 2 |", NULL);
    answer = cases[i].answer;
    STEP(s, 0, give_answer);
    CHECK_SIGNAL(s, cases[i].heard);
  }
}

static rac_value written;
static rac_status write_it(void *context, rac_step *step, rac_value value,
                           rac_value *out) {
  (void)context_target(context);
  (void)value;
  if (step->event == RAC_EVENT_NEXT) *out = written;
  return RAC_OK;
}
static rac_status send_it(void *context, rac_step *step, rac_value value,
                          rac_value *out) {
  (void)context_target(context);
  (void)value;
  (void)out;
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  rac_status status = rac_step_send(step, written);
  CHECK_TEXT(rac_last_error_function(), "rac_step_send");
  return status;
}

TEST(a_value_that_is_none_is_an_error) {
  static const struct {
    rac_value value;
    const char *heard, *failed;
  } cases[] = {
      {{RAC_TUPLE, 0, 0, 0, 12345}, "#-5004", "#-5004"},
      {{77, 0, 0, 0, 0}, "#-5004", "#-5004"},
      {{RAC_STRING, 0, 0, 3, 0}, "#-5001", "#-5001"},
  };
  for (int i = 0; i < 3; i++) {
    written = cases[i].value;
    rac_signal *s = cold("1 2 |", NULL);
    STEP(s, 0, write_it);
    CHECK_SIGNAL(s, cases[i].heard);
    s = cold("1 2 |", NULL);
    STEP(s, 0, send_it);
    CHECK_SIGNAL(s, cases[i].failed);
  }
}

/* What is left in `out` of a call that fails is released. */
static rac_status write_and_fail(void *context, rac_step *step, rac_value value,
                                 rac_value *out) {
  (void)context_target(context);
  (void)step;
  (void)value;
  *out = rac_value_string_copy("lost?", 5);
  return -3;
}

TEST(what_a_failing_step_wrote_is_released) {
  rac_signal *s = cold("1 2 |", NULL);
  STEP(s, 0, write_and_fail);
  CHECK_SIGNAL(s, "#-3");
}

/* ---- Sending where one may not -------------------------------------------------- */

static rac_step *kept;
static rac_status from_elsewhere;
static rac_status keep(void *context, rac_step *step, rac_value value,
                       rac_value *out) {
  (void)context_target(context);
  if (step->event == RAC_EVENT_NEXT) *out = value;
  kept = step;
  return RAC_OK;
}
static void *send_elsewhere(void *step) {
  from_elsewhere = rac_step_send(step, I(1));
  return NULL;
}
static rac_status send_on_a_thread(void *context, rac_step *step,
                                   rac_value value, rac_value *out) {
  if (step->event == RAC_EVENT_NEXT)
    check_join(check_spawn(send_elsewhere, step));
  return keep(context, step, value, out);
}

TEST(a_step_that_was_kept_sends_nothing) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_retain(as_signal(subject));
  STEP(s, 0, keep);
  recorder r = {0};
  record(s, &r);
  rac_subject_send(subject, I(1));
  CHECK_STATUS(rac_step_send(kept, I(2)), RAC_ESTALE);
  CHECK_TEXT(rac_last_error_function(), "rac_step_send");
  finish(&r);
  CHECK_STATUS(rac_step_send(kept, I(2)), RAC_ESTALE);
  CHECK_STATUS(rac_step_send(NULL, I(2)), RAC_ENULL);
  CHECK_STATUS(rac_step_send((rac_step *)(uintptr_t)8, I(2)), RAC_ESTALE);
  CHECK_EVENTS(&r, "1");
}

TEST(another_thread_may_not_send) {
  rac_signal *s = cold("1 2 |", NULL);
  STEP(s, 0, send_on_a_thread);
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_STATUS(from_elsewhere, RAC_ESTALE);
}

/* Who hears a value may not send in the step's place. */
static rac_status send_to_outer(void *context, rac_step *step, rac_value value,
                                rac_value *out) {
  (void)context_target(context);
  CHECK_STATUS(rac_step_send(kept, I(9)), RAC_ESTALE);
  if (step->event == RAC_EVENT_NEXT) *out = value;
  return RAC_OK;
}
static rac_status send_and_keep(void *context, rac_step *step, rac_value value,
                                rac_value *out) {
  (void)context_target(context);
  (void)out;
  kept = step;
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  CHECK_STATUS(rac_step_send(step, value), RAC_OK);
  /* What was called inside does not stay in the way. */
  return rac_step_send(step, value);
}
static rac_status send_from_map(void *context, rac_value value,
                                rac_value *out) {
  (void)context_target(context);
  CHECK_STATUS(rac_step_send(kept, I(9)), RAC_ESTALE);
  *out = value;
  return RAC_OK;
}

TEST(who_hears_a_value_may_not_send_for_the_step) {
  rac_signal *s = cold("1 2 |", NULL);
  STEP(s, 0, send_and_keep);
  APPLY(s, map, CALLBACK(send_from_map));
  STEP(s, 0, send_to_outer);
  CHECK_SIGNAL(s, "1 1 2 2 |");
}

/* ---- Disposal, ends and sends inside --------------------------------------------- */

static rac_status last_status;
static rac_status dispose_inside(void *context, rac_step *step, rac_value value,
                                 rac_value *out) {
  recorder *r = context_target(context);
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  CHECK_STATUS(rac_step_send(step, value), RAC_OK);
  rac_dispose(r->subscription);
  last_status = rac_step_send(step, value);
  *out = rac_value_string_copy("more", 4);
  return last_status;
}

TEST(a_step_may_dispose_its_own_subscription) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {0};
  owned rac_signal *s =
      rac_signal_step(as_signal(subject), 0, context_new(&r, NULL),
                      dispose_inside, count_clear, context_destroy);
  cleared = 0;
  record(s, &r);
  rac_subject_send(subject, I(1));
  rac_subject_send(subject, I(2));
  CHECK_EVENTS(&r, "1");
  CHECK_STATUS(last_status, RAC_EDONE);
  CHECK_INT(cleared, 1);
  await_end(&r);
}

/* Two are wanted of five. */
static int sent;
static rac_status send_five(void *context, rac_step *step, rac_value value,
                            rac_value *out) {
  (void)context_target(context);
  (void)out;
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  for (int i = 0; i < 5; i++) {
    last_status = rac_step_send(step, value);
    if (last_status == RAC_OK) sent++;
  }
  return last_status;
}

TEST(sending_after_the_end_says_so) {
  rac_signal *s = cold("1 2 |", NULL);
  STEP(s, 0, send_five);
  APPLY(s, take, 2);
  sent = 0;
  CHECK_SIGNAL(s, "1 1 |");
  CHECK_INT(sent, 2);
  CHECK_STATUS(last_status, RAC_EDONE);
}

static rac_subject *fed;
static rac_status feed_source(void *context, rac_step *step, rac_value value,
                              rac_value *out) {
  (void)context_target(context);
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  if (value.bits < 3)
    CHECK_STATUS(rac_subject_send(fed, I(value.bits + 1)), RAC_QUEUED);
  rac_step_send(step, I(value.bits * 10));
  *out = value;
  return RAC_OK;
}

TEST(a_step_may_send_into_its_source) {
  fed = rac_subject_create();
  owned rac_signal *s = rac_retain(as_signal(fed));
  STEP(s, 0, feed_source);
  RECORDER(r, s);
  rac_subject_send(fed, I(1));
  CHECK_EVENTS(&r, "10 1 20 2 30 3");
  rac_release(fed);
}

/* What a callback further down raised and did not return is not the step's. */
static rac_status raise_and_go_on(void *context, rac_value value,
                                  rac_value *out) {
  (void)context_target(context);
  rac_value error = test_error(6);
  rac_raise(error);
  rac_value_release(error);
  *out = value;
  return RAC_OK;
}
static rac_status raise_and_send(void *context, rac_step *step, rac_value value,
                                 rac_value *out) {
  (void)context_target(context);
  (void)out;
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  rac_value error = test_error(5);
  rac_status status = rac_raise(error);
  rac_value_release(error);
  rac_step_send(step, value);
  return status;
}

TEST(what_a_step_raised_outlives_its_sends) {
  rac_signal *s = cold("1 2 |", NULL);
  STEP(s, 0, raise_and_send);
  APPLY(s, map, CALLBACK(raise_and_go_on));
  CHECK_SIGNAL(s, "1 #5");
}

/* ---- State ------------------------------------------------------------------------ */

static rac_status keep_last(void *context, rac_step *step, rac_value value,
                            rac_value *out) {
  rac_value *last = step->state;
  (void)context_target(context);
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  *out = *last;
  *last = rac_value_retain(value);
  return RAC_OK;
}
static void release_last(void *context, void *state) {
  (void)context_target(context);
  rac_value_release(*(rac_value *)state);
  cleared++;
}

TEST(clear_frees_what_the_state_holds) {
  rac_value first = rac_value_string_copy("first", 5);
  rac_signal *s = cold("1 2", NULL);
  APPLY(s, start_with, first);
  rac_value_release(first);
  APPLY(s, step, sizeof(rac_value), context_new(NULL, NULL), keep_last,
        release_last, context_destroy);
  cleared = 0;
  CHECK_SIGNAL(s, "nil first 1");
  CHECK_INT(cleared, 1);
}

static rac_status check_state(void *context, rac_step *step, rac_value value,
                              rac_value *out) {
  size_t size = *(size_t *)context_target(context);
  unsigned char *bytes = step->state;
  (void)value;
  (void)out;
  CHECK((bytes == NULL) == (size == 0));
  CHECK((uintptr_t)bytes % 16 == 0);
  for (size_t i = 0; i < size; i += 1 + size / 64) CHECK_INT(bytes[i], 0);
  if (size > 0) memset(bytes, 0x5a, size);
  return RAC_STEP_COMPLETE;
}

TEST(a_state_is_zero_at_first_whatever_its_size) {
  size_t sizes[] = {0, 1, 8, 100, 4096, 1 << 20};
  for (int i = 0; i < 6; i++) {
    for (int again = 0; again < 2; again++) {
      rac_signal *s = cold("1 |", NULL);
      APPLY(s, step, sizes[i], context_new(&sizes[i], NULL), check_state, NULL,
            context_destroy);
      CHECK_SIGNAL(s, "|");
    }
  }
}

TEST(a_state_of_any_size_is_refused) {
  size_t sizes[] = {((size_t)1 << 28) + 1, SIZE_MAX, SIZE_MAX - 15};
  owned rac_signal *s = cold("1 |", NULL);
  for (int i = 0; i < 3; i++) {
    CHECK(rac_signal_step(s, sizes[i], context_new(NULL, NULL), times, NULL,
                          context_destroy) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    CHECK_TEXT(rac_last_error_function(), "rac_signal_step");
    rac_clear_last_error();
  }
}

/* ---- Sequences ---------------------------------------------------------------------- */

TEST(a_sequence_goes_through_the_same_step) {
  rac_value numbers[] = {I(0), I(1), I(3), I(9), I(5)};
  owned rac_sequence *source = rac_sequence_from_values(numbers, 5);
  cleared = 0;
  for (int ends = 0; ends < 2; ends++) {
    owned rac_sequence *some = rac_sequence_take(source, ends ? 5 : 3);
    owned rac_sequence *s =
        rac_sequence_step(some, sizeof(int64_t), context_new(NULL, NULL), times,
                          count_clear, context_destroy);
    rac_value list;
    CHECK_STATUS(rac_sequence_to_array(s, &list), RAC_OK);
    CHECK_INT(rac_tuple_count(list), ends ? 13 : 5);
    CHECK_INT(rac_tuple_get(list, 4).bits, ends ? 9 : 300);
    rac_value_release(list);
  }
  CHECK_INT(cleared, 2);
}
