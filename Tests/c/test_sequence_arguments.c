/* What sequences are given that they cannot use. */
#include "sequences.h"

static rac_status copy(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_retain(value);
  return RAC_OK;
}
static rac_status yes(void *context, rac_value value, bool *out) {
  (void)context;
  (void)value;
  *out = true;
  return RAC_OK;
}
static rac_status second(void *context, rac_value first, rac_value next,
                         rac_value *out) {
  (void)context;
  (void)first;
  *out = rac_value_retain(next);
  return RAC_OK;
}
static rac_status second_index(void *context, rac_value first, rac_value next,
                               size_t index, rac_value *out) {
  (void)index;
  return second(context, first, next, out);
}
static rac_status first_of(void *context, const rac_value *elements,
                           size_t count, rac_value *out) {
  (void)context;
  (void)count;
  *out = rac_value_retain(elements[0]);
  return RAC_OK;
}
static rac_status nothing(void *context, rac_value value, rac_sequence **out) {
  (void)context;
  (void)value;
  (void)out;
  return RAC_OK;
}
static rac_status stop(void *context, rac_value value, bool *stop_binding,
                       rac_sequence **out) {
  *stop_binding = true;
  return nothing(context, value, out);
}
static rac_status fold_right(void *context, rac_value value,
                             const rac_value *rest, rac_value *out) {
  (void)rest;
  return copy(context, value, out);
}

/* Every function that takes a sequence, with that handle. */
static rac_sequence *operate(int operator, rac_sequence * s) {
  rac_sequence *list[] = {s};
  switch (operator) {
  case 0:
    return rac_sequence_map(s, NULL, copy, NULL);
  case 1:
    return rac_sequence_map_replace(s, I(1));
  case 2:
    return rac_sequence_filter(s, NULL, yes, NULL);
  case 3:
    return rac_sequence_ignore(s, I(1));
  case 4:
    return rac_sequence_flatten_map(s, NULL, nothing, NULL);
  case 5:
    return rac_sequence_flatten(s);
  case 6:
    return rac_sequence_bind(s, NULL, stop, NULL);
  case 7:
    return rac_sequence_concat(s, s);
  case 8:
    return rac_sequence_concat_all(list, 1);
  case 9:
    return rac_sequence_start_with(s, I(1));
  case 10:
    return rac_sequence_skip(s, 1);
  case 11:
    return rac_sequence_take(s, 1);
  case 12:
    return rac_sequence_take_until_block(s, NULL, yes, NULL);
  case 13:
    return rac_sequence_take_while_block(s, NULL, yes, NULL);
  case 14:
    return rac_sequence_skip_until_block(s, NULL, yes, NULL);
  case 15:
    return rac_sequence_skip_while_block(s, NULL, yes, NULL);
  case 16:
    return rac_sequence_zip(list, 1);
  case 17:
    return rac_sequence_zip_reduce(list, 1, NULL, first_of, NULL);
  case 18:
    return rac_sequence_reduce_each(s, NULL, first_of, NULL);
  case 19:
    return rac_sequence_scan(s, I(0), NULL, second, NULL);
  case 20:
    return rac_sequence_scan_with_index(s, I(0), NULL, second_index, NULL);
  case 21:
    return rac_sequence_combine_previous(s, I(0), NULL, second, NULL);
  case 22:
    return rac_sequence_distinct_until_changed(s);
  case 23:
    return rac_sequence_eager(s);
  case 24:
    return rac_sequence_lazy(s);
  case 25:
    return (rac_sequence *)rac_sequence_iterate(s);
  case 26:
    return (rac_sequence *)rac_sequence_signal(s, rac_scheduler_immediate());
  default:
    return NULL;
  }
}
enum { operators = 27 };

static rac_status read(int function, rac_sequence *s) {
  switch (function) {
  case 0:
    return rac_sequence_head(s, NULL);
  case 1:
    return rac_sequence_tail(s, NULL);
  case 2:
    return rac_sequence_is_empty(s, NULL);
  case 3:
    return rac_sequence_to_array(s, NULL);
  case 4:
    return rac_sequence_fold_left(s, I(0), NULL, second, NULL);
  case 5:
    return rac_sequence_fold_right(s, I(0), NULL, fold_right, NULL);
  case 6:
    return rac_sequence_any(s, NULL, yes, NULL);
  case 7:
    return rac_sequence_all(s, NULL, yes, NULL);
  case 8:
    return rac_sequence_object_passing_test(s, NULL, yes, NULL);
  case 9:
    return rac_sequence_is_equal(s, s, NULL);
  case 10:
    return rac_sequence_hash(s, NULL);
  default:
    return rac_sequence_next((rac_sequence_iterator *)s, NULL);
  }
}
enum { reads = 12 };

static void check_refused(rac_sequence *handle, rac_status expected) {
  for (int i = 0; i < operators; i++) {
    rac_clear_last_error();
    CHECK(operate(i, handle) == NULL);
    CHECK_STATUS(rac_last_error_code(), expected);
  }
  for (int i = 0; i < reads; i++) {
    rac_clear_last_error();
    CHECK_STATUS(read(i, handle), expected);
    CHECK_STATUS(rac_last_error_code(), expected);
  }
}

TEST(handles_that_are_none) {
  check_refused(NULL, RAC_ENULL);
  rac_sequence *s = seq("1");
  for (int i = 0; i < operators; i++) {
    rac_sequence *made = operate(i, s);
    CHECK(made != NULL);
    rac_release(made);
  }
  rac_release(s);
  check_refused(s, RAC_ESTALE);
  check_refused((rac_sequence *)(uintptr_t)0xDEADBEEFDEADBEEF, RAC_ESTALE);
  rac_signal *signal = rac_signal_empty();
  check_refused((rac_sequence *)signal, RAC_EKIND);
  rac_release(signal);
}

TEST(a_sequence_is_no_signal_and_an_iterator_no_sequence) {
  rac_sequence *s = seq("1");
  CHECK(rac_signal_map((rac_signal *)s, CALLBACK(times_ten)) == NULL);
  CHECK_INT(rac_last_error_code(), RAC_EKIND);
  CHECK_STATUS(rac_dispose((rac_disposable *)s), RAC_EKIND);
  rac_sequence_iterator *each = rac_sequence_iterate(s);
  CHECK_STATUS(rac_sequence_head((rac_sequence *)each, NULL), RAC_EKIND);
  CHECK_STATUS(rac_sequence_next((rac_sequence_iterator *)s, NULL), RAC_EKIND);
  CHECK(rac_sequence_signal(s, (rac_scheduler *)s) == NULL);
  CHECK(rac_sequence_signal(s, NULL) == NULL);
  CHECK(rac_sequence_from_signal((rac_signal *)s, 1) == NULL);
  CHECK(rac_sequence_concat(s, NULL) == NULL);
  CHECK(rac_sequence_concat(s, (rac_sequence *)each) == NULL);
  rac_sequence *list[] = {s, (rac_sequence *)each};
  CHECK(rac_sequence_zip(list, 2) == NULL);
  CHECK(rac_sequence_concat_all(list, 2) == NULL);
  CHECK_STATUS(rac_sequence_is_equal(s, (rac_sequence *)each, NULL), RAC_EKIND);
  rac_release(each);
  rac_release(s);
}

TEST(callbacks_that_are_missing_still_destroy) {
  rac_sequence *s = seq("1");
#define MISSING context_new(NULL, NULL), NULL, context_destroy
  CHECK(rac_sequence_map(s, MISSING) == NULL);
  CHECK_INT(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_sequence_filter(s, MISSING) == NULL);
  CHECK(rac_sequence_flatten_map(s, MISSING) == NULL);
  CHECK(rac_sequence_bind(s, MISSING) == NULL);
  CHECK(rac_sequence_scan(s, I(0), MISSING) == NULL);
  CHECK(rac_sequence_zip_reduce(&s, 1, MISSING) == NULL);
  CHECK(rac_sequence_generate(I(0), MISSING) == NULL);
  CHECK(rac_sequence_create(context_new(NULL, NULL), NULL, NULL,
                            context_destroy) == NULL);
  CHECK(rac_sequence_map(NULL, CALLBACK(times_ten)) == NULL);
  CHECK_STATUS(rac_sequence_fold_left(s, I(0), NULL, NULL, NULL), RAC_ENULL);
  CHECK_STATUS(rac_sequence_fold_right(s, I(0), NULL, NULL, NULL), RAC_ENULL);
  CHECK_STATUS(rac_sequence_any(s, NULL, NULL, NULL), RAC_ENULL);
  CHECK_STATUS(rac_sequence_all(s, NULL, NULL, NULL), RAC_ENULL);
  CHECK_STATUS(rac_sequence_object_passing_test(s, NULL, NULL, NULL),
               RAC_ENULL);
  rac_release(s);
}

TEST(values_that_are_not_sound) {
  rac_value bad[] = {S("\xff"), {200, 0, 0, 0, 0}};
  for (int i = 0; i < 2; i++) {
    rac_sequence *s = seq("1");
    rac_status status = i == 0 ? RAC_EUTF8 : RAC_EKIND;
    CHECK(rac_sequence_return(bad[i]) == NULL);
    CHECK_STATUS(rac_last_error_code(), status);
    CHECK(rac_sequence_from_values(&bad[i], 1) == NULL);
    CHECK(rac_sequence_start_with(s, bad[i]) == NULL);
    CHECK(rac_sequence_ignore(s, bad[i]) == NULL);
    CHECK(rac_sequence_map_replace(s, bad[i]) == NULL);
    CHECK(rac_sequence_scan(s, bad[i], CALLBACK(add)) == NULL);
    CHECK_STATUS(rac_sequence_fold_left(s, bad[i], NULL, second, NULL), status);
    rac_release(s);
  }
  CHECK(rac_sequence_from_string(S("\xff")) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EUTF8);
  CHECK(rac_sequence_from_string(I(1)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_sequence_from_bytes(S("x")) == NULL);
  CHECK(rac_sequence_from_tuple(rac_value_nil()) == NULL);
  CHECK(rac_sequence_from_values(NULL, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_sequence_from_values(bad, SIZE_MAX) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  CHECK(rac_sequence_zip(NULL, 1) == NULL);
  CHECK(rac_sequence_concat_all(NULL, SIZE_MAX) == NULL);
  CHECK(rac_value_to_sequence(I(1)) == NULL);
  CHECK_INT(rac_value_sequence(NULL).kind, RAC_NIL);
  rac_signal *never = rac_signal_never();
  CHECK(rac_sequence_from_signal(never, 0.0 / 0.0) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  rac_release(never);
}

/* ---- What callbacks answer ---------------------------------------------- */

static rac_status a_signal(void *context, rac_value value, rac_sequence **out) {
  (void)context_target(context);
  (void)value;
  *out = (rac_sequence *)rac_signal_empty();
  return RAC_OK;
}
static rac_status a_stale_handle(void *context, rac_value value,
                                 rac_sequence **out) {
  (void)context_target(context);
  (void)value;
  *out = rac_sequence_empty();
  rac_release(*out);
  return RAC_OK;
}
static rac_status garbage(void *context, rac_value value, rac_sequence **out) {
  (void)context_target(context);
  (void)value;
  *out = (rac_sequence *)(uintptr_t)0xDEADBEEFDEADBEEF;
  return RAC_OK;
}
static rac_status a_sequence_and_a_failure(void *context, rac_value value,
                                           rac_sequence **out) {
  (void)context_target(context);
  (void)value;
  *out = rac_sequence_empty();
  return -5;
}
static rac_status signal_as_tail(void *context, rac_sequence **out) {
  return a_signal(context, I(0), out);
}
static rac_status unsound(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  (void)value;
  *out = S("\xff");
  return RAC_OK;
}
static rac_status unsound_head(void *context, rac_value *out) {
  return unsound(context, I(0), out);
}

TEST(answers_that_are_no_sequence) {
  rac_sequence *s = seq("1 2");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(a_signal)), "#-4");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(a_stale_handle)), "#-3");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(garbage)), "#-3");
  CHECK_SEQUENCE(
      rac_sequence_flatten_map(s, CALLBACK(a_sequence_and_a_failure)), "#-5");
  rac_release(s);
  asked a = {0};
  CHECK_SEQUENCE(rac_sequence_create(context_new(&a, NULL), ask_head,
                                     signal_as_tail, context_destroy),
                 "0 #-4");
}

TEST(answers_that_are_no_value) {
  rac_sequence *s = seq("1 2");
  CHECK_SEQUENCE(rac_sequence_map(s, CALLBACK(unsound)), "#-7");
  rac_release(s);
  CHECK_SEQUENCE(rac_sequence_create(context_new(NULL, NULL), unsound_head,
                                     NULL, context_destroy),
                 "#-7");
}

static rac_status let_go_of_it(void *context, rac_value value, rac_value *out) {
  rac_sequence **s = context_target(context);
  rac_release(*s);
  *s = NULL;
  *out = I(value.bits);
  return RAC_OK;
}

TEST(a_callback_that_lets_go_of_its_own_sequence) {
  rac_sequence *s = seq("1");
  SEQ(s, map, CALLBACK_FOR(&s, let_go_of_it));
  rac_sequence *mine = s;
  CHECK_RESULT(rac_sequence_head(mine, &out), "1");
  CHECK(s == NULL);
  CHECK_STATUS(rac_sequence_head(mine, NULL), RAC_ESTALE);
}

/* It follows itself: its context knows its number without a reference. */
static rac_status itself(void *context, rac_sequence **out) {
  rac_sequence **s = context_target(context);
  *out = rac_retain(*s);
  return RAC_OK;
}
static rac_status seven(void *context, rac_value *out) {
  (void)context_target(context);
  *out = I(7);
  return RAC_OK;
}

TEST(a_sequence_that_follows_itself) {
  rac_sequence *s = NULL;
  s = rac_sequence_create(context_new(&s, NULL), seven, itself,
                          context_destroy);
  rac_sequence *four = rac_sequence_take(s, 4);
  CHECK_SEQUENCE(four, "7 7 7 7");
  rac_release(s);
}
