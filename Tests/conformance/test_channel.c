/* What RAC's specs demand of channels, of channels of a property, and of two
 * properties that are bound both ways. */
#include "properties.h"

/* ---- Channels --------------------------------------------------------------- */

typedef struct ends {
  rac_channel *channel;
  rac_subject *leading, *following;
} ends;

static ends make(void) {
  rac_channel *channel = rac_channel_create();
  return (ends){channel, rac_channel_get_leading(channel),
                rac_channel_get_following(channel)};
}

/* channel-001: the leading end does not repeat what came before */
TEST(leading_does_not_replay) {
  ends c = make();
  recorder r = {0};
  play(c.following, "1");
  record(as_signal(c.leading), &r);
  CHECK_EVENTS(&r, "");
  play(c.following, "2");
  CHECK_EVENTS(&r, "2");
  finish(&r);
  rac_release(c.channel);
}

/* channel-002: the following end repeats the latest value, and no other */
TEST(following_replays_the_latest) {
  ends c = make();
  play(c.leading, "1");
  rac_signal *first = rac_signal_take(as_signal(c.following), 1);
  CHECK_SIGNAL(rac_retain(first), "1 |");
  play(c.leading, "2");
  CHECK_SIGNAL(first, "2 |");
  rac_release(c.channel);
}

/* channel-003: the leading end hears what is sent to the following one, in order */
TEST(leading_hears_in_order) {
  ends c = make();
  recorder r = {0};
  record(as_signal(c.leading), &r);
  play(c.following, "1 2 3");
  CHECK_EVENTS(&r, "1 2 3");
  finish(&r);
  rac_release(c.channel);
}

/* channel-004: the following end hears the latest and what comes then */
TEST(following_hears_the_latest_and_the_rest) {
  ends c = make();
  recorder r = {0};
  play(c.leading, "1");
  record(as_signal(c.following), &r);
  play(c.leading, "2 3");
  CHECK_EVENTS(&r, "1 2 3");
  finish(&r);
  rac_release(c.channel);
}

/* channel-005, channel-006, channel-007: a completion sent to either end
 * completes both, for those who are there and those who come later */
TEST(a_completion_is_heard_at_both_ends) {
  for (int i = 0; i < 2; i++) {
    ends c = make();
    recorder l = {0}, f = {0};
    record(as_signal(c.leading), &l);
    record(as_signal(c.following), &f);
    rac_subject_send_completed(i == 0 ? c.leading : c.following);
    CHECK_EVENTS(&l, "|");
    CHECK_EVENTS(&f, "|");
    await_end(&l);
    await_end(&f);
    CHECK_SIGNAL(rac_retain(as_signal(c.leading)), "|");
    CHECK_SIGNAL(rac_retain(as_signal(c.following)), "|");
    rac_release(c.channel);
  }
}

/* channel-008: nothing stays when the subscriptions are disposed and the handles
 * released */
TEST(a_channel_with_subscribers_goes) {
  uint64_t before = rac_live_objects();
  ends c = make();
  recorder l = {0}, f = {0};
  record(as_signal(c.leading), &l);
  record(as_signal(c.following), &f);
  finish(&l);
  finish(&f);
  rac_release(c.channel);
  CHECK_INT(rac_live_objects(), before);
}

/* channel-009: the same when signals that never end fed it */
TEST(a_channel_that_was_fed_goes) {
  uint64_t before = rac_live_objects();
  ends c = make();
  rac_signal *open = cold("1", NULL);
  rac_disposable *l =
      rac_subscribe_subscriber(open, rac_subject_as_subscriber(c.leading));
  rac_disposable *f =
      rac_subscribe_subscriber(open, rac_subject_as_subscriber(c.following));
  rac_release(open);
  rac_dispose(l);
  rac_dispose(f);
  rac_release(l);
  rac_release(f);
  rac_release(c.channel);
  CHECK_INT(rac_live_objects(), before);
}

/* ---- The channel of a property ---------------------------------------------- */

/* The property itself is the leading side: what is sent to its terminal is heard
 * at its signal, what it is set to is heard at the terminal. */

static rac_subject *terminal(rac_property *p) {
  return rac_property_terminal(p, rac_value_nil());
}

/* property-channel-001, property-channel-004: the property takes what is sent */
TEST(a_property_follows_its_terminal) {
  owned rac_property *p =
      rac_property_create(rac_value_nil(), RAC_PROPERTY_PLAIN);
  owned rac_subject *t = terminal(p), *s = rac_subject_create();
  owned rac_disposable *wire =
      rac_subscribe_subscriber(as_signal(s), rac_subject_as_subscriber(t));
  RECORDER(r, rac_property_as_signal(p));
  play(s, "1 2 nil 0");
  CHECK_EVENTS(&r, "nil 1 2 nil 0");
}

/* property-channel-003: the last value stays when the signal completes */
TEST(the_last_value_stays) {
  owned rac_property *p = property(0);
  owned rac_subject *t = terminal(p), *s = rac_subject_create();
  owned rac_disposable *wire =
      rac_subscribe_subscriber(as_signal(s), rac_subject_as_subscriber(t));
  play(s, "1 |");
  CHECK_INT(number(p), 1);
}

/* property-channel-005, property-channel-028: nil becomes the nil value */
TEST(nil_becomes_the_nil_value) {
  owned rac_property *p = property(0);
  owned rac_subject *t = rac_property_terminal(p, I(42));
  play(t, "2");
  CHECK_INT(number(p), 2);
  play(t, "nil");
  CHECK_INT(number(p), 42);
}

/* property-channel-006: the leading side is told of what comes from then on. Our
 * leading side is the property, which begins with its current value. */
TEST(the_property_is_told_of_what_comes) {
  owned rac_property *p = property(0);
  owned rac_subject *t = terminal(p);
  play(t, "1");
  RECORDER(r, rac_property_as_signal(p));
  play(t, "2");
  CHECK_EVENTS(&r, "1 2");
}

/* property-channel-008, property-channel-015: what is sent is written, in order */
TEST(what_is_sent_is_written) {
  owned rac_property *p = property(0);
  owned rac_subject *t = terminal(p);
  owned rac_signal *changes = rac_property_changes(p);
  RECORDER(r, changes);
  play(t, "1 2 3");
  CHECK_EVENTS(&r, "(0,1) (1,2) (2,3)");
}

/* property-channel-009, property-channel-014: the terminal sends the current
 * value and each change */
TEST(the_terminal_sends_the_current_value_and_changes) {
  owned rac_property *p = property(0);
  owned rac_subject *t = terminal(p);
  rac_property_set(p, I(1));
  RECORDER(r, as_signal(t));
  rac_property_set(p, I(2));
  rac_property_set(p, I(3));
  CHECK_EVENTS(&r, "1 2 3");
}

/* property-channel-010: an end that is sent completes the terminal, and those who
 * come later */
TEST(an_end_that_is_sent_completes_the_terminal) {
  owned rac_property *p = property(1);
  owned rac_subject *t = terminal(p);
  recorder r = {0};
  record(as_signal(t), &r);
  rac_subject_send_completed(t);
  CHECK_EVENTS(&r, "1 |");
  await_end(&r);
  CHECK_SIGNAL(rac_retain(as_signal(t)), "|");
}

/* property-channel-016: a synchronous signal makes all its writes */
TEST(a_synchronous_signal_makes_all_its_writes) {
  owned rac_property *p = property(0);
  owned rac_subject *t = terminal(p);
  owned rac_signal *three = cold("1 2 3 |", NULL);
  RECORDER(r, rac_property_as_signal(p));
  rac_release(rac_subscribe_subscriber(three, rac_subject_as_subscriber(t)));
  CHECK_EVENTS(&r, "0 1 2 3");
}

/* property-channel-017: both sides complete when the property goes */
TEST(both_sides_complete_with_the_property) {
  rac_property *p = property(1);
  owned rac_subject *t = terminal(p);
  RECORDER(leading, rac_property_as_signal(p));
  RECORDER(following, as_signal(t));
  rac_release(p);
  CHECK_EVENTS(&leading, "1 |");
  CHECK_EVENTS(&following, "1 |");
}

/* property-channel-018: the channel goes with its property, though a signal that
 * never ends feeds it */
TEST(the_terminal_goes_with_the_property) {
  uint64_t before = rac_live_objects();
  rac_property *p = property(1);
  rac_subject *t = terminal(p);
  recorder r = {0};
  record(as_signal(t), &r);
  rac_release(t);
  rac_release(p);
  await_end(&r);
  CHECK_INT(rac_live_objects(), before);
}

/* ---- Two properties ---------------------------------------------------------- */

/* property-channel-019: equal from the start, nil included, and then */
TEST(two_properties_stay_equal) {
  owned rac_property *a = rac_property_create(rac_value_nil(), 0);
  owned rac_property *b = rac_property_create(rac_value_nil(), 0);
  owned rac_disposable *binding = rac_property_bind_two_way(a, b);
  RECORDER(ra, rac_property_as_signal(a));
  RECORDER(rb, rac_property_as_signal(b));
  rac_property_set(a, I(1));
  rac_property_set(b, I(2));
  rac_property_set(a, rac_value_nil());
  CHECK_EVENTS(&ra, "nil 1 2 nil");
  CHECK_EVENTS(&rb, "nil 1 2 nil");
}

/* property-channel-023: the left side takes the right side's value */
TEST(the_left_takes_the_right) {
  owned rac_property *a = property(1), *b = property(2);
  owned rac_disposable *binding = rac_property_bind_two_way(a, b);
  CHECK_INT(number(a), 2);
  CHECK_INT(number(b), 2);
}

/* property-channel-024: back to a value that was there before */
TEST(back_to_an_earlier_value) {
  owned rac_property *a = property(1), *b = property(1);
  owned rac_disposable *binding = rac_property_bind_two_way(a, b);
  rac_property_set(a, I(2));
  CHECK_INT(number(b), 2);
  rac_property_set(b, I(1));
  CHECK_INT(number(a), 1);
  rac_property_set(a, I(2));
  CHECK_INT(number(b), 2);
}

/* property-channel-025: a chain of three */
TEST(a_chain_of_three) {
  rac_property *p[3] = {property(1), property(2), property(3)};
  rac_disposable *ab = rac_property_bind_two_way(p[0], p[1]);
  rac_disposable *bc = rac_property_bind_two_way(p[1], p[2]);
  for (int i = 0; i < 3; i++) CHECK_INT(number(p[i]), 3);
  for (int at = 0; at < 3; at++) {
    rac_property_set(p[at], I(10 + at));
    for (int i = 0; i < 3; i++) CHECK_INT(number(p[i]), 10 + at);
  }
  rac_release(ab);
  rac_release(bc);
  for (int i = 0; i < 3; i++) rac_release(p[i]);
}

/* property-channel-027: one way of two disposed, the other stays */
TEST(one_way_is_disposed) {
  owned rac_property *a = property(1), *b = property(2);
  owned rac_subject *ta = terminal(a), *tb = terminal(b);
  owned rac_disposable *there =
      rac_subscribe_subscriber(as_signal(ta), rac_subject_as_subscriber(tb));
  owned rac_signal *later = rac_signal_skip(as_signal(tb), 1);
  owned rac_disposable *back =
      rac_subscribe_subscriber(later, rac_subject_as_subscriber(ta));
  rac_property_set(a, I(3));
  CHECK_INT(number(b), 3);
  rac_dispose(there);
  rac_property_set(a, I(4));
  CHECK_INT(number(b), 3);
  rac_property_set(b, I(5));
  CHECK_INT(number(a), 5);
}

/* ---- Objects in objects ------------------------------------------------------- */

static void set_signal(rac_property *outer, rac_signal *inner) {
  owned_value value = rac_value_signal(inner);
  rac_property_set(outer, value);
}

/* property-channel-020, property-channel-021, property-channel-022: a path of
 * several keys is a property that holds the signal of another one; switching to
 * the latest follows the leaf, whichever is replaced, also when there was none */
TEST(a_path_of_two_properties) {
  owned rac_property *outer = rac_property_create(rac_value_nil(), 0);
  owned rac_property *a = property(1), *b = property(2), *leaf = property(0);
  owned rac_signal *none = rac_signal_never();
  set_signal(outer, none);
  owned rac_signal *path =
      rac_signal_switch_to_latest(rac_property_as_signal(outer));
  owned rac_disposable *binding =
      rac_property_bind(leaf, path, rac_value_nil());
  CHECK_INT(number(leaf), 0);
  set_signal(outer, rac_property_as_signal(a));
  CHECK_INT(number(leaf), 1);
  rac_property_set(a, I(3));
  CHECK_INT(number(leaf), 3);
  set_signal(outer, rac_property_as_signal(b));
  CHECK_INT(number(leaf), 2);
  rac_property_set(a, I(9));
  rac_property_set(b, I(4));
  CHECK_INT(number(leaf), 4);
}
