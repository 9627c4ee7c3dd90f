/* What the callbacks of sequences answer that cannot be used. */
#include "sequences.h"

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
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(a_signal)), "#-5004");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(a_stale_handle)),
                 "#-5003");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(garbage)), "#-5003");
  CHECK_SEQUENCE(
      rac_sequence_flatten_map(s, CALLBACK(a_sequence_and_a_failure)), "#-5");
  rac_release(s);
  asked a = {0};
  CHECK_SEQUENCE(rac_sequence_create(context_new(&a, NULL), ask_head,
                                     signal_as_tail, context_destroy),
                 "0 #-5004");
}

TEST(answers_that_are_no_value) {
  rac_sequence *s = seq("1 2");
  CHECK_SEQUENCE(rac_sequence_map(s, CALLBACK(unsound)), "#-5007");
  rac_release(s);
  CHECK_SEQUENCE(rac_sequence_create(context_new(NULL, NULL), unsound_head,
                                     NULL, context_destroy),
                 "#-5007");
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
  owned rac_sequence *s = NULL;
  s = rac_sequence_create(context_new(&s, NULL), seven, itself,
                          context_destroy);
  rac_sequence *four = rac_sequence_take(s, 4);
  CHECK_SEQUENCE(four, "7 7 7 7");
}
