/* What signals share with other streams: making them, concat, flatten, bind
 * and flattenMap. */
#include "streams.h"

/* ---- Making streams ----------------------------------------------------- */

/* signal-001 */
TEST(empty_sends_nothing_and_completes) {
  CHECK_SIGNAL(rac_signal_empty(), "|");
}

/* signal-002: whatever the value is */
TEST(return_sends_its_value_and_completes) {
  CHECK_SIGNAL(rac_signal_return(I(7)), "7 |");
  CHECK_SIGNAL(rac_signal_return(rac_value_nil()), "nil |");
  CHECK_SIGNAL(rac_signal_return(S("text")), "text |");
}

/* ---- concat ------------------------------------------------------------- */

/* signal-003, signal-004, signal-005: two, three, and an empty one between */
TEST(concat_sends_one_stream_after_the_other) {
  rac_signal *empty = rac_signal_empty();
  rac_signal *one = rac_signal_return(I(1)), *two = rac_signal_return(I(2));
  rac_signal *s = rac_signal_return(I(0));
  APPLY(s, concat, one);
  rac_retain(s);
  CHECK_SIGNAL(s, "0 1 |");
  APPLY(s, concat, two);
  CHECK_SIGNAL(s, "0 1 2 |");
  s = rac_signal_return(I(0));
  APPLY(s, concat, empty);
  APPLY(s, concat, two);
  CHECK_SIGNAL(s, "0 2 |");
  rac_release(two);
  rac_release(one);
  rac_release(empty);
}

/* An error of the first ends the whole; the second is not subscribed to. */
TEST(concat_passes_an_error_and_stops) {
  source counts = {0};
  rac_signal *next = cold("2 |", &counts);
  rac_signal *s = cold("1 !5", NULL);
  APPLY(s, concat, next);
  CHECK_SIGNAL(s, "1 !5");
  CHECK_INT(counts.subscribed, 0);
  rac_release(next);
}

/* RAC 2.5 lost the second subscription when the first ended at once. */
TEST(concat_disposes_what_follows_a_stream_that_ended_at_once) {
  source counts = {0};
  rac_signal *next = cold("2", &counts);
  rac_signal *s = rac_signal_return(I(1));
  APPLY(s, concat, next);
  CHECK_SIGNAL(s, "1 2");
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 1);
  rac_release(next);
}

/* ---- flatten ------------------------------------------------------------ */

/* signal-006 */
TEST(flatten_sends_what_the_stream_in_a_stream_sends) {
  rac_signal *inner = rac_signal_return(I(7));
  rac_value value = rac_value_signal(inner);
  rac_signal *s = rac_signal_return(value);
  APPLY(s, flatten, 0);
  CHECK_SIGNAL(s, "7 |");
  rac_value_release(value);
  rac_release(inner);
}

/* ---- bind --------------------------------------------------------------- */

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

static void check_bind(int line, rac_signal *source, binding how,
                       const char *expected, int calls) {
  rac_signal *s = source;
  APPLY(s, bind, CALLBACK_FOR(&how, one_more));
  check_signal(__FILE__, line, "bind", s, expected);
  check_int(__FILE__, line, "calls", how.calls, calls);
}

/* signal-007, signal-009: one value; and an empty stream in the middle */
TEST(bind_sends_what_is_made_of_each_value) {
  binding plain = {NEVER, NEVER, NEVER, 0};
  check_bind(__LINE__, rac_signal_return(I(0)), plain, "1 |", 1);
  check_bind(__LINE__, cold("0 1 2 |", NULL), plain, "1 2 3 |", 3);
  binding without = {NEVER, NEVER, 1, 0};
  check_bind(__LINE__, cold("0 1 2 |", NULL), without, "1 3 |", 3);
}

/* signal-010, signal-011, signal-012: no signal, a signal with stop, and both
 * at once, each over a stream that never ends by itself */
TEST(bind_may_stop_an_endless_stream) {
  const binding how[] = {
      {NEVER, 7, NEVER, 0}, {7, NEVER, NEVER, 0}, {7, 7, NEVER, 0}};
  const char *const expected[] = {"|", "8 |", "|"};
  for (int i = 0; i < 3; i++) {
    progression units = {7, 0, {0}};
    check_bind(__LINE__, endless(&units), how[i], expected[i], 1);
    CHECK_INT(units.counts.subscribed, 1);
    CHECK_INT(units.counts.disposed, 1);
  }
}

/* A later value may stop it as well. */
TEST(bind_may_stop_later) {
  progression numbers = {0, 1, {0}};
  binding how = {2, NEVER, NEVER, 0};
  check_bind(__LINE__, endless(&numbers), how, "1 2 3 |", 3);
}

typedef struct counter {
  int64_t number;
} counter;

static rac_status number_them(void *context, rac_value value, bool *stop,
                              rac_signal **out) {
  (void)value, (void)stop;
  counter *self = context_target(context);
  *out = rac_signal_return(I(self->number++));
  return RAC_OK;
}

static void counter_destroy(void *context) {
  free(context_target(context));
  context_destroy(context);
}

static rac_status bind_anew(void *context, rac_signal **out) {
  rac_signal *source = context_target(context);
  counter *fresh = calloc(1, sizeof *fresh);
  if (!fresh) abort();
  *out = rac_signal_bind(source, context_new(fresh, NULL), number_them,
                         counter_destroy);
  return RAC_OK;
}

/* signal-013: RAC's bind takes a block that makes the bind block of each
 * subscription; here defer makes the whole of it, with a context of its own */
TEST(state_of_a_bind_may_belong_to_the_subscription) {
  rac_signal *source = cold("5 5 5 |", NULL);
  rac_signal *s = rac_signal_defer(CALLBACK_FOR(source, bind_anew));
  for (int i = 0; i < 2; i++) {
    rac_retain(s);
    CHECK_SIGNAL(s, "0 1 2 |");
  }
  rac_release(s);
  rac_release(source);
}

static rac_status sum(void *context, const rac_value *elements, size_t count,
                      rac_value *out) {
  (void)context_target(context);
  *out = I(0);
  for (size_t i = 0; i < count; i++) out->bits += elements[i].bits;
  return RAC_OK;
}

/* signal-014: two evaluations that go on together do not share their state */
TEST(states_of_two_subscriptions_are_apart) {
  rac_signal *source = cold("5 5 5 |", NULL), *empty = rac_signal_empty();
  rac_signal *count = rac_signal_defer(CALLBACK_FOR(source, bind_anew));
  rac_signal *again = rac_signal_concat(empty, count);
  rac_signal *const both[] = {count, again};
  CHECK_SIGNAL(rac_signal_zip_reduce(both, 2, CALLBACK(sum)), "0 2 4 |");
  rac_release(again);
  rac_release(count);
  rac_release(empty);
  rac_release(source);
}

/* RAC 2.5 took two bindings of one signal for one, and completed with the first
 * of them. */
static rac_status same_signal(void *context, rac_value value, bool *stop,
                              rac_signal **out) {
  (void)value, (void)stop;
  *out = rac_retain(context_target(context));
  return RAC_OK;
}

TEST(bind_counts_a_signal_as_often_as_it_is_bound) {
  rac_subject *first = rac_subject_create(), *inner = rac_subject_create();
  rac_signal *limited = rac_signal_take(as_signal(inner), 1);
  rac_signal *s =
      rac_signal_bind(as_signal(first), CALLBACK_FOR(limited, same_signal));
  recorder r = {0};
  record(s, &r);
  play(first, "1");
  play(first, "1");
  CHECK_INT(rac_subject_subscriber_count(inner), 2);
  play(inner, "8");
  CHECK_EVENTS(&r, "8 8");
  play(first, "|");
  CHECK_EVENTS(&r, "8 8 |");
  await_end(&r);
  rac_release(s);
  rac_release(limited);
  rac_release(inner);
  rac_release(first);
}

/* ---- flattenMap --------------------------------------------------------- */

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
               {"0 1 !4", {NEVER, NEVER, NEVER, 0}, "1 2 !4"}};
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
  rac_subject *source = rac_subject_create();
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
  rac_release(source);
}

/* The first error ends everything else. */
TEST(flatten_map_disposes_all_at_an_error) {
  rac_subject *source = rac_subject_create();
  rac_subject *inner[] = {rac_subject_create(), rac_subject_create()};
  rac_signal *s =
      rac_signal_flatten_map(as_signal(source), CALLBACK_FOR(inner, pick));
  recorder r = {0};
  record(s, &r);
  play(source, "0 1");
  play(inner[0], "3 !9");
  CHECK_EVENTS(&r, "3 !9");
  CHECK_INT(rac_subject_subscriber_count(source), 0);
  CHECK_INT(rac_subject_subscriber_count(inner[1]), 0);
  await_end(&r);
  rac_release(s);
  for (int i = 0; i < 2; i++) rac_release(inner[i]);
  rac_release(source);
}
