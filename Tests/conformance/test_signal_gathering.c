/* -collect, -bufferWithTime:onScheduler:, -toArray and -ignore:. */
#include "stage.h"

/* ---- collect ------------------------------------------------------------- */

/* signal-222: nothing before the completion; signal-223: nil keeps its place */
TEST(collect_sends_everything_at_the_completion) {
  stage t;
  stage_open(&t);
  stage_hear(&t, rac_signal_collect(as_signal(t.a)));
  play(t.a, "1 2 3");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "(1,2,3) |");
  stage_close(&t);
  rac_signal *s = cold("nil 1 nil |", NULL);
  APPLY0(s, collect);
  rac_retain(s);
  CHECK_SIGNAL(s, "(nil,1,nil) |");
  CHECK_SIGNAL(s, "(nil,1,nil) |");
}

/* signal-222: without values an empty tuple, with an error none */
TEST(collect_of_nothing_and_of_an_error) {
  rac_signal *s = cold("|", NULL);
  APPLY0(s, collect);
  CHECK_SIGNAL(s, "() |");
  s = cold("1 2 !7", NULL);
  APPLY0(s, collect);
  CHECK_SIGNAL(s, "!7");
}

/* ---- bufferWithTime: a value a second, from 1 on ------------------------- */

static void check_buffer(int line, const char *const *events,
                         const char *expected) {
  rac_scheduler *v = rac_scheduler_virtual();
  stage t;
  stage_open(&t);
  t.heard.clock = v;
  stage_hear(&t, rac_signal_buffer_with_time(as_signal(t.a), 1.5, v));
  for (int i = 0; events[i]; i++) play_at(v, i + 1, t.a, events[i]);
  rac_virtual_advance_to(v, 20);
  check_text(__FILE__, line, "the result", t.heard.text, expected);
  stage_close(&t);
  rac_release(v);
}
#define CHECK_BUFFER(expected, ...)                                            \
  check_buffer(__LINE__, (const char *const[]){__VA_ARGS__, NULL}, expected)

/* signal-224 */
TEST(buffer_sends_what_came_until_a_step) {
  rac_scheduler *v = rac_scheduler_virtual();
  stage t;
  stage_open(&t);
  stage_hear(&t, rac_signal_buffer_with_time(as_signal(t.a), 1, v));
  play(t.a, "1 2");
  CHECK_EVENTS(&t.heard, "");
  rac_virtual_step(v);
  CHECK_EVENTS(&t.heard, "(1,2)");
  play(t.a, "3 4");
  rac_virtual_step(v);
  CHECK_EVENTS(&t.heard, "(1,2) (3,4)");
  stage_close(&t);
  rac_release(v);
}

/* signal-224, signal-225: each buffer counts from its first value, and without
 * one there is none */
TEST(a_buffer_begins_with_its_first_value) {
  CHECK_BUFFER("2.5:(1,2) 5.5:(3,4)", "1", "2", "", "3", "4");
  CHECK_BUFFER("3.5:(1,2)", "", "1", "2", "");
  CHECK_BUFFER("", "");
}

/* signal-227, signal-228: nil is one kind of nothing here, and is kept */
TEST(a_buffer_keeps_nil) { CHECK_BUFFER("2.5:(nil,1,nil)", "nil 1", "nil"); }

/* signal-224: the completion sends what has gathered, an error drops it */
TEST(a_buffer_ends_with_its_source) {
  CHECK_BUFFER("2:(1) 2:|", "1", "|");
  CHECK_BUFFER("1:|", "|");
  CHECK_BUFFER("2:!7", "1", "!7");
}

/* ---- toArray ------------------------------------------------------------- */

static void check_array(const char *script, rac_status status,
                        const char *expected) {
  rac_signal *s = cold(script, NULL);
  rac_value out = rac_value_nil();
  char text[100];
  CHECK_STATUS(rac_signal_to_array(s, 5, &out), status);
  format_value(out, text, sizeof text);
  CHECK_TEXT(text, expected);
  rac_value_release(out);
  rac_release(s);
}

/* signal-261: nil keeps its place; signal-262: instead of nothing there is the
 * error, even if values came before it */
TEST(to_array_gives_all_values_or_the_error) {
  check_array("nil 1 nil |", RAC_OK, "(nil,1,nil)");
  check_array("|", RAC_OK, "()");
  check_array("!7", RAC_ESTREAM, "!7");
  check_array("1 2 !7", RAC_ESTREAM, "!7");
}

static void *complete_later(void *subject) {
  WAIT_UNTIL(LISTENERS(subject) == 1);
  play(subject, "1 2 |");
  return NULL;
}

/* signal-261: it waits for what another thread sends */
TEST(to_array_blocks_until_the_completion) {
  rac_subject *subject = rac_subject_create();
  pthread_t thread = check_spawn(complete_later, subject);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_to_array(as_signal(subject), -1, &out), RAC_OK);
  CHECK_INT(rac_tuple_count(out), 2);
  rac_value_release(out);
  check_join(thread);
  rac_release(subject);
}

/* ---- ignore -------------------------------------------------------------- */

/* signal-264 */
TEST(ignore_drops_what_is_equal) {
  rac_signal *s = cold("1 nil 3 4 nil |", NULL);
  APPLY(s, ignore, rac_value_nil());
  CHECK_SIGNAL(s, "1 3 4 |");
  rac_value values[] = {S("one"), S("two"), S("one")};
  s = rac_signal_from_values(values, 3);
  APPLY(s, ignore, S("one"));
  CHECK_SIGNAL(s, "two |");
}
