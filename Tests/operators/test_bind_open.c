/* rac_signal_bind with signals that stay open, as RAC's specs have it: what stops,
 * and what goes on. */
#include "stage.h"
#include "streams.h"

/* The source sends (signal or nil, stop) pairs; the callback hands out the
 * signal as it is. */
static rac_status as_told(void *context, rac_value value, bool *stop,
                          rac_signal **out) {
  (void)context_target(context);
  rac_value signal = rac_tuple_get(value, 0);
  rac_value_get_bool(rac_tuple_get(value, 1), stop);
  if (signal.kind == RAC_SIGNAL) *out = rac_value_to_signal(signal);
  return RAC_OK;
}

typedef struct bound {
  rac_subject *pairs, *values;
  watched source; /* counts the subscriptions to the pairs */
  rac_signal *signal;
  recorder heard;
} bound;

static void send_pair(bound *self, rac_signal *signal, bool stop) {
  rac_value pair[] = {rac_value_nil(), rac_value_bool(stop)};
  if (signal) pair[0] = rac_value_signal(signal);
  rac_value tuple = rac_value_tuple(pair, 2);
  rac_subject_send(self->pairs, tuple);
  rac_value_release(tuple);
  rac_value_release(pair[0]);
}

/* Binds a signal that stays open. */
static void begin(bound *self) {
  self->pairs = rac_subject_create();
  self->values = rac_subject_create();
  self->source.signal = as_signal(self->pairs);
  rac_signal *source = watch(&self->source);
  self->signal = rac_signal_bind(source, CALLBACK(as_told));
  rac_release(source);
  record(self->signal, &self->heard);
  send_pair(self, as_signal(self->values), false);
  CHECK_INT(self->source.counts.disposed, 0);
}

static void end(bound *self) {
  await_end(&self->heard);
  rac_release(self->signal);
  rac_release(self->values);
  rac_release(self->pairs);
}

/* signal-060: no signal disposes the source at once, but not the result */
TEST(no_signal_stops_the_source_and_not_the_bound_signals) {
  bound t = {0};
  begin(&t);
  send_pair(&t, NULL, false);
  CHECK_INT(t.source.counts.disposed, 1);
  CHECK_INT(rac_subject_subscriber_count(t.pairs), 0);
  CHECK_EVENTS(&t.heard, "");
  play(t.values, "7");
  CHECK_EVENTS(&t.heard, "7");
  /* What was left open is what it waits for. */
  play(t.values, "|");
  CHECK_EVENTS(&t.heard, "7 |");
  end(&t);
}

/* signal-061: the last signal still counts, and so do those before it */
TEST(stop_stops_the_source_after_one_more_signal) {
  bound t = {0};
  begin(&t);
  rac_signal *last = rac_signal_return(I(1));
  send_pair(&t, last, true);
  CHECK_INT(t.source.counts.disposed, 1);
  CHECK_EVENTS(&t.heard, "1");
  play(t.values, "2");
  CHECK_EVENTS(&t.heard, "1 2");
  play(t.values, "|");
  CHECK_EVENTS(&t.heard, "1 2 |");
  rac_release(last);
  end(&t);
}

/* The source's end does not end what is bound, and an error does. */
TEST(an_error_of_the_source_ends_the_bound_signals) {
  bound t = {0};
  begin(&t);
  play(t.values, "7");
  play(t.pairs, "#4");
  CHECK_EVENTS(&t.heard, "7 #4");
  CHECK_INT(rac_subject_subscriber_count(t.values), 0);
  end(&t);
}

TEST(a_completed_source_lets_the_bound_signals_go_on) {
  bound t = {0};
  begin(&t);
  play(t.pairs, "|");
  play(t.values, "7 #4");
  CHECK_EVENTS(&t.heard, "7 #4");
  end(&t);
}

TEST(disposing_disposes_the_source_and_the_bound_signals) {
  bound t = {0};
  begin(&t);
  rac_dispose(t.heard.subscription);
  CHECK_INT(t.source.counts.disposed, 1);
  CHECK_INT(rac_subject_subscriber_count(t.pairs), 0);
  CHECK_INT(rac_subject_subscriber_count(t.values), 0);
  end(&t);
}

/* What a bound signal sends while the callback is yet to bind the next. */
typedef struct failing {
  bool deferred_ran;
} failing;

static rac_status set_flag(void *context, rac_signal **out) {
  failing *self = context_target(context);
  self->deferred_ran = true;
  *out = rac_signal_empty();
  return RAC_OK;
}

static rac_status fail_then_defer(void *context, rac_value value, bool *stop,
                                  rac_signal **out) {
  (void)stop;
  failing *self = context_target(context);
  *out = value.bits == 0 ? rac_signal_error(rac_value_nil())
                         : rac_signal_defer(CALLBACK_FOR(self, set_flag));
  return RAC_OK;
}

/* signal-062: after the error of the first, the second is not subscribed to */
TEST(nothing_is_subscribed_to_after_an_error) {
  failing t = {false};
  rac_signal *s = cold("0 1", NULL);
  APPLY(s, bind, CALLBACK_FOR(&t, fail_then_defer));
  CHECK_SIGNAL(s, "#nil");
  CHECK(!t.deferred_ran);
}

static rac_status map_and_fail(void *context, rac_value value, bool *stop,
                               rac_signal **out) {
  (void)context_target(context), (void)stop;
  *out = rac_signal_return(value);
  return value.bits == 2 ? -22 : RAC_OK;
}

/* The callback's own failure is an error too. */
TEST(a_failing_callback_ends_it) {
  source counts = {0};
  rac_signal *s = cold("1 2 3", &counts);
  APPLY(s, bind, CALLBACK(map_and_fail));
  CHECK_SIGNAL(s, "1 #-22");
  CHECK_INT(counts.disposed, 1);
}

/* RAC keeps no signal alive through a subscription: only what has to be sent
 * to goes on. */
TEST(bound_signals_go_when_nobody_can_send) {
  uint64_t before = rac_live_objects();
  bound t = {0};
  begin(&t);
  rac_release(t.values);
  rac_release(t.signal);
  rac_release(t.pairs);
  WAIT_UNTIL(t.heard.destroyed);
  CHECK_EVENTS(&t.heard, "");
  CHECK_INT(t.source.counts.disposed, 1);
  let_go(&t.heard);
  CHECK_INT(rac_live_objects(), before);
}

static rac_status bind_once(void *context, rac_value value, bool *stop,
                            rac_signal **out) {
  (void)stop;
  (void)context_target(context);
  *out = rac_signal_return(value);
  return RAC_OK;
}

/* signal-272: the subscription lives without the signals it was made of: they
 * are gone, each with what it took, and it hears the delayed value */
TEST(a_binding_does_not_keep_its_source_signal) {
  rac_signal *constant = rac_signal_return(I(1));
  rac_signal *delayed = rac_signal_delay(constant, 0, NULL);
  rac_signal *bound = rac_signal_bind(delayed, CALLBACK(bind_once));
  RECORDER(r, bound);
  uint64_t before = rac_live_objects();
  rac_release(bound);
  rac_release(delayed);
  rac_release(constant);
  CHECK(rac_live_objects() <= before - 3);
  CHECK(rac_retain(delayed) == NULL);
  CHECK_EVENTS(&r, "");
  RUN_MAIN_UNTIL(atomic_load(&r.ends) == 1);
  CHECK_EVENTS(&r, "1 |");
}
