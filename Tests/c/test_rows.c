/* Operators with one input, one on another: what a chain of them does, whatever
 * the engine makes of it. */
#include "operators.h"
#include "shared_callbacks.h"

/* ---- What happens, in order ------------------------------------------------ */

static char written[400];

static void note(const char *what) {
  size_t used = strlen(written);
  snprintf(written + used, sizeof written - used, "%s%s", used ? " " : "",
           what);
}

/* A context that is a name, and notes that it was destroyed. */
static void note_destroy(void *context) { note(context); }

static rac_status keep_all(void *context, rac_value value, bool *out) {
  (void)context, (void)value;
  *out = true;
  return RAC_OK;
}

static void nothing(void *context) { (void)context; }

/* An owned value whose release is noted. */
static rac_value noted(const char *name) {
  return rac_value_pointer((void *)name, NULL, note_destroy);
}

/* A row with an operator of each kind, their contexts named from the top down. */
static rac_signal *chain(rac_signal *source) {
  rac_signal *s = rac_retain(source);
  APPLY(s, map, "1", one_more, note_destroy);
  APPLY(s, filter, "2", keep_all, note_destroy);
  APPLY(s, scan, I(0), "3", add_up, note_destroy);
  APPLY(s, do_next, "4", ignore_value, note_destroy);
  APPLY(s, finally, "5", nothing, note_destroy);
  return s;
}

static rac_disposable *listen(rac_signal *signal) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = "subscriber";
  observer.destroy = note_destroy;
  return rac_subscribe(signal, &observer);
}

/* Laws 9 and 10: what a subscription holds goes from the subscriber upwards. */
TEST(the_subscribers_destroy_comes_before_those_of_the_operators) {
  for (int ended = 0; ended < 2; ended++) {
    written[0] = 0;
    owned rac_subject *subject = rac_subject_create();
    rac_signal *s = chain(as_signal(subject));
    owned rac_disposable *subscription = listen(s);
    rac_release(s);
    CHECK_TEXT(written, "");
    if (ended)
      rac_subject_send_completed(subject);
    else
      rac_dispose(subscription);
    CHECK_TEXT(written, "subscriber 5 4 3 2 1");
  }
}

/* The same where another subscription has let go before. */
TEST(the_last_subscription_to_a_chain_lets_it_go_from_below) {
  written[0] = 0;
  owned rac_subject *subject = rac_subject_create();
  rac_signal *s = chain(as_signal(subject));
  owned rac_disposable *one = listen(s), *other = listen(s);
  rac_release(s);
  rac_dispose(one);
  CHECK_TEXT(written, "subscriber");
  rac_dispose(other);
  CHECK_TEXT(written, "subscriber subscriber 5 4 3 2 1");
}

/* Law 10: a signal that nobody is subscribed to goes from the top down. */
TEST(the_destroys_of_a_chain_without_subscribers_come_from_above) {
  for (int used = 0; used < 2; used++) {
    written[0] = 0;
    owned rac_subject *subject = rac_subject_create();
    rac_signal *s = chain(as_signal(subject));
    if (used) {
      rac_disposable *subscription = listen(s);
      rac_dispose(subscription);
      rac_release(subscription);
      CHECK_TEXT(written, "subscriber");
      written[0] = 0;
    }
    rac_release(s);
    CHECK_TEXT(written, "1 2 3 4 5");
  }
}

/* Of two chains that share a beginning each lets its own part go. */
TEST(what_two_chains_share_goes_with_the_last_of_them) {
  written[0] = 0;
  owned rac_subject *subject = rac_subject_create();
  rac_signal *s =
      rac_signal_map(as_signal(subject), "shared", one_more, note_destroy);
  rac_signal *a = rac_signal_map(s, "a", one_more, note_destroy);
  rac_signal *b = rac_signal_filter(s, "b", keep_all, note_destroy);
  rac_release(s);
  owned rac_disposable *one = listen(a), *other = listen(b);
  rac_release(a);
  rac_release(b);
  rac_dispose(one);
  CHECK_TEXT(written, "subscriber a");
  rac_dispose(other);
  CHECK_TEXT(written, "subscriber a subscriber b shared");
}

/* ---- What is made on the way ------------------------------------------------ */

static rac_status make_first(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value;
  *out = noted("first");
  return RAC_OK;
}

static rac_status make_second(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value;
  note("made");
  *out = noted("second");
  return RAC_OK;
}

static void hear(void *context, rac_value value) {
  (void)context;
  char text[40];
  if (value.kind == RAC_POINTER)
    note("heard");
  else {
    format_value(value, text, sizeof text);
    note(text);
  }
}

static void send_one(rac_subject *subject, rac_signal *taken) {
  written[0] = 0;
  owned rac_disposable *subscription =
      rac_subscribe_next(taken, NULL, hear, NULL);
  rac_release(taken);
  rac_subject_send(subject, I(1));
  rac_dispose(subscription);
  rac_release(subject);
}

/* Law 21: it may be lent to what comes out below. */
TEST(what_an_operator_makes_lives_until_all_below_have_heard_it) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_map(as_signal(subject), NULL, make_first, NULL);
  APPLY(s, map, NULL, make_second, NULL);
  APPLY(s, do_next, NULL, ignore_value, NULL);
  send_one(subject, s);
  CHECK_TEXT(written, "made heard second first");
}

static rac_status is_pointer(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = I(value.kind == RAC_POINTER);
  return RAC_OK;
}

TEST(a_number_made_of_a_value_does_not_let_it_go) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_map(as_signal(subject), NULL, make_first, NULL);
  APPLY(s, map, NULL, is_pointer, NULL);
  APPLY(s, map, NULL, one_more, NULL);
  send_one(subject, s);
  CHECK_TEXT(written, "2 first");
}

static rac_status make_text(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value;
  *out = rac_value_string_copy("long enough for a block of its own", 34);
  return RAC_OK;
}

static rac_status view_of_tail(void *context, rac_value value, rac_value *out) {
  (void)context;
  const char *text = NULL;
  size_t length = 0;
  rac_status status = rac_value_get_string(value, &text, &length);
  *out = rac_value_string(text + length - 7);
  return status;
}

static rac_status other_text(void *context, rac_value running, rac_value next,
                             rac_value *out) {
  (void)context, (void)running;
  *out = rac_value_retain(next);
  return RAC_OK;
}

/* A view may point into what a stage above has made; who keeps it copies it. */
TEST(a_view_of_a_value_made_above_can_be_read_below) {
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_map(as_signal(subject), NULL, make_text, NULL);
  APPLY(s, map, NULL, view_of_tail, NULL);
  APPLY(s, filter, NULL, keep_all, NULL);
  APPLY(s, scan, rac_value_nil(), NULL, other_text, NULL);
  APPLY0(s, distinct_until_changed);
  send_one(subject, s);
  CHECK_TEXT(written, "its own");
}

/* ---- Failing, disposing and sending inside a step ---------------------------- */

typedef struct insider {
  rac_subject *subject;
  rac_disposable *subscription;
  int calls;
} insider;

static rac_status fail(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = value;
  return -5;
}

static rac_status count(void *context, rac_value value, rac_value *out) {
  insider *self = context;
  self->calls++;
  *out = value;
  return RAC_OK;
}

/* Law 17: those above hear nothing of it, and nothing any more. */
TEST(a_failure_in_the_middle_ends_what_is_below) {
  insider self = {rac_subject_create(), NULL, 0};
  rac_signal *s = rac_signal_map(as_signal(self.subject), &self, count, NULL);
  APPLY(s, take, 5);
  APPLY(s, map, NULL, fail, NULL);
  APPLY(s, map, &self, count, NULL);
  APPLY(s, finally, &self, nothing, NULL);
  recorder r = {0};
  record(s, &r);
  play(self.subject, "1 2 |");
  await_end(&r);
  CHECK_EVENTS(&r, "#-5");
  CHECK_INT(self.calls, 1);
  rac_release(s);
  rac_release(self.subject);
}

static rac_status dispose_inside(void *context, rac_value value,
                                 rac_value *out) {
  insider *self = context;
  if (value.bits == 2) rac_dispose(self->subscription);
  *out = value;
  return RAC_OK;
}

/* Law 7: no callback starts any more, of whichever step. */
TEST(a_disposal_inside_a_step_stops_the_steps_below) {
  insider self = {rac_subject_create(), NULL, 0};
  rac_signal *s = rac_retain(as_signal(self.subject));
  APPLY(s, map, &self, dispose_inside, NULL);
  APPLY(s, map, &self, count, NULL);
  recorder r = {0};
  self.subscription = record(s, &r);
  play(self.subject, "1 2 3 |");
  CHECK_INT(self.calls, 1);
  finish(&r);
  CHECK_EVENTS(&r, "1");
  rac_release(s);
  rac_release(self.subject);
}

static void send_inside(void *context, rac_value value) {
  insider *self = context;
  if (value.bits == 1)
    CHECK_STATUS(rac_subject_send(self->subject, I(7)), RAC_QUEUED);
}

/* Law 3: a value sent inside a step comes after the one that is on its way. */
TEST(a_send_inside_a_step_waits_for_the_steps_below) {
  insider self = {rac_subject_create(), NULL, 0};
  rac_signal *s = rac_retain(as_signal(self.subject));
  APPLY(s, do_next, &self, send_inside, NULL);
  APPLY(s, scan, I(0), NULL, add_up, NULL);
  recorder r = {0};
  record(s, &r);
  play(self.subject, "1 2 |");
  await_end(&r);
  CHECK_EVENTS(&r, "1 8 10 |");
  rac_release(s);
  rac_release(self.subject);
}

/* ---- States ------------------------------------------------------------------ */

/* Law 12: each subscription has its own, also of steps that chains share. */
TEST(every_subscription_has_states_of_its_own) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_skip(as_signal(subject), 1);
  APPLY(s, scan, I(0), NULL, add_up, NULL);
  owned rac_signal *other = rac_signal_take(s, 2);
  APPLY0(s, distinct_until_changed);
  recorder a = {0}, b = {0}, c = {0};
  record(s, &a);
  record(other, &b);
  play(subject, "1 2");
  record(s, &c);
  play(subject, "0 3 4 |");
  await_end(&a);
  await_end(&b);
  await_end(&c);
  CHECK_EVENTS(&a, "2 5 9 |");
  CHECK_EVENTS(&b, "2 2 |");
  CHECK_EVENTS(&c, "3 7 |");
}

/* So are those of one that is made while tracing is on, step by step. */
TEST(subscriptions_made_while_tracing_is_on_and_off_hear_the_same) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_skip(as_signal(subject), 1);
  APPLY(s, map, NULL, one_more, NULL);
  APPLY(s, scan, I(0), NULL, add_up, NULL);
  APPLY(s, take, 2);
  recorder plain = {0}, traced = {0};
  record(s, &plain);
  rac_set_trace(NULL, ignore_trace, NULL);
  record(s, &traced);
  rac_set_trace(NULL, NULL, NULL);
  play(subject, "1 2 3 4");
  await_end(&plain);
  await_end(&traced);
  CHECK_EVENTS(&plain, "3 7 |");
  CHECK_EVENTS(&traced, "3 7 |");
}

/* ---- Threads ------------------------------------------------------------------ */

enum { THREADS = 4 };

typedef struct crowd {
  rac_signal *signal;
  atomic_int ready;
  atomic_int heard;
} crowd;

static void hear_sum(void *context, rac_value value) {
  atomic_fetch_add(&((crowd *)context)->heard, (int)value.bits);
}

static void *subscribe_first(void *argument) {
  crowd *self = argument;
  atomic_fetch_add(&self->ready, 1);
  while (atomic_load(&self->ready) < THREADS) continue;
  owned rac_disposable *one =
      rac_subscribe_next(self->signal, self, hear_sum, NULL);
  return NULL;
}

/* What subscriptions share is made by the first of them. */
TEST(threads_that_are_the_first_to_subscribe_get_the_same) {
  for (int64_t round = check_scaled(200); round > 0; round--) {
    owned rac_subject *subject = rac_subject_create();
    crowd self = {rac_retain(as_signal(subject)), 0, 0};
    APPLY(self.signal, map, NULL, one_more, NULL);
    APPLY(self.signal, skip, 1);
    APPLY(self.signal, scan, I(0), NULL, add_up, NULL);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
      threads[i] = check_spawn(subscribe_first, &self);
    for (int i = 0; i < THREADS; i++) check_join(threads[i]);
    play(subject, "1 2 3");
    CHECK_INT(atomic_load(&self.heard), THREADS * (3 + 7));
    rac_release(self.signal);
  }
}
