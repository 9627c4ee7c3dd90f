/* Tuples taken apart, and events as values. */
#include "operators.h"

/* ---- reduceEach --------------------------------------------------------- */

static rac_status join(void *context, const rac_value *elements, size_t count,
                       rac_value *out) {
  (void)context_target(context);
  char text[200] = "";
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (elements[i].bits == 9) return -90;
    used += format_value(elements[i], text + used, sizeof text - used);
  }
  *out = rac_value_string_copy(text, used);
  return RAC_OK;
}

static rac_status wants_two(void *context, const rac_value *elements,
                            size_t count, rac_value *out) {
  return count == 2 ? join(context, elements, count, out) : -2;
}

static rac_value tuple_of(int64_t count) {
  rac_value values[] = {I(1), rac_value_nil(), I(3)};
  return rac_value_tuple(values, (size_t)count);
}

TEST(reduce_each_hands_over_the_elements) {
  for (int64_t i = 0; i < 4; i++) {
    const char *const expected[] = {"|", "1 |", "1nil |", "1nil3 |"};
    rac_value tuple = tuple_of(i);
    rac_signal *s = rac_signal_return(tuple);
    rac_value_release(tuple);
    APPLY(s, reduce_each, CALLBACK(join));
    CHECK_SIGNAL(s, expected[i]);
  }
}

TEST(a_tuple_of_the_wrong_size_is_up_to_the_callback) {
  rac_value values[] = {tuple_of(2), tuple_of(3), tuple_of(2)};
  rac_signal *s = rac_signal_from_values(values, 3);
  for (int i = 0; i < 3; i++) rac_value_release(values[i]);
  APPLY(s, reduce_each, CALLBACK(wants_two));
  CHECK_SIGNAL(s, "1nil !-2");
}

TEST(reduce_each_wants_tuples) {
  source counts = {0};
  rac_signal *s = cold("1 2", &counts);
  APPLY(s, reduce_each, CALLBACK(join));
  CHECK_SIGNAL(s, "!-4");
  CHECK_INT(counts.disposed, 1);
  s = cold("nil", NULL);
  APPLY(s, reduce_each, CALLBACK(join));
  CHECK_SIGNAL(s, "!-4");
  s = cold("!5", NULL);
  APPLY(s, reduce_each, CALLBACK(join));
  CHECK_SIGNAL(s, "!5");
}

/* ---- combineLatest:reduce: and zip:reduce: ------------------------------ */

typedef struct three {
  rac_subject *subjects[3];
  recorder heard;
} three;

static rac_subject **start_three(three *self) {
  for (int i = 0; i < 3; i++) self->subjects[i] = rac_subject_create();
  return self->subjects;
}
static rac_signal *const *signals_of(three *self) {
  return (rac_signal *const *)(void *)self->subjects;
}
static void end_three(three *self) {
  await_end(&self->heard);
  for (int i = 0; i < 3; i++) rac_release(self->subjects[i]);
}

TEST(combine_latest_reduce_sends_what_the_callback_makes) {
  three t = {0};
  rac_subject **subjects = start_three(&t);
  rac_signal *s =
      rac_signal_combine_latest_reduce(signals_of(&t), 3, CALLBACK(join));
  record(s, &t.heard);
  play(subjects[0], "1");
  play(subjects[1], "2");
  CHECK_EVENTS(&t.heard, "");
  play(subjects[2], "3 4");
  play(subjects[0], "5 |");
  play(subjects[1], "nil |");
  CHECK_EVENTS(&t.heard, "123 124 524 5nil4");
  play(subjects[2], "|");
  CHECK_EVENTS(&t.heard, "123 124 524 5nil4 |");
  rac_release(s);
  end_three(&t);
}

TEST(a_failing_reduce_disposes_all_inputs) {
  three t = {0};
  rac_subject **subjects = start_three(&t);
  rac_signal *s =
      rac_signal_combine_latest_reduce(signals_of(&t), 3, CALLBACK(join));
  record(s, &t.heard);
  play(subjects[0], "1");
  play(subjects[1], "2");
  play(subjects[2], "9 1");
  CHECK_EVENTS(&t.heard, "!-90");
  for (int i = 0; i < 3; i++)
    CHECK_INT(rac_subject_subscriber_count(subjects[i]), 0);
  rac_release(s);
  end_three(&t);
}

TEST(zip_reduce_takes_the_values_that_belong_together) {
  three t = {0};
  rac_subject **subjects = start_three(&t);
  rac_signal *s = rac_signal_zip_reduce(signals_of(&t), 3, CALLBACK(join));
  record(s, &t.heard);
  play(subjects[0], "1 2 3");
  play(subjects[1], "1");
  play(subjects[2], "1 2");
  CHECK_EVENTS(&t.heard, "111");
  play(subjects[1], "2 3 4 |");
  CHECK_EVENTS(&t.heard, "111 222");
  play(subjects[2], "3 4 5 !7");
  CHECK_EVENTS(&t.heard, "111 222 333 !7");
  play(subjects[0], "4");
  rac_release(s);
  end_three(&t);
}

TEST(a_failing_zip_reduce_ends_the_stream) {
  rac_signal *a = cold("1 9 3 |", NULL), *b = cold("1 2 3 |", NULL);
  rac_signal *both[] = {a, b};
  CHECK_SIGNAL(rac_signal_zip_reduce(both, 2, CALLBACK(join)), "11 !-90");
  rac_release(a);
  rac_release(b);
}

TEST(reducing_nothing_and_one) {
  CHECK_SIGNAL(rac_signal_zip_reduce(NULL, 0, CALLBACK(join)), "|");
  CHECK_SIGNAL(rac_signal_combine_latest_reduce(NULL, 0, CALLBACK(join)), "|");
  rac_signal *a = cold("1 2 |", NULL);
  CHECK_SIGNAL(rac_signal_zip_reduce(&a, 1, CALLBACK(join)), "1 2 |");
  CHECK_SIGNAL(rac_signal_combine_latest_reduce(&a, 1, CALLBACK(join)),
               "1 2 |");
  rac_release(a);
}

static rac_status dispose_and_join(void *context, const rac_value *elements,
                                   size_t count, rac_value *out) {
  three *self = context_target(context);
  rac_disposable *mine = self->heard.subscription;
  rac_dispose(mine);
  /* What was lent is still there. */
  char text[100];
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    used += format_value(elements[i], text + used, sizeof text - used);
  CHECK_TEXT(text, "onetwo");
  *out = rac_value_string_copy(text, used);
  return RAC_OK;
}

TEST(a_reduce_may_dispose_its_subscription) {
  for (int zips = 0; zips < 2; zips++) {
    three t = {0};
    rac_subject **subjects = start_three(&t);
    rac_signal *s =
        zips ? rac_signal_zip_reduce(signals_of(&t), 2,
                                     CALLBACK_FOR(&t, dispose_and_join))
             : rac_signal_combine_latest_reduce(
                   signals_of(&t), 2, CALLBACK_FOR(&t, dispose_and_join));
    record(s, &t.heard);
    rac_release(s);
    rac_value one = rac_value_string_copy("one", 3);
    rac_subject_send(subjects[0], one);
    rac_value_release(one);
    rac_value two = rac_value_string_copy("two", 3);
    rac_subject_send(subjects[1], two);
    rac_value_release(two);
    play(subjects[0], "3");
    CHECK_EVENTS(&t.heard, "");
    for (int i = 0; i < 2; i++)
      CHECK_INT(rac_subject_subscriber_count(subjects[i]), 0);
    end_three(&t);
  }
}

static void *send_numbers(void *subject) {
  for (int64_t i = check_scaled(20000); i > 0; i--)
    rac_subject_send(subject, I(1));
  return NULL;
}

static rac_status count_values(void *context, const rac_value *elements,
                               size_t count, rac_value *out) {
  (void)context_target(context);
  *out = I((int64_t)count);
  return elements[0].bits == 1 ? RAC_OK : -1;
}

TEST(reducing_inputs_that_race) {
  for (int zips = 0; zips < 2; zips++) {
    three t = {0};
    rac_subject **subjects = start_three(&t);
    rac_signal *s =
        zips ? rac_signal_zip_reduce(signals_of(&t), 2, CALLBACK(count_values))
             : rac_signal_combine_latest_reduce(signals_of(&t), 2,
                                                CALLBACK(count_values));
    record(s, &t.heard);
    rac_release(s);
    pthread_t a = check_spawn(send_numbers, subjects[0]);
    pthread_t b = check_spawn(send_numbers, subjects[1]);
    check_join(a);
    check_join(b);
    int64_t each = check_scaled(20000);
    WAIT_UNTIL(atomic_load(&t.heard.nexts) >= each);
    if (zips) CHECK_INT(t.heard.nexts, each);
    play(subjects[0], "|");
    play(subjects[1], "|");
    WAIT_UNTIL(atomic_load(&t.heard.ends) == 1);
    end_three(&t);
  }
}

static void ignore_trace(void *context, const rac_trace_event *event) {
  (void)context, (void)event;
}

/* A tracer stands between the two, and so does any other operator. */
TEST(reducing_from_further_below) {
  rac_signal *a = cold("1 2 |", NULL), *b = cold("3 4 |", NULL);
  rac_signal *both[] = {a, b};
  rac_set_trace(NULL, ignore_trace, NULL);
  CHECK_SIGNAL(rac_signal_zip_reduce(both, 2, CALLBACK(join)), "13 24 |");
  CHECK_SIGNAL(rac_signal_combine_latest_reduce(both, 2, CALLBACK(join)),
               "23 24 |");
  rac_set_trace(NULL, NULL, NULL);
  rac_signal *s = rac_signal_zip(both, 2);
  APPLY(s, skip, 1);
  APPLY(s, reduce_each, CALLBACK(join));
  CHECK_SIGNAL(s, "24 |");
  rac_release(a);
  rac_release(b);
}

TEST(the_same_signal_at_several_places) {
  rac_signal *a = cold("1 2 |", NULL), *b = cold("7 8 |", NULL);
  rac_signal *six[] = {a, b, a, a, b, a};
  CHECK_SIGNAL(rac_signal_zip_reduce(six, 6, CALLBACK(join)),
               "171171 282282 |");
  rac_release(a);
  rac_release(b);
}

static void send_into_first(recorder *self, rac_value value) {
  (void)value;
  if (self->nexts == 1) play(self->user, "5");
}

TEST(a_send_from_below_a_reduce_waits_its_turn) {
  three t = {0};
  rac_subject **subjects = start_three(&t);
  t.heard.on_next = send_into_first;
  t.heard.user = subjects[0];
  rac_signal *s =
      rac_signal_combine_latest_reduce(signals_of(&t), 2, CALLBACK(join));
  record(s, &t.heard);
  play(subjects[0], "1");
  play(subjects[1], "2 |");
  play(subjects[0], "|");
  CHECK_EVENTS(&t.heard, "12 52 |");
  rac_release(s);
  end_three(&t);
}

/* ---- then --------------------------------------------------------------- */

static rac_status make_next(void *context, rac_signal **out) {
  int *calls = context_target(context);
  if (++*calls == 2) return -5;
  if (*calls < 2) *out = cold("7 8 |", NULL);
  return RAC_OK;
}

TEST(then_goes_on_after_the_completion) {
  int calls = 0;
  rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_then(as_signal(subject), CALLBACK_FOR(&calls, make_next));
  recorder r = {0};
  record(s, &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "");
  CHECK_INT(calls, 0);
  play(subject, "|");
  CHECK_EVENTS(&r, "7 8 |");
  await_end(&r);
  rac_release(s);
  rac_release(subject);
  s = cold("|", NULL);
  APPLY(s, then, CALLBACK_FOR(&calls, make_next));
  rac_retain(s);
  CHECK_SIGNAL(s, "!-5");
  CHECK_SIGNAL(s, "|");
  s = cold("1 !4", NULL);
  APPLY(s, then, CALLBACK_FOR(&calls, make_next));
  CHECK_SIGNAL(s, "!4");
  CHECK_INT(calls, 3);
}

/* ---- Events ------------------------------------------------------------- */

TEST(events_compare_by_type_and_content) {
  rac_value text = rac_value_string_copy("a", 1), error = test_error(1);
  rac_value a[] = {rac_value_event_next(text),
                   rac_value_event_next(I(1)),
                   rac_value_event_next(rac_value_nil()),
                   rac_value_event_error(error),
                   rac_value_event_error(rac_value_nil()),
                   rac_value_event_completed()};
  rac_value b[] = {
      rac_value_event_next(S("a")),           rac_value_event_next(I(1)),
      rac_value_event_next(rac_value_nil()),  rac_value_event_error(error),
      rac_value_event_error(rac_value_nil()), rac_value_event_completed()};
  const int types[] = {1, 1, 1, 2, 2, 3};
  const char *const texts[] = {"<next a>",    "<next 1>",
                               "<next nil>",  "<error <error test 1: error>>",
                               "<error nil>", "<completed>"};
  for (int i = 0; i < 6; i++) {
    CHECK_INT(a[i].kind, RAC_EVENT);
    CHECK_INT(rac_event_get_type(a[i]), types[i]);
    for (int j = 0; j < 6; j++) CHECK_INT(rac_value_equal(a[i], b[j]), i == j);
    CHECK(rac_value_hash(a[i]) == rac_value_hash(b[i]));
    char buffer[100];
    rac_value_describe(a[i], buffer, sizeof buffer);
    if (i != 3) CHECK_TEXT(buffer, texts[i]);
  }
  CHECK_INT(rac_event_get_value(a[1]).bits, 1);
  CHECK_INT(rac_event_get_value(a[2]).kind, RAC_NIL);
  CHECK_INT(rac_event_get_value(a[3]).kind, RAC_NIL);
  CHECK_INT(rac_event_get_value(a[4]).kind, RAC_NIL);
  CHECK_INT(rac_event_get_value(a[5]).kind, RAC_NIL);
  CHECK_INT(rac_error_get_code(rac_event_get_error(a[3])), 1);
  for (int i = 0; i < 6; i++)
    if (i != 3) CHECK_INT(rac_event_get_error(a[i]).kind, RAC_NIL);
  for (int i = 0; i < 6; i++) {
    rac_value_release(a[i]);
    rac_value_release(b[i]);
  }
  rac_value_release(text);
  rac_value_release(error);
}

TEST(events_refuse_what_they_cannot_hold) {
  rac_clear_last_error();
  CHECK_INT(rac_value_event_error(I(1)).kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_clear_last_error();
  CHECK_INT(rac_event_get_type(I(1)), 0);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_clear_last_error();
  CHECK_INT(rac_event_get_value(I(1)).kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  /* One that nobody made. */
  rac_value forged = {RAC_EVENT, 0, 0, 0, 64};
  rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_subject_send(subject, forged), RAC_EKIND);
  rac_release(subject);
}

TEST(events_inside_events_cost_no_stack) {
  rac_value value = I(1);
  for (int64_t i = check_scaled(1000000); i > 0; i--) {
    rac_value outer = rac_value_event_next(value);
    rac_value_release(value);
    value = outer;
  }
  CHECK(!rac_value_equal(value, I(1)));
  char buffer[300];
  rac_value_describe(value, buffer, sizeof buffer);
  (void)rac_value_hash(value);
  rac_value_release(value);
}

TEST(materialize_makes_values_of_all_events) {
  static const char *const cases[][3] = {
      {"1 nil |", "<1> <nil> <|> |", "1 nil |"},
      {"1 !5", "<1> <!5> |", "1 !5"},
      {"|", "<|> |", "|"},
      {"!6", "<!6> |", "!6"},
      {"1", "<1>", "1"}};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, materialize);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    APPLY0(s, dematerialize);
    CHECK_SIGNAL(s, cases[i][2]);
  }
}

TEST(dematerialize_ends_at_the_first_end) {
  rac_value next = rac_value_event_next(I(1)), error = test_error(3);
  rac_value failure = rac_value_event_error(error);
  rac_value nil_failure = rac_value_event_error(rac_value_nil());
  rac_value lists[][3] = {{next, rac_value_event_completed(), next},
                          {next, failure, next},
                          {next, nil_failure, next},
                          {next, I(4), next},
                          {next, next, next}};
  const char *const expected[] = {"1 |", "1 !3", "1 !nil", "1 !-4", "1 1 1 |"};
  for (int i = 0; i < 5; i++) {
    rac_signal *s = rac_signal_from_values(lists[i], 3);
    APPLY0(s, dematerialize);
    CHECK_SIGNAL(s, expected[i]);
  }
  rac_value_release(next);
  rac_value_release(error);
  rac_value_release(failure);
  rac_value_release(nil_failure);
}

TEST(materialize_of_a_take_completes_once) {
  rac_signal *s = cold("1 2 !3", NULL);
  APPLY0(s, materialize);
  APPLY(s, take, 3);
  CHECK_SIGNAL(s, "<1> <2> <!3> |");
}
