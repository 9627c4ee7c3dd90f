/* Side effects and kinds of events: -initially:, -finally:, -ignoreValues,
 * -materialize, -dematerialize; and -and, -reduceApply on tuples. */
#include "stage.h"

/* ---- initially ----------------------------------------------------------- */

/* Writes down who was called. */
typedef struct notes {
  char text[40];
  const char *mark;
} notes;

static void note(void *context) {
  notes *self = context_target(context);
  strcat(self->text, self->mark);
}

/* signal-235: once for each subscription, before the source */
TEST(initially_runs_with_each_subscription_only) {
  source counts = {0};
  notes n = {"", "x"};
  rac_signal *s = cold("1 |", &counts);
  APPLY(s, initially, CALLBACK_FOR(&n, note));
  CHECK_TEXT(n.text, "");
  rac_retain(s);
  CHECK_SIGNAL(s, "1 |");
  CHECK_TEXT(n.text, "x");
  CHECK_SIGNAL(s, "1 |");
  CHECK_TEXT(n.text, "xx");
}

typedef struct shared_note {
  char *text;
  const char *mark;
} shared_note;

static void note_shared(void *context) {
  shared_note *self = context_target(context);
  strcat(self->text, self->mark);
}

/* signal-235: of several, the one applied last runs first */
TEST(the_outermost_initially_runs_first) {
  char text[8] = "";
  shared_note inner = {text, "1"}, outer = {text, "2"};
  rac_signal *s = cold("|", NULL);
  APPLY(s, initially, CALLBACK_FOR(&inner, note_shared));
  APPLY(s, initially, CALLBACK_FOR(&outer, note_shared));
  CHECK_SIGNAL(s, "|");
  CHECK_TEXT(text, "21");
}

/* ---- finally ------------------------------------------------------------- */

static void hear_finally(stage *self, notes *n, bool subscribed) {
  stage_open(self);
  rac_signal *s = rac_signal_finally(as_signal(self->a), CALLBACK_FOR(n, note));
  if (subscribed) {
    stage_hear(self, s);
  } else {
    rac_release(s);
    stage_hear(self, rac_signal_never());
  }
}

/* signal-238 */
TEST(finally_does_not_run_without_a_subscription) {
  notes n = {"", "x"};
  stage t;
  hear_finally(&t, &n, false);
  play(t.a, "1 |");
  CHECK_TEXT(n.text, "");
  stage_close(&t);
}

/* signal-240, signal-241: at either end, not before it, and not at a disposal */
TEST(finally_runs_at_the_end) {
  static const char *const ends[] = {"|", "!7", ""};
  static const char *const heard[] = {"1 |", "1 !7", "1"};
  for (int i = 0; i < 3; i++) {
    notes n = {"", "x"};
    stage t;
    hear_finally(&t, &n, true);
    play(t.a, "1");
    CHECK_TEXT(n.text, "");
    play(t.a, ends[i]);
    CHECK_EVENTS(&t.heard, heard[i]);
    CHECK_TEXT(n.text, i < 2 ? "x" : "");
    stage_close(&t);
    CHECK_TEXT(n.text, i < 2 ? "x" : "");
  }
}

static void look_at_notes(recorder *self) {
  notes *n = self->user;
  CHECK_TEXT(n->text, "x");
}

/* signal-240, signal-241: the subscriber hears of the end afterwards */
TEST(finally_runs_before_the_end_goes_on) {
  for (int i = 0; i < 2; i++) {
    notes n = {"", "x"};
    rac_signal *s = cold(i ? "!7" : "|", NULL);
    APPLY(s, finally, CALLBACK_FOR(&n, note));
    recorder r = {.on_end = look_at_notes, .user = &n};
    record(s, &r);
    await_end(&r);
    CHECK_INT(r.ends, 1);
    rac_release(s);
  }
}

/* ---- ignoreValues -------------------------------------------------------- */

/* signal-242, signal-243 */
TEST(ignore_values_lets_only_the_end_pass) {
  static const char *const cases[][2] = {
      {"1 nil 2 |", "|"}, {"1 2 !7", "!7"}, {"1 2", ""}};
  for (int i = 0; i < 3; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, ignore_values);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}

/* ---- materialize and dematerialize --------------------------------------- */

/* signal-245: the error is a value, and a completion follows it */
TEST(materialize_makes_values_of_all_events) {
  static const char *const cases[][2] = {{"!7", "<!7> |"},
                                         {"1 !7", "<1> <!7> |"},
                                         {"1 nil |", "<1> <nil> <|> |"},
                                         {"1", "<1>"}};
  for (int i = 0; i < 4; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, materialize);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    APPLY0(s, dematerialize);
    CHECK_SIGNAL(s, cases[i][0]);
  }
}

/* Plays events to the operator: numbers, | and ! stand for event values. */
static void send_event(stage *t, const char *what) {
  rac_value error = test_error(7), event = rac_value_event_completed();
  if (*what == '!') event = rac_value_event_error(error);
  if (*what >= '0' && *what <= '9')
    event = rac_value_event_next(I(*what - '0'));
  rac_subject_send(t->a, event);
  rac_value_release(event);
  rac_value_release(error);
}

/* signal-246: the source's completion; signal-247: a completion that is a
 * value; signal-248: an error that is a value */
TEST(dematerialize_ends_with_the_first_end) {
  static const struct {
    const char *events, *expected;
  } cases[] = {{"12", "1 2"}, {"1|2", "1 |"}, {"!", "!7"}, {"1!2|", "1 !7"}};
  for (size_t i = 0; i < 4; i++) {
    stage t;
    stage_open(&t);
    stage_hear(&t, rac_signal_dematerialize(as_signal(t.a)));
    for (const char *e = cases[i].events; *e; e++) send_event(&t, e);
    CHECK_EVENTS(&t.heard, cases[i].expected);
    play(t.a, "|");
    if (i == 0) CHECK_EVENTS(&t.heard, "1 2 |");
    stage_close(&t);
  }
}

/* signal-248: so a blocking read has no value, but the error */
TEST(the_first_value_of_a_dematerialized_error) {
  rac_value error = test_error(7), event = rac_value_event_error(error);
  rac_signal *s = rac_signal_return(event);
  APPLY0(s, dematerialize);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(s, 5, &out), RAC_ESTREAM);
  CHECK(rac_value_equal(out, error));
  rac_value_release(out);
  rac_value_release(event);
  rac_value_release(error);
  rac_release(s);
}

/* ---- and ----------------------------------------------------------------- */

static rac_signal *tuples(const int (*rows)[3], size_t count) {
  rac_value values[4];
  for (size_t i = 0; i < count; i++) {
    rac_value parts[3];
    for (int j = 0; j < 3; j++) parts[j] = rac_value_bool(rows[i][j] != 0);
    values[i] = rac_value_tuple(parts, 3);
  }
  rac_signal *s = rac_signal_from_values(values, count);
  for (size_t i = 0; i < count; i++) rac_value_release(values[i]);
  return s;
}

/* signal-250: beside it, or and not */
TEST(and_is_true_of_a_tuple_that_is_all_true) {
  static const int rows[][3] = {{1, 0, 1}, {0, 0, 0}, {1, 1, 1}};
  rac_signal *s = tuples(rows, 3);
  rac_signal *either = rac_signal_or(s);
  APPLY0(s, and);
  rac_retain(s);
  CHECK_SIGNAL(s, "false false true |");
  APPLY0(s, not );
  CHECK_SIGNAL(s, "true true false |");
  CHECK_SIGNAL(either, "true false true |");
}

/* ---- reduceApply --------------------------------------------------------- */

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
  rac_value first[] = {rac_value_pointer(&add_up, "function"), I(1), I(2)};
  rac_value second[] = {rac_value_pointer(&add_product, "function"), I(2), I(3),
                        I(1)};
  rac_value both[] = {rac_value_tuple(first, 3), rac_value_tuple(second, 4)};
  rac_signal *s = rac_signal_from_values(both, 2);
  APPLY(s, reduce_each, CALLBACK(apply_first));
  CHECK_SIGNAL(s, "3 7 |");
  for (int i = 0; i < 2; i++) rac_value_release(both[i]);
}
