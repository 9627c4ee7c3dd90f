/* Which of several signals is heard: takeUntilReplacement, if, switch. */
#include "operators.h"

/* ---- takeUntilReplacement ----------------------------------------------- */

typedef struct stage {
  rac_subject *source, *other;
  rac_signal *result;
  recorder heard;
} stage;

static void replace_begin(stage *self) {
  self->source = rac_subject_create();
  self->other = rac_subject_create();
  self->result = rac_signal_take_until_replacement(as_signal(self->source),
                                                   as_signal(self->other));
  record(self->result, &self->heard);
}
static void stage_end(stage *self) {
  finish(&self->heard);
  rac_release(self->result);
  rac_release(self->source);
  rac_release(self->other);
}

TEST(the_replacement_takes_over_with_its_first_value) {
  stage t = {0};
  replace_begin(&t);
  play(t.source, "1 2");
  play(t.other, "nil");
  CHECK_INT(rac_subject_subscriber_count(t.source), 0);
  play(t.source, "3");
  play(t.other, "8 |");
  CHECK_EVENTS(&t.heard, "1 2 nil 8 |");
  stage_end(&t);
}

TEST(ends_of_the_source_and_of_the_replacement) {
  static const struct {
    const char *source, *other, *expected;
    int left; /* who still listens to the other */
  } cases[] = {{"1 !5", "", "1 !5", 0},    {"1 |", "", "1", 1},
               {"1 |", "7 |", "1 7 |", 0}, {"1", "!6", "1 !6", 0},
               {"1", "|", "1 |", 0},       {"", "7 !6", "7 !6", 0},
               {"1 |", "!6", "1 !6", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stage t = {0};
    replace_begin(&t);
    play(t.source, cases[i].source);
    play(t.other, cases[i].other);
    CHECK_EVENTS(&t.heard, cases[i].expected);
    CHECK_INT(rac_subject_subscriber_count(t.other), cases[i].left);
    stage_end(&t);
  }
}

TEST(a_replacement_that_comes_at_once_leaves_the_source_alone) {
  source counts = {0};
  rac_signal *s = cold("1 2 |", &counts), *other = cold("8 9 |", NULL);
  APPLY(s, take_until_replacement, other);
  CHECK_SIGNAL(s, "8 9 |");
  CHECK_INT(counts.subscribed, 0);
  rac_release(other);
}

TEST(disposal_reaches_the_source_and_the_replacement) {
  stage t = {0};
  replace_begin(&t);
  rac_dispose(t.heard.subscription);
  CHECK_INT(rac_subject_subscriber_count(t.source), 0);
  CHECK_INT(rac_subject_subscriber_count(t.other), 0);
  stage_end(&t);
}

static void send_replacement(recorder *self, rac_value value) {
  if (value.bits == 1) play(self->user, "8 9");
}

TEST(a_replacement_from_inside_the_source_s_value) {
  stage t = {0};
  t.heard.on_next = send_replacement;
  replace_begin(&t);
  t.heard.user = t.other;
  play(t.source, "1 2");
  CHECK_EVENTS(&t.heard, "1 8 9");
  stage_end(&t);
}

/* ---- if ----------------------------------------------------------------- */

typedef struct choice {
  rac_subject *keys, *a, *b;
  rac_signal *result;
  recorder heard;
} choice;

static void choice_begin(choice *self) {
  self->keys = rac_subject_create();
  self->a = rac_subject_create();
  self->b = rac_subject_create();
}
static void choice_end(choice *self) {
  finish(&self->heard);
  rac_release(self->result);
  rac_release(self->keys);
  rac_release(self->a);
  rac_release(self->b);
}
static void if_begin(choice *self) {
  choice_begin(self);
  self->result = rac_signal_if(as_signal(self->keys), as_signal(self->a),
                               as_signal(self->b));
  record(self->result, &self->heard);
}

TEST(if_sends_what_the_chosen_signal_sends) {
  choice t = {0};
  if_begin(&t);
  play(t.a, "1");
  play(t.keys, "1");
  play(t.a, "2 3");
  play(t.b, "7");
  play(t.keys, "0");
  play(t.a, "4 !5");
  play(t.b, "8 !6");
  CHECK_EVENTS(&t.heard, "2 3 8 !6");
  CHECK_INT(rac_subject_subscriber_count(t.keys), 0);
  choice_end(&t);
}

TEST(if_completes_with_both_the_keys_and_the_choice) {
  for (int order = 0; order < 2; order++) {
    choice t = {0};
    if_begin(&t);
    play(t.keys, "1");
    play(order ? t.keys : t.a, "|");
    CHECK_EVENTS(&t.heard, "");
    play(order ? t.a : t.keys, "|");
    CHECK_EVENTS(&t.heard, "|");
    choice_end(&t);
  }
}

TEST(if_wants_truth_values) {
  choice t = {0};
  if_begin(&t);
  play(t.keys, "1 nil");
  CHECK_EVENTS(&t.heard, "!-4");
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
  choice_end(&t);
}

/* ---- switch ------------------------------------------------------------- */

static void switch_begin(choice *self, rac_signal *fallback) {
  choice_begin(self);
  rac_value copy = rac_value_string_copy("two", 3);
  rac_value keys[] = {I(1), copy, I(1)};
  rac_signal *cases[] = {as_signal(self->a), as_signal(self->b),
                         as_signal(self->b)};
  self->result =
      rac_signal_switch(as_signal(self->keys), keys, cases, 3, fallback);
  rac_value_release(copy);
  record(self->result, &self->heard);
}

TEST(switch_sends_what_belongs_to_the_key) {
  choice t = {0};
  rac_signal *fallback = cold("99", NULL);
  switch_begin(&t, fallback);
  rac_release(fallback);
  play(t.a, "1");
  play(t.b, "1");
  CHECK_EVENTS(&t.heard, "");
  play(t.keys, "1");
  play(t.a, "2");
  play(t.b, "2");
  rac_subject_send(t.keys, S("two"));
  play(t.a, "3 !4");
  play(t.b, "3");
  play(t.keys, "5 nil");
  play(t.b, "4 !4");
  CHECK_EVENTS(&t.heard, "2 3 99 99");
  play(t.keys, "|");
  CHECK_EVENTS(&t.heard, "2 3 99 99");
  choice_end(&t);
}

TEST(the_error_of_the_chosen_case_goes_on) {
  choice t = {0};
  switch_begin(&t, NULL);
  play(t.keys, "1");
  play(t.b, "!5");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "!6");
  CHECK_EVENTS(&t.heard, "!6");
  choice_end(&t);
}

TEST(switch_completes_with_both_the_keys_and_the_case) {
  choice t = {0};
  switch_begin(&t, NULL);
  play(t.keys, "1 |");
  play(t.a, "2");
  CHECK_EVENTS(&t.heard, "2");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "2 |");
  choice_end(&t);
}

TEST(a_key_without_a_case_is_an_error) {
  choice t = {0};
  switch_begin(&t, NULL);
  play(t.keys, "1");
  play(t.a, "2");
  play(t.keys, "nil");
  CHECK_EVENTS(&t.heard, "2 !2");
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
  choice_end(&t);
  rac_signal *keys = cold("1", NULL), *s = NULL;
  s = rac_signal_switch(keys, NULL, NULL, 0, NULL);
  rac_value error = rac_value_nil();
  CHECK_STATUS(rac_signal_first(s, 1, &error), RAC_ESTREAM);
  CHECK_TEXT(rac_error_get_domain(error), "rac.signal");
  CHECK_INT(rac_error_get_code(error), RAC_SIGNAL_NO_MATCHING_CASE);
  rac_value_release(error);
  rac_release(s);
  rac_release(keys);
}

TEST(the_arguments_of_switch) {
  rac_signal *never = rac_signal_never();
  rac_value key = I(1), nonsense = {200, 0, 0, 0, 0};
  rac_signal *none = NULL;
  rac_clear_last_error();
  CHECK(rac_signal_switch(never, NULL, &never, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_signal_switch(never, &key, NULL, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  rac_clear_last_error();
  CHECK(rac_signal_switch(never, &key, &none, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_signal_switch(never, &nonsense, &never, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_signal_switch(never, &key, &never, SIZE_MAX, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  rac_clear_last_error();
  CHECK(rac_signal_switch(NULL, &key, &never, 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  rac_release(never);
}
