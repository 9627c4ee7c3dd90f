/* rac_signal_combine_latest_reduce: the latest values made into one; and what it
 * has in common with rac_signal_zip_reduce. */
#include "shared_callbacks.h"
#include "streams.h"
#include "three.h"

TEST(combine_latest_reduce_sends_what_the_callback_makes) {
  three t = {0};
  rac_subject **subjects = start_three(&t);
  rac_signal *s =
      rac_signal_combine_latest_reduce(signals_of(&t), 3, CALLBACK(join));
  record(s, &t.heard);
  play(subjects[0], "1");
  play(subjects[1], "2");
  CHECK_EVENTS(&t.heard, "");
  play(subjects[2], "3 4");
  play(subjects[0], "5 |");
  play(subjects[1], "nil |");
  CHECK_EVENTS(&t.heard, "123 124 524 5nil4");
  play(subjects[2], "|");
  CHECK_EVENTS(&t.heard, "123 124 524 5nil4 |");
  rac_release(s);
  end_three(&t);
}

TEST(a_failing_reduce_disposes_all_inputs) {
  three t = {0};
  rac_subject **subjects = start_three(&t);
  rac_signal *s =
      rac_signal_combine_latest_reduce(signals_of(&t), 3, CALLBACK(join));
  record(s, &t.heard);
  play(subjects[0], "1");
  play(subjects[1], "2");
  play(subjects[2], "9 1");
  CHECK_EVENTS(&t.heard, "#-90");
  for (int i = 0; i < 3; i++)
    CHECK_INT(rac_subject_subscriber_count(subjects[i]), 0);
  rac_release(s);
  end_three(&t);
}

TEST(reducing_nothing_and_one) {
  CHECK_SIGNAL(rac_signal_zip_reduce(NULL, 0, CALLBACK(join)), "|");
  CHECK_SIGNAL(rac_signal_combine_latest_reduce(NULL, 0, CALLBACK(join)), "|");
  owned rac_signal *a = cold("1 2 |", NULL);
  CHECK_SIGNAL(rac_signal_zip_reduce(&a, 1, CALLBACK(join)), "1 2 |");
  CHECK_SIGNAL(rac_signal_combine_latest_reduce(&a, 1, CALLBACK(join)),
               "1 2 |");
}

static rac_status dispose_and_join(void *context, const rac_value *elements,
                                   size_t count, rac_value *out) {
  three *self = context_target(context);
  rac_disposable *mine = self->heard.subscription;
  rac_dispose(mine);
  /* What was lent is still there. */
  char text[100];
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    used += format_value(elements[i], text + used, sizeof text - used);
  CHECK_TEXT(text, "onetwo");
  *out = rac_value_string_copy(text, used);
  return RAC_OK;
}

TEST(a_reduce_may_dispose_its_subscription) {
  for (int zips = 0; zips < 2; zips++) {
    three t = {0};
    rac_subject **subjects = start_three(&t);
    rac_signal *s =
        zips ? rac_signal_zip_reduce(signals_of(&t), 2,
                                     CALLBACK_FOR(&t, dispose_and_join))
             : rac_signal_combine_latest_reduce(
                   signals_of(&t), 2, CALLBACK_FOR(&t, dispose_and_join));
    record(s, &t.heard);
    rac_release(s);
    rac_value one = rac_value_string_copy("one", 3);
    rac_subject_send(subjects[0], one);
    rac_value_release(one);
    rac_value two = rac_value_string_copy("two", 3);
    rac_subject_send(subjects[1], two);
    rac_value_release(two);
    play(subjects[0], "3");
    CHECK_EVENTS(&t.heard, "");
    for (int i = 0; i < 2; i++)
      CHECK_INT(rac_subject_subscriber_count(subjects[i]), 0);
    end_three(&t);
  }
}

static void *send_numbers(void *subject) {
  for (int64_t i = check_scaled(20000); i > 0; i--)
    rac_subject_send(subject, I(1));
  return NULL;
}

static rac_status count_values(void *context, const rac_value *elements,
                               size_t count, rac_value *out) {
  (void)context_target(context);
  *out = I((int64_t)count);
  return elements[0].bits == 1 ? RAC_OK : -1;
}

TEST(reducing_inputs_that_race) {
  for (int zips = 0; zips < 2; zips++) {
    three t = {0};
    rac_subject **subjects = start_three(&t);
    rac_signal *s =
        zips ? rac_signal_zip_reduce(signals_of(&t), 2, CALLBACK(count_values))
             : rac_signal_combine_latest_reduce(signals_of(&t), 2,
                                                CALLBACK(count_values));
    record(s, &t.heard);
    rac_release(s);
    pthread_t a = check_spawn(send_numbers, subjects[0]);
    pthread_t b = check_spawn(send_numbers, subjects[1]);
    check_join(a);
    check_join(b);
    int64_t each = check_scaled(20000);
    WAIT_UNTIL(atomic_load(&t.heard.nexts) >= each);
    if (zips) CHECK_INT(t.heard.nexts, each);
    play(subjects[0], "|");
    play(subjects[1], "|");
    WAIT_UNTIL(atomic_load(&t.heard.ends) == 1);
    end_three(&t);
  }
}

/* A tracer stands between the two, and so does any other operator. */
TEST(reducing_from_further_below) {
  owned rac_signal *a = cold("1 2 |", NULL), *b = cold("3 4 |", NULL);
  rac_signal *both[] = {a, b};
  rac_set_trace(NULL, ignore_trace, NULL);
  CHECK_SIGNAL(rac_signal_zip_reduce(both, 2, CALLBACK(join)), "13 24 |");
  CHECK_SIGNAL(rac_signal_combine_latest_reduce(both, 2, CALLBACK(join)),
               "23 24 |");
  rac_set_trace(NULL, NULL, NULL);
  rac_signal *s = rac_signal_zip(both, 2);
  APPLY(s, skip, 1);
  APPLY(s, reduce_each, CALLBACK(join));
  CHECK_SIGNAL(s, "24 |");
}

static void send_into_first(recorder *self, rac_value value) {
  (void)value;
  if (self->nexts == 1) play(self->user, "5");
}

TEST(a_send_from_below_a_reduce_waits_its_turn) {
  three t = {0};
  rac_subject **subjects = start_three(&t);
  t.heard.on_next = send_into_first;
  t.heard.user = subjects[0];
  rac_signal *s =
      rac_signal_combine_latest_reduce(signals_of(&t), 2, CALLBACK(join));
  record(s, &t.heard);
  play(subjects[0], "1");
  play(subjects[1], "2 |");
  play(subjects[0], "|");
  CHECK_EVENTS(&t.heard, "12 52 |");
  rac_release(s);
  end_three(&t);
}

/* ---- What RAC's specs demand --------------------------------------------- */

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
static void end(inputs *self) {
  finish(&self->heard);
  rac_release(self->signal);
  for (int i = 0; i < 3; i++) {
    CHECK_INT(rac_subject_subscriber_count(self->subjects[i]), 0);
    rac_release(self->subjects[i]);
  }
}

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
  owned rac_signal *one = counting(&counter);
  rac_signal *const places[] = {one, one, one};
  rac_signal *s =
      rac_signal_combine_latest_reduce(places, 3, CALLBACK_FOR("", joined));
  CHECK_INT(counter, 0);
  CHECK_SIGNAL(s, "123 |");
  CHECK_INT(counter, 3);
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
  CHECK_EVENTS(&t.heard, "#-2");
  end(&t);
}
