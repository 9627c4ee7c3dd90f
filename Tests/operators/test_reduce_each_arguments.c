/* What RAC's specs demand of RACBlockTrampoline, which calls a function with the
 * elements of a tuple: rac_signal_reduce_each. */
#include "operators.h"

/* The elements as text, "hi 1" for "hi" and 1. */
static rac_status join(void *context, const rac_value *elements, size_t count,
                       rac_value *out) {
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
  APPLY(signal, reduce_each, CALLBACK_FOR(&count, join));
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
