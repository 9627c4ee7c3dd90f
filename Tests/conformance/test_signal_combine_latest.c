/* combineLatest, of two and of many. */
#include "streams.h"

typedef struct inputs {
  rac_subject *subjects[3];
  rac_signal *signal;
  recorder heard;
} inputs;

static void begin(inputs *self) {
  for (int i = 0; i < 3; i++) self->subjects[i] = rac_subject_create();
}
/* Takes over the signal. */
static void listen(inputs *self, rac_signal *signal) {
  self->signal = signal;
  record(signal, &self->heard);
}
static void begin_two(inputs *self) {
  begin(self);
  rac_signal *two[] = {as_signal(self->subjects[0]),
                       as_signal(self->subjects[1])};
  listen(self, rac_signal_combine_latest(two, 2));
}
static void end(inputs *self) {
  finish(&self->heard);
  rac_release(self->signal);
  for (int i = 0; i < 3; i++) {
    CHECK_INT(rac_subject_subscriber_count(self->subjects[i]), 0);
    rac_release(self->subjects[i]);
  }
}

/* ---- Two ---------------------------------------------------------------- */

/* signal-099, signal-100: nothing before both have sent, then every change */
TEST(it_sends_when_all_have_sent) {
  inputs t = {0};
  begin_two(&t);
  say(t.subjects[0], "1");
  CHECK_EVENTS(&t.heard, "");
  say(t.subjects[1], "2");
  CHECK_EVENTS(&t.heard, "(1,2)");
  say(t.subjects[0], "3");
  say(t.subjects[1], "4");
  CHECK_EVENTS(&t.heard, "(1,2) (3,2) (3,4)");
  end(&t);
}

/* nil is a value. */
TEST(a_nil_counts_as_sent) {
  inputs t = {0};
  begin_two(&t);
  play(t.subjects[0], "nil");
  play(t.subjects[1], "nil 1");
  CHECK_EVENTS(&t.heard, "(nil,nil) (nil,1)");
  end(&t);
}

/* signal-101: also where one completes that never sent anything */
TEST(it_completes_when_all_have) {
  const char *const scripts[] = {"1 |", "|"};
  for (int i = 0; i < 2; i++) {
    inputs t = {0};
    begin_two(&t);
    play(t.subjects[0], scripts[i]);
    CHECK_EVENTS(&t.heard, "");
    play(t.subjects[1], "2 |");
    CHECK_EVENTS(&t.heard, i == 0 ? "(1,2) |" : "|");
    end(&t);
  }
}

static void keep_error(void *context, rac_value error) {
  *(rac_value *)context_target(context) = rac_value_retain(error);
}

/* signal-102: of either, as it is, and the other one is disposed then */
TEST(it_passes_the_error_of_either) {
  rac_value error = rac_value_error("of a test", 7, "and its message");
  for (int i = 0; i < 2; i++) {
    inputs t = {0};
    begin_two(&t);
    rac_value passed = rac_value_nil();
    rac_observer observer = RAC_OBSERVER_INIT;
    observer.context = context_new(&passed, NULL);
    observer.error = keep_error;
    observer.destroy = context_destroy;
    rac_release(rac_subscribe(t.signal, &observer));
    rac_subject_send_error(t.subjects[i], error);
    CHECK(rac_value_equal(passed, error));
    CHECK_EVENTS(&t.heard, "!7");
    CHECK_INT(rac_subject_subscriber_count(t.subjects[1 - i]), 0);
    rac_value_release(passed);
    end(&t);
  }
  rac_value_release(error);
}

/* signal-103: all of it goes when nobody holds it any more */
TEST(nothing_is_left_of_what_completed) {
  uint64_t before = rac_live_objects();
  rac_subject *subject = rac_subject_create();
  rac_signal *const one[] = {as_signal(subject)};
  rac_signal *s = rac_signal_combine_latest(one, 1);
  recorder r = {0};
  record(s, &r);
  play(subject, "|");
  CHECK_EVENTS(&r, "|");
  await_end(&r);
  rac_release(s);
  rac_release(subject);
  CHECK_INT(rac_live_objects(), before);
}

/* signal-104: one subject on both sides. Its subscribers hear a value one after
 * the other, so there is a step between. */
TEST(a_subject_may_be_combined_with_itself) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_combine_latest_with(as_signal(subject), as_signal(subject));
  recorder r = {0};
  record(s, &r);
  say(subject, "foo");
  CHECK_EVENTS(&r, "(foo,foo)");
  say(subject, "bar");
  CHECK_EVENTS(&r, "(foo,foo) (bar,foo) (bar,bar)");
  finish(&r);
  rac_release(s);
  rac_release(subject);
}

/* signal-105 */
TEST(a_cold_signal_combined_with_itself_works_twice) {
  int64_t counter = 0;
  rac_signal *s = counting(&counter);
  APPLY(s, combine_latest_with, s);
  CHECK_INT(counter, 0);
  CHECK_SIGNAL(s, "(1,2) |");
  CHECK_INT(counter, 2);
}

/* ---- One, and none ------------------------------------------------------ */

/* signal-106 */
TEST(one_makes_tuples_of_one) {
  rac_signal *one = words("foo bar");
  CHECK_SIGNAL(rac_signal_combine_latest(&one, 1), "(foo) (bar) |");
  rac_release(one);
}

/* signal-107 */
TEST(none_completes_at_once) {
  CHECK_SIGNAL(rac_signal_combine_latest(NULL, 0), "|");
  rac_signal *s =
      rac_signal_combine_latest_reduce(NULL, 0, CALLBACK_FOR("", joined));
  CHECK_SIGNAL(s, "|");
}

/* ---- With a callback ---------------------------------------------------- */

/* signal-110: a nil comes as nil */
TEST(the_callback_makes_the_value) {
  inputs t = {0};
  begin(&t);
  listen(&t, rac_signal_combine_latest_reduce((rac_signal *const *)t.subjects,
                                              3, CALLBACK_FOR("", joined)));
  say(t.subjects[0], "hello:");
  say(t.subjects[1], "world");
  CHECK_EVENTS(&t.heard, "");
  say(t.subjects[2], "!!1");
  CHECK_EVENTS(&t.heard, "hello:world!!1");
  play(t.subjects[1], "nil");
  CHECK_EVENTS(&t.heard, "hello:world!!1 hello:nil!!1");
  end(&t);
}

static const char *last_event(const recorder *self) {
  const char *last = strrchr(self->text, ' ');
  return last ? last + 1 : self->text;
}

/* signal-111: what counts is the last value, where both places have changed */
TEST(a_signal_may_stand_at_several_places) {
  inputs t = {0};
  begin(&t);
  rac_signal *const places[] = {
      as_signal(t.subjects[0]), as_signal(t.subjects[1]),
      as_signal(t.subjects[0]), as_signal(t.subjects[2])};
  listen(&t, rac_signal_combine_latest_reduce(places, 4,
                                              CALLBACK_FOR("=", joined)));
  say(t.subjects[0], "apples");
  say(t.subjects[1], "oranges");
  CHECK_EVENTS(&t.heard, "");
  say(t.subjects[2], "cattle");
  CHECK_EVENTS(&t.heard, "apples=oranges=apples=cattle");
  say(t.subjects[0], "horses");
  CHECK_TEXT(last_event(&t.heard), "horses=oranges=horses=cattle");
  end(&t);
}

/* signal-112 */
TEST(a_cold_signal_at_several_places_works_as_often) {
  int64_t counter = 0;
  rac_signal *one = counting(&counter);
  rac_signal *const places[] = {one, one, one};
  rac_signal *s =
      rac_signal_combine_latest_reduce(places, 3, CALLBACK_FOR("", joined));
  CHECK_INT(counter, 0);
  CHECK_SIGNAL(s, "123 |");
  CHECK_INT(counter, 3);
  rac_release(one);
}

static rac_status refuse(void *context, const rac_value *elements, size_t count,
                         rac_value *out) {
  (void)context_target(context), (void)elements, (void)out;
  return -(rac_status)count;
}

/* Its failure is the end. */
TEST(a_failing_callback_ends_it) {
  inputs t = {0};
  begin(&t);
  listen(&t, rac_signal_combine_latest_reduce((rac_signal *const *)t.subjects,
                                              2, CALLBACK(refuse)));
  play(t.subjects[0], "1");
  play(t.subjects[1], "2");
  CHECK_EVENTS(&t.heard, "!-2");
  end(&t);
}
