/* rac_signal_share and rac_signal_share_replay: one subscription at a time, begun
 * anew when it is over. */
#include <math.h>

#include "callbacks.h"
#include "stage.h"
#include "streams.h"

typedef struct sharing {
  rac_subject *subject;
  watched source; /* counts the subscriptions */
  rac_signal *shared;
  recorder a, b;
} sharing;

static void begin(sharing *self, bool replays, size_t count, double seconds,
                  rac_scheduler *v) {
  memset(self, 0, sizeof *self);
  self->subject = rac_subject_create();
  self->source.signal = as_signal(self->subject);
  rac_signal *source = watch(&self->source);
  self->shared = replays ? rac_signal_share_replay(source, count, seconds, v)
                         : rac_signal_share(source);
  rac_release(source);
}

static void end(sharing *self) {
  if (self->a.subscription) finish(&self->a);
  if (self->b.subscription) finish(&self->b);
  rac_release(self->shared);
  /* A worker goes on with what many threads have left behind. */
  WAIT_UNTIL(rac_subject_subscriber_count(self->subject) == 0);
  WAIT_UNTIL(self->source.counts.disposed == self->source.counts.subscribed);
  rac_release(self->subject);
}

static void dispose(recorder *r) {
  rac_dispose(r->subscription);
  finish(r);
  *r = (recorder){0};
}

TEST(one_subscription_while_somebody_listens) {
  sharing s;
  begin(&s, false, 0, 0, NULL);
  CHECK_INT(s.source.counts.subscribed, 0);
  record(s.shared, &s.a);
  play(s.subject, "1");
  record(s.shared, &s.b);
  play(s.subject, "2");
  CHECK_INT(s.source.counts.subscribed, 1);
  CHECK_EVENTS(&s.b, "2");
  dispose(&s.b);
  CHECK_INT(s.source.counts.disposed, 0);
  CHECK_EVENTS(&s.a, "1 2");
  dispose(&s.a);
  CHECK_INT(s.source.counts.disposed, 1);
  play(s.subject, "3");
  record(s.shared, &s.a);
  play(s.subject, "4 |");
  CHECK_INT(s.source.counts.subscribed, 2);
  CHECK_EVENTS(&s.a, "4 |");
  end(&s);
}

TEST(who_comes_after_an_end_begins_anew) {
  for (int i = 0; i < 4; i++) {
    const char *const ends[] = {"|", "#5"};
    sharing s;
    begin(&s, i >= 2, 1, INFINITY, NULL);
    record(s.shared, &s.a);
    play(s.subject, "1");
    play(s.subject, ends[i % 2]);
    record(s.shared, &s.b);
    bool is_kept = i == 2;
    CHECK_INT(s.source.counts.subscribed, is_kept ? 1 : 2);
    CHECK_EVENTS(&s.b, is_kept ? "1 |" : "");
    end(&s);
  }
}

TEST(the_latest_values_are_replayed) {
  sharing s;
  begin(&s, true, 2, INFINITY, NULL);
  record(s.shared, &s.a);
  play(s.subject, "1 2 3");
  record(s.shared, &s.b);
  CHECK_EVENTS(&s.b, "2 3");
  play(s.subject, "4 |");
  CHECK_EVENTS(&s.a, "1 2 3 4 |");
  CHECK_EVENTS(&s.b, "2 3 4 |");
  end(&s);
}

TEST(values_are_forgotten_with_the_last_listener) {
  sharing s;
  begin(&s, true, SIZE_MAX, INFINITY, NULL);
  record(s.shared, &s.a);
  play(s.subject, "1 2");
  dispose(&s.a);
  CHECK_INT(s.source.counts.disposed, 1);
  record(s.shared, &s.b);
  CHECK_EVENTS(&s.b, "");
  CHECK_INT(s.source.counts.subscribed, 2);
  end(&s);
}

TEST(none_that_is_too_old_is_replayed) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  sharing s;
  begin(&s, true, SIZE_MAX, 5, v);
  record(s.shared, &s.a);
  for (int i = 0; i < 9; i++) {
    rac_subject_send(s.subject, I(i));
    rac_virtual_advance_by(v, 2);
  }
  record(s.shared, &s.b);
  CHECK_EVENTS(&s.b, "7 8"); /* 4 and 2 seconds old */
  dispose(&s.b);
  play(s.subject, "|");
  rac_virtual_advance_by(v, 10);
  record(s.shared, &s.b);
  CHECK_EVENTS(&s.b, "|");
  end(&s);
}

static void count_release(void *pointer) { ++*(int *)pointer; }

/* Also where there is room for all. */
TEST(what_is_too_old_is_let_go) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  sharing s;
  int released = 0;
  begin(&s, true, SIZE_MAX, 5, v);
  record(s.shared, &s.a);
  for (int i = 0; i < 100; i++) {
    rac_value value = rac_value_pointer(&released, NULL, count_release);
    rac_subject_send(s.subject, value);
    rac_value_release(value);
    rac_virtual_advance_by(v, 1);
    CHECK_INT(released, i < 5 ? 0 : i - 4);
  }
  end(&s);
  CHECK_INT(released, 100);
}

/* ---- Rounds in rounds ------------------------------------------------------- */

TEST(what_is_below_may_retry_and_repeat) {
  source counts = {0};
  owned rac_signal *failing = cold("1 #2", &counts),
                   *ending = cold("1 |", &counts);
  rac_signal *s = rac_signal_share(failing);
  APPLY(s, retry, 2);
  CHECK_SIGNAL(s, "1 1 1 #2");
  CHECK_INT(counts.subscribed, 3);
  s = rac_signal_share(ending);
  APPLY0(s, repeat);
  APPLY(s, take, 3);
  CHECK_SIGNAL(s, "1 1 1 |");
  s = rac_signal_share_replay(failing, 1, INFINITY, NULL);
  APPLY(s, retry, 2);
  CHECK_SIGNAL(s, "1 1 1 #2");
}

static void subscribe_again(recorder *self) {
  sharing *s = self->user;
  record(s->shared, &s->b);
}
TEST(who_subscribes_at_the_end_hears_the_next_round) {
  sharing s;
  begin(&s, false, 0, 0, NULL);
  s.a.on_end = subscribe_again;
  s.a.user = &s;
  record(s.shared, &s.a);
  play(s.subject, "1 | 2");
  CHECK_EVENTS(&s.b, "2");
  CHECK_INT(s.source.counts.subscribed, 2);
  end(&s);
}

static void dispose_both(recorder *self, rac_value value) {
  sharing *s = self->user;
  (void)value;
  rac_dispose(s->a.subscription);
  rac_dispose(s->b.subscription);
}
TEST(all_may_be_disposed_inside) {
  for (int replays = 0; replays < 2; replays++) {
    sharing s;
    begin(&s, replays, 1, INFINITY, NULL);
    s.a.on_next = dispose_both;
    s.a.user = &s;
    record(s.shared, &s.a);
    record(s.shared, &s.b);
    play(s.subject, "1 2 |");
    CHECK_EVENTS(&s.a, "1");
    CHECK_EVENTS(&s.b, "");
    CHECK_INT(s.source.counts.disposed, 1);
    end(&s);
  }
}

/* Law 11: the subscriptions go with the last who could send, and so does the
 * round. */
TEST(a_source_that_is_gone_is_over) {
  for (int replays = 0; replays < 2; replays++) {
    owned rac_signal *never = rac_signal_never();
    rac_subject *subject = rac_subject_create();
    rac_signal *signals[] = {never, as_signal(subject)};
    for (int i = 0; i < 2; i++) {
      rac_signal *s = replays ? rac_signal_share_replay(signals[i], 3, 60, NULL)
                              : rac_signal_share(signals[i]);
      recorder r = {0};
      record(s, &r);
      play(subject, "1");
      rac_release(s);
      if (i == 1) rac_release(subject);
      CHECK_INT(atomic_load(&r.destroyed), 1);
      finish(&r);
      CHECK_INT(r.ends, 0);
    }
  }
}

TEST(shared_signals_in_a_row) {
  source counts = {0};
  rac_signal *s = cold("1 2 |", &counts);
  for (int i = 0; i < 500; i++) {
    rac_assign((void **)&s, i % 2 ? rac_signal_share(s)
                                  : rac_signal_share_replay(s, 1, 9, NULL));
  }
  CHECK_SIGNAL(s, "1 2 |");
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 1);
}

/* ---- Threads ------------------------------------------------------------------ */

static void *come_and_go(void *signal) {
  for (int i = (int)check_scaled(3000); i > 0; i--) {
    RECORDER(r, signal);
    rac_dispose(r.subscription);
  }
  return NULL;
}

TEST(many_come_and_go) {
  for (int replays = 0; replays < 2; replays++) {
    sharing s;
    begin(&s, replays, 2, 1, NULL);
    pthread_t threads[3];
    for (int i = 0; i < 2; i++) threads[i] = check_spawn(come_and_go, s.shared);
    threads[2] = check_spawn(send_many, s.subject);
    for (int i = 0; i < 3; i++) check_join(threads[i]);
    record(s.shared, &s.a);
    play(s.subject, "7");
    CHECK_EVENTS(&s.a, "7");
    end(&s);
  }
}

TEST(ages_are_checked) {
  const double bad[] = {-1, -INFINITY, NAN};
  owned rac_signal *never = rac_signal_never();
  for (int i = 0; i < 3; i++) {
    CHECK(rac_signal_share_replay(never, 1, bad[i], NULL) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  }
}

/* Nothing is remembered, but the end. */
TEST(a_memory_of_nothing) {
  for (int i = 0; i < 2; i++) {
    sharing s;
    begin(&s, true, i ? 0 : 9, i ? INFINITY : 0, NULL);
    record(s.shared, &s.a);
    play(s.subject, "1 2");
    record(s.shared, &s.b);
    play(s.subject, "3 |");
    CHECK_EVENTS(&s.a, "1 2 3 |");
    CHECK_EVENTS(&s.b, "3 |");
    end(&s);
  }
}
