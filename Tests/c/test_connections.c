/* Connections share one subscription among those who come and go; they are made
 * once, with whatever subject, and by several threads. */
#include "streams.h"

#include <sched.h>

/* A hot source, the count of its subscriptions, and a connection to it. */
typedef struct shared {
  rac_subject *subject;
  watched source;
  rac_connection *connection;
  rac_signal *signal;
} shared;

static void begin(shared *self, rac_subject *memory) {
  rac_subject *subject = rac_subject_create();
  *self =
      (shared){.subject = subject, .source = {.signal = as_signal(subject)}};
  owned rac_signal *source = watch(&self->source);
  self->connection = memory ? rac_signal_multicast(source, memory)
                            : rac_signal_publish(source);
  self->signal = rac_connection_signal(self->connection);
}

static void end(shared *self) {
  rac_release(self->signal);
  rac_release(self->connection);
  rac_release(self->subject);
}

/* Law 12: until it connects there is no subscription, then there is one. */
TEST(a_connection_shares_one_subscription) {
  shared s;
  begin(&s, NULL);
  recorder early[2] = {{0}, {0}}, late = {0};
  for (int i = 0; i < 2; i++) record(s.signal, &early[i]);
  play(s.subject, "1");
  CHECK_INT(s.source.counts.subscribed, 0);
  owned rac_disposable *subscription = rac_connection_connect(s.connection);
  CHECK_INT(s.source.counts.subscribed, 1);
  play(s.subject, "2");
  record(s.signal, &late);
  play(s.subject, "3 |");
  for (int i = 0; i < 2; i++) {
    CHECK_EVENTS(&early[i], "2 3 |");
    await_end(&early[i]);
  }
  CHECK_EVENTS(&late, "3 |");
  CHECK(rac_is_disposed(subscription));
  CHECK_INT(s.source.counts.disposed, 1);
  await_end(&late);
  end(&s);
}

/* Laws 7 and 12: a connection is made once, and its disposal is silent. */
TEST(disposing_a_connection_is_silent) {
  shared s;
  begin(&s, NULL);
  recorder r = {0};
  record(s.signal, &r);
  owned rac_disposable *connected = rac_connection_connect(s.connection);
  play(s.subject, "1");
  rac_dispose(connected);
  CHECK_INT(s.source.counts.disposed, 1);
  play(s.subject, "2");
  rac_release(rac_connection_connect(s.connection));
  CHECK_INT(s.source.counts.subscribed, 1);
  CHECK_EVENTS(&r, "1");
  finish(&r);
  end(&s);
}

/* Laws 12 and 14: what is remembered is there for late ones, the end as well. */
TEST(a_replay_subject_in_between_repeats) {
  owned rac_subject *replay = rac_replay_subject_create(2);
  shared s;
  begin(&s, replay);
  rac_release(rac_connection_connect(s.connection));
  play(s.subject, "1 2 3");
  CHECK_SIGNAL(rac_retain(s.signal), "2 3");
  play(s.subject, "#5");
  CHECK_SIGNAL(rac_retain(replay), "2 3 #5");
  CHECK_INT(s.source.counts.subscribed, 1);
  end(&s);
}

TEST(a_subject_multicast_through_itself_is_refused) {
  owned rac_subject *subject = rac_subject_create();
  rac_clear_last_error();
  CHECK(rac_signal_multicast(as_signal(subject), subject) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}

TEST(a_connection_lives_on_without_its_handle) {
  owned rac_subject *subject = rac_subject_create();
  rac_connection *connection = rac_signal_publish(as_signal(subject));
  rac_signal *shared = rac_connection_signal(connection);
  RECORDER(r, shared);
  rac_release(rac_connection_connect(connection));
  rac_release(connection);
  rac_release(shared);
  play(subject, "1 |");
  CHECK_EVENTS(&r, "1 |");
}

/* ---- Racing connects ---------------------------------------------------- */

typedef struct slow {
  rac_connection *connection;
  atomic_int subscribed, entered, leave;
} slow;

static rac_status slow_subscribe(void *context, rac_subscriber *subscriber,
                                 rac_disposable **out) {
  slow *self = context_target(context);
  (void)out;
  atomic_fetch_add(&self->subscribed, 1);
  atomic_store(&self->entered, 1);
  while (!atomic_load(&self->leave)) check_pause();
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static void *connect_it(void *argument) {
  slow *self = argument;
  rac_thread_attach();
  rac_disposable *d = rac_connection_connect(self->connection);
  CHECK(d != NULL);
  rac_release(d);
  rac_thread_detach();
  return NULL;
}

/* The handle is there before the source is: who gives up then is not
 * forgotten, and whoever connects later gets that one, too. */
TEST(a_connection_disposed_while_it_is_made) {
  slow self = {0};
  owned rac_signal *signal = rac_signal_create(context_new(&self, NULL),
                                               slow_subscribe, context_destroy);
  self.connection = rac_signal_publish(signal);
  rac_signal *shared = rac_connection_signal(self.connection);
  recorder r = {0};
  record(shared, &r);
  pthread_t thread = check_spawn(connect_it, &self);
  WAIT_UNTIL(atomic_load(&self.entered));
  rac_disposable *d = rac_connection_connect(self.connection);
  rac_dispose(d);
  rac_disposable *again = rac_connection_connect(self.connection);
  CHECK(again == d);
  CHECK(rac_is_disposed(again));
  atomic_store(&self.leave, 1);
  check_join(thread);
  CHECK_INT(atomic_load(&self.subscribed), 1);
  CHECK_EVENTS(&r, "");
  finish(&r);
  rac_release(again);
  rac_release(d);
  rac_release(shared);
  rac_release(self.connection);
}

/* Law 12: one subscription, whoever connects. */
TEST(racing_threads_connect_once) {
  for (int64_t round = check_scaled(500); round > 0; round--) {
    slow self = {.leave = 1};
    owned rac_signal *signal = rac_signal_create(
        context_new(&self, NULL), slow_subscribe, context_destroy);
    self.connection = rac_signal_publish(signal);
    pthread_t a = check_spawn(connect_it, &self);
    pthread_t b = check_spawn(connect_it, &self);
    rac_release(rac_connection_connect(self.connection));
    check_join(a);
    check_join(b);
    CHECK_INT(atomic_load(&self.subscribed), 1);
    rac_release(self.connection);
  }
}

/* ---- Made and undone as subscribers come and go -------------------------- */

/* Law 12: from the first subscriber on and until the last one has left. */
TEST(an_autoconnected_signal_follows_its_subscribers) {
  shared s;
  begin(&s, NULL);
  owned rac_signal *automatic = rac_connection_autoconnect(s.connection);
  recorder first = {0}, second = {0};
  CHECK_INT(s.source.counts.subscribed, 0);
  record(automatic, &first);
  record(automatic, &second);
  CHECK_INT(s.source.counts.subscribed, 1);
  play(s.subject, "1");
  finish(&first);
  play(s.subject, "2");
  CHECK_INT(s.source.counts.disposed, 0);
  finish(&second);
  CHECK_INT(s.source.counts.disposed, 1);
  CHECK_EVENTS(&first, "1");
  CHECK_EVENTS(&second, "1 2");
  CHECK_INT(rac_subject_subscriber_count(s.subject), 0);
  end(&s);
}

TEST(autoconnect_passes_the_end_to_everyone) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_connection *connection = rac_signal_publish(as_signal(subject));
  owned rac_signal *automatic = rac_connection_autoconnect(connection);
  recorder a = {0}, b = {0};
  record(automatic, &a);
  record(automatic, &b);
  play(subject, "1 #4");
  CHECK_EVENTS(&a, "1 #4");
  CHECK_EVENTS(&b, "1 #4");
  await_end(&a);
  await_end(&b);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

typedef struct crowd {
  rac_signal *signal;
  atomic_int ready;
} crowd;

static void *come_and_go(void *argument) {
  crowd *self = argument;
  atomic_fetch_add(&self->ready, 1);
  while (atomic_load(&self->ready) < 2) sched_yield();
  for (int i = 0; i < 5; i++) {
    RECORDER(r, self->signal);
  }
  return NULL;
}

TEST(subscribers_race_for_the_first_and_last_place) {
  for (int64_t round = check_scaled(300); round > 0; round--) {
    source counts = {0};
    owned rac_signal *signal = cold("1", &counts);
    owned rac_connection *connection = rac_signal_publish(signal);
    crowd self = {rac_connection_autoconnect(connection), 0};
    pthread_t a = check_spawn(come_and_go, &self);
    pthread_t b = check_spawn(come_and_go, &self);
    check_join(a);
    check_join(b);
    WAIT_UNTIL(atomic_load(&counts.disposed) ==
               atomic_load(&counts.subscribed));
    CHECK(atomic_load(&counts.subscribed) <= 1);
    rac_release(self.signal);
  }
}
