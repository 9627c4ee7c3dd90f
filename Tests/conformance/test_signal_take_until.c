/* takeUntil and takeUntilReplacement. */
#include "streams.h"

typedef struct two {
  rac_subject *first, *second;
  watched receiver, other; /* count the subscriptions to these */
  rac_signal *signal;
  recorder heard;
} two;

typedef rac_signal *(*combine)(rac_signal *, rac_signal *);

static void begin(two *self, combine operator) {
  self->first = rac_subject_create();
  self->second = rac_subject_create();
  self->receiver.signal = as_signal(self->first);
  self->other.signal = as_signal(self->second);
  rac_signal *receiver = watch(&self->receiver), *other = watch(&self->other);
  self->signal = operator(receiver, other);
  rac_release(receiver);
  rac_release(other);
  record(self->signal, &self->heard);
}

static void end(two *self) {
  finish(&self->heard);
  rac_release(self->signal);
  CHECK_INT(self->receiver.counts.disposed, self->receiver.counts.subscribed);
  CHECK_INT(self->other.counts.disposed, self->other.counts.subscribed);
  rac_release(self->second);
  rac_release(self->first);
}

/* What is heard at the end; `second` is played in the middle. */
static void check(int line, combine operator, const char * before,
                  const char *second, const char *after, const char *expected) {
  two t = {0};
  begin(&t, operator);
  play(t.first, before);
  play(t.second, second);
  play(t.first, after);
  check_text(__FILE__, line, second, t.heard.text, expected);
  end(&t);
}

/* ---- takeUntil ---------------------------------------------------------- */

/* signal-071: a completion of the trigger ends it, as a value does, nil too; a
 * value of the trigger is not passed. Its error does nothing. */
TEST(take_until_ends_with_the_trigger) {
  combine until = rac_signal_take_until;
  check(__LINE__, until, "1 2", "|", "3", "1 2 |");
  check(__LINE__, until, "1 2", "9", "3", "1 2 |");
  check(__LINE__, until, "1 2", "nil", "3", "1 2 |");
  check(__LINE__, until, "1 2", "!4", "3", "1 2 3");
  check(__LINE__, until, "1", "", "2 |", "1 2 |");
  check(__LINE__, until, "1", "", "2 !4", "1 2 !4");
}

/* signal-072: the trigger is subscribed to first */
TEST(take_until_of_a_trigger_that_is_over_sends_nothing) {
  rac_signal *empty = rac_signal_empty();
  source counts = {0};
  rac_signal *s = rac_signal_return(I(7));
  APPLY(s, take_until, empty);
  CHECK_SIGNAL(s, "|");
  s = cold("1 |", &counts);
  APPLY(s, take_until, empty);
  CHECK_SIGNAL(s, "|");
  CHECK_INT(counts.subscribed, 0);
  rac_release(empty);
}

/* Both are let go at once, when the trigger fires. */
TEST(take_until_disposes_both) {
  two t = {0};
  begin(&t, rac_signal_take_until);
  play(t.second, "9");
  CHECK_INT(t.receiver.counts.disposed, 1);
  CHECK_INT(t.other.counts.disposed, 1);
  end(&t);
  two disposed = {0};
  begin(&disposed, rac_signal_take_until);
  rac_dispose(disposed.heard.subscription);
  CHECK_INT(disposed.receiver.counts.disposed, 1);
  CHECK_INT(disposed.other.counts.disposed, 1);
  CHECK_EVENTS(&disposed.heard, "");
  end(&disposed);
}

/* ---- takeUntilReplacement ----------------------------------------------- */

/* signal-074, signal-075: before the replacement sends anything, an error of
 * the receiver passes, and its completion does not */
TEST(the_receiver_may_fail_but_not_complete) {
  combine replace = rac_signal_take_until_replacement;
  check(__LINE__, replace, "1 2", "", "3 !4", "1 2 3 !4");
  check(__LINE__, replace, "1 2", "", "|", "1 2");
  /* The result stays open for the replacement. */
  check(__LINE__, replace, "1 |", "8 |", "", "1 8 |");
}

/* signal-076, signal-077: any first event of the replacement takes over, also
 * one that is an end */
TEST(the_replacement_takes_over) {
  combine replace = rac_signal_take_until_replacement;
  check(__LINE__, replace, "", "!4", "", "!4");
  check(__LINE__, replace, "", "|", "", "|");
  check(__LINE__, replace, "1 2", "8 9", "3 4", "1 2 8 9");
  check(__LINE__, replace, "1", "nil", "3 !4", "1 nil");
  check(__LINE__, replace, "1", "8 !4", "2", "1 8 !4");
  check(__LINE__, replace, "1", "8 |", "2", "1 8 |");
}

/* The replacement is subscribed to first: one that sends at once leaves the
 * receiver alone. */
TEST(a_replacement_that_sends_at_once_is_all) {
  source counts = {0};
  rac_signal *replacement = cold("8 9 |", NULL);
  rac_signal *s = cold("1 |", &counts);
  APPLY(s, take_until_replacement, replacement);
  CHECK_SIGNAL(s, "8 9 |");
  CHECK_INT(counts.subscribed, counts.disposed);
  rac_release(replacement);
}

/* signal-079, signal-080: whichever is running */
TEST(disposing_disposes_the_one_that_runs) {
  two before = {0}, after = {0};
  begin(&before, rac_signal_take_until_replacement);
  rac_dispose(before.heard.subscription);
  CHECK_INT(before.receiver.counts.disposed, 1);
  CHECK_INT(before.other.counts.disposed, 1);
  end(&before);
  begin(&after, rac_signal_take_until_replacement);
  play(after.second, "8");
  CHECK_INT(after.other.counts.disposed, 0);
  rac_dispose(after.heard.subscription);
  CHECK_INT(after.other.counts.disposed, 1);
  end(&after);
}

/* signal-081: not when its producer goes, but before the send returns */
TEST(the_receiver_is_disposed_when_it_is_replaced) {
  two t = {0};
  begin(&t, rac_signal_take_until_replacement);
  CHECK_INT(t.receiver.counts.disposed, 0);
  play(t.second, "nil");
  CHECK_INT(t.receiver.counts.disposed, 1);
  CHECK_INT(rac_subject_subscriber_count(t.first), 0);
  CHECK_EVENTS(&t.heard, "nil");
  end(&t);
}
