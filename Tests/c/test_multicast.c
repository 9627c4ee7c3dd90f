/* Connections: made once, with whatever subject, and by several threads. */
#include "check.h"

TEST(a_connection_subscribes_once) {
  source counts = {0};
  owned rac_signal *signal = cold("1", &counts);
  owned rac_connection *connection = rac_signal_publish(signal);
  CHECK_INT(counts.subscribed, 0);
  owned rac_disposable *a = rac_connection_connect(connection);
  owned rac_disposable *b = rac_connection_connect(connection);
  CHECK(a != NULL && b != NULL);
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 0);
  rac_dispose(b);
  CHECK_INT(counts.disposed, 1);
  CHECK(rac_is_disposed(a));
}

TEST(a_disposed_connection_is_not_made_again) {
  source counts = {0};
  owned rac_signal *signal = cold("1", &counts);
  owned rac_connection *connection = rac_signal_publish(signal);
  rac_disposable *d = rac_connection_connect(connection);
  rac_dispose(d);
  rac_release(d);
  d = rac_connection_connect(connection);
  CHECK_INT(counts.subscribed, 1);
  CHECK(rac_is_disposed(d));
  rac_release(d);
}

TEST(subscribers_before_the_connection_wait_for_it) {
  owned rac_signal *signal = cold("1 2 |", NULL);
  owned rac_connection *connection = rac_signal_publish(signal);
  owned rac_signal *shared = rac_connection_signal(connection);
  RECORDER(a, shared);
  RECORDER(b, shared);
  CHECK_EVENTS(&a, "");
  rac_release(rac_connection_connect(connection));
  CHECK_EVENTS(&a, "1 2 |");
  CHECK_EVENTS(&b, "1 2 |");
  RECORDER(late, shared);
  CHECK_EVENTS(&late, "");
}

TEST(a_connection_through_a_subject_of_ones_own) {
  owned rac_signal *signal = cold("1 2 3 |", NULL);
  owned rac_subject *subject = rac_replay_subject_create(2);
  owned rac_connection *connection = rac_signal_multicast(signal, subject);
  owned rac_signal *shared = rac_connection_signal(connection);
  rac_release(rac_connection_connect(connection));
  rac_retain(shared);
  CHECK_SIGNAL(shared, "2 3 |");
  rac_retain(subject);
  CHECK_SIGNAL(as_signal(subject), "2 3 |");
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

/* Law 5: nobody waits for a callback of the other. */
TEST(a_second_connect_does_not_wait_for_the_first) {
  slow self = {0};
  owned rac_signal *signal = rac_signal_create(context_new(&self, NULL),
                                               slow_subscribe, context_destroy);
  self.connection = rac_signal_publish(signal);
  pthread_t thread = check_spawn(connect_it, &self);
  WAIT_UNTIL(atomic_load(&self.entered));
  rac_disposable *d = rac_connection_connect(self.connection);
  CHECK(d != NULL);
  CHECK_INT(atomic_load(&self.subscribed), 1);
  atomic_store(&self.leave, 1);
  check_join(thread);
  rac_release(d);
  rac_release(self.connection);
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
