/* Another thread releases while a call is under way, or another release is. */
#include "check.h"

#include <sched.h>

static void *release_it(void *handle) {
  CHECK_STATUS(rac_release(handle), RAC_OK);
  return NULL;
}

static void release_elsewhere(recorder *self, rac_value value) {
  if (value.bits != 1) return;
  check_join(check_spawn(release_it, self->user));
}

TEST(a_release_by_another_thread_during_a_send_waits_for_its_end) {
  rac_subject *subject = rac_subject_create();
  recorder first = {.on_next = release_elsewhere, .user = subject};
  recorder second = {0};
  record(as_signal(subject), &first);
  record(as_signal(subject), &second);
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  CHECK_EVENTS(&first, "1");
  CHECK_EVENTS(&second, "1");
  CHECK_STATUS(rac_subject_send(subject, I(2)), RAC_ESTALE);
  await_end(&first);
  await_end(&second);
}

TEST(a_release_by_another_thread_during_an_operators_callback) {
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signal = rac_signal_take(as_signal(subject), 3);
  finished recorder r = {.on_next = release_elsewhere, .user = signal};
  record(signal, &r);
  play(subject, "1 2 3 4");
  CHECK_EVENTS(&r, "1 2 3 |");
}

typedef struct race {
  rac_subject *subject;
  atomic_int ready;
  atomic_int won;
} race;

typedef struct racer {
  race *race;
  int64_t name, sent;
} racer;

static void *send_until_stale(void *argument) {
  racer *self = argument;
  rac_subject *subject = self->race->subject;
  atomic_fetch_add(&self->race->ready, 1);
  while (rac_subject_send(subject, I(self->name << 32 | self->sent)) >= 0)
    self->sent++;
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  return NULL;
}

static void in_order(recorder *self, rac_value value) {
  int64_t *expected = self->user;
  if ((value.bits & 0xffffffff) != expected[value.bits >> 32]++)
    check_fail(__FILE__, __LINE__, "a value is missing or out of order");
}

/* Of one sender and of two, of whom one may leave its value to the other. */
TEST(releases_race_with_sends) {
  for (int64_t round = check_scaled(500); round > 0; round--) {
    race shared = {.subject = rac_subject_create()};
    racer racers[] = {{&shared, 0, 0}, {&shared, 1, 0}};
    int senders = round % 3 == 0 ? 2 : 1;
    int64_t expected[] = {0, 0};
    pthread_t threads[2];
    recorder r = {.on_next = in_order, .user = expected};
    record(as_signal(shared.subject), &r);
    for (int i = 0; i < senders; i++)
      threads[i] = check_spawn(send_until_stale, &racers[i]);
    while (atomic_load(&shared.ready) < senders) sched_yield();
    for (int spin = (int)(round % 500); spin > 0; spin--)
      atomic_load(&shared.ready);
    CHECK_STATUS(rac_release(shared.subject), RAC_OK);
    for (int i = 0; i < senders; i++) check_join(threads[i]);
    await_end(&r);
    /* What was accepted was delivered, even with the release under way. */
    for (int i = 0; i < senders; i++) CHECK_INT(expected[i], racers[i].sent);
  }
}

static void *retain_and_release(void *argument) {
  void *handle = argument;
  for (int64_t i = check_scaled(300000); i > 0; i--) {
    if (rac_retain(handle)) CHECK_STATUS(rac_release(handle), RAC_OK);
  }
  return NULL;
}

TEST(references_are_counted_across_threads) {
  rac_signal *signal = rac_signal_never();
  pthread_t a = check_spawn(retain_and_release, signal);
  pthread_t b = check_spawn(retain_and_release, signal);
  check_join(a);
  check_join(b);
  CHECK_STATUS(rac_release(signal), RAC_OK);
  CHECK_STATUS(rac_release(signal), RAC_ESTALE);
}

static void *release_once(void *argument) {
  race *self = argument;
  atomic_fetch_add(&self->ready, 1);
  while (atomic_load(&self->ready) < 2) sched_yield();
  if (rac_release(self->subject) == RAC_OK) atomic_fetch_add(&self->won, 1);
  return NULL;
}

TEST(of_two_racing_releases_of_one_reference_one_wins) {
  for (int64_t round = check_scaled(500); round > 0; round--) {
    race shared = {.subject = rac_subject_create()};
    pthread_t a = check_spawn(release_once, &shared);
    pthread_t b = check_spawn(release_once, &shared);
    check_join(a);
    check_join(b);
    CHECK_INT(atomic_load(&shared.won), 1);
  }
}
