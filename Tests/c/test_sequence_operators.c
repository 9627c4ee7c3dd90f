/* The operators of sequences. */
#include "sequence_table.h"

TEST(every_operator_makes_what_the_table_says) {
  for (int i = 0; i < SEQUENCE_OPERATORS; i++) {
    owned rac_sequence *s = seq("0 2 2 -3"), *other = seq("0 5");
    char text[64];
    owned rac_sequence *made = sequence_operators[i].build(s, other);
    sequence_text(made, text, sizeof text);
    if (strcmp(text, sequence_result(i).text) != 0)
      check_fail(__FILE__, __LINE__, sequence_operators[i].name);
    CHECK_TEXT(text, sequence_result(i).text);
  }
}

TEST(concatenations) {
  owned rac_sequence *a = seq("1 2"), *b = seq("3"),
                     *none = rac_sequence_empty();
  CHECK_SEQUENCE(rac_sequence_concat(none, none), "");
  rac_sequence *parts[] = {none};
  CHECK_SEQUENCE(rac_sequence_concat_all(parts, 1), "");
  CHECK_SEQUENCE(rac_sequence_concat_all(NULL, 0), "");
  owned rac_sequence *ab = rac_sequence_concat(a, b);
  rac_sequence *abab = rac_sequence_concat(ab, ab);
  CHECK_SEQUENCE(abab, "1 2 3 1 2 3");
}

static rac_status sum_of(void *context, const rac_value *elements, size_t count,
                         rac_value *out) {
  (void)context_target(context);
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += elements[i].bits;
  *out = I(sum);
  return count == 2 ? RAC_OK : -2;
}

TEST(reductions_of_tuples) {
  rac_sequence *a = seq("1 2 3"), *both[] = {a, a};
  CHECK_SEQUENCE(rac_sequence_zip_reduce(both, 1, CALLBACK(sum_of)), "#-2");
  CHECK_SEQUENCE(rac_sequence_zip_reduce(NULL, 0, CALLBACK(sum_of)), "");
  CHECK_SEQUENCE(rac_sequence_reduce_each(a, CALLBACK(sum_of)), "#-5004");
  rac_release(a);
}

/* n -> n, n; NULL for 2, and the failure for 3. */
static rac_status twice_not_two(void *context, rac_value value,
                                rac_sequence **out) {
  (void)context_target(context);
  rac_value both[] = {value, value};
  if (value.bits != 2) *out = rac_sequence_from_values(both, 2);
  return value.bits == 3 ? -3 : RAC_OK;
}
static rac_status bind_until_two(void *context, rac_value value, bool *stop,
                                 rac_sequence **out) {
  *stop = value.bits == 0;
  return twice_not_two(context, value, out);
}

TEST(sequences_of_sequences) {
  rac_sequence *s = seq("0 1 2 4");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(twice_not_two)),
                 "0 0 1 1 4 4");
  CHECK_SEQUENCE(rac_sequence_bind(s, CALLBACK(bind_until_two)), "0 0");
  rac_release(s);
  s = seq("1 2 4");
  CHECK_SEQUENCE(rac_sequence_bind(s, CALLBACK(bind_until_two)), "1 1");
  rac_release(s);
  s = seq("1 3 4");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(twice_not_two)),
                 "1 1 #-3");
  rac_value inner = rac_value_sequence(s);
  rac_value list[] = {inner, rac_value_nil(), inner, I(5)};
  rac_sequence *outer = rac_sequence_from_values(list, 3);
  CHECK_SEQUENCE(rac_sequence_flatten(outer), "1 3 4 1 3 4");
  rac_release(outer);
  outer = rac_sequence_from_values(list, 4);
  SEQ0(outer, flatten);
  CHECK_SEQUENCE(outer, "1 3 4 1 3 4 #-5004");
  rac_value_release(inner);
  rac_release(s);
}

TEST(a_failing_callback_ends_the_sequence_and_is_not_called_again) {
  atomic_int destroyed = 0;
  rac_sequence *s = seq("1 2 3");
  SEQ(s, map, context_new(NULL, &destroyed), map_not_two, context_destroy);
  CHECK_VALUES(s, "1 #-22");
  CHECK_INT(destroyed, 1);
  SEQ(s, filter, CALLBACK(is_even));
  CHECK_SEQUENCE(s, "#-22");
  s = seq("1 2 3");
  SEQ(s, filter, CALLBACK(predicate_not_two));
  CHECK_SEQUENCE(s, "1 #-22");
}

static rac_status raise_error(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  (void)value;
  (void)out;
  owned_value error = test_error(5);
  rac_status status = rac_raise(error);
  return status;
}

TEST(a_callback_may_raise_the_error) {
  owned rac_sequence *s = seq("1");
  SEQ(s, map, CALLBACK(raise_error));
  rac_value out;
  CHECK_STATUS(rac_sequence_head(s, &out), RAC_ESTREAM);
  CHECK_TEXT(rac_error_get_domain(out), "test");
  CHECK_INT(rac_error_get_code(out), 5);
  rac_value_release(out);
}

TEST(eager_sequences_are_computed_at_once) {
  atomic_int calls = 0;
  owned rac_sequence *s = seq("1 2 3");
  SEQ(s, map, context_new(&calls, NULL), counted_times_ten, context_destroy);
  rac_sequence *eager = rac_sequence_eager(s);
  CHECK_INT(calls, 3);
  rac_sequence *more = rac_sequence_map(eager, context_new(&calls, NULL),
                                        counted_times_ten, context_destroy);
  CHECK_INT(calls, 6);
  rac_sequence *lazy = rac_sequence_lazy(eager);
  SEQ(lazy, map, context_new(&calls, NULL), counted_times_ten, context_destroy);
  CHECK_INT(calls, 6);
  CHECK_SEQUENCE(more, "100 200 300");
  CHECK_SEQUENCE(lazy, "100 200 300");
  rac_sequence *rest = NULL;
  CHECK_STATUS(rac_sequence_tail(eager, &rest), RAC_OK);
  SEQ(rest, map, context_new(&calls, NULL), counted_times_ten, context_destroy);
  CHECK_INT(calls, 11);
  CHECK_SEQUENCE(rest, "200 300");
  CHECK_SEQUENCE(eager, "10 20 30");
}

TEST(an_error_stays_where_it_is_in_an_eager_sequence) {
  rac_sequence *s = seq("1 2 3");
  SEQ(s, map, CALLBACK(map_not_two));
  SEQ0(s, eager);
  CHECK_SEQUENCE(s, "1 #-22");
}

static void count_traces(void *context, const rac_trace_event *event) {
  if (event->type == RAC_TRACE_NEXT) ++*(int *)context;
}

/* The stages are those of signals, and so are their reports. */
TEST(operators_while_names_and_traces_are_recorded) {
  int nexts = 0;
  rac_set_names_enabled(true);
  rac_set_trace(&nexts, count_traces, NULL);
  rac_sequence *s = seq("1 2 3");
  SEQ(s, map, CALLBACK(times_ten));
  SEQ(s, take, 2);
  CHECK_SEQUENCE(s, "10 20");
  rac_set_trace(NULL, NULL, NULL);
  rac_set_names_enabled(false);
  CHECK(nexts > 0);
}
