/* merge, of two and of many. */
#include "streams.h"

typedef struct sides {
  rac_subject *a, *b;
  rac_signal *signal;
  recorder heard;
} sides;

static void begin(sides *self) {
  self->a = rac_subject_create();
  self->b = rac_subject_create();
  self->signal = rac_signal_merge_with(as_signal(self->a), as_signal(self->b));
  record(self->signal, &self->heard);
}
static void end(sides *self) {
  finish(&self->heard);
  rac_release(self->signal);
  CHECK_INT(rac_subject_subscriber_count(self->a), 0);
  CHECK_INT(rac_subject_subscriber_count(self->b), 0);
  rac_release(self->b);
  rac_release(self->a);
}

/* signal-132 */
TEST(values_pass_in_the_order_they_are_sent) {
  sides t = {0};
  begin(&t);
  play(t.a, "1");
  play(t.b, "2 3");
  play(t.a, "4");
  CHECK_EVENTS(&t.heard, "1 2 3 4");
  end(&t);
}

/* An error of either is the end of both. */
TEST(an_error_of_either_ends_it) {
  for (int i = 0; i < 2; i++) {
    sides t = {0};
    begin(&t);
    play(t.a, "1");
    play(i == 0 ? t.a : t.b, "!4");
    play(i == 0 ? t.b : t.a, "2");
    CHECK_EVENTS(&t.heard, "1 !4");
    end(&t);
  }
}

/* signal-134 */
TEST(it_completes_when_both_have) {
  sides t = {0};
  begin(&t);
  play(t.a, "1");
  play(t.b, "2 3 |");
  CHECK_EVENTS(&t.heard, "1 2 3");
  play(t.a, "4 |");
  CHECK_EVENTS(&t.heard, "1 2 3 4 |");
  end(&t);
}

/* signal-135: each subscription counts its own completions */
TEST(each_subscription_completes) {
  sides t = {0};
  begin(&t);
  recorder other = {0};
  record(t.signal, &other);
  play(t.a, "1 |");
  CHECK_EVENTS(&t.heard, "1");
  CHECK_EVENTS(&other, "1");
  play(t.b, "|");
  CHECK_EVENTS(&t.heard, "1 |");
  CHECK_EVENTS(&other, "1 |");
  await_end(&other);
  end(&t);
}

/* signal-136: the list is read during the call, and may be gone afterwards */
TEST(the_list_of_signals_is_read_at_once) {
  rac_subject *a = rac_subject_create(), *b = rac_subject_create();
  rac_signal *list[] = {as_signal(a), as_signal(b)};
  rac_signal *s = rac_signal_merge(list, 2);
  memset(list, 0xFF, sizeof list);
  for (int i = 0; i < 2; i++) {
    recorder r = {0};
    record(s, &r);
    play(a, "1");
    play(b, "2 3");
    play(a, "4");
    CHECK_EVENTS(&r, "1 2 3 4");
    finish(&r);
  }
  rac_release(s);
  rac_release(b);
  rac_release(a);
}

/* One after the other, each to its end if that comes at once. */
TEST(signals_are_subscribed_to_in_order) {
  rac_signal *list[] = {cold("1 2 |", NULL), cold("3 |", NULL),
                        cold("4 5 |", NULL)};
  CHECK_SIGNAL(rac_signal_merge(list, 3), "1 2 3 4 5 |");
  for (int i = 0; i < 3; i++) rac_release(list[i]);
}

/* The first error keeps the rest from being subscribed to. */
TEST(an_error_at_once_leaves_the_rest_alone) {
  source before = {0}, after = {0};
  rac_signal *list[] = {cold("1", &before), cold("2 !4", NULL),
                        cold("3 |", &after)};
  CHECK_SIGNAL(rac_signal_merge(list, 3), "1 2 !4");
  CHECK_INT(before.disposed, 1);
  CHECK_INT(after.subscribed, 0);
  for (int i = 0; i < 3; i++) rac_release(list[i]);
}

/* One, none, and one that is there twice. */
TEST(small_lists) {
  rac_signal *one[] = {cold("1 2 |", NULL), NULL};
  one[1] = one[0];
  CHECK_SIGNAL(rac_signal_merge(one, 1), "1 2 |");
  CHECK_SIGNAL(rac_signal_merge(one, 2), "1 2 1 2 |");
  CHECK_SIGNAL(rac_signal_merge(NULL, 0), "|");
  rac_release(one[0]);
}
