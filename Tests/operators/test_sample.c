/* rac_signal_sample: the latest value whenever another signal says so. */
#include "callbacks.h"
#include "stage.h"

TEST(sample_in_time) {
  CHECK_MARBLES(rac_signal_sample(a, b), "-12--3|", "--9-9---9", "--2-2-|");
  CHECK_MARBLES(rac_signal_sample(a, b), "1@1 2@1.5 3@4.5 |@6", "--0-1-2-3",
                "2@2 2@4 |@6");
}

TEST(a_sample_whose_inputs_race) {
  owned rac_subject *source = rac_subject_create(),
                    *sampler = rac_subject_create();
  owned rac_signal *s =
      rac_signal_sample(as_signal(source), as_signal(sampler));
  RECORDER(r, s);
  pthread_t a = check_spawn(send_many, source);
  pthread_t b = check_spawn(send_many, sampler);
  check_join(a);
  check_join(b);
}

/* ---- What RAC's specs demand --------------------------------------------- */

static void hear_sample(stage *self) {
  stage_open(self);
  stage_hear(self, rac_signal_sample(as_signal(self->a), as_signal(self->b)));
}

/* signal-221 */
TEST(sample_sends_the_latest_value_whenever_it_is_told) {
  closed_stage t;
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
  play(t.a, "nil");
  play(t.b, "0");
  CHECK_EVENTS(&t.heard, "2 3 3 nil");
}

/* signal-221: either end is the end, and sends nothing first */
TEST(sample_ends_with_either) {
  static const char *const ends[] = {"|", "#7"};
  for (int i = 0; i < 4; i++) {
    closed_stage t;
    hear_sample(&t);
    play(t.a, "1");
    play(i < 2 ? t.a : t.b, ends[i % 2]);
    CHECK_EVENTS(&t.heard, ends[i % 2]);
  }
}

/* ---- Only what is new ------------------------------------------------------ */

TEST(sample_when_new_sends_no_value_twice) {
  CHECK_MARBLES(rac_signal_sample_when_new(a, b), "-12--3-----|", "8-7-6-5-4",
                "--2---3----|");
  CHECK_MARBLES(rac_signal_sample_when_new(a, b), "-1-1--", "--7-7-7|",
                "--1-1--|");
  CHECK_MARBLES(rac_signal_sample_when_new(a, b), "-1-#3", "", "---#3");
}

/* What the sampler sends from inside hears of it already. */
static void sample_again(recorder *self, rac_value value) {
  (void)value;
  rac_subject_send(self->user, I(0));
}
TEST(a_value_is_gone_before_it_is_sent) {
  STAGE(t);
  t.heard.on_next = sample_again;
  t.heard.user = t.b;
  stage_hear(&t, rac_signal_sample_when_new(as_signal(t.a), as_signal(t.b)));
  play(t.a, "1");
  play(t.b, "0 0");
  CHECK_EVENTS(&t.heard, "1");
}
