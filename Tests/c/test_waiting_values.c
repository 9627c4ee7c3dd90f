/* What waits where more comes than is taken: it can be seen, it goes with its
 * subscription, and there are ways to have less of it. */
#include "operators.h"

#include <semaphore.h>

/* ---- Seeing it -------------------------------------------------------------- */

enum { MANY = 1000 };

static const char text[] = "a value that is counted, as it is long enough";

/* How much more the library has after so many values than before them. */
static int64_t kept(rac_signal *signal, rac_subject *subject) {
  rac_disposable *d = rac_subscribe_next(signal, NULL, NULL, NULL);
  int64_t before = (int64_t)rac_live_objects();
  for (int i = 0; i < MANY; i++) rac_subject_send(subject, S(text));
  int64_t after = (int64_t)rac_live_objects();
  rac_dispose(d);
  rac_release(d);
  rac_release(signal);
  return after - before;
}

TEST(values_that_wait_are_among_the_live_objects) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_subject *subject = rac_subject_create();
  rac_signal *source = as_signal(subject), *never = rac_signal_never();
  CHECK(kept(rac_signal_zip_with(source, never), subject) >= MANY);
  CHECK(kept(rac_signal_deliver_on(source, v), subject) >= MANY);
  CHECK(kept(rac_signal_buffer_with_time(source, 1, v), subject) >= MANY);
  CHECK(kept(rac_signal_collect(source), subject) >= MANY);
  CHECK(kept(rac_signal_replay(source), subject) >= MANY);
  rac_release(never);
}

TEST(what_keeps_a_few_keeps_no_more) {
  owned rac_subject *subject = rac_subject_create(),
                    *tick = rac_subject_create();
  rac_signal *source = as_signal(subject);
  CHECK(kept(rac_signal_sample(source, as_signal(tick)), subject) <= 10);
  CHECK(kept(rac_signal_throttle(source, 1000, NULL), subject) <= 10);
  CHECK(kept(rac_signal_take_last(source, 3), subject) <= 10);
  CHECK(kept(rac_signal_replay_last(source), subject) <= 10);
}

/* ---- Having less of it ------------------------------------------------------ */

enum { PLACES = 16 };

typedef struct belt {
  rac_subject *subject;
  sem_t free;
  atomic_int on_it, most;
  atomic_llong sum;
} belt;

static void take_off(void *context, rac_value value) {
  belt *b = context_target(context);
  atomic_fetch_add(&b->sum, value.bits);
  atomic_fetch_sub(&b->on_it, 1);
  sem_post(&b->free);
}

/* A producer that takes a place for each value, on a thread of its own. */
static void *put_on(void *argument) {
  belt *b = argument;
  for (int64_t i = 1; i <= check_scaled(20000); i++) {
    sem_wait(&b->free);
    int now = atomic_fetch_add(&b->on_it, 1) + 1;
    if (now > atomic_load(&b->most)) atomic_store(&b->most, now);
    rac_subject_send(b->subject, I(i));
  }
  rac_subject_send_completed(b->subject);
  return NULL;
}

TEST(a_producer_that_waits_for_places) {
  belt b = {.subject = rac_subject_create()};
  sem_init(&b.free, 0, PLACES);
  rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
  rac_signal *signal = rac_signal_deliver_on(as_signal(b.subject), scheduler);
  atomic_int destroyed = 0;
  rac_release(rac_subscribe_next(signal, context_new(&b, &destroyed), take_off,
                                 context_destroy));
  check_join(check_spawn(put_on, &b));
  WAIT_UNTIL(atomic_load(&destroyed));
  int64_t count = check_scaled(20000);
  CHECK_INT(atomic_load(&b.sum), count * (count + 1) / 2);
  CHECK(atomic_load(&b.most) <= PLACES);
  sem_destroy(&b.free);
  rac_release(signal);
  rac_release(scheduler);
  rac_release(b.subject);
}
