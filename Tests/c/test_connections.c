/* A connection shares one subscription among those who come and go. */
#include "check.h"

/* A cold signal over the subject, which counts. */
typedef struct counted_source {
  rac_subject *subject;
  int subscriptions, disposals;
} counted_source;

typedef struct inner {
  counted_source *source;
  rac_disposable *subscription;
} inner;

static void inner_dispose(void *context) {
  inner *self = context_target(context);
  self->source->disposals++;
  rac_dispose(self->subscription);
}

static void inner_destroy(void *context) {
  inner *self = context_target(context);
  rac_release(self->subscription);
  free(self);
  context_destroy(context);
}

static rac_status subscribe_inner(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  counted_source *source = context_target(context);
  inner *self = malloc(sizeof *self);
  if (!self) abort();
  source->subscriptions++;
  *self = (inner){
      source, rac_subscribe_subscriber(as_signal(source->subject), subscriber)};
  *out = rac_disposable_create(context_new(self, NULL), inner_dispose,
                               inner_destroy);
  return RAC_OK;
}

static rac_signal *counted_signal(counted_source *source) {
  return rac_signal_create(context_new(source, NULL), subscribe_inner,
                           context_destroy);
}

/* Law 12: until it connects there is no subscription, then there is one. */
TEST(a_connection_shares_one_subscription) {
  counted_source source = {.subject = rac_subject_create()};
  rac_signal *signal = counted_signal(&source);
  rac_connection *connection = rac_signal_publish(signal);
  rac_signal *shared = rac_connection_signal(connection);
  recorder early[2] = {{0}, {0}}, late = {0};
  for (int i = 0; i < 2; i++) record(shared, &early[i]);
  play(source.subject, "1");
  CHECK_INT(source.subscriptions, 0);
  rac_disposable *subscription = rac_connection_connect(connection);
  CHECK_INT(source.subscriptions, 1);
  play(source.subject, "2");
  record(shared, &late);
  play(source.subject, "3 |");
  for (int i = 0; i < 2; i++) {
    CHECK_EVENTS(&early[i], "2 3 |");
    await_end(&early[i]);
  }
  CHECK_EVENTS(&late, "3 |");
  CHECK(rac_is_disposed(subscription));
  CHECK_INT(source.disposals, 1);
  await_end(&late);
  rac_release(subscription);
  rac_release(shared);
  rac_release(connection);
  rac_release(signal);
  rac_release(source.subject);
}

/* Laws 7 and 12: a connection is made once, and its disposal is silent. */
TEST(connecting_again_is_the_same_subscription) {
  counted_source source = {.subject = rac_subject_create()};
  rac_signal *signal = counted_signal(&source);
  rac_connection *connection = rac_signal_publish(signal);
  rac_signal *shared = rac_connection_signal(connection);
  recorder r = {0};
  record(shared, &r);
  rac_disposable *first = rac_connection_connect(connection);
  rac_disposable *again = rac_connection_connect(connection);
  CHECK_INT(source.subscriptions, 1);
  play(source.subject, "1");
  rac_dispose(again);
  CHECK(rac_is_disposed(first));
  CHECK_INT(source.disposals, 1);
  play(source.subject, "2");
  rac_release(rac_connection_connect(connection));
  CHECK_INT(source.subscriptions, 1);
  CHECK_EVENTS(&r, "1");
  finish(&r);
  rac_release(again);
  rac_release(first);
  rac_release(shared);
  rac_release(connection);
  rac_release(signal);
  rac_release(source.subject);
}

/* Law 12: from the first subscriber on and until the last one has left. */
TEST(an_autoconnected_signal_follows_its_subscribers) {
  counted_source source = {.subject = rac_subject_create()};
  rac_signal *signal = counted_signal(&source);
  rac_connection *connection = rac_signal_publish(signal);
  rac_signal *shared = rac_connection_autoconnect(connection);
  recorder first = {0}, second = {0};
  CHECK_INT(source.subscriptions, 0);
  record(shared, &first);
  record(shared, &second);
  CHECK_INT(source.subscriptions, 1);
  play(source.subject, "1");
  finish(&first);
  play(source.subject, "2");
  CHECK_INT(source.disposals, 0);
  finish(&second);
  CHECK_INT(source.disposals, 1);
  CHECK_EVENTS(&first, "1");
  CHECK_EVENTS(&second, "1 2");
  CHECK_INT(rac_subject_subscriber_count(source.subject), 0);
  rac_release(shared);
  rac_release(connection);
  rac_release(signal);
  rac_release(source.subject);
}

/* Laws 12 and 14: what is remembered is there for late ones, the end as well. */
TEST(a_replay_subject_in_between_repeats) {
  counted_source source = {.subject = rac_subject_create()};
  rac_signal *signal = counted_signal(&source);
  rac_subject *replay = rac_replay_subject_create(2);
  rac_connection *connection = rac_signal_multicast(signal, replay);
  rac_signal *shared = rac_connection_signal(connection);
  rac_release(rac_connection_connect(connection));
  play(source.subject, "1 2 3");
  CHECK_SIGNAL(shared, "2 3");
  play(source.subject, "#5");
  CHECK_SIGNAL(rac_retain(replay), "2 3 #5");
  CHECK_INT(source.subscriptions, 1);
  rac_release(connection);
  rac_release(replay);
  rac_release(signal);
  rac_release(source.subject);
}
