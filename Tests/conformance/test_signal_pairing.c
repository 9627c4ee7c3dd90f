/* +zip:, +zip:reduce: and -sample:, and a take that is sent to from inside. */
#include "stage.h"

/* ---- take ---------------------------------------------------------------- */

static void send_one_more(recorder *self, rac_value value) {
  rac_subject_send(self->user, I(value.bits + 1));
}

/* signal-212: the fourth value is sent while the third is being delivered */
TEST(take_ends_at_its_last_value_though_more_are_sent_from_inside) {
  stage t;
  stage_open(&t);
  t.heard.on_next = send_one_more;
  t.heard.user = t.a;
  stage_hear(&t, rac_signal_take(as_signal(t.a), 3));
  play(t.a, "0");
  CHECK_EVENTS(&t.heard, "0 1 2 |");
  stage_close(&t);
}

/* ---- zip ----------------------------------------------------------------- */

static rac_status join(void *context, const rac_value *elements, size_t count,
                       rac_value *out) {
  (void)context_target(context);
  char text[100];
  size_t length = 0;
  for (size_t i = 0; i < count; i++)
    length += format_value(elements[i], text + length, sizeof text - length);
  *out = rac_value_string_copy(text, length);
  return RAC_OK;
}

static void hear_zip(stage *self) {
  stage_open(self);
  stage_hear(self, rac_signal_zip_with(as_signal(self->a), as_signal(self->b)));
}

/* signal-213: while a value waits its partner may come; with the partner all
 * is said */
TEST(zip_completes_when_no_more_pairs_can_come) {
  stage t;
  hear_zip(&t);
  play(t.a, "1");
  play(t.b, "10");
  CHECK_EVENTS(&t.heard, "(1,10)");
  play(t.a, "2 |");
  CHECK_EVENTS(&t.heard, "(1,10)");
  play(t.b, "20");
  CHECK_EVENTS(&t.heard, "(1,10) (2,20) |");
  stage_close(&t);
}

/* signal-214: whichever it is that completes, also after some values */
TEST(zip_completes_at_once_with_an_input_that_has_nothing_waiting) {
  static const struct {
    const char *a, *b, *expected;
  } cases[] = {{"", "|", "|"},
               {"|", "", "|"},
               {"1 2", "|", "|"},
               {"1 2", "3 |", "(1,3) |"},
               {"1 |", "2", "(1,2) |"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stage t;
    hear_zip(&t);
    play(t.a, cases[i].a);
    play(t.b, cases[i].b);
    CHECK_EVENTS(&t.heard, cases[i].expected);
    stage_close(&t);
  }
}

/* signal-215, signal-216, signal-217: an error comes at once, whichever input
 * has values waiting or has completed; what waits is dropped */
TEST(zip_fails_at_once) {
  static const struct {
    const char *first, *second, *expected;
  } cases[] = {{"1 2 !7", "1 2 3 |", "!7"},
               {"1 2 3 !7", "1 2 |", "!7"},
               {"1 2 3 |", "1 2 !7", "(1,1) (2,2) !7"}};
  for (size_t i = 0; i < 3; i++) {
    for (int swapped = 0; swapped < 2; swapped++) {
      stage t;
      hear_zip(&t);
      play(swapped ? t.b : t.a, cases[i].first);
      play(swapped ? t.a : t.b, cases[i].second);
      CHECK_EVENTS(&t.heard, cases[i].expected);
      stage_close(&t);
    }
  }
}

/* signal-219 */
TEST(zip_of_three_that_send_at_their_own_pace) {
  stage t;
  stage_open(&t);
  rac_signal *parts[] = {as_signal(t.a), as_signal(t.b), as_signal(t.c)};
  stage_hear(&t, rac_signal_zip_reduce(parts, 3, CALLBACK(join)));
  play(t.a, "1 2 3");
  play(t.b, "1");
  play(t.c, "1 2");
  CHECK_EVENTS(&t.heard, "111");
  play(t.b, "2 3 4 |");
  CHECK_EVENTS(&t.heard, "111 222");
  play(t.c, "3 4 5 !7");
  CHECK_EVENTS(&t.heard, "111 222 333 !7");
  play(t.a, "4 5");
  CHECK_EVENTS(&t.heard, "111 222 333 !7");
  stage_close(&t);
}

/* signal-220 */
TEST(a_signal_zipped_with_itself_is_subscribed_to_twice) {
  source counts = {0};
  rac_signal *s = cold("1 |", &counts);
  rac_signal *twice[] = {s, s};
  CHECK_SIGNAL(rac_signal_zip_reduce(twice, 2, CALLBACK(join)), "11 |");
  CHECK_INT(counts.subscribed, 2);
  rac_release(s);
}

/* signal-213, signal-214: one signal makes tuples of one, none completes; nil
 * keeps its place */
TEST(zip_of_one_of_none_and_of_nil) {
  rac_signal *s = cold("1 nil |", NULL);
  CHECK_SIGNAL(rac_signal_zip(&s, 1), "(1) (nil) |");
  CHECK_SIGNAL(rac_signal_zip_with(s, s), "(1,1) (nil,nil) |");
  CHECK_SIGNAL(rac_signal_zip(NULL, 0), "|");
  rac_release(s);
}

/* ---- sample -------------------------------------------------------------- */

static void hear_sample(stage *self) {
  stage_open(self);
  stage_hear(self, rac_signal_sample(as_signal(self->a), as_signal(self->b)));
}

/* signal-221 */
TEST(sample_sends_the_latest_value_whenever_it_is_told) {
  stage t;
  hear_sample(&t);
  play(t.b, "0");
  CHECK_EVENTS(&t.heard, "");
  play(t.a, "1 2");
  CHECK_EVENTS(&t.heard, "");
  play(t.b, "0");
  CHECK_EVENTS(&t.heard, "2");
  play(t.a, "3");
  CHECK_EVENTS(&t.heard, "2");
  play(t.b, "nil");
  CHECK_EVENTS(&t.heard, "2 3");
  play(t.b, "0");
  CHECK_EVENTS(&t.heard, "2 3 3");
  stage_close(&t);
}

/* signal-221: either end is the end, and sends nothing first */
TEST(sample_ends_with_either) {
  static const char *const ends[] = {"|", "!7"};
  for (int i = 0; i < 4; i++) {
    stage t;
    hear_sample(&t);
    play(t.a, "1");
    play(i < 2 ? t.a : t.b, ends[i % 2]);
    CHECK_EVENTS(&t.heard, ends[i % 2]);
    stage_close(&t);
  }
}
