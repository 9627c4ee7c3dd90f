/* Channels, and the terminals of properties. */
#include "properties.h"

static rac_subject *terminal(rac_property *p) {
  rac_subject *result = rac_property_terminal(p, rac_value_nil());
  CHECK(result != NULL);
  return result;
}

static rac_disposable *wire(rac_subject *from, rac_subject *to) {
  return rac_subscribe_subscriber(rac_subject_as_signal(from),
                                  rac_subject_as_subscriber(to));
}

TEST(an_end_is_heard_at_both) {
  static const char *const ends[] = {"|", "#5"};
  for (int i = 0; i < 4; i++) {
    owned rac_channel *c = rac_channel_create();
    rac_subject *ends_at[2] = {rac_channel_get_leading(c),
                               rac_channel_get_following(c)};
    recorder early[2] = {0}, late[2] = {0};
    for (int k = 0; k < 2; k++) record(as_signal(ends_at[k]), &early[k]);
    play(ends_at[i / 2], ends[i % 2]);
    /* The first end counts. */
    play(ends_at[1 - i / 2], ends[1 - i % 2]);
    for (int k = 0; k < 2; k++) record(as_signal(ends_at[k]), &late[k]);
    for (int k = 0; k < 2; k++) {
      CHECK_EVENTS(&early[k], ends[i % 2]);
      CHECK_EVENTS(&late[k], ends[i % 2]);
      await_end(&early[k]);
      await_end(&late[k]);
    }
  }
}

TEST(an_end_disposes_what_feeds_either_terminal) {
  owned rac_channel *c = rac_channel_create();
  source counts = {0};
  owned rac_signal *open = cold("1", &counts);
  owned rac_disposable *a = rac_subscribe_subscriber(
      open, rac_subject_as_subscriber(rac_channel_get_leading(c)));
  owned rac_disposable *b = rac_subscribe_subscriber(
      open, rac_subject_as_subscriber(rac_channel_get_following(c)));
  CHECK_INT(atomic_load(&counts.disposed), 0);
  rac_subject_send_completed(rac_channel_get_following(c));
  CHECK_INT(atomic_load(&counts.disposed), 2);
}

TEST(a_terminal_that_is_retained_outlives_its_channel) {
  rac_channel *c = rac_channel_create();
  rac_subject *leading = rac_retain(rac_channel_get_leading(c));
  rac_subject *following = rac_channel_get_following(c);
  recorder r = {0};
  record(as_signal(following), &r);
  rac_release(c);
  CHECK_STATUS(rac_subject_send(leading, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send(following, I(1)), RAC_ESTALE);
  CHECK_EVENTS(&r, "1");
  /* Now nobody can send. */
  rac_release(leading);
  WAIT_UNTIL(atomic_load(&r.destroyed) == 1);
  let_go(&r);
}

TEST(bad_channels) {
  owned rac_subject *s = rac_subject_create();
  rac_channel *c = rac_channel_create();
  rac_clear_last_error();
  CHECK(rac_channel_get_leading(NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_channel_get_leading((rac_channel *)s) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_channel_get_following((rac_channel *)s) == NULL);
  CHECK_STATUS(rac_subject_send((rac_subject *)c, I(1)), RAC_EKIND);
  CHECK(rac_property_terminal((rac_property *)s, I(0)) == NULL);
  CHECK(rac_property_terminal(NULL, I(0)) == NULL);
  CHECK(wire(rac_channel_get_leading(c), rac_channel_get_leading(c)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  rac_release(c);
  CHECK(rac_channel_get_leading(c) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
}

/* ---- Terminals of properties ---------------------------------------------- */

/* Law 24: a change never comes back to where it was made. */
TEST(a_terminal_hears_every_change_but_its_own) {
  rac_property *p = property(1);
  owned rac_subject *t = rac_property_terminal(p, I(42)), *other = terminal(p);
  recorder mine = {0}, others = {0}, all = {0};
  record(as_signal(t), &mine);
  record(as_signal(other), &others);
  record(rac_property_as_signal(p), &all);
  rac_property_set(p, I(2));
  play(t, "3 nil");
  CHECK_INT(number(p), 42);
  play(other, "5");
  int64_t many[] = {6, 7};
  CHECK_STATUS(rac_subject_send_array(t, RAC_ARRAY_INT64S, many, 2), RAC_OK);
  rac_property_set(p, I(8));
  CHECK_EVENTS(&mine, "1 2 5 8");
  CHECK_EVENTS(&others, "1 2 3 42 6 7 8");
  CHECK_EVENTS(&all, "1 2 3 42 5 6 7 8");
  rac_release(p);
  await_end(&mine);
  await_end(&others);
  await_end(&all);
  CHECK_EVENTS(&mine, "1 2 5 8 |");
  CHECK_STATUS(rac_subject_send(t, I(9)), RAC_EDONE);
}

TEST(an_end_sent_to_a_terminal_ends_it_alone) {
  owned rac_property *p = property(1);
  owned rac_subject *t = terminal(p), *other = terminal(p);
  RECORDER(mine, as_signal(t));
  RECORDER(others, as_signal(other));
  CHECK_STATUS(rac_subject_send_completed(t), RAC_OK);
  CHECK_EVENTS(&mine, "1 |");
  CHECK_STATUS(rac_subject_send(t, I(2)), RAC_EDONE);
  rac_property_set(p, I(3));
  RECORDER(late, as_signal(t));
  CHECK_EVENTS(&late, "|");
  rac_value error = test_error(4);
  CHECK_STATUS(rac_subject_send_error(other, error), RAC_OK);
  rac_value_release(error);
  CHECK_EVENTS(&others, "1 3 #4");
  CHECK_INT(number(p), 3);
}

TEST(terminals_wired_by_hand) {
  owned rac_property *a = property(1), *b = property(2);
  rac_subject *ta = terminal(a), *tb = terminal(b);
  owned rac_disposable *there = wire(tb, ta);
  CHECK_INT(number(a), 2);
  rac_signal *rest = rac_signal_skip(rac_subject_as_signal(ta), 1);
  owned rac_disposable *back =
      rac_subscribe_subscriber(rest, rac_subject_as_subscriber(tb));
  /* The wires are enough. */
  rac_release(ta);
  rac_release(tb);
  rac_release(rest);
  RECORDER(ra, rac_property_as_signal(a));
  RECORDER(rb, rac_property_as_signal(b));
  rac_property_set(a, I(3));
  rac_property_set(b, I(4));
  rac_property_set(b, I(4));
  CHECK_EVENTS(&ra, "2 3 4 4");
  CHECK_EVENTS(&rb, "2 3 4 4");
  rac_dispose(there);
  rac_property_set(b, I(5));
  CHECK_INT(number(a), 4);
  rac_property_set(a, I(6));
  CHECK_INT(number(b), 6);
}

static rac_status to_number(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  const char *text = "";
  rac_value_get_string(value, &text, NULL);
  *out = I(strtoll(text, NULL, 10));
  return RAC_OK;
}

static rac_status is_number(void *context, rac_value value, bool *out) {
  (void)context_target(context);
  const char *text = "", *end;
  rac_value_get_string(value, &text, NULL);
  strtoll(text, (char **)&end, 10);
  *out = end > text && *end == 0;
  return RAC_OK;
}

static rac_status to_text(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  char text[32];
  int length = snprintf(text, sizeof text, "%lld", (long long)value.bits);
  *out = rac_value_string_copy(text, (size_t)length);
  return RAC_OK;
}

static void check_text_of(rac_property *p, const char *expected) {
  rac_value value;
  rac_property_get(p, &value);
  CHECK(rac_value_equal(value, S(expected)));
  rac_value_release(value);
}

TEST(a_text_field_and_a_number_with_operators_between) {
  owned rac_property *text = rac_property_create(S(""), 0), *n = property(12);
  owned rac_subject *field = terminal(text), *value = terminal(n);
  owned rac_signal *out =
      rac_signal_map(rac_subject_as_signal(value), CALLBACK(to_text));
  owned rac_disposable *show =
      rac_subscribe_subscriber(out, rac_subject_as_subscriber(field));
  owned rac_signal *in = rac_signal_skip(rac_subject_as_signal(field), 1);
  APPLY(in, filter, CALLBACK(is_number));
  APPLY(in, map, CALLBACK(to_number));
  owned rac_disposable *enter =
      rac_subscribe_subscriber(in, rac_subject_as_subscriber(value));
  check_text_of(text, "12");
  rac_property_set(text, S("007"));
  CHECK_INT(number(n), 7);
  /* What was typed is not written over. */
  check_text_of(text, "007");
  rac_property_set(text, S("seven"));
  CHECK_INT(number(n), 7);
  rac_property_set(n, I(8));
  check_text_of(text, "8");
}

TEST(a_ring_of_terminals_settles) {
  rac_property *p[3] = {property(1), property(2), property(3)};
  rac_disposable *wires[3];
  recorder r[3] = {0};
  for (int i = 0; i < 3; i++) {
    owned rac_subject *from = terminal(p[i]), *to = terminal(p[(i + 1) % 3]);
    wires[i] = wire(from, to);
  }
  for (int i = 0; i < 3; i++) record(rac_property_as_signal(p[i]), &r[i]);
  for (int i = 0; i < 3; i++) rac_property_set(p[i], I(10 + i));
  for (int i = 0; i < 3; i++) {
    CHECK_INT(number(p[i]), 12);
    /* The current value, and each set once. */
    CHECK_INT(atomic_load(&r[i].nexts), 4);
    finish(&r[i]);
  }
  for (int i = 0; i < 3; i++) {
    rac_release(wires[i]);
    rac_release(p[i]);
  }
}

/* A second value on behalf of one change is a change too. */
TEST(one_change_may_bring_two) {
  owned rac_property *a = property(1), *b = property(0);
  owned rac_subject *ta = terminal(a), *tb = terminal(b);
  owned rac_subject *twice = rac_subject_create();
  owned rac_disposable *direct = wire(ta, tb), *first = wire(ta, twice),
                       *second = wire(twice, tb);
  RECORDER(r, rac_property_as_signal(b));
  rac_property_set(a, I(5));
  CHECK_EVENTS(&r, "1 5 5");
}

static void dispose_itself(recorder *self, rac_value value) {
  if (value.bits == 2) rac_subject_send_completed(self->user);
}

TEST(a_terminal_ended_from_inside) {
  owned rac_property *p = property(1);
  owned rac_subject *t = terminal(p);
  finished recorder r = {.on_next = dispose_itself, .user = t};
  record(as_signal(t), &r);
  rac_property_set(p, I(2));
  rac_property_set(p, I(3));
  CHECK_EVENTS(&r, "1 2 |");
}

/* Nobody can send to it any more: the subscription ends at once, and silently. */
TEST(subscribing_after_the_other_end_has_gone) {
  uint64_t before = rac_live_objects();
  for (int i = 0; i < 2; i++) {
    rac_channel *c = rac_channel_create();
    rac_subject *ends[] = {rac_channel_get_leading(c),
                           rac_channel_get_following(c)};
    play(ends[0], "1");
    owned rac_subject *left = rac_retain(ends[i]);
    rac_release(c);
    recorder r = {0};
    record(as_signal(left), &r);
    CHECK_EVENTS(&r, i == 0 ? "" : "1");
    await_end(&r);
  }
  CHECK_INT(rac_live_objects(), before);
}

TEST(terminals_that_are_dropped_leave_nothing) {
  owned rac_property *p = property(1);
  uint64_t before = rac_live_objects();
  for (int i = 0; i < 100; i++) {
    rac_subject *t = terminal(p);
    RECORDER(r, as_signal(t));
    rac_release(t);
    rac_property_set(p, I(i));
  }
  CHECK_INT(rac_live_objects(), before);
}
