/* rac_signal_with_latest_from: a value of the source and the other's latest. */
#include "operators.h"

typedef struct pair {
  rac_subject *source, *other;
  rac_signal *signal;
  recorder heard;
} pair;

static void begin(pair *self) {
  self->source = rac_subject_create();
  self->other = rac_subject_create();
  self->signal = rac_signal_with_latest_from(as_signal(self->source),
                                             as_signal(self->other));
  record(self->signal, &self->heard);
}

static void end(pair *self) {
  finish(&self->heard);
  rac_release(self->signal);
  rac_release(self->source);
  rac_release(self->other);
}

TEST(each_value_is_paired_with_the_latest) {
  pair t = {0};
  begin(&t);
  play(t.source, "1");
  play(t.other, "7 8");
  play(t.source, "2 3");
  play(t.other, "nil");
  play(t.source, "nil");
  CHECK_EVENTS(&t.heard, "(2,8) (3,8) (nil,nil)");
  end(&t);
}

TEST(the_sources_end_is_the_end) {
  const char *const ends[] = {"|", "#5"};
  for (int i = 0; i < 2; i++) {
    pair t = {0};
    begin(&t);
    play(t.other, "7");
    play(t.source, ends[i]);
    CHECK_EVENTS(&t.heard, ends[i]);
    CHECK_INT(rac_subject_subscriber_count(t.other), 0);
    end(&t);
  }
}

TEST(the_others_completion_is_not_its_error_is) {
  pair t = {0};
  begin(&t);
  play(t.other, "7 |");
  play(t.source, "1");
  CHECK_EVENTS(&t.heard, "(1,7)");
  end(&t);
  pair u = {0};
  begin(&u);
  play(u.other, "7 #5");
  CHECK_EVENTS(&u.heard, "#5");
  CHECK_INT(rac_subject_subscriber_count(u.source), 0);
  end(&u);
}

TEST(the_other_is_subscribed_first) {
  owned rac_signal *source = cold("1 2 |", NULL), *other = cold("7 |", NULL);
  CHECK_SIGNAL(rac_signal_with_latest_from(source, other), "(1,7) (2,7) |");
}

/* The pair is one block of memory as long as nobody keeps it. */
TEST(a_pair_that_is_kept_stays_as_it_was) {
  owned rac_signal *source = cold("1 2 |", NULL), *other = cold("7 |", NULL);
  rac_signal *pairs = rac_signal_with_latest_from(source, other);
  APPLY0(pairs, collect);
  CHECK_SIGNAL(pairs, "((1,7),(2,7)) |");
}
