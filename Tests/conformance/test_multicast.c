/* RACMulticastConnection. */
#include "operators.h"

/* multicast-001: one subscription to the source, with the first connect */
TEST(connecting_subscribes_once) {
  source counts = {0};
  owned rac_signal *signal = cold("", &counts);
  owned rac_connection *connection = rac_signal_publish(signal);
  CHECK_INT(counts.subscribed, 0);
  owned rac_disposable *d = rac_connection_connect(connection);
  CHECK_INT(counts.subscribed, 1);
  rac_release(rac_connection_connect(connection));
  CHECK_INT(counts.subscribed, 1);
  rac_dispose(d);
  CHECK_INT(counts.disposed, 1);
}

/* multicast-003: a disposed connection is not made again; connecting then gives
 * the disposable there was, the same one */
TEST(connecting_again_changes_nothing) {
  source counts = {0};
  owned rac_signal *signal = cold("", &counts);
  owned rac_connection *connection = rac_signal_publish(signal);
  rac_disposable *first = rac_connection_connect(connection);
  rac_disposable *second = rac_connection_connect(connection);
  CHECK(second == first);
  CHECK(!rac_is_disposed(second));
  rac_dispose(first);
  rac_disposable *third = rac_connection_connect(connection);
  CHECK(third == first);
  CHECK(rac_is_disposed(third));
  CHECK_INT(counts.subscribed, 1);
  /* Each call has given a reference. */
  CHECK_STATUS(rac_release(first), RAC_OK);
  CHECK_STATUS(rac_release(second), RAC_OK);
  CHECK_STATUS(rac_release(third), RAC_OK);
  CHECK_STATUS(rac_release(third), RAC_ESTALE);
  /* Nobody has it any more: a new handle, to the same disposable. */
  owned rac_disposable *fourth = rac_connection_connect(connection);
  CHECK(rac_is_disposed(fourth));
}

enum { CONNECTING = 4 };

typedef struct rush {
  rac_connection *connection;
  rac_disposable *got[CONNECTING];
  atomic_int next;
  pthread_barrier_t together;
} rush;

static void *connect_in_a_rush(void *context) {
  rush *self = context;
  pthread_barrier_wait(&self->together);
  rac_disposable *got = rac_connection_connect(self->connection);
  self->got[atomic_fetch_add(&self->next, 1)] = got;
  return NULL;
}

/* multicast-003: also when several threads connect at a time */
TEST(threads_that_connect_get_the_same_disposable) {
  owned rac_signal *signal = rac_signal_never();
  for (int round = 0; round < 200; round++) {
    rush self = {.connection = rac_signal_publish(signal)};
    pthread_t threads[CONNECTING];
    pthread_barrier_init(&self.together, NULL, CONNECTING);
    for (int i = 0; i < CONNECTING; i++)
      threads[i] = check_spawn(connect_in_a_rush, &self);
    for (int i = 0; i < CONNECTING; i++) check_join(threads[i]);
    for (int i = 0; i < CONNECTING; i++) {
      CHECK(self.got[i] == self.got[0]);
      rac_release(self.got[i]);
    }
    pthread_barrier_destroy(&self.together);
    rac_release(self.connection);
  }
}

/* Who subscribes before the connection waits for it. */
TEST(nothing_comes_before_the_connection) {
  owned rac_signal *signal = cold("1 2 |", NULL);
  owned rac_connection *connection = rac_signal_publish(signal);
  owned rac_signal *shared = rac_connection_signal(connection);
  RECORDER(r, shared);
  CHECK_EVENTS(&r, "");
  rac_release(rac_connection_connect(connection));
  CHECK_EVENTS(&r, "1 2 |");
  RECORDER(late, shared);
  CHECK_EVENTS(&late, "");
}

typedef struct blocked {
  rac_connection *connection;
  rac_disposable *elsewhere;
  atomic_int started, may_go_on, has_run;
} blocked;

static rac_status wait_in_subscribe(void *context, rac_subscriber *subscriber,
                                    rac_disposable **out) {
  blocked *self = context_target(context);
  (void)subscriber, (void)out;
  atomic_store(&self->started, 1);
  WAIT_UNTIL(atomic_load(&self->may_go_on));
  return RAC_OK;
}

static void connect_there(void *context) {
  blocked *self = context_target(context);
  self->elsewhere = rac_connection_connect(self->connection);
  atomic_store(&self->has_run, 1);
}

/* multicast-004: while one thread is still subscribing to the source, another
 * one that connects gets a disposable and does not wait: law 5 */
TEST(connecting_does_not_wait_for_a_source_that_blocks) {
  blocked b = {0};
  owned rac_signal *signal =
      rac_signal_create(CALLBACK_FOR(&b, wait_in_subscribe));
  b.connection = rac_signal_publish(signal);
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_release(rac_schedule(background, CALLBACK_FOR(&b, connect_there)));
  WAIT_UNTIL(atomic_load(&b.started));
  rac_disposable *here = rac_connection_connect(b.connection);
  CHECK(here != NULL);
  CHECK(!atomic_load(&b.has_run));
  atomic_store(&b.may_go_on, 1);
  WAIT_UNTIL(atomic_load(&b.has_run));
  CHECK(b.elsewhere != NULL);
  rac_dispose(here);
  rac_release(here);
  rac_release(b.elsewhere);
  rac_release(background);
  rac_release(b.connection);
}

/* ---- autoconnect ---------------------------------------------------------- */

typedef struct automatic {
  source counts;
  rac_signal *source, *signal;
  rac_connection *connection;
  recorder first, second;
} automatic;

static void begin(automatic *self, const char *script) {
  *self = (automatic){.source = cold(script, &self->counts)};
  self->connection = rac_signal_publish(self->source);
  self->signal = rac_connection_autoconnect(self->connection);
}

static void end(automatic *self) {
  rac_release(self->signal);
  rac_release(self->connection);
  rac_release(self->source);
}

/* multicast-005: the first subscriber connects, the second shares */
TEST(the_first_subscriber_connects) {
  automatic a;
  begin(&a, "1");
  CHECK_INT(a.counts.subscribed, 0);
  record(a.signal, &a.first);
  CHECK_INT(a.counts.subscribed, 1);
  record(a.signal, &a.second);
  CHECK_INT(a.counts.subscribed, 1);
  finish(&a.first);
  CHECK_INT(a.counts.disposed, 0);
  finish(&a.second);
  CHECK_INT(a.counts.disposed, 1);
  CHECK_EVENTS(&a.first, "1");
  CHECK_EVENTS(&a.second, "");
  end(&a);
}

/* multicast-007: after the last one has gone nobody connects again */
TEST(the_source_is_not_subscribed_to_again) {
  automatic a;
  begin(&a, "1");
  record(a.signal, &a.first);
  finish(&a.first);
  CHECK_INT(a.counts.disposed, 1);
  record(a.signal, &a.second);
  CHECK_INT(a.counts.subscribed, 1);
  CHECK_EVENTS(&a.second, "");
  finish(&a.second);
  end(&a);
}

/* multicast-008: but a replay subject in between still replays */
TEST(a_replay_subject_outlives_the_connection) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_subject *memory = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  owned rac_connection *connection =
      rac_signal_multicast(as_signal(subject), memory);
  owned rac_signal *signal = rac_connection_autoconnect(connection);
  recorder first = {0};
  record(signal, &first);
  play(subject, "1 2");
  finish(&first);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  RECORDER(second, signal);
  CHECK_EVENTS(&second, "1 2");
}
