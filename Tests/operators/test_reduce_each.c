/* rac_signal_reduce_each: a function of a tuple's elements. */
#include "callbacks.h"
#include "streams.h"

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

static rac_status wants_two(void *context, const rac_value *elements,
                            size_t count, rac_value *out) {
  return count == 2 ? join(context, elements, count, out) : -2;
}

TEST(a_tuple_of_the_wrong_size_is_up_to_the_callback) {
  rac_value values[] = {tuple_of(2), tuple_of(3), tuple_of(2)};
  rac_signal *s = rac_signal_from_values(values, 3);
  for (int i = 0; i < 3; i++) rac_value_release(values[i]);
  APPLY(s, reduce_each, CALLBACK(wants_two));
  CHECK_SIGNAL(s, "1nil #-2");
}

TEST(reduce_each_wants_tuples) {
  source counts = {0};
  rac_signal *s = cold("1 2", &counts);
  APPLY(s, reduce_each, CALLBACK(join));
  CHECK_SIGNAL(s, "#-5004");
  CHECK_INT(counts.disposed, 1);
  s = cold("nil", NULL);
  APPLY(s, reduce_each, CALLBACK(join));
  CHECK_SIGNAL(s, "#-5004");
  s = cold("#5", NULL);
  APPLY(s, reduce_each, CALLBACK(join));
  CHECK_SIGNAL(s, "#5");
}

/* ---- What RAC's specs demand --------------------------------------------- */

static rac_value pair(const char *first, const char *second) {
  const rac_value both[] = {S(first), S(second)};
  return rac_value_tuple(both, 2);
}

/* signal-059 */
TEST(reduce_each_unpacks_tuples) {
  rac_value tuples[] = {pair("foo", "bar"), pair("buzz", "baz"), pair("", "_")};
  rac_signal *s = rac_signal_from_values(tuples, 3);
  APPLY(s, reduce_each, CALLBACK_FOR("", joined));
  CHECK_SIGNAL(s, "foobar buzzbaz _ |");
  for (int i = 0; i < 3; i++) rac_value_release(tuples[i]);
}

typedef int64_t (*combine_fn)(const rac_value *numbers, size_t count);
/* A value holds no function, but a pointer to something that does. */
typedef struct function {
  combine_fn call;
} function;

static int64_t sum(const rac_value *numbers, size_t count) {
  return count == 2 ? numbers[0].bits + numbers[1].bits : -1;
}
static int64_t multiply_add(const rac_value *numbers, size_t count) {
  return count == 3 ? numbers[0].bits * numbers[1].bits + numbers[2].bits : -1;
}

static rac_status apply_first(void *context, const rac_value *elements,
                              size_t count, rac_value *out) {
  (void)context_target(context);
  void *chosen = NULL;
  rac_status status = rac_value_get_pointer(elements[0], "function", &chosen);
  if (status < RAC_OK) return status;
  *out = I(((const function *)chosen)->call(elements + 1, count - 1));
  return RAC_OK;
}

/* signal-268: rac_signal_reduce_each() with pointers stands for reduceApply,
 * which is left out: docs/Differences.md */
TEST(the_first_element_may_say_what_is_done_with_the_others) {
  static function add_up = {sum}, add_product = {multiply_add};
  rac_value first[] = {rac_value_pointer(&add_up, "function", NULL), I(1),
                       I(2)};
  rac_value second[] = {rac_value_pointer(&add_product, "function", NULL), I(2),
                        I(3), I(1)};
  rac_value both[] = {rac_value_tuple(first, 3), rac_value_tuple(second, 4)};
  rac_signal *s = rac_signal_from_values(both, 2);
  APPLY(s, reduce_each, CALLBACK(apply_first));
  CHECK_SIGNAL(s, "3 7 |");
  for (int i = 0; i < 2; i++) rac_value_release(both[i]);
}

/* ---- What they demand of RACBlockTrampoline ------------------------------ */

/* The elements as text, "hi 1" for "hi" and 1. */
static rac_status join_with_blanks(void *context, const rac_value *elements,
                                   size_t count, rac_value *out) {
  char text[200] = "";
  size_t used = 0;
  CHECK_INT(count, *(size_t *)context_target(context));
  for (size_t i = 0; i < count; i++) {
    if (i > 0) text[used++] = ' ';
    used += format_value(elements[i], text + used, sizeof text - used);
  }
  *out = rac_value_string_copy(text, used);
  return RAC_OK;
}

static void check_joined(const rac_value *values, size_t count,
                         const char *expected) {
  rac_value tuple = rac_value_tuple(values, count);
  rac_signal *signal = rac_signal_return(tuple);
  APPLY(signal, reduce_each, CALLBACK_FOR(&count, join_with_blanks));
  char text[220];
  snprintf(text, sizeof text, "%s |", expected);
  CHECK_SIGNAL(signal, text);
  rac_value_release(tuple);
}

/* reduce-001: each element is an argument */
TEST(the_elements_are_the_arguments) {
  check_joined((rac_value[]){S("hi"), I(1)}, 2, "hi 1");
}

#define NIL rac_value_nil()

/* reduce-003: nil too */
TEST(nil_is_an_argument) {
  check_joined((rac_value[]){S("hi"), NIL}, 2, "hi nil");
  check_joined((rac_value[]){NIL, NIL, I(1)}, 3, "nil nil 1");
}

/* RAC stopped at 15 arguments. */
TEST(any_number_of_arguments) {
  rac_value values[20];
  for (int i = 0; i < 20; i++) values[i] = I(i);
  check_joined(values, 1, "0");
  check_joined(values, 15, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14");
  check_joined(values, 20, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19");
}
