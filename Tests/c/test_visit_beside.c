/* rac_visit_contexts() beside threads that are at what it looks into. */
#include "process.h"
#include "properties.h"
#include "shared_callbacks.h"
#include "visiting.h"

/* Threads say how far they are in a way that puts nothing else in order: what
 * ThreadSanitizer then finds in order is the library's doing. */
static void tell(atomic_int *stage, int now) {
  atomic_store_explicit(stage, now, memory_order_relaxed);
}
#define AWAIT(stage, now)                                                      \
  WAIT_UNTIL(atomic_load_explicit(stage, memory_order_relaxed) >= (now))

/* ---- A property that a batch has, on a thread that is not in its gate ------ */

typedef struct away {
  rac_property *away, *other;
  atomic_int holding, working;
  recorder changes;
} away;

static void hold(void *context, rac_value value) {
  away *self = context;
  if (value.bits != 1) return;
  tell(&self->holding, 1);
  AWAIT(&self->holding, 2);
}

static void *set_one(void *context) {
  away *self = context;
  rac_property_set(self->other, I(1));
  return NULL;
}

/* The batch takes hold of one property here, and of the other, with which it goes
 * on, on a thread that was at that: what it calls there says so, and waits. */
static void begin_batch_elsewhere(away *self, pthread_t *thread) {
  self->other = property(0);
  rac_release(rac_subscribe_next(rac_property_as_signal(self->other), self,
                                 hold, NULL));
  *thread = check_spawn(set_one, self);
  AWAIT(&self->holding, 1);
}

static rac_status work(void *context, rac_value value, rac_value *out) {
  away *self = context;
  tell(&self->working, 1);
  AWAIT(&self->working, 2);
  *out = I(value.bits + 1);
  return RAC_OK;
}
static rac_status back(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = value;
  return RAC_OK;
}

TEST(a_property_that_a_batch_has_is_not_looked_into) {
  visit v;
  pthread_t thread;
  away self = {.away = property(0)};
  rac_release(rac_subscribe_next(rac_property_as_signal(self.away),
                                 context_new(NULL, NULL), ignore_value,
                                 context_destroy));
  CHECK_INT(visits_of(self.away, &v), 1);
  rac_property *bound = property(0);
  rac_release(
      rac_property_bind_two_way_map(self.away, bound, &self, back, work, NULL));
  begin_batch_elsewhere(&self, &thread);
  CHECK_STATUS(rac_property_batch_begin(), RAC_OK);
  rac_property_set(self.away, I(1));
  rac_property_set(self.other, I(2));
  CHECK_STATUS(rac_property_batch_end(), RAC_QUEUED);
  tell(&self.holding, 2);
  AWAIT(&self.working, 1);
  CHECK_INT(visits_of(self.away, &v), 0);
  tell(&self.working, 2);
  check_join(thread);
  CHECK_INT(number(self.away), 1);
  rac_release(bound);
  CHECK_INT(visits_of(self.away, &v), 1);
  rac_release(self.away);
  rac_release(self.other);
}

/* ---- Somebody who comes to it from inside of that --------------------------- */

static void hear_changes(void *context, rac_value value) {
  away *self = context;
  if (value.bits != 1) return;
  rac_signal *changes = rac_property_changes(self->away);
  record(changes, &self->changes);
  rac_release(changes);
  tell(&self->working, 1);
  AWAIT(&self->working, 2);
}

TEST(who_comes_from_inside_of_a_batch_has_a_place_behind_it) {
  pthread_t thread;
  away self = {.away = property(0)};
  rac_release(rac_subscribe_next(rac_property_as_signal(self.away), &self,
                                 hear_changes, NULL));
  begin_batch_elsewhere(&self, &thread);
  CHECK_STATUS(rac_property_batch_begin(), RAC_OK);
  rac_property_set(self.away, I(1));
  rac_property_set(self.other, I(2));
  CHECK_STATUS(rac_property_batch_end(), RAC_QUEUED);
  tell(&self.holding, 2);
  AWAIT(&self.working, 1);
  CHECK_STATUS(rac_property_set(self.away, I(5)), RAC_QUEUED);
  tell(&self.working, 2);
  check_join(thread);
  CHECK_EVENTS(&self.changes, "(1,5)");
  finish(&self.changes);
  rac_release(self.away);
  rac_release(self.other);
}

/* ---- What is derived, in its turn ------------------------------------------- */

typedef struct turn {
  rac_property *root;
  atomic_int stage;
} turn;

static void retain_it(void *object) {
  atomic_fetch_add((atomic_int *)object, 1);
}
static void release_it(void *object) {
  atomic_fetch_sub((atomic_int *)object, 1);
}
static const rac_object_class counted = {
    .size = sizeof counted, .retain = retain_it, .release = release_it};

static rac_status object_of(void *object, rac_value value, rac_value *out) {
  (void)value;
  *out = rac_object(object, rac_object_class_register(&counted));
  return RAC_OK;
}

static void stay(void *context, rac_value value) {
  turn *self = context;
  if (value.bits != 1) return;
  tell(&self->stage, 1);
  AWAIT(&self->stage, 2);
}

static void *set_root(void *context) {
  turn *self = context;
  rac_property_set(self->root, I(1));
  return NULL;
}

/* Its inputs keep nobody, and have it computed all the pass_value. */
TEST(a_derived_property_in_its_turn_is_not_looked_into) {
  visit v;
  atomic_int references = 0;
  turn self = {.root = property(0)};
  rac_property *staying =
      rac_property_map(self.root, 0, NULL, pass_value, NULL);
  rac_property *derived =
      rac_property_map(self.root, 0, &references, object_of, NULL);
  rac_release(
      rac_subscribe_next(rac_property_as_signal(staying), &self, stay, NULL));
  CHECK_INT(visits_of(derived, &v), 1);
  pthread_t thread = check_spawn(set_root, &self);
  AWAIT(&self.stage, 1);
  CHECK_INT(visits_of(derived, &v), 0);
  tell(&self.stage, 2);
  check_join(thread);
  CHECK_INT(visits_of(derived, &v), 1);
  rac_release(derived);
  rac_release(staying);
  rac_release(self.root);
  CHECK_INT(references, 0);
}

/* ---- Disposables that somebody has the handles of, and no reference to ------ */

typedef struct used {
  rac_disposable *serial, *compound;
  rac_subscriber *subscriber;
  atomic_int left;
} used;

static void act(void *context) { (void)context; }
static rac_disposable *action(void) {
  return rac_disposable_create(context_new(NULL, NULL), act, context_destroy);
}

static void *use(void *context) {
  used *self = context;
  for (int64_t i = check_scaled(3000); i > 0; i--) {
    rac_disposable *fresh = action(), *other = action(), *third = action();
    rac_serial_disposable_set(self->serial, fresh);
    rac_compound_disposable_add(self->compound, other);
    rac_subscriber_add_disposable(self->subscriber, third);
    rac_dispose(third);
    rac_release(third);
    rac_release(fresh);
    rac_compound_disposable_remove(self->compound, other);
    rac_release(other);
  }
  tell(&self->left, 0);
  return NULL;
}

static rac_status take(void *context, rac_subscriber *subscriber,
                       rac_disposable **out) {
  (void)out;
  ((used *)context)->subscriber = rac_retain(subscriber);
  return RAC_OK;
}

/* Law 20. */
TEST(what_is_looked_into_may_be_used_meanwhile) {
  visit v;
  used self = {.serial = rac_serial_disposable_create(),
               .compound = rac_compound_disposable_create(),
               .left = 1};
  owned rac_signal *signal = rac_signal_create(&self, take, NULL);
  owned rac_disposable *subscription =
      rac_subscribe_next(signal, NULL, ignore_value, NULL);
  pthread_t thread = check_spawn(use, &self);
  while (atomic_load_explicit(&self.left, memory_order_relaxed) > 0) {
    CHECK(visits_of(self.serial, &v) <= 1);
    CHECK(visits_of(self.compound, &v) <= 1);
    visits_of(self.subscriber, &v);
  }
  check_join(thread);
  CHECK_INT(visits_of(self.serial, &v), 1);
  CHECK_INT(visits_of(self.compound, &v), 0);
  rac_release(self.serial);
  rac_release(self.compound);
  rac_release(self.subscriber);
  rac_dispose(subscription);
}

typedef struct disposing {
  rac_disposable *action;
  atomic_int stage;
} disposing;

static void *dispose_it(void *context) {
  disposing *self = context;
  AWAIT(&self->stage, 1);
  rac_dispose(self->action);
  return NULL;
}

TEST(an_action_may_be_disposed_while_it_is_looked_into) {
  visit v;
  for (int64_t i = check_scaled(200); i > 0; i--) {
    disposing self = {.action = action()};
    pthread_t thread = check_spawn(dispose_it, &self);
    tell(&self.stage, 1);
    while (visits_of(self.action, &v) > 0) continue;
    check_join(thread);
    rac_release(self.action);
  }
}

/* ---- What threads of the library have left ---------------------------------- */

static void hear(void *context, rac_value value) {
  if (value.bits == 1) tell(context, 1);
}

/* With a state behind it, which a thread of the scheduler's then changes. */
static void look_behind(rac_signal *(*apply)(rac_signal *, rac_scheduler *)) {
  visit v;
  atomic_int heard = 0;
  owned rac_scheduler *scheduler =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, "behind");
  owned rac_subject *subject = rac_subject_create();
  rac_signal *elsewhere = apply(rac_subject_as_signal(subject), scheduler);
  rac_signal *sums = rac_signal_scan(elsewhere, I(0), context_new(NULL, NULL),
                                     add_up, context_destroy);
  owned rac_disposable *subscription =
      rac_subscribe_next(sums, &heard, hear, NULL);
  rac_release(sums);
  rac_release(elsewhere);
  int before = visits_of(subject, &v);
  rac_subject_send(subject, I(1));
  AWAIT(&heard, 1);
  WAIT_UNTIL(visits_of(subject, &v) == before);
  rac_dispose(subscription);
}

static rac_signal *throttled(rac_signal *source, rac_scheduler *scheduler) {
  return rac_signal_throttle(source, 0.001, scheduler);
}
static rac_signal *delayed(rac_signal *source, rac_scheduler *scheduler) {
  return rac_signal_delay(source, 0.001, scheduler);
}
static rac_signal *bounded(rac_signal *source, rac_scheduler *scheduler) {
  owned rac_bound *bound = rac_bound_create(8, RAC_BOUND_DROP_OLDEST);
  rac_signal *result = rac_signal_deliver_on_bounded(source, scheduler, bound);
  return result;
}
static rac_status fail_at_first(void *context, rac_value value,
                                rac_value *out) {
  (void)context;
  *out = value;
  return value.bits == 0 ? RAC_EUSER : RAC_OK;
}
static rac_signal *retried(rac_signal *source, rac_scheduler *scheduler) {
  owned rac_signal *failing = rac_signal_map(source, NULL, fail_at_first, NULL);
  rac_signal *result =
      rac_signal_retry_with_backoff(failing, 0.001, 1, 1, 0, 3, scheduler);
  return result;
}

TEST(what_a_scheduler_has_left_is_looked_into) {
  look_behind(throttled);
  look_behind(delayed);
  look_behind(rac_signal_deliver_on);
  look_behind(bounded);
  look_behind(retried);
}

/* ---- What hears a property, which ends, and somebody who sends meanwhile ------ */

typedef rac_signal *(*apply_fn)(rac_signal *, rac_scheduler *);

static rac_status one_key(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value;
  *out = I(1);
  return RAC_OK;
}
static rac_signal *grouped(rac_signal *source, rac_scheduler *scheduler) {
  (void)scheduler;
  owned rac_signal *groups =
      rac_signal_group_by(source, NULL, one_key, NULL, NULL);
  rac_signal *result = rac_signal_flatten(groups, 0);
  return result;
}
static rac_signal *in_windows(rac_signal *source, rac_scheduler *scheduler) {
  (void)scheduler;
  owned rac_signal *windows = rac_signal_window_with_count(source, 3, 2);
  rac_signal *result = rac_signal_flatten(windows, 0);
  return result;
}
static rac_status just(void *context, rac_value value, rac_signal **out) {
  (void)context;
  *out = rac_signal_return(value);
  return RAC_OK;
}
static rac_signal *in_turn(rac_signal *source, rac_scheduler *scheduler) {
  (void)scheduler;
  return rac_signal_concat_map(source, NULL, just, NULL);
}
static rac_signal *begun(rac_signal *source, rac_scheduler *scheduler) {
  (void)scheduler;
  return rac_signal_start_with(source, I(0));
}

typedef struct sending {
  rac_subject *subject;
  atomic_int left;
} sending;

static void *send_many(void *context) {
  sending *self = context;
  for (int64_t i = check_scaled(2000); i > 0; i--)
    rac_subject_send(self->subject, I(i + 1));
  tell(&self->left, 0);
  return NULL;
}

static void look_beside(apply_fn apply) {
  visit v;
  atomic_int heard = 0;
  owned rac_scheduler *scheduler =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, "beside");
  rac_property *p = property(0);
  sending self = {.subject = rac_subject_create(), .left = 1};
  rac_signal *values = rac_property_as_signal(p);
  rac_signal *inputs[] = {values, rac_subject_as_signal(self.subject)};
  rac_signal *both = rac_signal_merge(inputs, 2);
  rac_signal *made = apply(both, scheduler);
  rac_signal *sums = rac_signal_scan(made, I(0), context_new(NULL, NULL),
                                     add_up, context_destroy);
  rac_disposable *subscription = rac_subscribe_next(sums, &heard, hear, NULL);
  rac_release(both);
  rac_release(made);
  rac_release(sums);
  pthread_t thread = check_spawn(send_many, &self);
  void *handles[] = {p, self.subject};
  while (atomic_load_explicit(&self.left, memory_order_relaxed) > 0)
    CHECK(visits(handles, 1, &v) <= 1);
  check_join(thread);
  if (IS_THREAD_SANITIZED)
    CHECK(visits(handles, 2, &v) <= 1);
  else
    WAIT_UNTIL(visits(handles, 2, &v) == 1);
  rac_release(subscription);
  rac_release(p);
  rac_release(self.subject);
  WAIT_UNTIL(context_count() == 0);
}

TEST(what_a_property_and_a_thread_feed_is_looked_into) {
  look_beside(rac_signal_deliver_on);
  look_beside(bounded);
  look_beside(delayed);
  look_beside(grouped);
  look_beside(in_windows);
  look_beside(in_turn);
  look_beside(begun);
}
