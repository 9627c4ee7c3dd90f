/* What sequences are given that they cannot use. */
#include "sequence_table.h"
#include "shared_callbacks.h"

static rac_status yes(void *context, rac_value value, bool *out) {
  (void)context;
  (void)value;
  *out = true;
  return RAC_OK;
}
static rac_status second(void *context, rac_value first, rac_value next,
                         rac_value *out) {
  (void)first;
  return copy_value(context, next, out);
}
static rac_status fold_right(void *context, rac_value value,
                             const rac_value *rest, rac_value *out) {
  (void)rest;
  return copy_value(context, value, out);
}

/* Every function that makes something of a sequence, with that handle: the
 * operators, and two more. */
enum { makers = SEQUENCE_OPERATORS + 2 };

#define SEQUENCE_OPERATOR(name, result, ...)                                   \
  static rac_sequence *refused_##name(rac_sequence *s) {                       \
    return rac_sequence_##name(__VA_ARGS__);                                   \
  }
#define SOURCE s
#define OTHER s
#define LIST &s, 1
#define VALUE(n) I(n)
#define COUNT(n) n
#define FUNCTION(type, f) context_new(NULL, NULL), standard_##f, context_destroy
#define FUNCTIONS(type, f, type2, g)                                           \
  context_new(NULL, NULL), standard_##f, standard_##g, context_destroy
#include "../operators/operators.def"

static rac_sequence *make(int which, rac_sequence *s) {
  static rac_sequence *(*const refused[])(rac_sequence *) = {
#define SEQUENCE_OPERATOR(name, ...) refused_##name,
#include "../operators/operators.def"
  };
  if (which < SEQUENCE_OPERATORS) return refused[which](s);
  if (which == SEQUENCE_OPERATORS)
    return (rac_sequence *)rac_sequence_iterate(s);
  return (rac_sequence *)rac_sequence_signal(s, rac_scheduler_immediate());
}

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
  for (int i = 0; i < makers; i++) {
    rac_clear_last_error();
    CHECK(make(i, handle) == NULL);
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
  for (int i = 0; i < makers; i++) {
    owned rac_sequence *made = make(i, s);
    CHECK(made != NULL);
  }
  rac_release(s);
  check_refused(s, RAC_ESTALE);
  check_refused((rac_sequence *)(uintptr_t)0xDEADBEEFDEADBEEF, RAC_ESTALE);
  owned rac_signal *signal = rac_signal_empty();
  check_refused((rac_sequence *)signal, RAC_EKIND);
}

TEST(a_sequence_is_no_signal_and_an_iterator_no_sequence) {
  owned rac_sequence *s = seq("1");
  CHECK(rac_signal_map((rac_signal *)s, CALLBACK(times_ten)) == NULL);
  CHECK_INT(rac_last_error_code(), RAC_EKIND);
  CHECK_STATUS(rac_dispose((rac_disposable *)s), RAC_EKIND);
  owned rac_sequence_iterator *each = rac_sequence_iterate(s);
  CHECK_STATUS(rac_sequence_head((rac_sequence *)each, NULL), RAC_EKIND);
  CHECK_STATUS(rac_sequence_next((rac_sequence_iterator *)s, NULL), RAC_EKIND);
  CHECK(rac_sequence_signal(s, (rac_scheduler *)s) == NULL);
  CHECK(rac_sequence_signal(s, NULL) == NULL);
  CHECK(rac_sequence_from_signal((rac_signal *)s, 1, NULL) == NULL);
  CHECK(rac_sequence_concat(s, NULL) == NULL);
  CHECK(rac_sequence_concat(s, (rac_sequence *)each) == NULL);
  rac_sequence *list[] = {s, (rac_sequence *)each};
  CHECK(rac_sequence_zip(list, 2) == NULL);
  CHECK(rac_sequence_concat_all(list, 2) == NULL);
  CHECK_STATUS(rac_sequence_is_equal(s, (rac_sequence *)each, NULL), RAC_EKIND);
}

#define MISSING context_new(NULL, NULL), NULL, context_destroy
#define SEQUENCE_OPERATOR(name, result, ...)                                   \
  static rac_sequence *name##_without_callback(rac_sequence *s) {              \
    return rac_sequence_##name(__VA_ARGS__);                                   \
  }
#define SOURCE s
#define OTHER s
#define LIST &s, 1
#define VALUE(n) I(n)
#define COUNT(n) n
#define FUNCTION(type, f) MISSING
#define FUNCTIONS(type, f, type2, g)                                           \
  context_new(NULL, NULL), NULL, NULL, context_destroy
#include "../operators/operators.def"

static rac_sequence *(*const without_callback[])(rac_sequence *) = {
#define SEQUENCE_OPERATOR(name, ...) name##_without_callback,
#include "../operators/operators.def"
};

TEST(callbacks_that_are_missing_still_destroy) {
  owned rac_sequence *s = seq("1");
  for (int i = 0; i < SEQUENCE_OPERATORS; i++) {
    if (!sequence_operator_takes(i, NEEDS_CALLBACK)) continue;
    rac_clear_last_error();
    CHECK(without_callback[i](s) == NULL);
    CHECK_INT(rac_last_error_code(), RAC_ENULL);
  }
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
}

TEST(values_that_are_not_sound) {
  rac_value bad[] = {S("\xff"), {200, 0, 0, 0, 0}};
  for (int i = 0; i < 2; i++) {
    owned rac_sequence *s = seq("1");
    rac_status status = i == 0 ? RAC_EUTF8 : RAC_EKIND;
    CHECK(rac_sequence_return(bad[i]) == NULL);
    CHECK_STATUS(rac_last_error_code(), status);
    CHECK(rac_sequence_from_values(&bad[i], 1) == NULL);
    CHECK(rac_sequence_start_with(s, bad[i]) == NULL);
    CHECK(rac_sequence_ignore(s, bad[i]) == NULL);
    CHECK(rac_sequence_map_replace(s, bad[i]) == NULL);
    CHECK(rac_sequence_scan(s, bad[i], CALLBACK(add)) == NULL);
    CHECK_STATUS(rac_sequence_fold_left(s, bad[i], NULL, second, NULL), status);
  }
  CHECK(rac_sequence_from_elements(S("\xff")) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EUTF8);
  CHECK(rac_sequence_from_elements(I(1)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_sequence_from_elements(rac_value_nil()) == NULL);
  CHECK(rac_sequence_from_values(NULL, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_sequence_from_values(bad, SIZE_MAX) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  CHECK(rac_sequence_zip(NULL, 1) == NULL);
  CHECK(rac_sequence_concat_all(NULL, SIZE_MAX) == NULL);
  CHECK(rac_value_to_sequence(I(1)) == NULL);
  CHECK_INT(rac_value_sequence(NULL).kind, RAC_NIL);
  owned rac_signal *never = rac_signal_never();
  CHECK(rac_sequence_from_signal(never, 0.0 / 0.0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
