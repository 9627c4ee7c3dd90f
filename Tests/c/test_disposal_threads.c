/* Disposal by other threads, while events flow, and waiting for it. */
#include "flow.h"
#include "shared_callbacks.h"

#include <sched.h>

static void *dispose_it(void *subscription) {
  CHECK_STATUS(rac_dispose(subscription), RAC_OK);
  return NULL;
}

static void dispose_elsewhere(recorder *self, rac_value value) {
  if (value.bits != 2) return;
  check_join(check_spawn(dispose_it, self->subscription));
}

TEST(another_thread_disposes_during_the_callback) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = dispose_elsewhere};
  record(as_signal(subject), &r);
  play(subject, "1 2 3");
  CHECK_EVENTS(&r, "1 2");
  CHECK_INT(r.destroyed, 1);
  await_end(&r);
}

static void gapless(recorder *self, rac_value value) {
  int64_t *last = self->user;
  if (*last >= 0 && value.bits != *last + 1)
    check_fail(__FILE__, __LINE__, "a value was skipped");
  *last = value.bits;
}

TEST(disposing_while_events_flow) {
  flow self = {rac_subject_create(), false};
  pthread_t sender = check_spawn(keep_sending, &self);
  for (int64_t round = check_scaled(3000); round > 0; round--) {
    int64_t last = -1;
    finished recorder r = {.on_next = gapless, .user = &last};
    record(as_signal(self.subject), &r);
    for (int64_t spin = round % 300; spin > 0; spin--) atomic_load(&self.stop);
  }
  atomic_store(&self.stop, true);
  check_join(sender);
  rac_release(self.subject);
}

typedef struct watched {
  flow flow;
  atomic_bool is_disposed;
  int late;
} watched;

static void count_late(recorder *self, rac_value value) {
  watched *w = self->user;
  (void)value;
  if (atomic_load(&w->is_disposed)) w->late++;
}

/* Law 7: when rac_dispose() returns no callback starts any more; the one that is
 * running may see that it has. */
TEST(at_most_one_callback_outlasts_a_disposal) {
  for (int64_t round = check_scaled(100); round > 0; round--) {
    watched w = {.flow = {rac_subject_create(), false}};
    recorder r = {.on_next = count_late, .user = &w};
    record(as_signal(w.flow.subject), &r);
    pthread_t sender = check_spawn(keep_sending, &w.flow);
    while (atomic_load(&r.nexts) < 20) sched_yield();
    CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
    atomic_store(&w.is_disposed, true);
    await_end(&r);
    atomic_store(&w.flow.stop, true);
    check_join(sender);
    CHECK(w.late <= 1);
    rac_release(w.flow.subject);
  }
}

typedef struct pair {
  rac_disposable *subscription;
  atomic_int round, done, undisposed;
} pair;

static void *dispose_each_round(void *argument) {
  pair *self = argument;
  for (int round = 1;; round++) {
    int now;
    while ((now = atomic_load(&self->round)) >= 0 && now < round) continue;
    if (now < 0) return NULL;
    rac_dispose(self->subscription);
    if (!rac_is_disposed(self->subscription))
      atomic_fetch_add(&self->undisposed, 1);
    atomic_store(&self->done, round);
  }
}

/* Whoever comes second must not come back before the first one has done what
 * keeps callbacks from starting. */
TEST(two_threads_dispose_at_once) {
  pair self = {0};
  pthread_t other = check_spawn(dispose_each_round, &self);
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  /* The second one has had two links at a time. */
  rac_signal *signals[] = {
      rac_retain(subject),
      rac_signal_subscribe_on(as_signal(subject), immediate)};
  int rounds = (int)check_scaled(5000), heard = 0;
  for (int round = 1; round <= rounds; round++) {
    self.subscription =
        rac_subscribe_next(signals[round % 2], &heard, count_value, NULL);
    atomic_store(&self.round, round);
    for (int spin = round % 64; spin > 0; spin--) atomic_load(&self.done);
    rac_dispose(self.subscription);
    CHECK(rac_is_disposed(self.subscription));
    for (int i = 0; i < 20; i++) rac_subject_send(subject, I(i));
    while (atomic_load(&self.done) < round) continue;
    rac_release(self.subscription);
  }
  CHECK_INT(heard, 0);
  atomic_store(&self.round, -1);
  check_join(other);
  CHECK_INT(self.undisposed, 0);
  for (int i = 0; i < 2; i++) rac_release(signals[i]);
}

/* Law 7, with waiting. */
TEST(dispose_and_wait_returns_after_destroy) {
  flow self = {rac_subject_create(), false};
  pthread_t sender = check_spawn(keep_sending, &self);
  for (int64_t round = check_scaled(3000); round > 0; round--) {
    int64_t last = -1;
    recorder r = {.on_next = gapless, .user = &last};
    record(as_signal(self.subject), &r);
    for (int64_t spin = round % 300; spin > 0; spin--) atomic_load(&self.stop);
    CHECK_STATUS(rac_dispose_and_wait(r.subscription, -1), RAC_OK);
    CHECK_INT(atomic_load(&r.destroyed), 1);
    let_go(&r);
  }
  atomic_store(&self.stop, true);
  check_join(sender);
  rac_release(self.subject);
}

static void dispose_and_wait_inside(recorder *self, rac_value value) {
  (void)value;
  CHECK_STATUS(rac_dispose_and_wait(self->subscription, -1), RAC_PENDING);
  CHECK_INT(self->destroyed, 0);
}

/* Law 7: it would wait for itself. */
TEST(dispose_and_wait_inside_the_callback_does_not_wait) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = dispose_and_wait_inside};
  record(as_signal(subject), &r);
  play(subject, "1 2");
  CHECK_EVENTS(&r, "1");
  CHECK_INT(r.destroyed, 1);
  await_end(&r);
}

typedef struct hold {
  rac_subject *subject;
  atomic_int entered, leave;
} hold;

static void hold_on(recorder *self, rac_value value) {
  (void)value;
  hold *h = self->user;
  atomic_store(&h->entered, 1);
  while (!atomic_load(&h->leave)) check_pause();
}

static void *send_one(void *argument) {
  rac_subject_send(((hold *)argument)->subject, I(1));
  return NULL;
}

TEST(dispose_and_wait_gives_up_after_its_timeout) {
  hold h = {.subject = rac_subject_create()};
  recorder r = {.on_next = hold_on, .user = &h};
  record(as_signal(h.subject), &r);
  pthread_t sender = check_spawn(send_one, &h);
  WAIT_UNTIL(atomic_load(&h.entered));
  /* A plain disposal does not wait for the callback. */
  CHECK_STATUS(rac_dispose(r.subscription), RAC_OK);
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, 0), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, 0.01), RAC_ETIMEDOUT);
  CHECK_INT(atomic_load(&r.destroyed), 0);
  atomic_store(&h.leave, 1);
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, -1), RAC_OK);
  CHECK_INT(atomic_load(&r.destroyed), 1);
  check_join(sender);
  let_go(&r);
  rac_release(h.subject);
}

/* Laws 4 and 5: a sender leaves its value and goes on. */
TEST(a_send_during_another_threads_callback_is_queued_not_blocked) {
  hold h = {.subject = rac_subject_create()};
  recorder r = {.on_next = hold_on, .user = &h};
  record(as_signal(h.subject), &r);
  pthread_t sender = check_spawn(send_one, &h);
  WAIT_UNTIL(atomic_load(&h.entered));
  CHECK_STATUS(rac_subject_send(h.subject, I(2)), RAC_QUEUED);
  CHECK_STATUS(rac_subject_send_completed(h.subject), RAC_QUEUED);
  CHECK_INT(atomic_load(&r.nexts), 1);
  atomic_store(&h.leave, 1);
  check_join(sender);
  CHECK_EVENTS(&r, "1 2 |");
  await_end(&r);
  rac_release(h.subject);
}
