/* Sequences: sources, and what reading them computes. */
#include "sequences.h"

TEST(sources_of_values) {
  CHECK_SEQUENCE(rac_sequence_empty(), "");
  CHECK_SEQUENCE(rac_sequence_return(I(5)), "5");
  CHECK_SEQUENCE(rac_sequence_return(rac_value_nil()), "nil");
  CHECK_SEQUENCE(seq("1 nil 3"), "1 nil 3");
  CHECK_SEQUENCE(rac_sequence_from_values(NULL, 0), "");
  rac_value both[] = {I(1), rac_value_nil()};
  owned_value tuple = rac_value_tuple(both, 2);
  CHECK_SEQUENCE(rac_sequence_from_elements(tuple), "1 nil");
}

TEST(a_range_counts_and_ends_before_it_overflows) {
  CHECK_SEQUENCE(rac_sequence_range(3, 2, 4), "3 5 7 9");
  CHECK_SEQUENCE(rac_sequence_range(3, -2, 3), "3 1 -1");
  CHECK_SEQUENCE(rac_sequence_range(7, 0, 2), "7 7");
  CHECK_SEQUENCE(rac_sequence_range(1, 1, 0), "");
  CHECK_SEQUENCE(rac_sequence_range(INT64_MAX - 1, 1, SIZE_MAX),
                 "9223372036854775806 9223372036854775807");
  CHECK_SEQUENCE(rac_sequence_range(INT64_MIN, INT64_MIN, 5),
                 "-9223372036854775808");
  rac_sequence *s = rac_sequence_range(1, 1, SIZE_MAX);
  SEQ(s, take, 3);
  CHECK_SEQUENCE(s, "1 2 3");
}

static void check_characters(const char *text, const char *expected) {
  CHECK_SEQUENCE(rac_sequence_from_elements(S(text)), expected);
}

TEST(a_string_is_a_sequence_of_characters) {
  check_characters("", "");
  check_characters("abc", "a b c");
  check_characters("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
                   "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  /* e with an accent of its own, a heart in colour, a family, two flags. */
  check_characters("e\xcc\x81x", "e\xcc\x81 x");
  check_characters("\xe2\x9d\xa4\xef\xb8\x8f!", "\xe2\x9d\xa4\xef\xb8\x8f !");
  check_characters(
      "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7"
      "\xf0\x9f\x91\xa8",
      "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7"
      " \xf0\x9f\x91\xa8");
  check_characters(
      "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xf0\x9f\x87\xab\xf0\x9f\x87\xb7",
      "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa \xf0\x9f\x87\xab\xf0\x9f\x87\xb7");
  check_characters("a\r\nb", "a \r\n b");
  /* A NUL in the middle, and no NUL at the end. */
  owned rac_sequence *s =
      rac_sequence_from_elements(rac_value_string_view("a\0bc", 3));
  CHECK_RESULT(rac_sequence_to_array(s, &out), "(a,,b)");
}

TEST(bytes_are_numbers) {
  CHECK_SEQUENCE(
      rac_sequence_from_elements(rac_value_bytes_view("\x00\xff\x7f", 3)),
      "0 255 127");
  CHECK_SEQUENCE(rac_sequence_from_elements(rac_value_bytes_view(NULL, 0)), "");
}

TEST(the_tail_is_there_without_the_head) {
  asked a = {0};
  rac_sequence *s = asked_sequence(&a), *rest = NULL;
  CHECK_STATUS(rac_sequence_tail(s, &rest), RAC_OK);
  CHECK_INT(a.heads, 0);
  CHECK_SEQUENCE(rest, "1");
  CHECK_SEQUENCE(s, "0 1");
  CHECK_SEQUENCE(rac_sequence_create(context_new(&a, NULL), ask_head, NULL,
                                     context_destroy),
                 "0");
}

static rac_status empty_head(void *context, rac_value *out) {
  (void)context_target(context);
  (void)out;
  return RAC_EEMPTY;
}
static rac_status failing_head(void *context, rac_value *out) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
  *out = rac_value_string_copy("x", 1);
  return -7;
}
static rac_status failing_tail(void *context, rac_sequence **out) {
  (void)context_target(context);
  *out = rac_sequence_empty();
  return -8;
}

TEST(a_head_may_say_that_there_is_none) {
  owned rac_sequence *s = rac_sequence_create(
      context_new(NULL, NULL), empty_head, NULL, context_destroy);
  CHECK_VALUES(s, "");
  rac_sequence *rest = NULL;
  CHECK_STATUS(rac_sequence_tail(s, &rest), RAC_EEMPTY);
}

TEST(a_failure_is_kept) {
  atomic_int calls = 0;
  owned rac_sequence *s = rac_sequence_create(
      context_new(&calls, NULL), failing_head, NULL, context_destroy);
  CHECK_VALUES(s, "#-7");
  CHECK_VALUES(s, "#-7");
  CHECK_INT(calls, 1);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_sequence_head(s, &out), RAC_ESTREAM);
  CHECK_TEXT(rac_error_get_domain(out), "rac.callback");
  CHECK_INT(rac_error_get_code(out), -7);
  rac_value_release(out);
  CHECK_TEXT(rac_last_error_function(), "rac_sequence_head");
  CHECK_STATUS(rac_sequence_to_array(s, NULL), RAC_ESTREAM);
  bool answer = true;
  CHECK_STATUS(rac_sequence_is_empty(s, &answer), RAC_ESTREAM);
  CHECK(!answer);
  uint64_t hash = 5;
  CHECK_STATUS(rac_sequence_hash(s, &hash), RAC_ESTREAM);
  rac_sequence *rest = s;
  CHECK_STATUS(rac_sequence_tail(s, &rest), RAC_ESTREAM);
  CHECK(rest == NULL);
}

TEST(a_failing_tail_is_a_sequence_that_fails) {
  asked a = {0};
  rac_sequence *s = rac_sequence_create(context_new(&a, NULL), ask_head,
                                        failing_tail, context_destroy);
  CHECK_VALUES(s, "0 #-8");
  CHECK_VALUES(s, "0 #-8");
  SEQ(s, map, CALLBACK(times_ten));
  CHECK_SEQUENCE(s, "0 #-8");
}

static rac_status count_down(void *context, rac_value state,
                             rac_value *next_state, rac_value *out) {
  (void)context_target(context);
  if (state.bits == 0) return RAC_EEMPTY;
  if (state.bits < 0) return -9;
  *out = I(state.bits * 100);
  *next_state = I(state.bits - 1);
  return RAC_OK;
}
static rac_status letters(void *context, rac_value state, rac_value *next_state,
                          rac_value *out) {
  (void)context_target(context);
  const char *text;
  size_t length;
  rac_value_get_string(state, &text, &length);
  if (length == 3) return RAC_EEMPTY;
  *out = rac_value_string_copy(text, length);
  char longer[8];
  snprintf(longer, sizeof longer, "%sx", text);
  *next_state = rac_value_string_copy(longer, length + 1);
  return RAC_OK;
}

TEST(a_generator_makes_values_of_states) {
  atomic_int destroyed = 0;
  rac_sequence *s = rac_sequence_generate(I(3), context_new(NULL, &destroyed),
                                          count_down, context_destroy);
  CHECK_VALUES(s, "300 200 100");
  CHECK_INT(destroyed, 1); /* it is not needed any more */
  CHECK_SEQUENCE(s, "300 200 100");
  CHECK_SEQUENCE(rac_sequence_generate(I(-1), CALLBACK(count_down)), "#-9");
  CHECK_SEQUENCE(rac_sequence_generate(S(""), CALLBACK(letters)), "x xx");
}

static rac_status count_in_context(void *context, rac_value state,
                                   rac_value *next_state, rac_value *out) {
  int *count = context_target(context);
  (void)next_state;
  CHECK_INT(state.kind, *count == 0 ? RAC_INT64 : RAC_NIL);
  if (*count == 3) return RAC_EEMPTY;
  *out = I(++*count);
  return RAC_OK;
}

TEST(a_generator_may_leave_the_next_state_alone) {
  int count = 0;
  CHECK_SEQUENCE(
      rac_sequence_generate(I(7), CALLBACK_FOR(&count, count_in_context)),
      "1 2 3");
}

static rac_status bad_state(void *context, rac_value state,
                            rac_value *next_state, rac_value *out) {
  (void)context_target(context);
  (void)state;
  *out = rac_value_string_copy("ok", 2);
  *next_state = S("\xff");
  return RAC_OK;
}

TEST(a_generator_cannot_keep_an_unsound_state) {
  CHECK_SEQUENCE(rac_sequence_generate(I(0), CALLBACK(bad_state)), "#-5007");
}

TEST(a_mapped_value_is_computed_once_when_it_is_asked_for) {
  atomic_int calls = 0;
  owned rac_sequence *s = rac_sequence_range(1, 1, SIZE_MAX);
  SEQ(s, map, context_new(&calls, NULL), counted_times_ten, context_destroy);
  CHECK_INT(calls, 0);
  CHECK_RESULT(rac_sequence_head(s, &out), "10");
  CHECK_INT(calls, 1);
  rac_sequence *three = rac_sequence_take(s, 3);
  CHECK_SEQUENCE(three, "10 20 30");
  CHECK_INT(calls, 3);
  three = rac_sequence_take(s, 3);
  CHECK_SEQUENCE(three, "10 20 30");
  CHECK_INT(calls, 3);
}

TEST(sequences_as_values) {
  owned rac_sequence *s = seq("1 2");
  owned_value value = rac_value_sequence(s);
  CHECK_INT(value.kind, RAC_SEQUENCE);
  char text[64];
  rac_value_describe(value, text, sizeof text);
  CHECK(strncmp(text, "<sequence ", 10) == 0);
  rac_sequence *again = rac_value_to_sequence(value);
  CHECK_VALUES(again, "1 2");
  rac_value same = rac_value_sequence(again);
  CHECK(rac_value_equal(value, same));
  CHECK_INT(rac_value_hash(value), rac_value_hash(same));
  rac_value_release(same);
  rac_release(again);
  rac_value twice[] = {value, value};
  owned_value pair = rac_value_tuple(twice, 2);
}
