/* rac_visit_contexts(): what is visited, with whom, and while something goes on. */
#include "shared_callbacks.h"
#include "visiting.h"

/* ---- Operators with a context each -------------------------------------------- */

static rac_status all(void *context, rac_value value, bool *out) {
  (void)context_target(context), (void)value;
  *out = true;
  return RAC_OK;
}
static rac_status latest(void *context, rac_value running, rac_value next,
                         rac_value *out) {
  (void)running;
  return keep_value(context, next, out);
}
static rac_status produce(void *context, rac_subscriber *subscriber,
                          rac_disposable **out) {
  (void)context_target(context), (void)subscriber, (void)out;
  return RAC_OK;
}
static rac_status make_empty(void *context, rac_signal **out) {
  (void)context_target(context);
  *out = rac_signal_empty();
  return RAC_OK;
}
static rac_status execute(void *context, rac_value input, rac_signal **out) {
  (void)input;
  return make_empty(context, out);
}

static void *fresh(void) { return context_new(NULL, NULL); }

/* Takes the signal over; the subscription goes on without a handle. */
static void listen(rac_signal *signal) {
  rac_release(rac_subscribe_next(signal, fresh(), hear_value, context_destroy));
  rac_release(signal);
}
static rac_signal *mapped(rac_signal *source) {
  return rac_signal_map(source, fresh(), keep_value, context_destroy);
}

/* ---- What is visited ---------------------------------------------------------- */

TEST(a_subject_visits_what_its_subscribers_have) {
  rac_subject *subject = rac_subject_create();
  visit v;
  CHECK_INT(visits_of(subject, &v), 0);
  listen(rac_retain(subject));
  CHECK_INT(visits_of(subject, &v), 1);
  rac_signal *chain = mapped(as_signal(subject));
  RAC_ASSIGN(chain, rac_signal_filter(chain, fresh(), all, context_destroy));
  RAC_ASSIGN(chain,
             rac_signal_scan(chain, I(0), fresh(), latest, context_destroy));
  RAC_ASSIGN(chain, rac_signal_distinct_until_changed(chain));
  RAC_ASSIGN(chain, rac_signal_take(chain, 100));
  listen(chain);
  CHECK_INT(visits_of(subject, &v), 5);
  rac_subject_send(subject, I(1));
  CHECK_INT(visits_of(subject, &v), 5);
  CHECK_INT(context_count(), 5);
  rac_release(subject);
  CHECK_INT(context_count(), 0);
}

static rac_status step(void *context, rac_step *self, rac_value value,
                       rac_value *out) {
  (void)self;
  return keep_value(context, value, out);
}

TEST(an_operator_of_ones_own_visits_its_context) {
  rac_subject *subject = rac_subject_create();
  visit v;
  rac_signal *chain = rac_signal_step(as_signal(subject), 8, fresh(), step,
                                      NULL, context_destroy);
  RAC_ASSIGN(chain, mapped(chain));
  listen(chain);
  CHECK_INT(visits_of(subject, &v), 3);
  rac_release(subject);
  CHECK_INT(context_count(), 0);
}

TEST(a_subscription_that_is_held_is_visited_all_the_same) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_disposable *d = rac_subscribe_next(as_signal(subject), fresh(),
                                               hear_value, context_destroy);
  visit v;
  CHECK_INT(visits_of(subject, &v), 1);
  CHECK_INT(visits_of(d, &v), 0);
  rac_dispose(d);
  CHECK_INT(visits_of(subject, &v), 0);
  CHECK_INT(visits_of(d, &v), 0); /* its context has been destroyed */
}

/* Somebody else can still send, or subscribe. */
TEST(what_others_hold_is_not_visited) {
  rac_subject *subject = rac_subject_create();
  listen(mapped(as_signal(subject)));
  visit v;
  CHECK_INT(visits_of(subject, &v), 2);
  rac_retain(subject);
  CHECK_INT(visits_of(subject, &v), 0);
  rac_release(subject);
  rac_value value = rac_value_signal(as_signal(subject));
  CHECK_INT(visits_of(subject, &v), 0);
  rac_value_release(value);
  owned rac_signal *ticks = rac_signal_interval(3600, rac_scheduler_main());
  owned rac_disposable *feeding =
      rac_subscribe_subscriber(ticks, (rac_subscriber *)subject);
  CHECK_INT(visits_of(subject, &v), 0);
  rac_dispose(feeding);
  CHECK_INT(visits_of(subject, &v), 2);
  rac_release(subject);
}

/* The step of a signal that somebody has is not the subscription's alone: together
 * they have it. */
TEST(handles_that_depend_on_each_other_are_visited_together) {
  rac_subject *subject = rac_subject_create();
  rac_signal *derived = mapped(as_signal(subject));
  listen(rac_retain(derived));
  listen(rac_retain(derived));
  visit v;
  CHECK_INT(visits_of(subject, &v), 0);
  CHECK_INT(visits_of(derived, &v), 0);
  void *both[] = {derived, NULL, subject};
  CHECK_INT(visits(both, 3, &v), 3);
  rac_signal *third = mapped(derived);
  CHECK_INT(visits(both, 3, &v), 0);
  void *three[] = {third, subject, derived};
  CHECK_INT(visits(three, 3, &v), 4);
  CHECK_INT(context_count(), 4);
  for (int i = 0; i < 3; i++) rac_release(three[i]);
  CHECK_INT(context_count(), 0);
}

TEST(a_subject_that_feeds_another) {
  rac_subject *one = rac_subject_create(), *other = rac_subject_create();
  listen(rac_retain(other));
  rac_signal *chain = mapped(as_signal(one));
  rac_release(rac_subscribe_subscriber(chain, (rac_subscriber *)other));
  rac_release(chain);
  visit v;
  CHECK_INT(visits_of(one, &v), 1);
  CHECK_INT(visits_of(other, &v), 0);
  void *both[] = {one, other};
  CHECK_INT(visits(both, 2, &v), 2);
  rac_release(other);
  CHECK_INT(visits_of(one, &v), 2);
  rac_release(one);
  CHECK_INT(context_count(), 0);
}

TEST(signals_visit_what_they_are_made_of) {
  visit v;
  rac_signal *s = rac_signal_create(fresh(), produce, context_destroy);
  CHECK_INT(visits_of(s, &v), 1);
  RAC_ASSIGN(s, mapped(s));
  CHECK_INT(visits_of(s, &v), 2);
  RAC_ASSIGN(s, rac_signal_delay(s, 1, NULL));
  CHECK_INT(visits_of(s, &v), 2);
  rac_release(s);
  s = rac_signal_defer(fresh(), make_empty, context_destroy);
  CHECK_INT(visits_of(s, &v), 1);
  rac_release(s);
  CHECK_INT(context_count(), 0);
}

static void act(void *context) { (void)context_target(context); }

TEST(a_disposable_visits_its_context) {
  visit v;
  owned rac_disposable *d =
      rac_disposable_create(fresh(), act, context_destroy);
  CHECK_INT(visits_of(d, &v), 1);
  owned rac_disposable *all = rac_compound_disposable_create();
  rac_compound_disposable_add(all, d);
  CHECK_INT(visits_of(d, &v), 0);
  rac_dispose(all);
  CHECK_INT(visits_of(d, &v), 0);
}

TEST(a_command_visits_its_context) {
  visit v;
  rac_command *command =
      rac_command_create(NULL, NULL, fresh(), execute, context_destroy);
  CHECK_INT(visits_of(command, &v), 1);
  rac_signal *errors = rac_command_errors(command);
  CHECK_INT(visits_of(command, &v), 1);
  rac_release(command);
  CHECK_INT(context_count(), 0);
  rac_release(errors);
  rac_main_run_for(0.001);
}

/* ---- Objects as values -------------------------------------------------------- */

static int references;
static void retain_it(void *object) { ++*(int *)object; }
static void release_it(void *object) { --*(int *)object; }
static const rac_object_class counted = {
    .size = sizeof counted, .retain = retain_it, .release = release_it};
static rac_value the_object(void) {
  return rac_object(&references, rac_object_class_register(&counted));
}

TEST(values_are_visited_with_what_keeps_them) {
  visit v;
  references = 1;
  rac_value object = the_object();
  rac_subject *behavior = rac_behavior_subject_create(object);
  CHECK_INT(visits_of(behavior, &v), 1);
  CHECK(saw(&v, &references));
  rac_subject *replay = rac_replay_subject_create(10);
  rac_value pair[] = {object, I(1)}, tuple = rac_value_tuple(pair, 2);
  rac_subject_send(replay, tuple);
  CHECK_INT(visits_of(replay, &v), 0);
  rac_value_release(tuple);
  CHECK_INT(visits_of(replay, &v), 1);
  rac_subject_send(replay, object);
  CHECK_INT(visits_of(replay, &v), 2);
  rac_value error = rac_value_error_underlying("test", 1, "", object);
  rac_subject_send_error(replay, error);
  rac_value_release(error);
  CHECK_INT(visits_of(replay, &v), 3);
  listen(rac_retain(behavior));
  CHECK_INT(visits_of(behavior, &v), 2);
  rac_property *property = rac_property_create(object, 0);
  CHECK_INT(visits_of(property, &v), 1);
  CHECK_INT(references, 6);
  rac_release(property);
  rac_release(behavior);
  rac_release(replay);
  CHECK_INT(references, 1);
}

/* Then each step is a row of its own, with one state. */
TEST(states_are_visited_while_tracing_is_on) {
  references = 0;
  rac_set_trace(NULL, ignore_trace, NULL);
  rac_subject *subject = rac_subject_create();
  rac_signal *chain = rac_retain(subject);
  for (int i = 0; i < 20; i++)
    RAC_ASSIGN(chain, rac_signal_distinct_until_changed(chain));
  rac_release(rac_subscribe_next(chain, fresh(), hear_value, context_destroy));
  rac_release(chain);
  rac_subject_send(subject, the_object());
  visit v;
  CHECK_INT(visits_of(subject, &v), 21);
  rac_release(subject);
  rac_set_trace(NULL, NULL, NULL);
  CHECK_INT(references, 0);
}

TEST(a_sequence_of_a_signal_visits_what_has_come) {
  rac_subject *subject = rac_subject_create();
  rac_sequence *values = rac_sequence_from_signal(as_signal(subject), -1, NULL);
  references = 0;
  rac_subject_send(subject, the_object());
  rac_subject_send(subject, the_object());
  visit v;
  CHECK_INT(visits_of(values, &v), 2);
  rac_release(subject);
  rac_release(values);
  CHECK_INT(references, 0);
}

/* Two keep_value one box: both have to go. */
TEST(a_value_that_two_keep) {
  visit v;
  references = 1;
  rac_value kept = rac_value_retain(the_object());
  rac_subject *one = rac_behavior_subject_create(kept);
  rac_subject *other = rac_behavior_subject_create(kept);
  void *both[] = {one, other};
  CHECK_INT(visits(both, 2, &v), 0);
  rac_value_release(kept);
  CHECK_INT(visits_of(one, &v), 0);
  CHECK_INT(visits(both, 2, &v), 1);
  rac_release(one);
  CHECK_INT(visits_of(other, &v), 1);
  rac_release(other);
  CHECK_INT(references, 1);
}

/* An error, with what is beneath, that two keep_value. */
TEST(an_error_that_two_keep) {
  visit v;
  references = 1;
  rac_subject *one = rac_replay_subject_create(1);
  rac_subject *other = rac_replay_subject_create(1);
  rac_value object = rac_value_retain(the_object());
  rac_value error = rac_value_error_underlying("test", 1, "", object);
  rac_value_release(object);
  rac_subject_send_error(one, error);
  rac_subject_send_error(other, error);
  rac_value_release(error);
  void *both[] = {one, other};
  CHECK_INT(visits_of(one, &v), 0);
  CHECK_INT(visits(both, 2, &v), 1);
  rac_release(one);
  CHECK_INT(visits_of(other, &v), 1);
  rac_release(other);
  CHECK_INT(references, 1);
}

TEST(a_state_is_visited) {
  visit v;
  references = 1;
  rac_subject *subject = rac_subject_create();
  listen(rac_signal_distinct_until_changed(as_signal(subject)));
  rac_subject_send(subject, the_object());
  CHECK_INT(visits_of(subject, &v), 2);
  CHECK(saw(&v, &references));
  rac_release(subject);
  CHECK_INT(references, 1);
}

TEST(a_property_visits_its_subscribers_and_ends_them) {
  visit v;
  rac_property *property = rac_property_create(I(1), 0);
  rac_signal *values = rac_property_as_signal(property);
  listen(mapped(values));
  listen(rac_retain(values));
  CHECK_INT(visits_of(property, &v), 3);
  /* The end would arrive later. */
  owned rac_scheduler *clock = rac_scheduler_virtual();
  listen(rac_signal_delay(values, 1, clock));
  CHECK_INT(visits_of(property, &v), 3);
  rac_release(property);
  CHECK_INT(context_count(), 1);
  rac_virtual_advance_by(clock, 2);
  CHECK_INT(context_count(), 0);
}

/* ---- While something goes on --------------------------------------------------- */

static void visit_inside(void *context, rac_value value) {
  (void)value;
  rac_subject *subject = context_target(context);
  visit v;
  CHECK_INT(visits_of(subject, &v), 0);
}

TEST(inside_a_delivery_nothing_of_it_is_visited) {
  owned rac_subject *subject = rac_subject_create();
  rac_release(rac_subscribe_next(as_signal(subject), context_new(subject, NULL),
                                 visit_inside, context_destroy));
  rac_subject_send(subject, I(1));
}

typedef struct race {
  rac_subject *subject;
  rac_signal *signal;
  atomic_bool over;
} race;

static void *subscribe_and_dispose(void *argument) {
  race *self = argument;
  while (!atomic_load(&self->over)) {
    owned rac_disposable *d =
        rac_subscribe_next(self->signal, fresh(), hear_value, context_destroy);
    rac_dispose(d);
  }
  return NULL;
}
static void *send_all_the_time(void *argument) {
  race *self = argument;
  while (!atomic_load(&self->over)) rac_subject_send(self->subject, I(1));
  return NULL;
}

TEST(other_threads_may_do_what_they_like) {
  race r = {.subject = rac_subject_create()};
  r.signal = mapped(as_signal(r.subject));
  for (int i = 0; i < 20; i++) listen(mapped(r.signal));
  pthread_t threads[] = {check_spawn(subscribe_and_dispose, &r),
                         check_spawn(subscribe_and_dispose, &r),
                         check_spawn(send_all_the_time, &r)};
  void *both[] = {r.subject, r.signal};
  visit v;
  int64_t rounds = check_scaled(20000);
  for (int64_t i = 0; i < rounds; i++) visits(both, 2, &v);
  atomic_store(&r.over, true);
  for (int i = 0; i < 3; i++) check_join(threads[i]);
  CHECK_STATUS(rac_settle(60), RAC_OK);
  CHECK_INT(visits(both, 2, &v), 41);
  rac_release(r.signal);
  rac_release(r.subject);
  WAIT_UNTIL(context_count() == 0);
}

/* ---- Much ---------------------------------------------------------------------- */

TEST(a_thousand_subscribers_and_a_thousand_stages) {
  rac_subject *subject = rac_subject_create();
  for (int i = 0; i < 1000; i++) listen(mapped(as_signal(subject)));
  visit v;
  CHECK_INT(visits_of(subject, &v), 2000);
  rac_release(subject);
  subject = rac_subject_create();
  rac_signal *chain = rac_retain(subject);
  for (int i = 0; i < 1000; i++) RAC_ASSIGN(chain, mapped(chain));
  listen(chain);
  CHECK_INT(visits_of(subject, &v), 1001);
  rac_release(subject);
  CHECK_INT(context_count(), 0);
}

/* ---- Bad input ------------------------------------------------------------------ */

TEST(what_is_no_handle_is_refused_and_nothing_visited) {
  rac_subject *subject = rac_subject_create(), *gone = rac_subject_create();
  listen(rac_retain(subject));
  rac_release(gone);
  visit v = {.count = 0};
  void *stale[] = {subject, gone}, *garbage[] = {subject, &v};
  CHECK_STATUS(rac_visit_contexts(stale, 2, note, &v), RAC_ESTALE);
  CHECK_STATUS(rac_visit_contexts(garbage, 2, note, &v), RAC_ESTALE);
  CHECK_STATUS(rac_visit_contexts(NULL, 1, note, &v), RAC_ENULL);
  CHECK_STATUS(rac_visit_contexts(stale, 1, NULL, &v), RAC_ENULL);
  CHECK_STATUS(rac_visit_contexts(NULL, 0, note, &v), RAC_OK);
  CHECK_INT(v.count, 0);
  void *twice[] = {subject, subject};
  CHECK_INT(visits(twice, 2, &v), 0);
  CHECK_INT(visits_of(subject, &v), 1);
  rac_retain(subject);
  CHECK_INT(visits(twice, 2, &v), 1);
  CHECK_INT(visits_of(subject, &v), 0);
  rac_release(subject);
  rac_scheduler *others[] = {rac_scheduler_main(), rac_scheduler_immediate()};
  CHECK_INT(visits((void **)others, 2, &v), 0);
  rac_release(subject);
}
