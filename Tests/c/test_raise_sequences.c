/* A sequence drops what a callback raised that succeeds. */
#include "raising.h"
#include "sequence_table.h"

static rac_status no_tail(void *context, rac_sequence **out) {
  (void)out;
  touched(context);
  return RAC_OK;
}
static rac_status up_to_three(void *context, rac_value state,
                              rac_value *next_state, rac_value *out) {
  touched(context);
  if (state.bits > 3) return RAC_EEMPTY;
  *out = state;
  *next_state = I(state.bits + 1);
  return RAC_OK;
}
static rac_status last_or_rest(void *context, rac_value value,
                               const rac_value *rest, rac_value *out) {
  (void)value;
  touched(context);
  if (rest == NULL) return RAC_PENDING;
  *out = rac_value_retain(*rest);
  return RAC_OK;
}

/* Reads it to its end, and lets go of it. */
static void check_read(const char *name, rac_sequence *s, const char *expected,
                       uint64_t before) {
  char text[64];
  sequence_text(s, text, sizeof text);
  if (strcmp(text, expected) != 0) check_fail(__FILE__, __LINE__, name);
  CHECK_TEXT(text, expected);
  rac_release(s);
  in_callback = NULL;
  check_gone(name, before);
}

TEST(a_sequence_discards_it) {
  owned rac_sequence *values = seq("0 2 2 -3"), *other = seq("0 5");
  int tried = 0;
  for (int i = 0; i < SEQUENCE_OPERATORS; i++) {
    if (!sequence_operator_takes(i, RETURNS_STATUS)) continue;
    tried++;
    uint64_t before = rac_live_objects();
    in_callback = raise_for_nothing;
    rac_sequence *s = sequence_operators[i].build(values, other);
    check_read(sequence_operators[i].name, s, sequence_result(i).text, before);
  }
  CHECK(tried > 10);
}

TEST(a_source_of_a_sequence_discards_it) {
  uint64_t before = rac_live_objects();
  in_callback = raise_for_nothing;
  check_read("create",
             rac_sequence_create(context_new(NULL, NULL), standard_make_value,
                                 no_tail, context_destroy),
             "7", before);
  in_callback = raise_for_nothing;
  check_read("generate", rac_sequence_generate(I(1), CALLBACK(up_to_three)),
             "1 2 3", before);
}

TEST(a_reading_discards_it) {
  uint64_t before = rac_live_objects();
  rac_sequence *values = seq("1 2 3");
  uint64_t values_alive = rac_live_objects();
  void *context = context_new(NULL, NULL); /* it is not handed over here */
  bool yes = false;
  in_callback = raise_for_nothing;
  CHECK_STATUS(rac_sequence_all(values, context, standard_above, &yes), RAC_OK);
  check_gone("all", values_alive);
  CHECK_STATUS(rac_sequence_any(values, context, standard_not_above, &yes),
               RAC_OK);
  check_gone("any", values_alive);
  CHECK_RESULT(
      rac_sequence_fold_left(values, I(0), context, standard_add, &out), "6");
  check_gone("fold_left", values_alive);
  CHECK_RESULT(
      rac_sequence_fold_right(values, I(9), context, last_or_rest, &out), "9");
  in_callback = NULL;
  context_destroy(context);
  rac_release(values);
  check_gone("fold_right", before);
}
