/* Side effects: rac_signal_do_next, …_do_error, …_do_completed, …_initially and
 * …_finally. */
#include "stage.h"

typedef struct diary {
  char text[200];
} diary;

static void write_in(diary *self, const char *what) {
  size_t used = strlen(self->text);
  snprintf(self->text + used, sizeof self->text - used, "%s%s", used ? " " : "",
           what);
}

static void note_next(void *context, rac_value value) {
  char text[40] = "n";
  format_value(value, text + 1, sizeof text - 1);
  write_in(context_target(context), text);
}
static void note_error(void *context, rac_value error) {
  char text[40] = "e";
  format_value(error, text + 1, sizeof text - 1);
  write_in(context_target(context), text);
}
static void note_completed(void *context) {
  write_in(context_target(context), "c");
}
static void note_initially(void *context) {
  write_in(context_target(context), "initially");
}
static void note_finally(void *context) {
  write_in(context_target(context), "finally");
}

static rac_signal *noting(const char *script, diary *d) {
  rac_signal *s = cold(script, NULL);
  APPLY(s, do_next, CALLBACK_FOR(d, note_next));
  APPLY(s, do_error, CALLBACK_FOR(d, note_error));
  APPLY(s, do_completed, CALLBACK_FOR(d, note_completed));
  APPLY(s, initially, CALLBACK_FOR(d, note_initially));
  APPLY(s, finally, CALLBACK_FOR(d, note_finally));
  return s;
}

TEST(side_effects_run_for_their_event) {
  diary d = {""};
  rac_signal *s = noting("1 2 |", &d);
  CHECK_TEXT(d.text, "");
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_TEXT(d.text, "initially n1 n2 c finally");
  d.text[0] = 0;
  CHECK_SIGNAL(noting("1 #2", &d), "1 #2");
  CHECK_TEXT(d.text, "initially n1 e#2 finally");
  d.text[0] = 0;
  /* Disposal is not an event. */
  CHECK_SIGNAL(noting("1", &d), "1");
  CHECK_TEXT(d.text, "initially n1");
}

static void note_in_recorder(recorder *self, rac_value value) {
  (void)value;
  write_in(self->user, "heard");
}
static void note_end_in_recorder(recorder *self) {
  write_in(self->user, "ended");
}

TEST(side_effects_run_before_the_subscriber_hears_of_it) {
  diary d = {""};
  owned rac_signal *s = noting("1 |", &d);
  recorder r = {
      .on_next = note_in_recorder, .on_end = note_end_in_recorder, .user = &d};
  record(s, &r);
  CHECK_TEXT(d.text, "initially n1 heard c finally ended");
  await_end(&r);
}

static void note_outer(void *context) {
  write_in(context_target(context), "outer");
}

TEST(the_outermost_initially_runs_first) {
  diary d = {""};
  rac_signal *s = cold("|", NULL);
  APPLY(s, initially, CALLBACK_FOR(&d, note_initially));
  APPLY(s, initially, CALLBACK_FOR(&d, note_outer));
  rac_retain(s);
  CHECK_SIGNAL(s, "|");
  CHECK_SIGNAL(s, "|");
  CHECK_TEXT(d.text, "outer initially outer initially");
}

/* ---- What RAC's specs demand of initially -------------------------------- */

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
TEST(the_initially_applied_last_runs_first) {
  char text[8] = "";
  shared_note inner = {text, "1"}, outer = {text, "2"};
  rac_signal *s = cold("|", NULL);
  APPLY(s, initially, CALLBACK_FOR(&inner, note_shared));
  APPLY(s, initially, CALLBACK_FOR(&outer, note_shared));
  CHECK_SIGNAL(s, "|");
  CHECK_TEXT(text, "21");
}

/* ---- Of finally ---------------------------------------------------------- */

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
  closed_stage t;
  hear_finally(&t, &n, false);
  play(t.a, "1 |");
  CHECK_TEXT(n.text, "");
}

/* signal-240, signal-241: at either end, not before it, and not at a disposal */
TEST(finally_runs_at_the_end) {
  static const char *const ends[] = {"|", "#7", ""};
  static const char *const heard[] = {"1 |", "1 #7", "1"};
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
    owned rac_signal *s = cold(i ? "#7" : "|", NULL);
    APPLY(s, finally, CALLBACK_FOR(&n, note));
    recorder r = {.on_end = look_at_notes, .user = &n};
    record(s, &r);
    await_end(&r);
    CHECK_INT(r.ends, 1);
  }
}
