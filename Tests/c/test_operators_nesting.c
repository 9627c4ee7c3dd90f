/* Operators over signals of signals: bind, flattenMap, flatten, switchToLatest,
 * groupBy. */
#include "operators.h"

/* ---- bind and flattenMap ------------------------------------------------ */

/* Sends the value twice; nothing for 2; fails at 8; an error signal for 9. */
static rac_status twice(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  char script[40];
  snprintf(script, sizeof script, "%d %d |", (int)value.bits, (int)value.bits);
  if (value.bits == 8) return -88;
  if (value.bits == 9) strcpy(script, "!9");
  if (value.bits != 2) *out = cold(script, NULL);
  return RAC_OK;
}

TEST(flatten_map_sends_what_the_inner_signals_send) {
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, flatten_map, CALLBACK(twice));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 1 3 3 |");
  CHECK_SIGNAL(s, "1 1 3 3 |");
}

TEST(an_inner_error_ends_flatten_map_and_nothing_is_subscribed_after_it) {
  source counts = {0};
  rac_signal *s = cold("1 9 3 |", &counts);
  APPLY(s, flatten_map, CALLBACK(twice));
  CHECK_SIGNAL(s, "1 1 !9");
  s = cold("1 8 3", &counts);
  APPLY(s, flatten_map, CALLBACK(twice));
  CHECK_SIGNAL(s, "1 1 !-88");
  s = cold("1 !4", &counts);
  APPLY(s, flatten_map, CALLBACK(twice));
  CHECK_SIGNAL(s, "1 1 !4");
  CHECK_INT(counts.disposed, 3);
}

typedef struct open_inner {
  rac_subject *inner;
  int calls;
} open_inner;

static rac_status give_inner(void *context, rac_value value, rac_signal **out) {
  (void)value;
  open_inner *self = context_target(context);
  self->calls++;
  *out = rac_retain(self->inner);
  return RAC_OK;
}

TEST(the_same_inner_signal_for_two_values_counts_twice) {
  rac_subject *subject = rac_subject_create();
  open_inner inner = {rac_subject_create(), 0};
  rac_signal *s = rac_signal_flatten_map(as_signal(subject),
                                         CALLBACK_FOR(&inner, give_inner));
  recorder r = {0};
  record(s, &r);
  play(subject, "1");
  play(inner.inner, "10");
  play(subject, "2 |");
  play(inner.inner, "20");
  CHECK_EVENTS(&r, "10 20 20");
  CHECK_INT(rac_subject_subscriber_count(inner.inner), 2);
  play(inner.inner, "|");
  CHECK_EVENTS(&r, "10 20 20 |");
  await_end(&r);
  rac_release(s);
  rac_release(inner.inner);
  rac_release(subject);
}

TEST(disposing_flatten_map_disposes_source_and_inner) {
  rac_subject *subject = rac_subject_create();
  open_inner inner = {rac_subject_create(), 0};
  rac_signal *s = rac_signal_flatten_map(as_signal(subject),
                                         CALLBACK_FOR(&inner, give_inner));
  recorder r = {0};
  record(s, &r);
  play(subject, "1 2");
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  CHECK_INT(rac_subject_subscriber_count(inner.inner), 0);
  rac_release(s);
  rac_release(inner.inner);
  rac_release(subject);
}

typedef struct binding {
  rac_subject *inner;
  int64_t stop_at, null_at;
} binding;

static rac_status bind_inner(void *context, rac_value value, bool *stop,
                             rac_signal **out) {
  binding *self = context_target(context);
  CHECK(!*stop && *out == NULL);
  if (value.bits == self->null_at) return RAC_OK;
  if (value.bits == self->stop_at) {
    *stop = true;
    *out = rac_signal_return(value);
    return RAC_OK;
  }
  if (value.bits == 8) return -88;
  *out = self->inner ? rac_retain(self->inner) : rac_signal_return(value);
  return RAC_OK;
}

static void check_bind(int line, const char *script, binding b,
                       const char *expected) {
  rac_signal *s = cold(script, NULL);
  APPLY(s, bind, CALLBACK_FOR(&b, bind_inner));
  recorder r = {0};
  record(s, &r);
  check_text(__FILE__, line, script, r.text, expected);
  finish(&r);
  rac_release(s);
}

TEST(bind_maps_until_it_is_told_to_stop) {
  check_bind(__LINE__, "1 2 3 |", (binding){NULL, -1, -1}, "1 2 3 |");
  check_bind(__LINE__, "1 2 3 |", (binding){NULL, 2, -1}, "1 2 |");
  check_bind(__LINE__, "1 2 3 |", (binding){NULL, -1, 2}, "1 |");
  check_bind(__LINE__, "1 2 3", (binding){NULL, 1, -1}, "1 |");
  check_bind(__LINE__, "1 2 3", (binding){NULL, -1, 1}, "|");
  check_bind(__LINE__, "1 8 3", (binding){NULL, -1, -1}, "1 !-88");
  check_bind(__LINE__, "1 !7", (binding){NULL, -1, -1}, "1 !7");
}

TEST(stopping_a_binding_disposes_the_source_and_keeps_the_inner_ones) {
  const binding variants[] = {{NULL, 5, -1}, {NULL, -1, 5}};
  for (int i = 0; i < 2; i++) {
    rac_subject *subject = rac_subject_create();
    binding b = variants[i];
    b.inner = rac_subject_create();
    rac_signal *s =
        rac_signal_bind(as_signal(subject), CALLBACK_FOR(&b, bind_inner));
    recorder r = {0};
    record(s, &r);
    play(subject, "1");
    play(b.inner, "10");
    play(subject, "5");
    CHECK_INT(rac_subject_subscriber_count(subject), 0);
    play(b.inner, "20 |");
    CHECK_EVENTS(&r, i == 0 ? "10 5 20 |" : "10 20 |");
    await_end(&r);
    rac_release(s);
    rac_release(b.inner);
    rac_release(subject);
  }
}

/* ---- flatten ------------------------------------------------------------ */

typedef struct outer {
  rac_subject *signals, *a, *b, *c;
  rac_signal *result;
  recorder r;
} outer;

static void outer_make(outer *self, size_t limit) {
  memset(self, 0, sizeof *self);
  self->signals = rac_subject_create();
  self->a = rac_subject_create();
  self->b = rac_subject_create();
  self->c = rac_subject_create();
  self->result = rac_signal_flatten(as_signal(self->signals), limit);
  record(self->result, &self->r);
}

static void outer_send(outer *self, rac_subject *inner) {
  rac_value value = rac_value_signal(as_signal(inner));
  CHECK(rac_subject_send(self->signals, value) >= RAC_OK);
  rac_value_release(value);
}

static void outer_unmake(outer *self) {
  finish(&self->r);
  CHECK_INT(rac_subject_subscriber_count(self->signals), 0);
  CHECK_INT(rac_subject_subscriber_count(self->a), 0);
  CHECK_INT(rac_subject_subscriber_count(self->b), 0);
  CHECK_INT(rac_subject_subscriber_count(self->c), 0);
  rac_release(self->result);
  rac_release(self->signals);
  rac_release(self->a);
  rac_release(self->b);
  rac_release(self->c);
}

TEST(flatten_without_a_limit_subscribes_at_once) {
  outer o;
  outer_make(&o, 0);
  outer_send(&o, o.a);
  outer_send(&o, o.b);
  CHECK_INT(rac_subject_subscriber_count(o.a), 1);
  CHECK_INT(rac_subject_subscriber_count(o.b), 1);
  play(o.a, "1");
  play(o.b, "2");
  outer_send(&o, o.c);
  play(o.c, "3");
  CHECK_EVENTS(&o.r, "1 2 3");
  play(o.signals, "|");
  play(o.a, "|");
  play(o.b, "|");
  CHECK_EVENTS(&o.r, "1 2 3");
  play(o.c, "|");
  CHECK_EVENTS(&o.r, "1 2 3 |");
  outer_unmake(&o);
}

TEST(flatten_with_a_limit_lets_the_others_wait) {
  outer o;
  outer_make(&o, 1);
  outer_send(&o, o.a);
  outer_send(&o, o.b);
  outer_send(&o, o.c);
  CHECK_INT(rac_subject_subscriber_count(o.a), 1);
  CHECK_INT(rac_subject_subscriber_count(o.b), 0);
  play(o.b, "0");
  play(o.a, "1");
  play(o.signals, "|");
  CHECK_INT(rac_subject_subscriber_count(o.b), 0);
  play(o.a, "|");
  CHECK_INT(rac_subject_subscriber_count(o.b), 1);
  CHECK_INT(rac_subject_subscriber_count(o.c), 0);
  play(o.b, "2 |");
  play(o.c, "3");
  CHECK_EVENTS(&o.r, "1 2 3");
  play(o.c, "|");
  CHECK_EVENTS(&o.r, "1 2 3 |");
  outer_unmake(&o);
}

TEST(a_limit_of_two) {
  outer o;
  outer_make(&o, 2);
  outer_send(&o, o.a);
  outer_send(&o, o.b);
  outer_send(&o, o.c);
  CHECK_INT(rac_subject_subscriber_count(o.c), 0);
  play(o.b, "|");
  CHECK_INT(rac_subject_subscriber_count(o.c), 1);
  outer_unmake(&o);
}

TEST(constants_that_waited_are_all_started) {
  outer o;
  outer_make(&o, 2);
  outer_send(&o, o.a);
  outer_send(&o, o.b);
  for (int i = 1; i <= 3; i++) {
    rac_signal *constant = rac_signal_return(I(i));
    rac_value value = rac_value_signal(constant);
    rac_subject_send(o.signals, value);
    rac_value_release(value);
    rac_release(constant);
  }
  outer_send(&o, o.c);
  CHECK_EVENTS(&o.r, "");
  play(o.a, "|");
  CHECK_EVENTS(&o.r, "1 2 3");
  CHECK_INT(rac_subject_subscriber_count(o.c), 1);
  outer_unmake(&o);
}

TEST(errors_end_a_flatten) {
  for (int which = 0; which < 2; which++) {
    outer o;
    outer_make(&o, which);
    outer_send(&o, o.a);
    outer_send(&o, o.b);
    play(which ? o.signals : o.a, "!3");
    CHECK_EVENTS(&o.r, "!3");
    outer_unmake(&o);
  }
}

TEST(disposing_a_flatten_drops_those_that_wait) {
  outer o;
  outer_make(&o, 1);
  outer_send(&o, o.a);
  outer_send(&o, o.b);
  outer_unmake(&o);
}

TEST(nil_counts_as_an_empty_signal_and_others_fail) {
  outer o;
  outer_make(&o, 0);
  play(o.signals, "nil");
  outer_send(&o, o.a);
  play(o.a, "1");
  CHECK_EVENTS(&o.r, "1");
  play(o.signals, "5");
  CHECK_INT(o.r.ends, 1);
  CHECK(strncmp(o.r.text, "1 !", 3) == 0);
  outer_unmake(&o);
}

/* ---- switchToLatest ----------------------------------------------------- */

static void make_switch(outer *o) {
  outer_make(o, 0);
  finish(&o->r);
  memset(&o->r, 0, sizeof o->r);
  rac_assign((void **)&o->result,
             rac_signal_switch_to_latest(as_signal(o->signals)));
  record(o->result, &o->r);
}

TEST(switch_to_latest_follows_the_latest) {
  outer o;
  make_switch(&o);
  outer_send(&o, o.a);
  play(o.a, "1");
  outer_send(&o, o.b);
  CHECK_INT(rac_subject_subscriber_count(o.a), 0);
  play(o.a, "2");
  play(o.b, "3");
  play(o.signals, "nil");
  CHECK_INT(rac_subject_subscriber_count(o.b), 0);
  play(o.b, "4");
  outer_send(&o, o.c);
  play(o.c, "5");
  CHECK_EVENTS(&o.r, "1 3 5");
  outer_unmake(&o);
}

TEST(switch_to_latest_completes_with_the_source_and_the_latest) {
  outer o;
  make_switch(&o);
  outer_send(&o, o.a);
  play(o.a, "|");
  CHECK_EVENTS(&o.r, "");
  outer_send(&o, o.b);
  play(o.signals, "|");
  CHECK_EVENTS(&o.r, "");
  play(o.b, "1 |");
  CHECK_EVENTS(&o.r, "1 |");
  outer_unmake(&o);
}

TEST(switch_to_latest_completes_with_a_source_that_sent_nothing) {
  outer o;
  make_switch(&o);
  play(o.signals, "|");
  CHECK_EVENTS(&o.r, "|");
  outer_unmake(&o);
}

TEST(the_latest_ones_error_ends_it_an_older_ones_does_not) {
  outer o;
  make_switch(&o);
  outer_send(&o, o.a);
  outer_send(&o, o.b);
  play(o.a, "!1");
  CHECK_EVENTS(&o.r, "");
  play(o.b, "!2");
  CHECK_EVENTS(&o.r, "!2");
  outer_unmake(&o);
}

static void switch_inside(recorder *self, rac_value value) {
  outer *o = self->user;
  if (value.bits == 1) outer_send(o, o->b);
}

TEST(a_switch_from_inside_the_callback_takes_effect_after_it) {
  outer o;
  make_switch(&o);
  o.r.on_next = switch_inside;
  o.r.user = &o;
  outer_send(&o, o.a);
  play(o.a, "1 2");
  CHECK_INT(rac_subject_subscriber_count(o.a), 0);
  play(o.b, "3");
  CHECK_EVENTS(&o.r, "1 3");
  outer_unmake(&o);
}

/* ---- groupBy ------------------------------------------------------------ */

static rac_status parity(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  if (value.bits == 8) return -88;
  *out = value.bits % 2 ? rac_value_string_copy("odd", 3)
                        : rac_value_string_static("even");
  return RAC_OK;
}

typedef struct groups {
  int count;
  recorder r[4];
  char keys[4][16];
} groups;

static void join_group(recorder *self, rac_value value) {
  groups *g = self->user;
  rac_signal *group = rac_value_to_signal(value);
  rac_value key = rac_value_nil();
  CHECK_STATUS(rac_signal_get_key(group, &key), RAC_OK);
  format_value(key, g->keys[g->count], sizeof g->keys[0]);
  record(group, &g->r[g->count++]);
  rac_release(group);
}

static void check_groups(const char *script, rac_map_fn transform,
                         const char *odd, const char *even,
                         const char *result) {
  groups g;
  memset(&g, 0, sizeof g);
  rac_signal *s = cold(script, NULL);
  APPLY(s, group_by, context_new(NULL, NULL), parity, transform,
        context_destroy);
  recorder r = {.on_next = join_group, .user = &g};
  record(s, &r);
  CHECK_INT(g.count, 2);
  CHECK_TEXT(g.keys[0], "odd");
  CHECK_TEXT(g.keys[1], "even");
  CHECK_EVENTS(&g.r[0], odd);
  CHECK_EVENTS(&g.r[1], even);
  CHECK_EVENTS(&r, result);
  for (int i = 0; i < g.count; i++) finish(&g.r[i]);
  finish(&r);
  rac_release(s);
}

TEST(group_by_sends_a_signal_for_each_key) {
  check_groups("1 2 3 4 5 |", NULL, "1 3 5 |", "2 4 |", "? ? |");
  check_groups("1 2 3 |", times_ten, "10 30 |", "20 |", "? ? |");
  check_groups("1 2 3 !6", NULL, "1 3 !6", "2 !6", "? ? !6");
}

TEST(a_failing_key_ends_the_groups_too) {
  check_groups("1 2 8", NULL, "1 !-88", "2 !-88", "? ? !-88");
}

TEST(a_failing_transform_ends_the_groups_too) {
  check_groups("1 4 2 3", map_not_two, "1 !-22", "4 !-22", "? ? !-22");
}

TEST(who_subscribes_to_a_group_later_misses_its_first_value) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_group_by(as_signal(subject), context_new(NULL, NULL), parity,
                          NULL, context_destroy);
  rac_subject *kept = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  rac_release(rac_subscribe_subscriber(s, rac_subject_as_subscriber(kept)));
  play(subject, "1");
  rac_value group = rac_value_nil();
  CHECK_STATUS(rac_signal_first(as_signal(kept), 0, &group), RAC_OK);
  rac_signal *signal = rac_value_to_signal(group);
  rac_value_release(group);
  recorder r = {0};
  record(signal, &r);
  play(subject, "3 4 5 |");
  CHECK_EVENTS(&r, "3 5 |");
  await_end(&r);
  rac_release(signal);
  rac_release(kept);
  rac_release(s);
  rac_release(subject);
}

static rac_status nil_key(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  (void)value;
  *out = rac_value_nil();
  return RAC_OK;
}

TEST(nil_is_a_key) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, group_by, context_new(NULL, NULL), nil_key, NULL, context_destroy);
  APPLY(s, flatten, 0);
  CHECK_SIGNAL(s, "1 2 |");
}
