/* Arrays sent in one call: what sending their elements one by one is. */
#include "check.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

TEST(the_elements_arrive_in_order) {
  owned rac_subject *subject = rac_subject_create();
  RECORDER(a, as_signal(subject));
  RECORDER(b, as_signal(subject));
  rac_value values[] = {I(1), rac_value_nil(), S("x"), rac_value_bool(true)};
  int64_t integers[] = {-5, INT64_MAX};
  double doubles[] = {0.5, -1e300};
  CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_VALUES, values, 4),
               RAC_OK);
  CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_INT64S, integers, 2),
               RAC_OK);
  CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_DOUBLES, doubles, 2),
               RAC_OK);
  const char *expected = "1 nil x true -5 9223372036854775807 0.5 -1e+300";
  CHECK_EVENTS(&a, expected);
  CHECK_EVENTS(&b, expected);
}

static rac_status send_arrays(void *context, rac_subscriber *subscriber,
                              rac_disposable **out) {
  (void)context_target(context);
  (void)out;
  rac_value values[] = {I(1), S("two")};
  int64_t integers[] = {3, 4};
  double doubles[] = {5.5};
  CHECK_STATUS(
      rac_subscriber_send_array(subscriber, RAC_ARRAY_VALUES, values, 2),
      RAC_OK);
  CHECK_STATUS(
      rac_subscriber_send_array(subscriber, RAC_ARRAY_INT64S, integers, 2),
      RAC_OK);
  CHECK_STATUS(
      rac_subscriber_send_array(subscriber, RAC_ARRAY_DOUBLES, doubles, 1),
      RAC_OK);
  rac_subscriber_send_completed(subscriber);
  CHECK_STATUS(
      rac_subscriber_send_array(subscriber, RAC_ARRAY_VALUES, values, 2),
      RAC_EDONE);
  CHECK_STATUS(
      rac_subscriber_send_array(subscriber, RAC_ARRAY_INT64S, integers, 2),
      RAC_EDONE);
  CHECK_STATUS(
      rac_subscriber_send_array(subscriber, RAC_ARRAY_DOUBLES, doubles, 1),
      RAC_EDONE);
  CHECK_TEXT(rac_last_error_function(), "rac_subscriber_send_array");
  return RAC_OK;
}

TEST(a_producer_sends_arrays) {
  CHECK_SIGNAL(
      rac_signal_create(context_new(NULL, NULL), send_arrays, context_destroy),
      "1 two 3 4 5.5 |");
}

TEST(a_subject_is_a_subscriber_for_arrays_too) {
  owned rac_subject *subject = rac_subject_create();
  rac_subscriber *subscriber = rac_subject_as_subscriber(subject);
  RECORDER(r, as_signal(subject));
  int64_t integers[] = {1, 2};
  CHECK_STATUS(
      rac_subscriber_send_array(subscriber, RAC_ARRAY_INT64S, integers, 2),
      RAC_OK);
  CHECK_EVENTS(&r, "1 2");
}

/* ---- Arguments ---------------------------------------------------------- */

typedef rac_status (*send_fn)(void *handle, const void *array, size_t count);
#define CALLED(handle, type)                                                   \
  static rac_status to_##handle##_##type(void *handle, const void *array,      \
                                         size_t count) {                       \
    return rac_##handle##_send_array(handle, RAC_ARRAY_##type, array, count);  \
  }
CALLED(subject, VALUES)
CALLED(subject, INT64S)
CALLED(subject, DOUBLES)
CALLED(subscriber, VALUES)
CALLED(subscriber, INT64S)
CALLED(subscriber, DOUBLES)
#define ENTRY(handle, type) {to_##handle##_##type, "rac_" #handle "_send_array"}

static const struct {
  send_fn send;
  const char *name;
} functions[] = {
    ENTRY(subject, VALUES),    ENTRY(subject, INT64S),
    ENTRY(subject, DOUBLES),   ENTRY(subscriber, VALUES),
    ENTRY(subscriber, INT64S), ENTRY(subscriber, DOUBLES),
};

TEST(an_array_of_another_type_is_refused) {
  owned rac_subject *subject = rac_subject_create();
  static const int32_t others[] = {-1, 0, 4};
  for (int i = 0; i < 3; i++) {
    CHECK_STATUS(rac_subject_send_array(subject, others[i], NULL, 0),
                 RAC_EINVAL);
    CHECK_TEXT(rac_last_error_function(), "rac_subject_send_array");
  }
}

TEST(wrong_arguments_send_nothing) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *never = rac_signal_never();
  rac_subject *gone = rac_subject_create();
  rac_release(gone);
  RECORDER(r, as_signal(subject));
  rac_value some[2] = {I(1), I(2)};
  for (size_t i = 0; i < COUNT_OF(functions); i++) {
    send_fn send = functions[i].send;
    rac_clear_last_error();
    CHECK_STATUS(send(subject, NULL, 1), RAC_ENULL);
    CHECK_TEXT(rac_last_error_function(), functions[i].name);
    CHECK_STATUS(send(subject, NULL, SIZE_MAX), RAC_ENULL);
    CHECK_STATUS(send(subject, some, SIZE_MAX), RAC_EINVAL);
    CHECK_STATUS(send(subject, some, SIZE_MAX / 8), RAC_EINVAL);
    CHECK_STATUS(send(gone, some, 1), RAC_ESTALE);
    CHECK_STATUS(send(gone, NULL, 0), RAC_ESTALE);
    CHECK_STATUS(send(never, some, 1), RAC_EKIND);
    CHECK_STATUS(send(never, NULL, 0), RAC_EKIND);
    CHECK(strlen(rac_last_error_message()) > 0);
    rac_clear_last_error();
    CHECK_STATUS(send(NULL, some, 1), RAC_ENULL);
  }
  CHECK_EVENTS(&r, "");
}

TEST(an_array_of_nothing_is_fine) {
  owned rac_subject *subject = rac_subject_create();
  RECORDER(r, as_signal(subject));
  rac_value one[1] = {I(1)};
  for (size_t i = 0; i < COUNT_OF(functions); i++) {
    CHECK_STATUS(functions[i].send(subject, NULL, 0), RAC_OK);
    CHECK_STATUS(functions[i].send(subject, one, 0), RAC_OK);
  }
  CHECK_EVENTS(&r, "");
}

TEST(one_unsound_value_keeps_the_others_back) {
  owned rac_subject *subject = rac_subject_create();
  RECORDER(r, as_signal(subject));
  rac_value unknown = I(3), empty = {.kind = RAC_TUPLE};
  unknown.kind = 99;
  const struct {
    rac_value value;
    rac_status status;
  } bad[] = {{S("\xff"), RAC_EUTF8},
             {rac_value_string_view("ab\xc0", 3), RAC_EUTF8},
             {unknown, RAC_EKIND},
             {empty, RAC_EKIND}};
  for (size_t i = 0; i < COUNT_OF(bad); i++) {
    for (int place = 0; place < 3; place++) {
      rac_value values[3] = {I(1), rac_value_string_view("two", 3), I(3)};
      values[place] = bad[i].value;
      CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_VALUES, values, 3),
                   bad[i].status);
      CHECK_TEXT(rac_last_error_function(), "rac_subject_send_array");
    }
  }
  CHECK_EVENTS(&r, "");
}

TEST(views_arrive_with_their_nul) {
  owned rac_subject *subject = rac_subject_create();
  RECORDER(r, as_signal(subject));
  rac_value values[] = {rac_value_string_view("ab", 1), S("cd"),
                        rac_value_string_view("efgh", 2)};
  CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_VALUES, values, 3),
               RAC_OK);
  CHECK_EVENTS(&r, "a cd ef");
}

/* Law 21: what is remembered is held. */
TEST(values_that_are_kept_are_counted) {
  /* A replay subject keeps them; the sender's own references stay his. */
  owned rac_subject *subject = rac_replay_subject_create(2);
  rac_value values[] = {rac_value_string_copy("a", 1),
                        rac_value_string_copy("b", 1),
                        rac_value_string_copy("c", 1)};
  CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_VALUES, values, 3),
               RAC_OK);
  for (int i = 0; i < 3; i++) rac_value_release(values[i]);
  RECORDER(r, as_signal(subject));
  CHECK_EVENTS(&r, "b c");
}

TEST(subjects_with_a_memory_remember_them) {
  owned rac_subject *behavior = rac_behavior_subject_create(I(0));
  RECORDER(live, as_signal(behavior));
  int64_t numbers[] = {1, 2, 3};
  CHECK_STATUS(rac_subject_send_array(behavior, RAC_ARRAY_INT64S, numbers, 3),
               RAC_OK);
  RECORDER(late, as_signal(behavior));
  CHECK_EVENTS(&live, "0 1 2 3");
  CHECK_EVENTS(&late, "3");
}
