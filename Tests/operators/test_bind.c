/* rac_signal_bind: a signal for each value, until it is told to stop. */
#include "shared_callbacks.h"
#include "streams.h"

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
  check_bind(__LINE__, "1 8 3", (binding){NULL, -1, -1}, "1 #-88");
  check_bind(__LINE__, "1 #7", (binding){NULL, -1, -1}, "1 #7");
}

TEST(stopping_a_binding_disposes_the_source_and_keeps_the_inner_ones) {
  const binding variants[] = {{NULL, 5, -1}, {NULL, -1, 5}};
  for (int i = 0; i < 2; i++) {
    owned rac_subject *subject = rac_subject_create();
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
  }
}

/* ---- What RAC's specs demand --------------------------------------------- */

typedef struct additions {
  int64_t stop_at; /* the value that also asks to stop */
  int64_t nil_at;  /* the value that gets no signal */
  int64_t empty_at;
  int calls;
} additions;

enum { NEVER = -1 };

static rac_status add_as_told(void *context, rac_value value, bool *stop,
                              rac_signal **out) {
  additions *self = context_target(context);
  self->calls++;
  *stop = value.bits == self->stop_at;
  if (value.bits == self->nil_at) return RAC_OK;
  *out = value.bits == self->empty_at ? rac_signal_empty()
                                      : rac_signal_return(I(value.bits + 1));
  return RAC_OK;
}

static void check_additions(int line, rac_signal *source, additions how,
                            const char *expected, int calls) {
  rac_signal *s = source;
  APPLY(s, bind, CALLBACK_FOR(&how, add_as_told));
  check_signal(__FILE__, line, "bind", s, expected);
  check_int(__FILE__, line, "calls", how.calls, calls);
}

/* signal-007, signal-009: one value; and an empty stream in the middle */
TEST(bind_sends_what_is_made_of_each_value) {
  additions plain = {NEVER, NEVER, NEVER, 0};
  check_additions(__LINE__, rac_signal_return(I(0)), plain, "1 |", 1);
  check_additions(__LINE__, cold("0 1 2 |", NULL), plain, "1 2 3 |", 3);
  additions without = {NEVER, NEVER, 1, 0};
  check_additions(__LINE__, cold("0 1 2 |", NULL), without, "1 3 |", 3);
}

/* signal-010, signal-011, signal-012: no signal, a signal with stop, and both
 * at once, each over a stream that never ends by itself */
TEST(bind_may_stop_an_endless_stream) {
  const additions how[] = {
      {NEVER, 7, NEVER, 0}, {7, NEVER, NEVER, 0}, {7, 7, NEVER, 0}};
  const char *const expected[] = {"|", "8 |", "|"};
  for (int i = 0; i < 3; i++) {
    progression units = {7, 0, {0}};
    check_additions(__LINE__, endless(&units), how[i], expected[i], 1);
    CHECK_INT(units.counts.subscribed, 1);
    CHECK_INT(units.counts.disposed, 1);
  }
}

/* A later value may stop it as well. */
TEST(bind_may_stop_later) {
  progression numbers = {0, 1, {0}};
  additions how = {2, NEVER, NEVER, 0};
  check_additions(__LINE__, endless(&numbers), how, "1 2 3 |", 3);
}

typedef struct counter {
  int64_t number;
} counter;

static rac_status number_them(void *context, rac_value value, bool *stop,
                              rac_signal **out) {
  (void)value, (void)stop;
  counter *self = context_target(context);
  *out = rac_signal_return(I(self->number++));
  return RAC_OK;
}

static rac_status bind_anew(void *context, rac_signal **out) {
  rac_signal *source = context_target(context);
  counter *fresh = calloc(1, sizeof *fresh);
  if (!fresh) abort();
  *out = rac_signal_bind(source, context_new(fresh, NULL), number_them,
                         free_target);
  return RAC_OK;
}

/* signal-013: RAC's bind takes a block that makes the bind block of each
 * subscription; here defer makes the whole of it, with a context of its own */
TEST(state_of_a_bind_may_belong_to_the_subscription) {
  owned rac_signal *source = cold("5 5 5 |", NULL);
  owned rac_signal *s = rac_signal_defer(CALLBACK_FOR(source, bind_anew));
  for (int i = 0; i < 2; i++) {
    rac_retain(s);
    CHECK_SIGNAL(s, "0 1 2 |");
  }
}

static rac_status sum(void *context, const rac_value *elements, size_t count,
                      rac_value *out) {
  (void)context_target(context);
  *out = I(0);
  for (size_t i = 0; i < count; i++) out->bits += elements[i].bits;
  return RAC_OK;
}

/* signal-014: two evaluations that go on together do not share their state */
TEST(states_of_two_subscriptions_are_apart) {
  owned rac_signal *source = cold("5 5 5 |", NULL), *empty = rac_signal_empty();
  owned rac_signal *count = rac_signal_defer(CALLBACK_FOR(source, bind_anew));
  owned rac_signal *again = rac_signal_concat(empty, count);
  rac_signal *const both[] = {count, again};
  CHECK_SIGNAL(rac_signal_zip_reduce(both, 2, CALLBACK(sum)), "0 2 4 |");
}

/* RAC 2.5 took two bindings of one signal for one, and completed with the first
 * of them. */
static rac_status same_signal(void *context, rac_value value, bool *stop,
                              rac_signal **out) {
  (void)value, (void)stop;
  *out = rac_retain(context_target(context));
  return RAC_OK;
}

TEST(bind_counts_a_signal_as_often_as_it_is_bound) {
  owned rac_subject *first = rac_subject_create(),
                    *inner = rac_subject_create();
  owned rac_signal *limited = rac_signal_take(as_signal(inner), 1);
  owned rac_signal *s =
      rac_signal_bind(as_signal(first), CALLBACK_FOR(limited, same_signal));
  RECORDER(r, s);
  play(first, "1");
  play(first, "1");
  CHECK_INT(rac_subject_subscriber_count(inner), 2);
  play(inner, "8");
  CHECK_EVENTS(&r, "8 8");
  play(first, "|");
  CHECK_EVENTS(&r, "8 8 |");
}
