/* Disposables: with an action, compound, scoped. */
#include "shared_callbacks.h"

static rac_disposable *counting(atomic_int *runs) {
  return rac_disposable_create(context_new(runs, NULL), count_up,
                               context_destroy);
}

/* ---- With an action ----------------------------------------------------- */

TEST(without_an_action_the_context_is_destroyed_all_the_same) {
  atomic_int destroyed = 0;
  rac_disposable *d = rac_disposable_create(context_new(NULL, &destroyed), NULL,
                                            context_destroy);
  rac_release(d);
  CHECK_INT(destroyed, 1);
}

typedef struct self_disposal {
  rac_disposable *disposable;
  int runs;
  bool was_disposed;
} self_disposal;

static void release_itself(void *context) {
  self_disposal *self = context_target(context);
  self->runs++;
  rac_release(self->disposable);
}

TEST(an_action_may_release_its_own_disposable) {
  self_disposal self = {0};
  self.disposable = rac_disposable_create(context_new(&self, NULL),
                                          release_itself, context_destroy);
  CHECK_STATUS(rac_dispose(self.disposable), RAC_OK);
  CHECK_INT(self.runs, 1);
  CHECK_STATUS(rac_dispose(self.disposable), RAC_ESTALE);
}

static void *dispose_it(void *handle) {
  CHECK_STATUS(rac_dispose(handle), RAC_OK);
  return NULL;
}

TEST(racing_disposals_run_the_action_once) {
  for (int64_t round = check_scaled(1000); round > 0; round--) {
    atomic_int runs = 0;
    owned rac_disposable *d = counting(&runs);
    pthread_t a = check_spawn(dispose_it, d);
    rac_dispose(d);
    check_join(a);
    CHECK_INT(atomic_load(&runs), 1);
  }
}

/* ---- Compound ----------------------------------------------------------- */

TEST(a_compound_keeps_its_members_alive_and_releases_them_undisposed) {
  atomic_int runs = 0, destroyed = 0;
  rac_disposable *compound = rac_compound_disposable_create();
  rac_disposable *d = rac_disposable_create(context_new(&runs, &destroyed),
                                            count_up, context_destroy);
  rac_compound_disposable_add(compound, d);
  rac_release(d);
  CHECK_INT(destroyed, 0);
  rac_release(compound);
  CHECK_INT(runs, 0);
  CHECK_INT(destroyed, 1);
}

TEST(disposed_members_do_not_pile_up) {
  owned rac_disposable *compound = rac_compound_disposable_create();
  atomic_int runs = 0;
  for (int i = 0; i < 1000; i++) {
    rac_disposable *d = counting(&runs);
    rac_dispose(d);
    uint64_t before = rac_live_objects();
    rac_compound_disposable_add(compound, d);
    rac_release(d);
    CHECK(rac_live_objects() < before);
  }
  CHECK_INT(runs, 1000);
}

static void add_another(void *context) {
  self_disposal *self = context_target(context);
  self->runs++;
  atomic_int runs = 0;
  owned rac_disposable *d = counting(&runs);
  rac_compound_disposable_add(self->disposable, d);
  CHECK_INT(runs, 1);
}

TEST(an_action_may_add_to_the_compound_that_runs_it) {
  self_disposal self = {rac_compound_disposable_create(), 0, false};
  rac_disposable *d = rac_disposable_create(context_new(&self, NULL),
                                            add_another, context_destroy);
  rac_compound_disposable_add(self.disposable, d);
  rac_release(d);
  rac_dispose(self.disposable);
  CHECK_INT(self.runs, 1);
  rac_release(self.disposable);
}

typedef struct crowd {
  rac_disposable *compound;
  atomic_int runs;
} crowd;

static void *add_many(void *argument) {
  crowd *self = argument;
  for (int64_t i = check_scaled(20000); i > 0; i--) {
    owned rac_disposable *d = counting(&self->runs);
    rac_compound_disposable_add(self->compound, d);
  }
  return NULL;
}

TEST(members_added_while_another_thread_disposes_are_all_disposed) {
  crowd self = {rac_compound_disposable_create(), 0};
  pthread_t a = check_spawn(add_many, &self), b = check_spawn(add_many, &self);
  rac_dispose(self.compound);
  check_join(a);
  check_join(b);
  CHECK_INT(atomic_load(&self.runs), 2 * check_scaled(20000));
  rac_release(self.compound);
}

/* A million compounds, each the member of the next. */
static rac_disposable *deep_chain(atomic_int *runs) {
  rac_disposable *chain = counting(runs);
  for (int64_t i = check_scaled(1000000); i > 0; i--) {
    rac_disposable *outer = rac_compound_disposable_create();
    rac_compound_disposable_add(outer, chain);
    rac_release(chain);
    chain = outer;
  }
  return chain;
}

TEST(a_chain_of_a_million_compounds_is_freed) {
  atomic_int runs = 0;
  rac_release(deep_chain(&runs));
  CHECK_INT(runs, 0);
}

TEST(a_chain_of_a_million_compounds_is_disposed) {
  atomic_int runs = 0;
  owned rac_disposable *chain = deep_chain(&runs);
  rac_dispose(chain);
  CHECK_INT(runs, 1);
}

/* ---- Scoped ------------------------------------------------------------- */

TEST(a_scoped_disposable_disposes_early_when_asked) {
  atomic_int runs = 0;
  rac_disposable *d = counting(&runs);
  rac_disposable *scoped = rac_scoped_disposable_create(d);
  CHECK_STATUS(rac_dispose(scoped), RAC_OK);
  CHECK(rac_is_disposed(scoped));
  CHECK_INT(runs, 1);
  rac_release(scoped);
  rac_release(d);
  CHECK_INT(runs, 1);
}

/* Laws 7 and 20: what is over when it is handed out cannot go stale. */
TEST(subscriptions_that_are_over_already_share_a_disposable) {
  owned rac_signal *signal = rac_signal_return(rac_int64(1));
  atomic_int destroyed = 0;
  rac_disposable *first = rac_subscribe_next(
      signal, context_new(NULL, &destroyed), NULL, context_destroy);
  rac_disposable *second = rac_subscribe_next(
      signal, context_new(NULL, &destroyed), NULL, context_destroy);
  CHECK_INT(destroyed, 2);
  CHECK(first != NULL);
  CHECK(first == second);
  CHECK(rac_is_disposed(first));
  CHECK_STATUS(rac_dispose(first), RAC_OK);
  CHECK_STATUS(rac_dispose_and_wait(first, -1), RAC_OK);
  owned rac_disposable *all = rac_compound_disposable_create();
  CHECK_STATUS(rac_compound_disposable_add(all, first), RAC_OK);
  CHECK(!rac_is_disposed(all));
  CHECK(rac_retain(first) == first);
  for (int i = 0; i < 5; i++) CHECK_STATUS(rac_release(first), RAC_OK);
}

/* The subscription has ended and its destroy is running: not over yet. */
static rac_disposable *in_destroy;

static void subscribe_again(void *context) {
  if (in_destroy == NULL)
    in_destroy = rac_subscribe_next(context, NULL, NULL, NULL);
}

TEST(a_subscription_made_in_a_destroy_is_over_or_not_by_itself) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *empty = rac_signal_empty();
  rac_release(rac_subscribe_next(empty, rac_subject_as_signal(subject), NULL,
                                 subscribe_again));
  CHECK(in_destroy != NULL);
  CHECK(!rac_is_disposed(in_destroy));
  CHECK_STATUS(rac_dispose(in_destroy), RAC_OK);
  CHECK(rac_is_disposed(in_destroy));
  CHECK_STATUS(rac_release(in_destroy), RAC_OK);
  CHECK_STATUS(rac_release(in_destroy), RAC_ESTALE);
}

/* ---- What feeds a subject ------------------------------------------------ */

TEST(a_subject_disposes_what_feeds_it_at_its_first_end_and_from_then_on) {
  atomic_int runs = 0;
  for (int added = 0; added < 2; added++) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_disposable *early = counting(&runs), *late = counting(&runs);
    if (added)
      rac_subscriber_add_disposable(rac_subject_as_subscriber(subject), early);
    rac_subject_send_completed(subject);
    CHECK_INT(runs, added);
    rac_subscriber_add_disposable(rac_subject_as_subscriber(subject), late);
    CHECK_INT(runs, added + 1);
    runs = 0;
  }
}

/* Law 11: a scoped disposable ends what it is around. */
TEST(a_scoped_subscription_ends_with_its_handle) {
  source counts = {0};
  owned rac_signal *signal = cold("1", &counts);
  recorder r = {0};
  record(signal, &r);
  rac_disposable *scoped = rac_scoped_disposable_create(r.subscription);
  let_go(&r);
  CHECK_INT(counts.disposed, 0);
  rac_release(scoped);
  CHECK_INT(counts.disposed, 1);
  await_end(&r);
}

/* ---- Waiting ------------------------------------------------------------ */

TEST(waiting_for_a_plain_disposable_disposes_it) {
  atomic_int runs = 0;
  owned rac_disposable *d = counting(&runs);
  CHECK_STATUS(rac_dispose_and_wait(d, -1), RAC_OK);
  CHECK_STATUS(rac_dispose_and_wait(d, 0), RAC_OK);
  CHECK_INT(runs, 1);
}

/* What ends a subscription is not waited for from inside. */
static rac_status wait_status;
static void wait_for_own_end(void *disposable) {
  wait_status = rac_dispose_and_wait(*(rac_disposable **)disposable, 5);
}
static void wait_in_destroy(recorder *self) {
  wait_for_own_end(&self->subscription);
}
static rac_status dispose_slowly(void *context, rac_subscriber *subscriber,
                                 rac_disposable **out) {
  recorder *r = context;
  r->user = rac_retain(subscriber);
  *out = rac_disposable_create(&r->subscription, wait_for_own_end, NULL);
  return RAC_OK;
}
static rac_status destroy_slowly(void *context, rac_subscriber *subscriber,
                                 rac_disposable **out) {
  recorder *r = context;
  r->user = rac_retain(subscriber);
  *out = rac_disposable_create(&r->subscription, NULL, wait_for_own_end);
  return RAC_OK;
}

TEST(destroy_does_not_wait_for_itself) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {.on_destroy = wait_in_destroy};
  record(as_signal(subject), &r);
  wait_status = RAC_OK;
  CHECK_STATUS(rac_dispose_and_wait(r.subscription, -1), RAC_OK);
  CHECK_STATUS(wait_status, RAC_PENDING);
  let_go(&r);
}

TEST(nor_does_what_is_disposed_with_a_subscription) {
  const rac_subscribe_fn ways[] = {dispose_slowly, destroy_slowly};
  for (int i = 0; i < 2; i++) {
    recorder r = {0};
    owned rac_signal *signal = rac_signal_create(&r, ways[i], NULL);
    record(signal, &r);
    wait_status = RAC_OK;
    CHECK_STATUS(rac_dispose_and_wait(r.subscription, -1), RAC_OK);
    CHECK_STATUS(wait_status, RAC_PENDING);
    rac_release(r.user);
    let_go(&r);
  }
}
