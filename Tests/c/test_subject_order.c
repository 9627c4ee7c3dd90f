/* The one line in which a subject's events stand, seen across its subscribers. */
#include "check.h"

typedef struct line {
  rac_subject *subject;
  char text[100];
} line;

typedef struct place {
  line *line;
  char name;
  bool sends;
} place;

static void note(line *self, const char *what) {
  size_t used = strlen(self->text);
  snprintf(self->text + used, sizeof self->text - used, "%s%s",
           used > 0 ? " " : "", what);
}

static void hear(recorder *self, rac_value value) {
  place *p = self->user;
  char text[20];
  snprintf(text, sizeof text, "%c%d", p->name, (int)value.bits);
  note(p->line, text);
  if (!p->sends || value.bits >= 3) return;
  CHECK_STATUS(rac_subject_send(p->line->subject, I(value.bits + 1)),
               RAC_QUEUED);
  note(p->line, "sent");
}

/* Laws 3 and 4: first everybody hears the current value, then the next one comes,
 * all before the first send returns. */
TEST(what_is_sent_inside_comes_when_everybody_has_heard) {
  line l = {.subject = rac_subject_create()};
  place places[] = {{&l, 'a', true}, {&l, 'b', false}};
  recorder r[2] = {{.on_next = hear, .user = &places[0]},
                   {.on_next = hear, .user = &places[1]}};
  for (int i = 0; i < 2; i++) record(as_signal(l.subject), &r[i]);
  CHECK_STATUS(rac_subject_send(l.subject, I(1)), RAC_OK);
  CHECK_TEXT(l.text, "a1 sent b1 a2 sent b2 a3 b3");
  for (int i = 0; i < 2; i++) finish(&r[i]);
  rac_release(l.subject);
}

/* ---- What a callback sends ------------------------------------------------- */

static void send_tenfold(recorder *self, rac_value value) {
  if (value.bits < 100)
    CHECK_STATUS(rac_subject_send(self->user, I(value.bits * 10)), RAC_QUEUED);
}

/* Laws 3 and 4: all hear the same, before the first send returns. */
TEST(everyone_hears_re_entrant_sends_in_the_same_order) {
  owned rac_subject *subject = rac_subject_create();
  recorder first = {0};
  recorder sender = {.on_next = send_tenfold, .user = subject};
  record(as_signal(subject), &first);
  record(as_signal(subject), &sender);
  RECORDER(last, as_signal(subject));
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  /* All of it was delivered before the outer send returned. */
  CHECK_EVENTS(&first, "1 10 100");
  CHECK_EVENTS(&sender, "1 10 100");
  CHECK_EVENTS(&last, "1 10 100");
  play(subject, "2 |");
  CHECK_EVENTS(&last, "1 10 100 2 20 200 |");
  await_end(&first);
  await_end(&sender);
}

static void complete_then_send(recorder *self, rac_value value) {
  (void)value;
  CHECK_STATUS(rac_subject_send(self->user, I(8)), RAC_QUEUED);
  CHECK_STATUS(rac_subject_send_completed(self->user), RAC_QUEUED);
  CHECK_STATUS(rac_subject_send(self->user, I(9)), RAC_QUEUED);
}

/* Law 3: an end stands in the same line. */
TEST(an_end_sent_inside_next_comes_after_what_was_sent_before_it) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder a = {.on_next = complete_then_send, .user = subject};
  record(as_signal(subject), &a);
  RECORDER(b, as_signal(subject));
  play(subject, "1 2");
  CHECK_EVENTS(&a, "1 8 |");
  CHECK_EVENTS(&b, "1 8 |");
}

typedef struct joiner {
  rac_subject *subject;
  recorder inner;
} joiner;

static void join_once(recorder *self, rac_value value) {
  joiner *j = self->user;
  if (value.bits != 1) return;
  rac_subject_send(j->subject, I(2));
  record(as_signal(j->subject), &j->inner);
  rac_subject_send(j->subject, I(3));
}

/* Law 15: not the current value, and not what was queued before. */
TEST(a_subscription_inside_next_hears_what_is_sent_after_it) {
  joiner j = {.subject = rac_subject_create()};
  recorder outer = {.on_next = join_once, .user = &j};
  record(as_signal(j.subject), &outer);
  rac_subject_send(j.subject, I(1));
  CHECK_EVENTS(&outer, "1 2 3");
  CHECK_EVENTS(&j.inner, "3");
  play(j.subject, "4 |");
  CHECK_EVENTS(&j.inner, "3 4 |");
  await_end(&outer);
  await_end(&j.inner);
  rac_release(j.subject);
}

static void rejoin(recorder *self) {
  joiner *j = self->user;
  record(as_signal(j->subject), &j->inner);
}

TEST(a_subscription_inside_the_end_is_a_new_one) {
  joiner j = {.subject = rac_subject_create()};
  recorder outer = {.on_end = rejoin, .user = &j};
  record(as_signal(j.subject), &outer);
  play(j.subject, "1 |");
  play(j.subject, "2");
  CHECK_EVENTS(&outer, "1 |");
  CHECK_EVENTS(&j.inner, "2");
  await_end(&outer);
  finish(&j.inner);
  rac_release(j.subject);
}

TEST(a_million_re_entrant_sends_use_no_stack) {
  /* Each send inside a callback only queues. */
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *signal =
      rac_signal_take(as_signal(subject), (size_t)check_scaled(1000000));
  owned rac_disposable *loop =
      rac_subscribe_subscriber(signal, rac_subject_as_subscriber(subject));
  recorder r = {0};
  record(as_signal(subject), &r);
  rac_subject_send(subject, I(1));
  CHECK_INT(r.nexts, check_scaled(1000000) + 1);
  CHECK_INT(r.ends, 1);
  await_end(&r);
}

/* ---- What a send answers ------------------------------------------------------ */

typedef struct crossing {
  rac_subject *left, *right;
  atomic_bool inside, leave;
  atomic_int heard;
} crossing;

static void hear_crossing(void *context, rac_value value) {
  crossing *self = context;
  if ((int64_t)value.bits == 1) {
    self->inside = true;
    WAIT_UNTIL(self->leave);
  }
  atomic_fetch_add(&self->heard, 1);
}

static void *send_left(void *context) {
  crossing *self = context;
  CHECK_STATUS(rac_subject_send(self->left, I(1)), RAC_OK);
  return NULL;
}

/* Law 4: the answer is that of what was sent to, and says nothing of an operator
 * below in which another thread is. */
TEST(a_value_that_was_delivered_may_wait_further_down) {
  crossing self = {.left = rac_subject_create(), .right = rac_subject_create()};
  rac_signal *both[] = {rac_subject_as_signal(self.left),
                        rac_subject_as_signal(self.right)};
  rac_signal *merged = rac_signal_merge(both, 2);
  rac_disposable *subscription =
      rac_subscribe_next(merged, &self, hear_crossing, NULL);
  pthread_t thread = check_spawn(send_left, &self);
  WAIT_UNTIL(self.inside);
  CHECK_STATUS(rac_subject_send(self.right, I(2)), RAC_OK);
  CHECK_INT(self.heard, 0);
  self.leave = true;
  check_join(thread);
  CHECK_STATUS(rac_settle(20), RAC_OK);
  CHECK_INT(self.heard, 2);
  rac_dispose(subscription);
  rac_release(subscription);
  rac_release(merged);
  rac_release(self.left);
  rac_release(self.right);
}
