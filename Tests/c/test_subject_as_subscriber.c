/* A subject that is subscribed to other signals, or to what it feeds itself. */
#include "shared_callbacks.h"

TEST(a_subject_passes_on_what_it_is_subscribed_to) {
  owned rac_subject *subject = rac_subject_create();
  RECORDER(r, as_signal(subject));
  owned rac_signal *signal = cold("1 2 |", NULL);
  owned rac_disposable *d =
      rac_subscribe_subscriber(signal, rac_subject_as_subscriber(subject));
  CHECK(d != NULL);
  CHECK_EVENTS(&r, "1 2 |");
}

TEST(disposing_that_subscription_leaves_the_subject) {
  owned rac_subject *source_ = rac_subject_create(),
                    *subject = rac_subject_create();
  RECORDER(r, as_signal(subject));
  rac_disposable *d = rac_subscribe_subscriber(
      as_signal(source_), rac_subject_as_subscriber(subject));
  play(source_, "1");
  rac_dispose(d);
  CHECK_INT(rac_subject_subscriber_count(source_), 0);
  play(source_, "2");
  play(subject, "3");
  rac_release(d);
  /* It may be subscribed again. */
  d = rac_subscribe_subscriber(as_signal(source_),
                               rac_subject_as_subscriber(subject));
  play(source_, "4 |");
  CHECK_EVENTS(&r, "1 3 4 |");
  rac_release(d);
}

TEST(subscribing_a_subject_to_itself_is_refused) {
  owned rac_subject *subject = rac_subject_create();
  rac_clear_last_error();
  CHECK(rac_subscribe_subscriber(as_signal(subject),
                                 rac_subject_as_subscriber(subject)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  RECORDER(r, as_signal(subject));
  play(subject, "1 |");
  CHECK_EVENTS(&r, "1 |");
}

TEST(a_subject_may_feed_itself_through_operators) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *loop = rac_signal_map(
      as_signal(subject), context_new(NULL, NULL), plus_one, context_destroy);
  RAC_ASSIGN(loop, rac_signal_take(loop, 3));
  RECORDER(r, as_signal(subject));
  rac_release(
      rac_subscribe_subscriber(loop, rac_subject_as_subscriber(subject)));
  play(subject, "0");
  CHECK_EVENTS(&r, "0 1 2 3 |");
}

TEST(a_subscription_keeps_the_subject_that_it_feeds) {
  source counts = {0};
  owned rac_signal *signal = cold("1", &counts);
  rac_subject *subject = rac_subject_create();
  owned rac_disposable *d =
      rac_subscribe_subscriber(signal, rac_subject_as_subscriber(subject));
  rac_release(subject);
  CHECK_INT(counts.disposed, 0);
  CHECK_STATUS(rac_dispose(d), RAC_OK);
  CHECK_INT(counts.disposed, 1);
}

TEST(a_million_subscriptions_leave_nothing_behind) {
  owned rac_subject *subject = rac_subject_create();
  uint64_t before = rac_live_objects();
  for (int64_t i = check_scaled(1000000); i > 0; i--) {
    rac_observer observer = RAC_OBSERVER_INIT;
    owned rac_disposable *d = rac_subscribe(as_signal(subject), &observer);
    rac_dispose(d);
  }
  CHECK_INT(rac_live_objects(), before);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

TEST(upcasts_lend_the_same_handle) {
  rac_subject *subject = rac_subject_create();
  CHECK((void *)rac_subject_as_signal(subject) == (void *)subject);
  CHECK((void *)rac_subject_as_subscriber(subject) == (void *)subject);
  CHECK(rac_subscriber_is_active(rac_subject_as_subscriber(subject)));
  CHECK_STATUS(rac_release(subject), RAC_OK);
  CHECK_STATUS(rac_release(subject), RAC_ESTALE);
}
