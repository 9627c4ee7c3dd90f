/* rac_signal_switch_to_latest: of the signals that are sent the latest is heard. d
 * sends them. */
#include "stage.h"

static void hear_latest(stage *self) {
  stage_open(self);
  stage_hear(self, rac_signal_switch_to_latest(as_signal(self->d)));
}

TEST(switch_to_latest_follows_the_latest) {
  stage t;
  hear_latest(&t);
  send_signal(t.d, t.a);
  play(t.a, "1");
  send_signal(t.d, t.b);
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
  play(t.a, "2");
  play(t.b, "3");
  play(t.d, "nil");
  CHECK_INT(rac_subject_subscriber_count(t.b), 0);
  play(t.b, "4");
  send_signal(t.d, t.c);
  play(t.c, "5");
  CHECK_EVENTS(&t.heard, "1 3 5");
  stage_close(&t);
}

TEST(what_is_heard_is_the_latest_at_its_time) {
  static const char *const cases[][2] = {
      {"a@1 b@4.5 |@10", "--1-28-9--|"},
      {"a@1 b@4.5 |@5", "--1-28-9-|"},
      {"a@1 nil@3 |@10", "--1-------|"},
      {"-a-#7", "--1#7"},
      /* The same signal again is a new subscription. */
      {"-a-a-|", "--1-2-3-|"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_MARBLES(rac_signal_switch_to_latest(d), "--1-2-3-|", "---7-8-9-|", "",
                  cases[i][0], cases[i][1]);
}

TEST(switch_to_latest_completes_with_the_source_and_the_latest) {
  stage t;
  hear_latest(&t);
  send_signal(t.d, t.a);
  play(t.a, "|");
  CHECK_EVENTS(&t.heard, "");
  send_signal(t.d, t.b);
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "");
  play(t.b, "1 |");
  CHECK_EVENTS(&t.heard, "1 |");
  stage_close(&t);
}

TEST(switch_to_latest_completes_with_a_source_that_sent_nothing) {
  stage t;
  hear_latest(&t);
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "|");
  stage_close(&t);
}

TEST(the_latest_ones_error_ends_it_an_older_ones_does_not) {
  closed_stage t;
  hear_latest(&t);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
  play(t.a, "#1");
  CHECK_EVENTS(&t.heard, "");
  play(t.b, "#2");
  CHECK_EVENTS(&t.heard, "#2");
}

static void switch_inside(recorder *self, rac_value value) {
  stage *t = self->user;
  if (value.bits == 1) send_signal(t->d, t->b);
}

TEST(a_switch_from_inside_the_callback_takes_effect_after_it) {
  stage t;
  hear_latest(&t);
  t.heard.on_next = switch_inside;
  t.heard.user = &t;
  send_signal(t.d, t.a);
  play(t.a, "1 2");
  CHECK_INT(rac_subject_subscriber_count(t.a), 0);
  play(t.b, "3");
  CHECK_EVENTS(&t.heard, "1 3");
  stage_close(&t);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* signal-150: so is the source's, not one of an earlier signal */
TEST(the_latest_signals_error_is_the_error) {
  for (int which = 0; which < 2; which++) {
    closed_stage t;
    hear_latest(&t);
    send_signal(t.d, t.a);
    send_signal(t.d, t.b);
    play(t.a, "8 #8");
    play(t.b, "1");
    play(which ? t.d : t.b, "#7");
    CHECK_EVENTS(&t.heard, "1 #7");
  }
}

/* signal-151 */
TEST(a_latest_signal_that_never_ends_keeps_it_open) {
  closed_stage t;
  hear_latest(&t);
  give_signal(t.d, rac_signal_never());
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "");
}

/* signal-152: not with the latest signal alone, nor with the source alone */
TEST(switch_to_latest_completes_with_the_second_of_both) {
  stage t;
  hear_latest(&t);
  give_signal(t.d, rac_signal_empty());
  CHECK_EVENTS(&t.heard, "");
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "|");
  stage_close(&t);
  hear_latest(&t);
  send_signal(t.d, t.a);
  send_signal(t.d, t.b);
  play(t.a, "|");
  play(t.d, "|");
  CHECK_EVENTS(&t.heard, "");
  play(t.b, "1 |");
  CHECK_EVENTS(&t.heard, "1 |");
  stage_close(&t);
}

/* signal-153: nil silences the one before, too */
TEST(nil_is_an_empty_signal_to_switch_to) {
  stage t;
  hear_latest(&t);
  send_signal(t.d, t.a);
  play(t.a, "0");
  play(t.d, "nil");
  play(t.a, "9");
  give_signal(t.d, cold("1 2 |", NULL));
  CHECK_EVENTS(&t.heard, "0 1 2");
  play(t.d, "nil |");
  CHECK_EVENTS(&t.heard, "0 1 2 |");
  stage_close(&t);
}

/* signal-154: cold, also through a connection that is connected twice */
TEST(each_subscription_of_switch_to_latest_subscribes_to_the_source) {
  source counts = {0};
  rac_signal *s = cold("nil", &counts);
  APPLY0(s, switch_to_latest);
  rac_disposable *connected[2];
  for (int i = 0; i < 2; i++) {
    owned rac_connection *connection = rac_signal_publish(s);
    connected[i] = rac_connection_connect(connection);
    CHECK_INT(counts.subscribed, i + 1);
  }
  for (int i = 0; i < 2; i++) {
    rac_dispose(connected[i]);
    rac_release(connected[i]);
  }
  CHECK_INT(counts.disposed, 2);
  rac_release(s);
}

/* signal-154: the new signal is subscribed before the old one is let go, so
 * that what they share through a connection is not given up in between */
TEST(switching_between_two_uses_of_a_shared_signal_keeps_it) {
  source counts = {0};
  rac_signal *s = cold("1", &counts);
  rac_connection *connection = rac_signal_publish(s);
  rac_signal *shared = rac_connection_autoconnect(connection);
  stage t;
  hear_latest(&t);
  for (int i = 0; i < 3; i++) send_signal(t.d, shared);
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 0);
  play(t.d, "nil");
  CHECK_INT(counts.disposed, 1);
  stage_close(&t);
  rac_release(shared);
  rac_release(connection);
  rac_release(s);
}

static rac_status send_while_heard(void *context, rac_subscriber *to,
                                   rac_disposable **out) {
  (void)out;
  int *sent = context_target(context);
  while (rac_subscriber_is_active(to) && *sent < 1000)
    rac_subscriber_send(to, I(++*sent));
  return RAC_OK;
}

typedef struct endless {
  rac_subject *signals;
  rac_signal *signal;
} endless;

static void switch_at_zero_and_three(recorder *self, rac_value value) {
  endless *e = self->user;
  if (value.bits == 0) send_signal(e->signals, e->signal);
  if (value.bits == 3) give_signal(e->signals, rac_signal_return(I(-1)));
}

/* signal-153: one that would never return from its subscription is told to
 * stop by the switch that it causes itself. A switch from inside a value comes
 * in its turn, after that value */
TEST(a_signal_that_is_switched_away_from_while_it_is_subscribed_to) {
  int sent = 0;
  stage t;
  stage_open(&t);
  endless e = {t.d, rac_signal_create(CALLBACK_FOR(&sent, send_while_heard))};
  t.heard.on_next = switch_at_zero_and_three;
  t.heard.user = &e;
  stage_hear(&t, rac_signal_switch_to_latest(as_signal(t.d)));
  send_signal(t.d, t.a);
  play(t.a, "0");
  CHECK_EVENTS(&t.heard, "0 1 2 3 -1");
  CHECK_INT(sent, 3);
  stage_close(&t);
  rac_release(e.signal);
}

enum { SWITCHES = 20000 };

static void *switch_to_and_fro(void *context) {
  stage *t = context;
  for (int64_t i = check_scaled(SWITCHES); i > 0; i--)
    send_signal(t->d, i % 2 ? t->a : t->b);
  send_signal(t->d, t->c);
  return NULL;
}
static void *send_values(void *subject) {
  for (int64_t i = check_scaled(SWITCHES); i > 0; i--)
    rac_subject_send(subject, I(i));
  return NULL;
}

/* signal-152: the same with everybody sending at once: in the end the signal
 * that came last is listened to, and no other */
TEST(switching_while_both_signals_send) {
  stage t;
  hear_latest(&t);
  pthread_t threads[] = {check_spawn(switch_to_and_fro, &t),
                         check_spawn(send_values, t.a),
                         check_spawn(send_values, t.b)};
  for (int i = 0; i < 3; i++) check_join(threads[i]);
  WAIT_UNTIL(LISTENERS(t.c) == 1);
  WAIT_UNTIL(LISTENERS(t.a) + LISTENERS(t.b) == 0);
  play(t.d, "|");
  CHECK_INT(t.heard.ends, 0);
  play(t.c, "|");
  WAIT_UNTIL(atomic_load(&t.heard.ends) == 1);
  stage_close(&t);
}
