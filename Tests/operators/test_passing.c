/* Operators that pass values through when nothing speaks against it. */
#include "shared_callbacks.h"
#include "stage.h"

static rac_status yes(void *context, rac_value value, bool *out) {
  (void)context_target(context), (void)value;
  *out = true;
  return RAC_OK;
}
static rac_status return_it(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  *out = rac_signal_return(value);
  return RAC_OK;
}
static void look_back(void *context) { (void)context_target(context); }

static rac_signal *map(rac_signal *s) {
  return rac_signal_map(s, CALLBACK(keep_value));
}
static rac_signal *filter(rac_signal *s) {
  return rac_signal_filter(s, CALLBACK(yes));
}
static rac_signal *take(rac_signal *s) { return rac_signal_take(s, 100); }
static rac_signal *skip(rac_signal *s) { return rac_signal_skip(s, 0); }
static rac_signal *flatten_map(rac_signal *s) {
  return rac_signal_flatten_map(s, CALLBACK(return_it));
}
static rac_signal *do_next(rac_signal *s) {
  return rac_signal_do_next(s, CALLBACK(hear_value));
}
static rac_signal *finally(rac_signal *s) {
  return rac_signal_finally(s, CALLBACK(look_back));
}

/* The operator with another signal, which it takes over. */
static rac_signal *with(rac_signal *(*operator)(rac_signal *, rac_signal *),
                        rac_signal *s, rac_signal *other) {
  rac_signal *result = operator(s, other);
  rac_release(other);
  return result;
}
static rac_signal *take_until(rac_signal *s) {
  return with(rac_signal_take_until, s, rac_signal_never());
}
static rac_signal *merge(rac_signal *s) {
  return with(rac_signal_merge_with, s, rac_signal_empty());
}
static rac_signal *concat(rac_signal *s) {
  return with(rac_signal_concat, s, rac_signal_empty());
}
static rac_signal *catch_to(rac_signal *s) {
  return with(rac_signal_catch_to, s, cold("#7", NULL));
}
static rac_signal *autoconnect(rac_signal *s) {
  owned rac_connection *connection = rac_signal_publish(s);
  rac_signal *shared = rac_connection_autoconnect(connection);
  return shared;
}

static rac_signal *(*const passing[])(rac_signal *) = {
    map,
    filter,
    take,
    skip,
    rac_signal_distinct_until_changed,
    flatten_map,
    take_until,
    merge,
    concat,
    catch_to,
    finally,
    do_next,
    autoconnect};
enum { PASSING = sizeof passing / sizeof *passing };

/* Law 19: nil is a value like others. */
TEST(nil_passes) {
  for (int i = 0; i < PASSING; i++) {
    STAGE(t);
    stage_hear(&t, passing[i](as_signal(t.a)));
    play(t.a, "nil 1 nil |");
    CHECK_EVENTS(&t.heard, "nil 1 nil |");
  }
}

/* Law 1: an error is the last event; law 8: the source is let go of then. */
TEST(an_error_is_the_last_event) {
  for (int i = 0; i < PASSING; i++) {
    STAGE(t);
    stage_hear(&t, passing[i](as_signal(t.a)));
    play(t.a, "1 #7");
    CHECK_INT(LISTENERS(t.a), 0);
    CHECK_INT(atomic_load(&t.heard.destroyed), 1);
    play(t.a, "2");
    CHECK_EVENTS(&t.heard, "1 #7");
  }
}

static void send_three_and_dispose(recorder *self, rac_value value) {
  if (value.bits != 2) return;
  play(self->user, "3");
  rac_dispose(self->subscription);
}

/* Law 7: what was sent from inside does not arrive either. */
TEST(disposal_from_inside_drops_what_was_sent_there) {
  for (int i = 0; i < PASSING; i++) {
    STAGE(t);
    t.heard.on_next = send_three_and_dispose;
    t.heard.user = t.a;
    stage_hear(&t, passing[i](as_signal(t.a)));
    play(t.a, "1 2 4 |");
    CHECK_EVENTS(&t.heard, "1 2");
    CHECK_INT(LISTENERS(t.a), 0);
    CHECK_INT(atomic_load(&t.heard.destroyed), 1);
  }
}
