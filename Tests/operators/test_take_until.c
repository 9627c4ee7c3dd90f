/* rac_signal_take_until: a signal that ends another. */
#include "diagrams.h"
#include "stage.h"
#include "two.h"

static void check_take_until(int line, const char *trigger_script,
                             const char *expected) {
  rac_subject *subject = rac_subject_create(), *stop = rac_subject_create();
  rac_signal *s = rac_signal_take_until(as_signal(subject), as_signal(stop));
  recorder r = {0};
  record(s, &r);
  play(subject, "1");
  play(stop, trigger_script);
  play(subject, "2");
  check_text(__FILE__, line, trigger_script, r.text, expected);
  CHECK_INT(rac_subject_subscriber_count(subject), r.ends ? 0 : 1);
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(stop), 0);
  rac_release(s);
  rac_release(stop);
  rac_release(subject);
}

TEST(take_until_ends_with_a_value_or_completion_of_the_trigger) {
  check_take_until(__LINE__, "5", "1 |");
  check_take_until(__LINE__, "|", "1 |");
  check_take_until(__LINE__, "nil", "1 |");
  /* Its error is ignored. */
  check_take_until(__LINE__, "#5", "1 2");
}

TEST(take_until_passes_the_sources_own_end) {
  owned rac_signal *never = rac_signal_never();
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, take_until, never);
  CHECK_SIGNAL(s, "1 |");
  s = cold("1 #2", NULL);
  APPLY(s, take_until, never);
  CHECK_SIGNAL(s, "1 #2");
}

TEST(take_until_ends_at_the_time_of_the_trigger) {
  CHECK_DIAGRAM(rac_signal_take_until(a, b), "-1-2-|", "--9", "-1|");
  CHECK_DIAGRAM(rac_signal_take_until(a, b), "-1-2-|", "--|", "-1|");
  CHECK_MARBLES(rac_signal_take_until(a, b), "-1-2-|", "nil@2", "-1|");
  CHECK_DIAGRAM(rac_signal_take_until(a, b), "-1-2-|", "--#", "-1-2-|");
  CHECK_DIAGRAM(rac_signal_take_until(a, b), "-1-#7", "----9", "-1-#7");
}

TEST(a_trigger_that_fires_at_once_keeps_the_source_unsubscribed) {
  const char *const triggers[] = {"|", "1"};
  for (int i = 0; i < 2; i++) {
    source counts = {0};
    owned rac_signal *trigger = cold(triggers[i], NULL);
    rac_signal *s = cold("1 |", &counts);
    APPLY(s, take_until, trigger);
    CHECK_SIGNAL(s, "|");
    CHECK_INT(counts.subscribed, 0);
  }
}

TEST(disposing_take_until_disposes_both) {
  source first = {0}, second = {0};
  rac_signal *trigger = cold("", &second);
  rac_signal *s = cold("1", &first);
  APPLY(s, take_until, trigger);
  CHECK_SIGNAL(s, "1");
  CHECK_INT(first.disposed, 1);
  rac_release(trigger);
  CHECK_INT(second.disposed, second.subscribed);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-071: a completion of the trigger ends it, as a value does, nil too; a
 * value of the trigger is not passed. Its error does nothing. */
TEST(take_until_ends_with_the_trigger) {
  combine until = rac_signal_take_until;
  check(__LINE__, until, "1 2", "|", "3", "1 2 |");
  check(__LINE__, until, "1 2", "9", "3", "1 2 |");
  check(__LINE__, until, "1 2", "nil", "3", "1 2 |");
  check(__LINE__, until, "1 2", "#4", "3", "1 2 3");
  check(__LINE__, until, "1", "", "2 |", "1 2 |");
  check(__LINE__, until, "1", "", "2 #4", "1 2 #4");
}

/* signal-072: the trigger is subscribed to first */
TEST(take_until_of_a_trigger_that_is_over_sends_nothing) {
  owned rac_signal *empty = rac_signal_empty();
  source counts = {0};
  rac_signal *s = rac_signal_return(I(7));
  APPLY(s, take_until, empty);
  CHECK_SIGNAL(s, "|");
  s = cold("1 |", &counts);
  APPLY(s, take_until, empty);
  CHECK_SIGNAL(s, "|");
  CHECK_INT(counts.subscribed, 0);
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
