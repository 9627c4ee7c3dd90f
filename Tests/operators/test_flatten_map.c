/* rac_signal_flatten_map: a signal for each value, all of them merged. */
#include "operators.h"

/* Sends the value twice; nothing for 2; fails at 8; an error signal for 9. */
static rac_status twice(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  char script[40];
  snprintf(script, sizeof script, "%d %d |", (int)value.bits, (int)value.bits);
  if (value.bits == 8) return -88;
  if (value.bits == 9) strcpy(script, "#9");
  if (value.bits != 2) *out = cold(script, NULL);
  return RAC_OK;
}

TEST(flatten_map_sends_what_the_inner_signals_send) {
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, flatten_map, CALLBACK(twice));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 1 3 3 |");
  CHECK_SIGNAL(s, "1 1 3 3 |");
}

TEST(an_inner_error_ends_flatten_map_and_nothing_is_subscribed_after_it) {
  source counts = {0};
  rac_signal *s = cold("1 9 3 |", &counts);
  APPLY(s, flatten_map, CALLBACK(twice));
  CHECK_SIGNAL(s, "1 1 #9");
  s = cold("1 8 3", &counts);
  APPLY(s, flatten_map, CALLBACK(twice));
  CHECK_SIGNAL(s, "1 1 #-88");
  s = cold("1 #4", &counts);
  APPLY(s, flatten_map, CALLBACK(twice));
  CHECK_SIGNAL(s, "1 1 #4");
  CHECK_INT(counts.disposed, 3);
}

typedef struct open_inner {
  rac_subject *inner;
  int calls;
} open_inner;

static rac_status give_inner(void *context, rac_value value, rac_signal **out) {
  (void)value;
  open_inner *self = context_target(context);
  self->calls++;
  *out = rac_retain(self->inner);
  return RAC_OK;
}

TEST(the_same_inner_signal_for_two_values_counts_twice) {
  owned rac_subject *subject = rac_subject_create();
  open_inner inner = {rac_subject_create(), 0};
  rac_signal *s = rac_signal_flatten_map(as_signal(subject),
                                         CALLBACK_FOR(&inner, give_inner));
  recorder r = {0};
  record(s, &r);
  play(subject, "1");
  play(inner.inner, "10");
  play(subject, "2 |");
  play(inner.inner, "20");
  CHECK_EVENTS(&r, "10 20 20");
  CHECK_INT(rac_subject_subscriber_count(inner.inner), 2);
  play(inner.inner, "|");
  CHECK_EVENTS(&r, "10 20 20 |");
  await_end(&r);
  rac_release(s);
  rac_release(inner.inner);
}

TEST(disposing_flatten_map_disposes_source_and_inner) {
  owned rac_subject *subject = rac_subject_create();
  open_inner inner = {rac_subject_create(), 0};
  rac_signal *s = rac_signal_flatten_map(as_signal(subject),
                                         CALLBACK_FOR(&inner, give_inner));
  recorder r = {0};
  record(s, &r);
  play(subject, "1 2");
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  CHECK_INT(rac_subject_subscriber_count(inner.inner), 0);
  rac_release(s);
  rac_release(inner.inner);
}

/* ---- What RAC's specs demand --------------------------------------------- */

typedef struct binding {
  int64_t stop_at; /* the value that also asks to stop */
  int64_t nil_at;  /* the value that gets no signal */
  int64_t empty_at;
  int calls;
} binding;

enum { NEVER = -1 };

static rac_status one_more(void *context, rac_value value, bool *stop,
                           rac_signal **out) {
  binding *self = context_target(context);
  self->calls++;
  *stop = value.bits == self->stop_at;
  if (value.bits == self->nil_at) return RAC_OK;
  *out = value.bits == self->empty_at ? rac_signal_empty()
                                      : rac_signal_return(I(value.bits + 1));
  return RAC_OK;
}

static rac_status one_more_of_each(void *context, rac_value value,
                                   rac_signal **out) {
  bool stop = false;
  return one_more(context, value, &stop, out);
}

/* signal-015, signal-017, signal-018: one value; an empty signal in the middle;
 * none at all in the middle, which counts as an empty one and does not stop */
TEST(flatten_map_sends_what_is_made_of_each_value) {
  static const struct {
    const char *script;
    binding how;
    const char *expected;
  } cases[] = {{"0 |", {NEVER, NEVER, NEVER, 0}, "1 |"},
               {"0 1 2 |", {NEVER, NEVER, NEVER, 0}, "1 2 3 |"},
               {"0 1 2 |", {NEVER, NEVER, 1, 0}, "1 3 |"},
               {"0 1 2 |", {NEVER, 1, NEVER, 0}, "1 3 |"},
               {"0 1 #4", {NEVER, NEVER, NEVER, 0}, "1 2 #4"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    binding how = cases[i].how;
    rac_signal *s = cold(cases[i].script, NULL);
    APPLY(s, flatten_map, CALLBACK_FOR(&how, one_more_of_each));
    CHECK_SIGNAL(s, cases[i].expected);
  }
}

static rac_status pick(void *context, rac_value value, rac_signal **out) {
  rac_subject **subjects = context_target(context);
  *out = rac_retain(subjects[value.bits]);
  return RAC_OK;
}

/* Its signals run side by side; it completes with the last of them. */
TEST(flatten_map_merges_its_signals) {
  owned rac_subject *source = rac_subject_create();
  rac_subject *inner[] = {rac_subject_create(), rac_subject_create()};
  rac_signal *s =
      rac_signal_flatten_map(as_signal(source), CALLBACK_FOR(inner, pick));
  recorder r = {0};
  record(s, &r);
  play(source, "0 1");
  play(inner[0], "3");
  play(inner[1], "4");
  play(inner[0], "5 |");
  play(source, "|");
  CHECK_EVENTS(&r, "3 4 5");
  play(inner[1], "6 |");
  CHECK_EVENTS(&r, "3 4 5 6 |");
  await_end(&r);
  rac_release(s);
  for (int i = 0; i < 2; i++) rac_release(inner[i]);
}

/* The first error ends everything else. */
TEST(flatten_map_disposes_all_at_an_error) {
  owned rac_subject *source = rac_subject_create();
  rac_subject *inner[] = {rac_subject_create(), rac_subject_create()};
  rac_signal *s =
      rac_signal_flatten_map(as_signal(source), CALLBACK_FOR(inner, pick));
  recorder r = {0};
  record(s, &r);
  play(source, "0 1");
  play(inner[0], "3 #9");
  CHECK_EVENTS(&r, "3 #9");
  CHECK_INT(rac_subject_subscriber_count(source), 0);
  CHECK_INT(rac_subject_subscriber_count(inner[1]), 0);
  await_end(&r);
  rac_release(s);
  for (int i = 0; i < 2; i++) rac_release(inner[i]);
}
