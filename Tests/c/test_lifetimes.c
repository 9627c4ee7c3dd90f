/* References: who holds one, and what the last release does. */
#include "shared_callbacks.h"

TEST(a_second_release_is_recognised) {
  void *handles[] = {rac_signal_never(),
                     rac_subject_create(),
                     rac_disposable_create(NULL, NULL, NULL),
                     rac_compound_disposable_create(),
                     rac_serial_disposable_create(),
                     rac_scheduler_virtual(),
                     rac_scheduler_background(0, NULL)};
  for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
    CHECK(handles[i] != NULL);
    CHECK((uintptr_t)handles[i] < (uintptr_t)1 << 53);
    CHECK_STATUS(rac_release(handles[i]), RAC_OK);
    CHECK_STATUS(rac_release(handles[i]), RAC_ESTALE);
    CHECK_TEXT(rac_last_error_function(), "rac_release");
    CHECK(rac_retain(handles[i]) == NULL);
  }
}

TEST(references_are_counted) {
  rac_subject *subject = rac_subject_create();
  for (int i = 0; i < 1000; i++) CHECK(rac_retain(subject) == subject);
  for (int i = 0; i < 1000; i++) CHECK_STATUS(rac_release(subject), RAC_OK);
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_release(subject), RAC_OK);
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_ESTALE);
}

/* Law 20: stale for good. */
TEST(a_used_slot_does_not_revive_an_old_handle) {
  rac_subject *old = rac_subject_create();
  rac_release(old);
  for (int i = 0; i < 10000; i++) {
    owned rac_subject *subject = rac_subject_create();
    if (subject == old) check_fail(__FILE__, __LINE__, "a handle came again");
  }
  CHECK_STATUS(rac_release(old), RAC_ESTALE);
}

TEST(null_may_be_retained_and_released) {
  CHECK(rac_retain(NULL) == NULL);
  CHECK_STATUS(rac_release(NULL), RAC_OK);
  CHECK_STATUS(rac_last_error_code(), RAC_OK);
}

TEST(singletons_survive_any_number_of_releases) {
  for (int i = 0; i < 1000; i++) {
    CHECK_STATUS(rac_release(rac_scheduler_immediate()), RAC_OK);
    CHECK_STATUS(rac_release(rac_scheduler_main()), RAC_OK);
    CHECK_STATUS(rac_release(rac_scheduler_main()), RAC_OK);
  }
  CHECK(rac_scheduler_main() == rac_scheduler_main());
  CHECK(rac_scheduler_immediate() == rac_scheduler_immediate());
  CHECK(rac_scheduler_immediate() != rac_scheduler_main());
  CHECK_STATUS(rac_release(rac_scheduler_current()), RAC_OK);
}

TEST(assign_releases_the_old_and_stores_the_new) {
  rac_signal *signal = rac_signal_never();
  rac_signal *first = signal;
  rac_signal *second = rac_signal_empty();
  rac_retain(second);
  CHECK(RAC_ASSIGN(signal, second) == second);
  CHECK(signal == second);
  CHECK(rac_retain(first) == NULL);
  CHECK(RAC_ASSIGN(signal, NULL) == NULL);
  CHECK(signal == NULL);
  CHECK_STATUS(rac_release(second), RAC_OK);
}

TEST(a_chain_holds_what_it_is_made_of) {
  source counts = {0};
  rac_signal *signal = cold("1 2 3 |", &counts);
  RAC_ASSIGN(signal, rac_signal_skip(signal, 1));
  RAC_ASSIGN(signal, rac_signal_take(signal, 1));
  RAC_ASSIGN(signal, rac_signal_start_with(signal, I(0)));
  CHECK_SIGNAL(signal, "0 2 |");
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 1);
}

/* Law 11: it needs neither its handle nor those of the chain. */
TEST(a_subscription_lives_without_the_handles) {
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signal = rac_signal_take(as_signal(subject), 2);
  recorder r = {0};
  record(signal, &r);
  let_go(&r);
  rac_release(signal);
  play(subject, "1 2 3");
  CHECK_EVENTS(&r, "1 2 |");
  await_end(&r);
}

/* Law 11: nobody can send to them any more. */
TEST(releasing_a_subject_lets_its_subscribers_go_without_an_event) {
  rac_subject *subject = rac_subject_create();
  recorder r = {0};
  record(as_signal(subject), &r);
  play(subject, "1");
  rac_release(subject);
  CHECK_EVENTS(&r, "1");
  await_end(&r);
}

TEST(a_signal_outlives_its_handle_while_subscribed) {
  source counts = {0};
  rac_signal *signal = cold("1", &counts);
  recorder r = {0};
  record(signal, &r);
  rac_release(signal);
  CHECK_INT(counts.disposed, 0);
  finish(&r);
  CHECK_EVENTS(&r, "1");
  CHECK_INT(counts.disposed, 1);
}

static rac_status keep_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  rac_subscriber **kept = context_target(context);
  (void)out;
  *kept = rac_retain(subscriber);
  return RAC_OK;
}

static rac_status twice(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits * 2);
  return RAC_OK;
}

/* Law 10: it stays until the subscription through it is gone as well. */
TEST(an_operators_context_outlives_its_signal) {
  rac_subscriber *subscriber = NULL;
  atomic_int destroyed = 0;
  rac_signal *signal = rac_signal_create(context_new(&subscriber, NULL),
                                         keep_subscriber, context_destroy);
  rac_signal *mapped = rac_signal_map(signal, context_new(NULL, &destroyed),
                                      twice, context_destroy);
  recorder r = {0};
  record(mapped, &r);
  rac_release(mapped);
  rac_release(signal);
  CHECK_INT(destroyed, 0);
  rac_subscriber_send(subscriber, I(21));
  CHECK_EVENTS(&r, "42");
  CHECK_INT(destroyed, 0);
  rac_subscriber_send_completed(subscriber);
  rac_release(subscriber);
  CHECK_INT(destroyed, 1);
  CHECK_INT(context_count(), 0);
  await_end(&r);
}

/* ---- Releasing inside a callback ---------------------------------------- */

static void release_user(recorder *self, rac_value value) {
  (void)value;
  rac_release(self->user);
  self->user = NULL;
}

static void release_user_at_end(recorder *self) {
  rac_release(self->user);
  self->user = NULL;
}

static void release_and_send(recorder *self, rac_value value) {
  rac_subject *subject = self->user;
  release_user(self, value);
  CHECK_STATUS(rac_subject_send(subject, I(3)), RAC_ESTALE);
}

TEST(a_subject_may_be_released_inside_its_own_next) {
  rac_subject *subject = rac_subject_create();
  recorder first = {.on_next = release_and_send, .user = subject}, second = {0};
  record(as_signal(subject), &first);
  record(as_signal(subject), &second);
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  /* The value still reaches everyone; then the subject is gone. */
  CHECK_EVENTS(&first, "1");
  CHECK_EVENTS(&second, "1");
  CHECK_STATUS(rac_subject_send(subject, I(2)), RAC_ESTALE);
  await_end(&first);
  await_end(&second);
}

TEST(a_subject_may_be_released_inside_its_own_end) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_end = release_user_at_end, .user = subject};
  record(as_signal(subject), &r);
  CHECK_STATUS(rac_subject_send_completed(subject), RAC_OK);
  CHECK_EVENTS(&r, "|");
  await_end(&r);
  CHECK_STATUS(rac_release(subject), RAC_ESTALE);
}

static void release_subscription(recorder *self, rac_value value) {
  (void)value;
  let_go(self);
}

TEST(a_subscription_may_be_released_inside_its_next) {
  owned rac_subject *subject = rac_subject_create();
  finished recorder r = {.on_next = release_subscription};
  record(as_signal(subject), &r);
  play(subject, "1");
  r.on_next = NULL;
  play(subject, "2 |");
  CHECK_EVENTS(&r, "1 2 |");
}

static void release_subject_on_destroy(recorder *self) {
  CHECK_STATUS(rac_release(self->user), RAC_OK);
}

TEST(destroy_may_release_the_last_reference) {
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_destroy = release_subject_on_destroy,
                .user = rac_retain(subject)};
  record(as_signal(subject), &r);
  rac_release(subject);
  finish(&r);
  CHECK_STATUS(rac_release(subject), RAC_ESTALE);
}

static void dispose_on_destroy(recorder *self) {
  rac_dispose(self->subscription);
}

TEST(destroy_may_dispose_the_subscription_it_belongs_to) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {.on_destroy = dispose_on_destroy};
  record(as_signal(subject), &r);
  play(subject, "|");
  await_end(&r);
  CHECK_EVENTS(&r, "|");
}

/* ---- Operators that must not keep their source --------------------------- */

static rac_signal *logged(rac_signal *source) {
  return rac_signal_log_all(source);
}

static rac_signal *autoconnected(rac_signal *source) {
  owned rac_connection *connection = rac_signal_publish(source);
  rac_signal *signal = rac_connection_autoconnect(connection);
  return signal;
}

static rac_signal *itself(rac_signal *source) { return rac_retain(source); }

/* The last reference to the subject goes, and with it the subscription. */
static void check_let_go(rac_signal *(*derive)(rac_signal *source)) {
  atomic_int destroyed = 0;
  rac_subject *subject = rac_subject_create();
  rac_signal *signal = derive(rac_subject_as_signal(subject));
  rac_release(rac_subscribe_next(signal, context_new(NULL, &destroyed), NULL,
                                 context_destroy));
  rac_release(signal);
  rac_subject_send(subject, rac_int64(1));
  CHECK_INT(destroyed, 0);
  rac_release(subject);
  CHECK_INT(destroyed, 1);
}

TEST(logging_does_not_keep_a_subject) {
  rac_set_log(NULL, ignore_line, NULL);
  check_let_go(logged);
  rac_set_log(NULL, NULL, NULL);
}

TEST(autoconnecting_does_not_keep_a_subject) { check_let_go(autoconnected); }

TEST(tracing_does_not_keep_a_subject) {
  rac_set_trace(NULL, ignore_trace, NULL);
  check_let_go(itself);
  rac_set_trace(NULL, NULL, NULL);
}

/* Law 11: a signal that waits keeps the subject that it comes from. */
TEST(a_flatten_keeps_the_signals_that_wait_until_it_is_disposed) {
  uint64_t live = rac_live_objects();
  atomic_int destroyed = 0;
  rac_subject *subject = rac_subject_create();
  rac_value twice[2];
  for (int i = 0; i < 2; i++) twice[i] = rac_value_signal(as_signal(subject));
  rac_signal *both = rac_signal_from_values(twice, 2);
  for (int i = 0; i < 2; i++) rac_value_release(twice[i]);
  rac_signal *in_turn = rac_signal_flatten(both, 1);
  rac_disposable *subscription = rac_subscribe_next(
      in_turn, context_new(NULL, &destroyed), NULL, context_destroy);
  rac_release(both);
  rac_release(in_turn);
  rac_subject_send(subject, rac_int64(1));
  rac_release(subject);
  CHECK_INT(destroyed, 0);
  CHECK_STATUS(rac_dispose(subscription), RAC_OK);
  rac_release(subscription);
  CHECK_INT(destroyed, 1);
  CHECK_INT(rac_live_objects(), live);
}

/* Law 10, of a chain that nobody can subscribe to any more: what stays of its
 * steps are the contexts that are to be destroyed, the lowest first. */
enum { STEPS = 3 };
static int order[STEPS], gone;
static void note_step(void *context) { order[gone++] = *(int *)context; }

TEST(the_steps_of_a_chain_go_with_their_signals) {
  static int numbers[STEPS] = {0, 1, 2};
  int heard = 0;
  uint64_t live = rac_live_objects(), subscribed;
  rac_subject *subject = rac_subject_create();
  rac_signal *chain = rac_retain(as_signal(subject));
  gone = 0;
  for (int i = 0; i < STEPS; i++) {
    rac_signal *longer =
        rac_signal_map(chain, &numbers[i], one_more, note_step);
    rac_release(chain);
    chain = longer;
  }
  rac_disposable *subscription =
      rac_subscribe_next(chain, &heard, count_value, NULL);
  subscribed = rac_live_objects();
  rac_release(chain);
  /* A signal and a step each. */
  CHECK_INT(subscribed - rac_live_objects(), 2 * STEPS);
  rac_subject_send(subject, rac_int64(1));
  CHECK_INT(heard, 1);
  CHECK_INT(gone, 0);
  rac_dispose(subscription);
  rac_release(subscription);
  CHECK_INT(gone, STEPS);
  for (int i = 0; i < STEPS; i++) CHECK_INT(order[i], STEPS - 1 - i);
  rac_release(subject);
  CHECK_INT(rac_live_objects(), live);
}
